/**
 * The process machine, root of the actor system: it boots, then holds the state, and is the
 * one door for events. Everything that a reader sees is a selector over its snapshot.
 *
 * Cycles are its children, an actor each while it runs, which then waits for another. The daemon is a child that asks for cycles as a caller does, from the inside.
 *
 * Readers see what is durable: the living state may be ahead by the records that are on their
 * way to the journal. When the journal cannot write, the living state goes back to what is
 * durable, no cycle is accepted, and the journal is tried again until it can.
 */
import {assign, emit, enqueueActions, fromPromise, raise, sendTo, setup, stopChild, type ActorRefFrom, type AnyActorRef, type SnapshotFrom} from 'xstate';
import {JournalError, reasonOf, UnavailableError} from '../errors.ts';
import type {Restored} from '../journal/journal.ts';
import {defaultThresholds, startVigilance, type Vigilance} from '../semiosis/vigilance.ts';
import {projectProfile, type Profile} from '../semiosis/profile.ts';
import type {StateTensor} from '../tensor/state-tensor.ts';
import {timestamp, type Time} from '../time.ts';
import {aliveInBorn, bootMachine, type BootSources, type Born, type StepReport} from './boot.ts';
import {cycleMachine, type CycleReport, type CycleRun, type CycleServices} from './cycle.ts';
import {daemonMachine, noted} from './daemon.ts';
import {Handle, LiveHandle} from './handle.ts';
import type {LoopConfig} from './loop.ts';
import type {ProcessEmitted, ProcessEvent} from './process-events.ts';
import {resetMachine, type ResetInput, type ResetReport} from './reset.ts';
import {resumed, standingOf} from './standing.ts';
import {isKnown, noCycles} from './trigger.ts';
import {translationMachine, type TranslationReport} from './translation.ts';

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
	report: StepReport[];
	/** Why the boot ended, if it did. */
	failure: unknown;
	/** Monotonic milliseconds when the process became ready. */
	startedAt: number | null;
	born: Handle<Born> | null;
	services: Handle<CycleServices> | null;
	/** The state that readers see. */
	state: StateTensor | null;
	vigilance: Handle<Vigilance> | null;
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

const daemonIn = (process: AnyActorRef) => (process.getSnapshot().children['daemon'] as ActorRefFrom<typeof daemonMachine>).getSnapshot().context;

