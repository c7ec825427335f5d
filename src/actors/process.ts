/**
 * The process machine, root of the actor system: it boots, then holds the state, and is the
 * one door for events. Everything that a reader sees is a selector over its snapshot.
 *
 * Cycles are its children, one actor each, named by their ids, stopped and forgotten at their
 * end. The daemon is a child that asks for cycles as a caller does, from the inside.
 */
import {assign, emit, enqueueActions, raise, sendTo, setup, stopChild, type ActorRefFrom, type SnapshotFrom} from 'xstate';
import {startVigilance, type Vigilance} from '../semiosis/vigilance.ts';
import {projectProfile} from '../semiosis/profile.ts';
import type {Themes} from '../store/themes.ts';
import type {StateTensor} from '../tensor/state-tensor.ts';
import {bootMachine, type BootSources, type Born, type StepReport} from './boot.ts';
import {cycleMachine, type CycleReport, type CycleServices, type Origin} from './cycle.ts';
import {daemonMachine, type DaemonRequest, type LoopConfig} from './daemon.ts';
import {Handle} from './handle.ts';
import {isKnown} from './trigger.ts';
import {translationMachine, type TranslationReport} from './translation.ts';
import type {CycleResult} from './views.ts';

export type ProcessInput = {
	/** The configured identifier of the embedding model. */
	embeddingModel: string;
	sources: BootSources;
	loop: LoopConfig;
	themes: Themes;
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
	/** The daemon's cycle under way. */
	daemonCycle: string | null;
};

type CycleOrder = {id: string; content: string; trigger: string; metadata: Record<string, unknown>};

export type ProcessEvent =
	| ({type: 'cycle'} & CycleOrder)
	| {type: 'reset'; id: string}
	| {type: 'translate'; id: string; context: string | null}
	| {type: 'translate.cancel'; id: string}
	| {type: 'daemon.start'}
	| {type: 'daemon.stop'}
	| {type: 'stop'}
	| {type: 'boot.step'; report: StepReport}
	| CycleReport
	| TranslationReport
	| DaemonRequest;

