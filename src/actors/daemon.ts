/**
 * The daemon machine: what mode the process is in, and the loop that thinks when nobody speaks.
 *
 * Two regions side by side. `mode` is the mode table of the interface, row by row; `loop` waits,
 * asks its parent for a cycle, and waits again. They share events, not steps: a user's cycle
 * during the loop turns the mode to conversation and leaves the loop running, and the loop's own
 * cycles leave the mode alone.
 *
 * The daemon runs no cycle itself. It sends its parent `daemon.cycle` with a trigger and a
 * text, and hears `loop.cycled` or `loop.stumbled` when that cycle has ended. Leaving the loop
 * in the midst of one sends `daemon.cancel`. A start and a stop of the loop are told too.
 *
 * Its counters run ahead of the journal: a caller's cycle counts when it is accepted, the loop's
 * in its turn (`loop.turned`), and a reset clears them when it is accepted. When the journal
 * fails, `rolledBack` brings them back to what is durable.
 */
import {assign, not, sendParent, setup, stateIn, type AnyActorRef} from 'xstate';
import type {Themes} from '../sources/themes.ts';
import type {Random, Time} from '../clock.ts';
import {LiveHandle, type Handle} from './handle.ts';
import type {LoopConfig} from './loop.ts';
import {triggeredNow, type Tally} from './tally.ts';
import {count, isAutonomous, noCycles, type Counters, type LastTrigger} from './trigger.ts';

/** The wait after a failed cycle, before the loop goes on. */
const pauseAfterError = 5000;

/** What a daemon is created with. */
export type DaemonInput = {
	loop: LoopConfig;
	themes: Themes;
	time: Time;
	random: Random;
	/** What a restart goes on from. */
	counters?: Counters;
	lastTrigger?: LastTrigger | null;
};

type Thought = {trigger: 'rumination_free' | 'corpus'; content: string};

type Mode = 'idle' | 'conversation' | 'autonomous';

type DaemonContext = Omit<Required<DaemonInput>, 'time' | 'random'> & {
	means: Handle<Pick<DaemonInput, 'time' | 'random'>>;
	/** What the loop thinks about in its present cycle. */
	thought: Thought | null;
	/** Whether the loop's present cycle has been counted. */
	isTurnNoted: boolean;
	/** The mode before each reset that is not durable yet, in their order. */
	modesBefore: readonly Mode[];
};

/** What a daemon hears. */
export type DaemonEvent =
	/** A caller's cycle was accepted; `lastTrigger` is that moment, now unless given. */
	| {type: 'trigger'; trigger: string; lastTrigger?: LastTrigger}
	| {type: 'daemon.start'}
	| {type: 'daemon.stop'}
	/** A reset was accepted. */
	| {type: 'reset'}
	/** It is durable. */
	| {type: 'reset.recorded'}
	/** The journal failed: this is what is durable. Resets that are not durable have not happened. */
	| ({type: 'rolledBack'} & Pick<Tally, 'counters' | 'lastTrigger'>)
	/** It comes from a persisted snapshot: what it waited for, it waits for anew. */
	| {type: 'resume'}
	/** The loop's cycle has had its turn. A reset that was accepted after the cycle has cleared its count. */
	| {type: 'loop.turned'; lastTrigger: LastTrigger; isCleared: boolean}
	| {type: 'loop.cycled'}
	| {type: 'loop.stumbled'};

/** What the daemon asks of its parent, and tells it: that the loop has started or stopped. */
export type DaemonRequest = ({type: 'daemon.cycle'} & Thought) | {type: 'daemon.cancel'} | {type: 'daemon.started'} | {type: 'daemon.stopped'};

/**
 * Draws the loop's next thought. The unresolved share becomes free rumination, as the
 * interface has it, so only the first two probabilities decide.
 */
const draw = ({loop, themes, means: {value: {random}}}: DaemonContext): Thought => {
	const r = random();
	const trigger = r >= loop.probRuminationFree && r < loop.probRuminationFree + loop.probCorpus ? 'corpus' : 'rumination_free';
	const list = trigger === 'corpus' ? themes.corpus : themes.rumination;
	return {trigger, content: list[Math.floor(random() * list.length)]!};
};

/** Notes a trigger as the last one, and counts it. */
const noted = (counters: Counters, lastTrigger: LastTrigger): Pick<DaemonContext, 'counters' | 'lastTrigger'> => ({
	counters: count(counters, lastTrigger.type),
	lastTrigger,
});

const modeIn = (daemon: AnyActorRef): Mode => (daemon.getSnapshot() as {value: {mode: Mode}}).value.mode;

/**
 * The mode, and the loop that asks its parent for a cycle ({@link DaemonRequest}) when it is time for one.
 *
 * @example
 * ```ts
 * import {daemonMachine, defaultLoop} from 'processual-state/actors';
 * import {createActor} from 'xstate';
 *
 * const daemon = createActor(daemonMachine, {
 * 	input: {
 * 		loop: defaultLoop,
 * 		themes: {rumination: ['Who am I when nobody asks?'], corpus: ['The sea.']},
 * 		time: {now: () => Date.now(), elapsed: () => performance.now()},
 * 		random: Math.random,
 * 	},
 * }).start();
 * daemon.stop();
 * ```
 */
