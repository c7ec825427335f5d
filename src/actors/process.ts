/**
 * The process machine, root of the actor system: it boots, then holds the state, and is the
 * one door for events. Everything that a reader sees is a selector over its snapshot.
 *
 * Cycles are its children, an actor each while it runs, which then waits for another. The daemon is a child that asks for cycles as a caller does, from the inside.
 * Cycles and resets have their turns in the order in which they were accepted (`turns.ts`): the
 * process takes their places, and gives the turn to the next one that waits.
 *
 * Readers see what is durable: the living state may be ahead by the records that are on their
 * way to the journal. When the journal cannot write, the process rolls back to what is durable:
 * the living state, and what was counted. Everything that was accepted and is not durable fails,
 * nothing more is accepted, and the journal is tried again until it can write.
 */
import {assign, emit, enqueueActions, fromPromise, raise, sendTo, setup, stopChild, type ActorRefFrom, type AnyActorRef, type SnapshotFrom} from 'xstate';
import {deepFreeze} from '../deep-freeze.ts';
import {EmbeddingError, JournalError, reasonOf, UnavailableError} from '../errors.ts';
import type {RestoredJournal} from '../journal/journal.ts';
import {startVigilance, type Vigilance} from '../semiosis/vigilance.ts';
import {projectProfile, type Profile} from '../semiosis/profile.ts';
import type {StateTensor} from '../tensor/state-tensor.ts';
import {timestamp} from '../clock.ts';
import {aliveInBorn, bootMachine, type BootSources, type Born, type StepReport} from './boot.ts';
import {cycleMachine, turnPatience, type CycleReport, type CycleRun, type CycleServices} from './cycle.ts';
import {daemonMachine} from './daemon.ts';
import {Handle, LiveHandle} from './handle.ts';
import type {LoopConfig} from './loop.ts';
import type {ProcessEmitted, ProcessEvent} from './process-events.ts';
import {resetMachine, type ResetReport} from './reset.ts';
import {resumed} from './standing.ts';
import {noTally, triggeredNow, type Tally} from './tally.ts';
import type {LastTrigger} from './trigger.ts';
import {translationMachine, type TranslationReport} from './translation.ts';
import {Turns} from './turns.ts';

/** What a process is created with. */
export type ProcessInput = {
	/** The configured identifier of the embedding model. */
	embeddingModel: string;
	sources: BootSources;
	loop: LoopConfig;
	/** Names for the cycles that the daemon asks for. */
	newId: () => string;
};

type ProcessContext = {
	input: Handle<ProcessInput>;
	embeddingModel: string;
	report: readonly StepReport[];
	/** Why the boot ended, if it did. */
	failure: unknown;
	/** Monotonic milliseconds when the process became ready. */
	startedAt: number | null;
	born: Handle<Born> | null;
	services: Handle<CycleServices> | null;
	/** The state that readers see. */
	state: StateTensor | null;
	vigilance: Handle<Vigilance> | null;
	/** What is counted with the state that readers see. */
	tally: Tally;
	cycles: CycleActors;
	/** The actor that runs the daemon's cycle. */
	daemonCycle: string | null;
	/** Why the journal cannot be written; null while it can. */
	journalTrouble: string | null;
};

/**
 * The actors that run cycles, `cycle-1` and so on: how many were made so far, and the names of
 * those that wait. Noted in place: an assignment for each cycle would make another snapshot of it.
 */
type CycleActors = {made: number; readonly waiting: string[]};

/** More than this do not wait; a rush leaves no more behind. */
const mostWaiting = 64;

/** The ids of the cycles that had their turn and are not durable yet. */
export const recordingIn = (process: AnyActorRef): string[] => Object.entries(process.getSnapshot().children as Record<string, AnyActorRef>).flatMap(([name, child]) => {
	const cycle = name.startsWith('cycle-') && (child as ActorRefFrom<typeof cycleMachine>).getSnapshot();
	return cycle && cycle.matches('recording') ? [cycle.context.run.id] : [];
});

type Recorded = Extract<CycleReport, {type: 'cycle.recorded'}>;
type CycleFailure = Extract<CycleReport, {type: 'cycle.failed'}>;