/** What the process lets the world hear. */
export type ProcessEmitted =
	| {type: 'boot.step'; report: StepReport}
	| {type: 'cycle.done'; id: string; trigger: string; origin: Origin; result: CycleResult}
	| {type: 'cycle.failed'; id: string; trigger: string; origin: Origin; error: unknown}
	| {type: 'reset.done'; id: string; stateId: number}
	| TranslationReport;

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
		translation: translationMachine,
	},
	actions: {
		begin: assign(({context: {input}}, born: Born) => ({
			born: new Handle(born, 'what boot made'),
			startedAt: input.value.sources.time.elapsed(),
			state: born.initial,
			vigilance: new Handle(born.vigilance, 'vigilance'),
			services: new Handle<CycleServices>({
				kernel: input.value.sources.kernel,
				time: input.value.sources.time,
				encoder: born.encoder,
				authority: born.authority,
				reference: born.reference,
				living: {current: born.initial, vigilance: born.vigilance},
			}, 'services'),
		})),
		runCycle: enqueueActions(({enqueue, context}, {origin, ...order}: CycleOrder & {origin: Origin}) => {
			enqueue.spawnChild('cycle', {id: `cycle-${order.id}`, input: {...order, origin, services: context.services!}});
		}),
		publish: enqueueActions(({enqueue, context}, {id, trigger, origin, outcome}: Extract<CycleReport, {type: 'cycle.recorded'}>) => {
			const {result, state, vigilance} = outcome.value;
			context.born!.value.metrics.recordCycle({trigger: isKnown(trigger) ? trigger : 'user', deltaMagnitude: result.deltaMagnitude, level: vigilance.report.level});
			enqueue.assign({state, vigilance: new Handle(vigilance, 'vigilance')});
			enqueue.emit({type: 'cycle.done', id, trigger, origin, result});
		}),
		/** Back to the start: the jump is no drift, the daemon's loop and the last trigger stay as they are. */
		restore: enqueueActions(({enqueue, context}, id: string) => {
			const {initial, reference, metrics} = context.born!.value;
			const {living, kernel} = context.services!.value;
			living.current = initial;
			living.vigilance = startVigilance(kernel, initial.rows, reference.rows);
			metrics.reset();
			enqueue.assign({state: initial, vigilance: new Handle(living.vigilance, 'vigilance')});
			enqueue.sendTo('daemon', {type: 'reset'});
			enqueue.emit({type: 'reset.done', id, stateId: initial.stateId});
		}),
		forgetCycle: stopChild(({event}) => `cycle-${(event as CycleReport).id}`),
		forgetTranslation: stopChild(({event}) => `translation-${(event as TranslationReport).id}`),
		/** The loop waits for the end of its own cycle only. */
		tellLoop: enqueueActions(({enqueue, event}, end: {type: 'loop.cycled' | 'loop.stumbled'}) => {
			if ((event as Extract<CycleReport, {origin: Origin}>).origin === 'daemon') {
				enqueue.sendTo('daemon', end);
			}
		}),
		translate: enqueueActions(({enqueue, context}, {id, context: words}: {id: string; context: string | null}) => {
			const {directions, translator} = context.born!.value;
			enqueue.spawnChild('translation', {
				id: `translation-${id}`,
				input: {
					id,
					context: words,
					profile: new Handle(projectProfile(context.services!.value.kernel, context.state!.rows, directions), 'profile'),
					translator: new Handle(translator!, 'translator'),
				},
			});
		}),
	},
}).createMachine({
	id: 'process',
	context: ({input}) => ({
		input: new Handle(input, 'input'),
		embeddingModel: input.embeddingModel,
		report: [],
		failure: null,
		startedAt: null,
		born: null,
		services: null,
		state: null,
		vigilance: null,
		daemonCycle: null,
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
				input: ({context: {input: {value: {loop, themes, sources}}}}) => ({loop, themes, time: sources.time, random: sources.random}),
			},
			on: {
				cycle: {
					actions: [
						sendTo('daemon', ({event}) => ({type: 'trigger', trigger: event.trigger})),
						{type: 'runCycle', params: ({event}) => ({...event, origin: 'caller'})},
					],
				},
				'cycle.recorded': {
					actions: [{type: 'publish', params: ({event}) => event}, 'forgetCycle', {type: 'tellLoop', params: {type: 'loop.cycled'}}],
				},
				'cycle.failed': {
					actions: [emit(({event}) => event), 'forgetCycle', {type: 'tellLoop', params: {type: 'loop.stumbled'}}],
				},
				'cycle.cancelled': {
					actions: 'forgetCycle',
				},
				// A cycle that broke by a defect of ours or of a kernel's has failed like any other.
				'xstate.error.actor.*': {
					actions: raise(({event, self}) => {
						const {actorId, error} = event as unknown as {actorId: string; error: unknown};
						const {id, trigger, origin} = (self.getSnapshot().children[actorId] as ActorRefFrom<typeof cycleMachine>).getSnapshot().context;
						return {type: 'cycle.failed' as const, id, trigger, origin, error};
					}),
				},
				reset: {
					actions: {type: 'restore', params: ({event}) => event.id},
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
				'daemon.cycle': {
					actions: enqueueActions(({enqueue, context, event: {trigger, content}}) => {
						const id = context.input.value.newId();
						enqueue.assign({daemonCycle: id});
						enqueue({type: 'runCycle', params: {id, trigger, content, metadata: {}, origin: 'daemon'}});
					}),
				},
				'daemon.cancel': {
					actions: sendTo(({context}) => `cycle-${context.daemonCycle}`, {type: 'cancel'}),
				},
			},
		},
		failed: {type: 'final'},
		stopped: {type: 'final'},
	},
});

export type ProcessSnapshot = SnapshotFrom<typeof processMachine>;