/** A caller's trigger was noted when it came; the loop's is in its turn, which this is. */
const standingIn = (process: AnyActorRef, time: Time): CycleServices['standing'] => ({trigger, origin}) => {
	const {counters, lastTrigger} = daemonIn(process);
	return standingOf(origin === 'daemon' ? noted(counters, trigger, time) : {counters, lastTrigger});
};

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
		reopen: fromPromise<Restored, Handle<CycleServices>>(async ({input: {value: {journal}}, signal}) => {
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
		begin: assign(({context: {input}, self}, born: Born) => {
			const {kernel, time, journal, corroborate} = input.value.sources;
			return {
				born: new LiveHandle(born, 'what boot made', aliveInBorn),
				startedAt: time.elapsed(),
				state: born.current,
				vigilance: new Handle(born.vigilance, 'vigilance'),
				services: new LiveHandle<CycleServices>({
					kernel,
					time,
					journal,
					standing: standingIn(self, time),
					corroborate,
					encoder: born.encoder,
					authority: born.authority,
					reference: born.reference,
					living: {current: born.current, vigilance: born.vigilance},
				}, 'services', 'services'),
			};
		}),
		/** Services from a persisted snapshot do not know yet whose they are. */
		goOn: enqueueActions(({enqueue, context, self}) => {
			const {value: services} = context.services!;
			services.standing = standingIn(self, services.time);
			enqueue.sendTo('daemon', {type: 'resume'});
		}),
		/** In an actor that waits, or in a new one. */
		runCycle: enqueueActions(({enqueue, context: {cycles, services}}, run: CycleRun) => {
			let actor = cycles.waiting.pop();
			if (!actor) {
				actor = `cycle-${++cycles.made}`;
				enqueue.spawnChild('cycle', {id: actor, input: {services: services!}});
			}

			if (run.origin === 'daemon') {
				enqueue.assign({daemonCycle: actor});
			}

			enqueue.sendTo(actor, {type: 'run', run});
		}),
		countCycle({context, event}) {
			const {trigger, outcome} = event as Recorded;
			const {result: {deltaMagnitude}, vigilance: {report: {level}}} = outcome.value;
			context.born!.value.metrics.recordCycle({trigger: isKnown(trigger) ? trigger : 'user', deltaMagnitude, level});
		},
		publish: assign(({event}) => {
			const {state, vigilance} = (event as Recorded).outcome.value;
			return {state, vigilance: new Handle(vigilance, 'vigilance')};
		}),
		tellCycle: emit(({event}) => {
			const {id, trigger, origin, outcome, processingTimeMs, steps, tokenReport} = event as Recorded;
			const {result, record: {scores}} = outcome.value;
			return {type: 'cycle.done', id, trigger, origin, result: {...result, processingTimeMs}, scores, steps, tokenReport};
		}),
		tellFailure: emit(({event}) => {
			const {actor: _, ...failure} = event as CycleFailure;
			return failure;
		}),
		/** The reset's turn: back to the start. The jump is no drift; the loop and the last trigger stay as they are. */
		restore: enqueueActions(({enqueue, context, self}, id: string) => {
			const {initial: state, reference} = context.born!.value;
			const {living, kernel, journal, time} = context.services!.value;
			let vigilance: Vigilance;
			try {
				vigilance = startVigilance(kernel, state.rows, reference.rows);
			} catch (error) {
				enqueue.emit({type: 'reset.failed', id, error});
				return;
			}

			const {lastTrigger} = daemonIn(self);
			const standing = {...standingOf({counters: noCycles, lastTrigger}), cumulativeDrift: 0};
			living.current = state;
			living.vigilance = vigilance;
			enqueue.sendTo('daemon', {type: 'reset'});
			enqueue.spawnChild('reset', {
				id: `reset-${id}`,
				input: {
					id,
					before: recordingIn(self),
					journal: journal && new LiveHandle(journal, 'journal', 'journal'),
					restored: new Handle({record: {kind: 'reset' as const, id, timestamp: timestamp(time), standing}, state, vigilance}, 'restored'),
				},
			});
		}),
		publishReset: enqueueActions(({enqueue, context}, {id, restored}: Pick<ResetInput, 'id' | 'restored'>) => {
			const {state, vigilance} = restored.value;
			context.born!.value.metrics.reset();
			enqueue.assign({state, vigilance: new Handle(vigilance, 'vigilance')});
			enqueue.emit({type: 'reset.done', id, stateId: state.stateId});
		}),
		/** What is written beside the cycles, for whom nobody waits. */
		note: ({context, self}, kind: 'daemon.started' | 'daemon.stopped') => {
			const {newId, sources: {journal, time}} = context.input.value;
			journal?.append({kind, id: newId(), timestamp: timestamp(time)}).catch((error: unknown) => {
				self.send({type: 'journal.failed', error});
			});
		},
		/** Of what could not be written nothing has happened. */
		returnToDurable: ({context}) => {
			const {living} = context.services!.value;
			living.current = context.state!;
			living.vigilance = context.vigilance!.value;
		},
		/** A journal that is open again knows best what is in it: a record whose commit was cut off may be, or may not. */
		adopt: assign(({context}, {current, standing}: Restored) => {
			const {living, kernel} = context.services!.value;
			const {reference} = context.born!.value;
			living.current = current;
			living.vigilance = startVigilance(kernel, current.rows, reference.rows, defaultThresholds, standing.cumulativeDrift);
			return {state: current, vigilance: new Handle(living.vigilance, 'vigilance'), journalTrouble: null};
		}),
		raiseJournalTrouble: enqueueActions(({enqueue, event}) => {
			const {error} = event as CycleFailure;
			if (error instanceof JournalError) {
				enqueue.raise({type: 'journal.failed', error});
			}
		}),
		tellLoss: enqueueActions(({enqueue, event}) => {
			const {trigger, steps} = event as CycleFailure;
			if (steps?.applying !== undefined) {
				enqueue.sendTo('daemon', {type: 'loop.lost', trigger});
			}
		}),
		forgetReset: stopChild(({event}) => `reset-${(event as ResetReport).id}`),
		/** An actor that broke is of no more use. */
		freeCycle: enqueueActions(({enqueue, context: {cycles: {waiting}}, event, self}) => {
			const {actor} = event as CycleReport;
			if (waiting.length < mostWaiting && self.getSnapshot().children[actor]?.getSnapshot().status === 'active') {
				waiting.push(actor);
			} else {
				enqueue.stopChild(actor);
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
						assign({report: ({context, event}) => [...context.report, event.report]}),
						emit(({event}) => event),
					],
				},
			},
		},
		ready: {
			invoke: {
				id: 'daemon',
				src: 'daemon',
				input: ({context: {input: {value: {loop, sources: {time, random}}}, born}}) => {
					const {restored, themes} = born!.value;
					const standing = restored?.standing;
					return {loop, themes, time, random, ...(standing && resumed(standing, time))};
				},
			},
			initial: 'accepting',
			states: {
				accepting: {
					on: {
						cycle: {
							actions: [
								sendTo('daemon', ({event}) => ({type: 'trigger', trigger: event.trigger})),
								{type: 'runCycle', params: ({event: {id, content, trigger, metadata}}) => ({id, content, trigger, metadata, origin: 'caller'})},
							],
						},
						reset: {
							actions: {type: 'restore', params: ({event}) => event.id},
						},
						'daemon.cycle': {
							actions: {
								type: 'runCycle',
								params: ({context, event: {content, trigger}}) => ({id: context.input.value.newId(), content, trigger, metadata: {}, origin: 'daemon'}),
							},
						},
						'journal.failed': {
							target: 'halted',
							actions: [
								assign({journalTrouble: ({event}) => reasonOf(event.error)}),
								'returnToDurable',
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
							on: {resume: {target: 'pausing', reenter: true, actions: 'goOn'}},
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
					actions: sendTo('daemon', ({event: {trigger}}) => ({type: 'loop.turned', trigger})),
				},
				'cycle.failed': [
					{guard: 'isOfLoop', actions: ['tellFailure', 'freeCycle', 'tellLoss', sendTo('daemon', {type: 'loop.stumbled'}), 'raiseJournalTrouble']},
					{actions: ['tellFailure', 'freeCycle', 'raiseJournalTrouble']},
				],
				'reset.recorded': {
					actions: [{type: 'publishReset', params: ({event}) => event}, 'forgetReset', sendTo('daemon', {type: 'reset.recorded'})],
				},
				'reset.failed': {
					actions: [emit(({event}) => event), 'forgetReset', sendTo('daemon', {type: 'reset.failed'}), 'raiseJournalTrouble'],
				},
				'cycle.cancelled': {
					actions: 'freeCycle',
				},
				// A cycle that broke by a defect of ours or of a kernel's has failed like any other.
				'xstate.error.actor.*': {
					actions: raise(({event, self}) => {
						const {actorId: actor, error} = event as unknown as {actorId: string; error: unknown};
						const {id, trigger, origin} = (self.getSnapshot().children[actor] as ActorRefFrom<typeof cycleMachine>).getSnapshot().context.run;
						return {type: 'cycle.failed' as const, actor, id, trigger, origin, error};
					}),
				},
				resume: {
					actions: 'goOn',
				},
				translate: {
					actions: {type: 'translate', params: ({event}) => event},
				},
				'translate.cancel': {
					actions: 'forgetTranslation',
				},
				'translation.done': {
					actions: [
						'forgetTranslation',
						({context, event: {translation}}) => {
							context.born!.value.metrics.recordVerbalisation({
								length: translation.text.length,
								fromAutonomous: false,
								reasoningDetected: translation.reasoningDetected,
							});
						},
						emit(({event}) => event),
					],
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