export const daemonMachine = setup({
	types: {
		context: {} as DaemonContext,
		events: {} as DaemonEvent,
		input: {} as DaemonInput,
	},
	guards: {
		isAutonomousTrigger: ({event}) => event.type === 'trigger' && isAutonomous(event.trigger),
		loopIsStopped: stateIn({loop: 'stopped'}),
		loopIsRunning: stateIn({loop: 'running'}),
		/** A parent need not tell turns: then the cycle counts when it is over. */
		isTurnNoted: ({context}) => context.isTurnNoted,
		/** Whether this was the mode before the last reset that is not durable. */
		wasMode: ({context}, mode: 'conversation' | 'autonomous') => context.modesBefore.at(-1) === mode,
	},
	actions: {
		noteTurn: assign(({context: {counters}}, {lastTrigger, isCleared}: {lastTrigger: LastTrigger; isCleared: boolean}) =>
			({...(isCleared ? {lastTrigger} : noted(counters, lastTrigger)), isTurnNoted: true})),
		clear: assign(({context: {modesBefore}, self}) => {
			const mode = modeIn(self);
			// A reset that follows another finds the mode of that one.
			return {counters: noCycles, modesBefore: [...modesBefore, mode === 'idle' ? modesBefore.at(-1) ?? mode : mode]};
		}),
		forgetReset: assign(({context: {modesBefore}}) => ({modesBefore: modesBefore.slice(1)})),
		rollBack: assign((_, {counters, lastTrigger}: Pick<Tally, 'counters' | 'lastTrigger'>) => ({counters, lastTrigger, modesBefore: []})),
		noteTrigger: assign(({context, event}) => event.type === 'trigger' ? noted(context.counters, event.lastTrigger ?? triggeredNow(event.trigger, context.means.value.time)) : {}),
	},
	delays: {
		cycleInterval: ({context}) => context.loop.cycleIntervalSeconds * 1000,
		pauseAfterError,
	},
}).createMachine({
	id: 'daemon',
	context: ({input: {time, random, ...input}}) => ({
		counters: noCycles,
		lastTrigger: null,
		...input,
		means: new LiveHandle({time, random}, 'time and chance', ['time', 'random']),
		thought: null,
		isTurnNoted: false,
		modesBefore: [],
	}),
	type: 'parallel',
	states: {
		mode: {
			initial: 'idle',
			on: {
				trigger: [
					{guard: 'isAutonomousTrigger', target: '.autonomous', actions: 'noteTrigger'},
					{target: '.conversation', actions: 'noteTrigger'},
				],
				'daemon.start': {guard: 'loopIsStopped', target: '.autonomous'},
				'daemon.stop': {guard: 'loopIsRunning', target: '.idle'},
				reset: {target: '.idle', actions: 'clear'},
				'reset.recorded': {actions: 'forgetReset'},
				rolledBack: {actions: {type: 'rollBack', params: ({event}) => event}},
				'loop.turned': {actions: {type: 'noteTurn', params: ({event}) => event}},
			},
			states: {
				// Where nothing was accepted since a reset that is not durable, its mode goes back too.
				idle: {
					on: {
						rolledBack: [
							{guard: {type: 'wasMode', params: 'conversation'}, target: 'conversation', actions: {type: 'rollBack', params: ({event}) => event}},
							{guard: {type: 'wasMode', params: 'autonomous'}, target: 'autonomous', actions: {type: 'rollBack', params: ({event}) => event}},
							{actions: {type: 'rollBack', params: ({event}) => event}},
						],
					},
				},
				// Talk goes on: nothing to leave, nothing to enter.
				conversation: {
					on: {
						trigger: {guard: not('isAutonomousTrigger'), actions: 'noteTrigger'},
					},
				},
				autonomous: {},
			},
		},
		loop: {
			initial: 'stopped',
			states: {
				stopped: {
					on: {
						'daemon.start': {target: 'running', actions: sendParent({type: 'daemon.started'})},
					},
				},
				running: {
					initial: 'waiting',
					on: {
						'daemon.stop': {target: 'stopped', actions: sendParent({type: 'daemon.stopped'})},
					},
					states: {
						waiting: {
							after: {cycleInterval: 'cycling'},
							on: {resume: {target: 'waiting', reenter: true}},
						},
						cycling: {
							entry: [
								assign(({context}) => ({thought: draw(context), isTurnNoted: false})),
								sendParent(({context}) => ({type: 'daemon.cycle', ...context.thought!})),
							],
							on: {
								'loop.cycled': [
									{guard: 'isTurnNoted', target: 'waiting'},
									{target: 'waiting', actions: {type: 'noteTurn', params: ({context: {thought, means}}) => ({lastTrigger: triggeredNow(thought!.trigger, means.value.time), isCleared: false})}},
								],
								'loop.stumbled': 'pausing',
								'daemon.stop': {
									target: '#daemon.loop.stopped',
									actions: [sendParent({type: 'daemon.cancel'}), sendParent({type: 'daemon.stopped'})],
								},
							},
						},
						pausing: {
							after: {pauseAfterError: 'waiting'},
							on: {resume: {target: 'pausing', reenter: true}},
						},
					},
				},
			},
		},
	},
});