/** The root of the actor system; `createProcess` starts it and puts a door before it. */
export const processMachine = setup({
	types: {
		context: {} as ProcessContext,
		events: {} as ProcessEvent,
		emitted: {} as ProcessEmitted,
		input: {} as ProcessInput,
		children: {} as {boot: 'boot'; daemon: 'daemon'},
	},
	actors: {
		boot: bootMachine,
		daemon: daemonMachine,
		cycle: cycleMachine,
		reset: resetMachine,
		translation: translationMachine,
		reopen: fromPromise<RestoredJournal, Handle<CycleServices>>(async ({input: {value: {journal}}, signal}) => {
			// It is open still where this process comes from a persisted snapshot.
			await journal!.close();
			// Whoever stopped the process meanwhile wants it closed.
			signal.throwIfAborted();
			const restored = await journal!.open();
			if (!restored) {
				throw new JournalError('The journal is empty, though it was not. Put its files back where they were.');
			}

			return restored;
		}),
	},
	guards: {
		/** The loop waits for the end of its own cycle only. */
		isOfLoop: ({event}) => (event as Recorded | CycleFailure).origin === 'daemon',
	},
	delays: {
		/** Between two tries to open a journal that failed. */
		journalPause: 5000,
	},
	actions: {
		begin: assign(({context: {input}}, born: Born) => {
			const {kernel, time, journal, corroborate} = input.value.sources;
			const tally = born.restored ? resumed(born.restored.standing, time) : noTally;
			return {
				tally,
				born: new LiveHandle(born, 'what boot made', aliveInBorn),
				startedAt: time.elapsed(),
				state: born.current,
				vigilance: new Handle(born.vigilance, 'vigilance'),
				services: new LiveHandle<CycleServices>({
					kernel,
					time,
					journal,
					corroborate,
					encoder: born.encoder,
					authority: born.authority,
					reference: born.reference,
					living: {state: born.current, vigilance: born.vigilance},
					turns: new Turns(tally),
				}, 'services', 'services'),
			};
		}),
		/** In an actor that waits, or in a new one. The daemon's cycle counts in its turn, which may never come. */
		runCycle: enqueueActions(({enqueue, context: {cycles, services}}, {accepted, ...order}: Omit<CycleRun, 'turn'> & {accepted: LastTrigger | null}) => {
			let actor = cycles.waiting.pop();
			if (!actor) {
				actor = `cycle-${++cycles.made}`;
				enqueue.spawnChild('cycle', {id: actor, input: {services: services!}});
			}

			if (order.origin === 'daemon') {
				enqueue.assign({daemonCycle: actor});
			}

			const turn = services!.value.turns.accept({actor, kind: 'cycle', isReady: false, trigger: accepted});
			enqueue.sendTo(actor, {type: 'run', run: {...order, turn}});
		}),
		countCycle({context, event}) {
			context.born!.value.metrics.recordCycle((event as Recorded).outcome.value.vigilance.report.level);
		},
		publish: assign(({event}) => {
			const {state, vigilance, tally} = (event as Recorded).outcome.value;
			return {state, vigilance: new Handle(vigilance, 'vigilance'), tally};
		}),
		tellCycle: emit(({event}) => {
			const {id, trigger, origin, outcome, processingTimeMs, steps, tokenReport} = event as Recorded;
			const {result, record: {scores}} = outcome.value;
			// One event is heard by every listener, and its result is the caller's answer. Part by part, because deepFreeze takes twice as long.
			for (const part of [result.dimensionsAffected, scores, steps, tokenReport]) {
				Object.freeze(part);
			}

			return Object.freeze({type: 'cycle.done', id, trigger, origin, result: Object.freeze({...result, processingTimeMs}), scores, steps, tokenReport});
		}),
		tellFailure: emit(({event}) => {
			const {type, id, trigger, origin, error, steps} = event as CycleFailure;
			return deepFreeze({type, id, trigger, origin, error, ...(steps && {steps})});
		}),
		/** It takes its place in the line, and clears the counters: what is accepted after it counts from zero. */
		acceptReset: enqueueActions(({enqueue, context}, id: string) => {
			const {initial: state, reference} = context.born!.value;
			const services = context.services!;
			const {kernel, turns} = services.value;
			let vigilance: Vigilance;
			try {
				// It depends on no turn, so a kernel that breaks refuses the reset.
				vigilance = startVigilance(kernel, state.rows, reference.rows);
			} catch (error) {
				enqueue.emit({type: 'reset.failed', id, error});
				return;
			}

			const actor = `reset-${id}`;
			const turn = turns.accept({actor, kind: 'reset', isReady: true, trigger: null});
			enqueue.sendTo('daemon', {type: 'reset'});
			enqueue.spawnChild('reset', {id: actor, input: {id, turn, services, restored: new Handle({state, vigilance}, 'restored')}});
		}),
		publishReset: enqueueActions(({enqueue, context}, {id, restored, outcome}: Extract<ResetReport, {type: 'reset.recorded'}>) => {
			const {state, vigilance} = restored.value;
			context.born!.value.metrics.reset();
			enqueue.assign({state, vigilance: new Handle(vigilance, 'vigilance'), tally: outcome.value.tally});
			enqueue.emit(Object.freeze({type: 'reset.done' as const, id, stateId: state.stateId}));
		}),
		/** To the next one that waits, if it is its turn. */
		giveTurn: enqueueActions(({enqueue, context}) => {
			const next = context.services!.value.turns.next();
			if (next !== null) {
				enqueue.sendTo(next, {type: 'turn'});
			}
		}),
		/** An encoder that never settles must not hold up every cycle for good. */
		failStalled: enqueueActions(({enqueue, context}) => {
			const head = context.services!.value.turns.head();
			if (head?.actor && !head.isReady) {
				enqueue.sendTo(head.actor, {
					type: 'fail',
					error: new EmbeddingError(`The text was not embedded within ${turnPatience / 60_000} minutes, and other cycles wait for it.`, {retryable: true}),
				});
			}
		}),
		noteLoopTurn: sendTo('daemon', ({context, event}) => {
			const {lastTrigger} = event as Extract<CycleReport, {type: 'cycle.turned'}>;
			// A reset that still waits was accepted after this cycle.
			return {type: 'loop.turned' as const, lastTrigger, isCleared: context.services!.value.turns.hasReset()};
		}),
		failAllInLine: enqueueActions(({enqueue, context}) => {
			for (const actor of context.services!.value.turns.actors()) {
				enqueue.sendTo(actor, {type: 'fail', error: halted(context.journalTrouble!)});
			}
		}),
		/** What is written beside the cycles, for whom nobody waits. */
		note: ({context, self}, kind: 'daemon.started' | 'daemon.stopped') => {
			const {newId, sources: {journal, time}} = context.input.value;
			journal?.append({kind, id: newId(), timestamp: timestamp(time)}).catch((error: unknown) => {
				self.send({type: 'journal.failed', error});
			});
		},
		rollBack: enqueueActions(({enqueue, context}) => {
			const {living, turns} = context.services!.value;
			living.state = context.state!;
			living.vigilance = context.vigilance!.value;
			enqueue.sendTo('daemon', {type: 'rolledBack', ...turns.rollBack(context.tally)});
		}),
		/** A journal that is open again knows best what is in it: a record whose commit was cut off may be, or may not. */
		adopt: enqueueActions(({enqueue, context}, {current, standing}: RestoredJournal) => {
			const {living, turns, kernel, time} = context.services!.value;
			const {reference} = context.born!.value;
			living.state = current;
			living.vigilance = startVigilance(kernel, current.rows, reference.rows, standing.cumulativeDrift);
			const tally = {...resumed(standing, time), failures: context.tally.failures};
			enqueue.assign({state: current, vigilance: new Handle(living.vigilance, 'vigilance'), tally, journalTrouble: null});
			enqueue.sendTo('daemon', {type: 'rolledBack', ...turns.rollBack(tally)});
		}),
		raiseJournalTrouble: enqueueActions(({enqueue, event}) => {
			const {error} = event as CycleFailure;
			if (error instanceof JournalError) {
				enqueue.raise({type: 'journal.failed', error});
			}
		}),
		forgetReset: stopChild(({event}) => `reset-${(event as ResetReport).id}`),
		/** An actor that broke is of no more use. What failed before its turn is passed over. */
		freeCycle: enqueueActions(({enqueue, context: {cycles: {waiting}, services}, event, self}) => {
			const {actor, turn} = event as CycleReport;
			const {turns} = services!.value;
			turns.giveUp(turn);
			if (waiting.length < mostWaiting && self.getSnapshot().children[actor]?.getSnapshot().status === 'active') {
				waiting.push(actor);
			} else {
				enqueue.stopChild(actor);
			}

			const next = turns.next();
			if (next !== null) {
				enqueue.sendTo(next, {type: 'turn'});
			}
		}),
		forgetTranslation: stopChild(({event}) => `translation-${(event as TranslationReport).id}`),
		translate: enqueueActions(({enqueue, context}, {id, context: words}: {id: string; context: string | null}) => {
			const {directions, translator, encoder} = context.born!.value;
			const {kernel} = context.services!.value;
			let profile: Profile;
			try {
				profile = projectProfile(kernel, context.state!.rows, directions);
			} catch (error) {
				enqueue.emit({type: 'translation.failed', id, error});
				return;
			}

			enqueue.spawnChild('translation', {
				id: `translation-${id}`,
				input: {
					id,
					context: words,
					profile: new Handle(profile, 'profile'),
					means: new LiveHandle({translator: translator!, encoder, kernel, directions}, 'translator', 'means'),
				},
			});
		}),
	},
}).createMachine({
	id: 'process',
	context: ({input}) => ({
		input: new LiveHandle(input, 'input', 'input'),
		embeddingModel: input.embeddingModel,
		report: [],
		failure: null,
		startedAt: null,
		born: null,
		services: null,
		state: null,
		vigilance: null,
		tally: noTally,
		cycles: {made: 0, waiting: []},
		daemonCycle: null,
		journalTrouble: null,
	}),
	initial: 'booting',
	on: {
		stop: '.stopped',
	},
	states: {
		booting: {
			invoke: {
				id: 'boot',
				src: 'boot',
				input: ({context}) => context.input.value.sources,
				onDone: {target: 'ready', actions: {type: 'begin', params: ({event}) => event.output.value}},
				onError: {target: 'failed', actions: assign({failure: ({event}) => event.error})},
			},
			on: {
				'boot.step': {
					actions: [
						assign({report: ({context, event}) => Object.freeze([...context.report, event.report])}),
						emit(({event}) => event),
					],
				},
			},
		},
		ready: {
			invoke: {
				id: 'daemon',
				src: 'daemon',
				input: ({context: {input: {value: {loop, sources: {time, random}}}, born, tally: {counters, lastTrigger}}}) =>
					({loop, themes: born!.value.themes, time, random, counters, lastTrigger}),
			},
			initial: 'accepting',
			states: {
				accepting: {
					on: {
						cycle: {
							actions: enqueueActions(({enqueue, context, event: {id, content, trigger, metadata}}) => {
								const accepted = triggeredNow(trigger, context.services!.value.time);
								enqueue.sendTo('daemon', {type: 'trigger', trigger, lastTrigger: accepted});
								enqueue({type: 'runCycle', params: {id, content, trigger, metadata, origin: 'caller', accepted}});
							}),
						},
						reset: {
							actions: [{type: 'acceptReset', params: ({event}) => event.id}, 'giveTurn'],
						},
						'daemon.cycle': {
							actions: {
								type: 'runCycle',
								params: ({context, event: {content, trigger}}) => ({id: context.input.value.newId(), content, trigger, metadata: {}, origin: 'daemon', accepted: null}),
							},
						},
						'journal.failed': {
							target: 'halted',
							actions: [
								assign({journalTrouble: ({event}) => reasonOf(event.error)}),
								'failAllInLine',
								'rollBack',
								emit(({event}) => event),
							],
						},
					},
				},
				halted: {
					initial: 'pausing',
					states: {
						pausing: {
							after: {journalPause: 'reopening'},
							on: {resume: {target: 'pausing', reenter: true, actions: sendTo('daemon', {type: 'resume'})}},
						},
						reopening: {
							invoke: {
								src: 'reopen',
								input: ({context}) => context.services!,
								onDone: {
									target: '#process.ready.accepting',
									actions: [{type: 'adopt', params: ({event}) => event.output}, emit({type: 'journal.mended'})],
								},
								onError: {
									target: 'pausing',
									actions: assign({journalTrouble: ({event}) => reasonOf(event.error)}),
								},
							},
						},
					},
					on: {
						cycle: {
							actions: emit(({context, event: {id, trigger}}) => ({type: 'cycle.failed', id, trigger, origin: 'caller', error: halted(context.journalTrouble!)})),
						},
						reset: {
							actions: emit(({context, event: {id}}) => ({type: 'reset.failed', id, error: halted(context.journalTrouble!)})),
						},
						'daemon.cycle': {
							actions: sendTo('daemon', {type: 'loop.stumbled'}),
						},
					},
				},
			},
			on: {
				'cycle.recorded': [
					{guard: 'isOfLoop', actions: ['countCycle', 'publish', 'tellCycle', 'freeCycle', sendTo('daemon', {type: 'loop.cycled'})]},
					{actions: ['countCycle', 'publish', 'tellCycle', 'freeCycle']},
				],
				'cycle.turned': {
					actions: 'noteLoopTurn',
				},
				'turn.ended': {
					actions: 'giveTurn',
				},
				'turn.overdue': {
					actions: 'failStalled',
				},
				'cycle.failed': [
					{guard: 'isOfLoop', actions: ['tellFailure', 'freeCycle', sendTo('daemon', {type: 'loop.stumbled'}), 'raiseJournalTrouble']},
					{actions: ['tellFailure', 'freeCycle', 'raiseJournalTrouble']},
				],
				'reset.recorded': {
					actions: [{type: 'publishReset', params: ({event}) => event}, 'forgetReset', sendTo('daemon', {type: 'reset.recorded'}), 'giveTurn'],
				},
				'reset.failed': {
					actions: [emit(({event}) => event), 'forgetReset', 'raiseJournalTrouble'],
				},
				'cycle.cancelled': {
					actions: 'freeCycle',
				},
				// A cycle that broke by a defect of ours or of a kernel's has failed like any other.
				'xstate.error.actor.*': {
					actions: raise(({event, self}) => {
						const {actorId: actor, error} = event as unknown as {actorId: string; error: unknown};
						const {id, trigger, origin, turn} = (self.getSnapshot().children[actor] as ActorRefFrom<typeof cycleMachine>).getSnapshot().context.run;
						return {type: 'cycle.failed' as const, actor, id, trigger, origin, turn, error};
					}),
				},
				resume: {
					actions: sendTo('daemon', {type: 'resume'}),
				},
				translate: {
					actions: {type: 'translate', params: ({event}) => event},
				},
				'translate.cancel': {
					actions: 'forgetTranslation',
				},
				'translation.done': {
					actions: ['forgetTranslation', emit(({event}) => event)],
				},
				'translation.failed': {
					actions: ['forgetTranslation', emit(({event}) => event)],
				},
				'daemon.start': {
					actions: sendTo('daemon', ({event}) => event),
				},
				'daemon.stop': {
					actions: sendTo('daemon', ({event}) => event),
				},
				'daemon.started': {
					actions: {type: 'note', params: 'daemon.started'},
				},
				'daemon.stopped': {
					actions: {type: 'note', params: 'daemon.stopped'},
				},
				'daemon.cancel': {
					actions: sendTo(({context}) => context.daemonCycle!, {type: 'cancel'}),
				},
			},
		},
		failed: {type: 'final'},
		stopped: {type: 'final'},
	},
});

/** What is told to those who want to change the state while it cannot be kept. */
export const halted = (journalTrouble: string): UnavailableError =>
	new UnavailableError(`Nothing can be changed while the journal cannot be written: ${journalTrouble}`);

export type ProcessSnapshot = SnapshotFrom<typeof processMachine>;
