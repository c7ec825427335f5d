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
 */
import {assign, not, sendParent, setup, stateIn} from 'xstate';
import type {Themes} from '../store/themes.ts';
import {timestamp, type Random, type Time} from '../time.ts';
import {LiveHandle, type Handle} from './handle.ts';
import {count, isAutonomous, noCycles, type Counters, type LastTrigger} from './trigger.ts';

/** How the loop paces itself and what it draws; the three probabilities sum to 1. */
export type LoopConfig = {
	cycleIntervalSeconds: number;
	probRuminationFree: number;
	probCorpus: number;
	probUnresolved: number;
};

/** About 100 cycles a day, half of them free rumination. */
export const defaultLoop: LoopConfig = {
	cycleIntervalSeconds: 864,
	probRuminationFree: 0.5,
	probCorpus: 0.3,
	probUnresolved: 0.2,
};

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

type DaemonContext = Omit<Required<DaemonInput>, 'time' | 'random'> & {
	means: Handle<Pick<DaemonInput, 'time' | 'random'>>;
	/** What the loop thinks about in its present cycle. */
	thought: Thought | null;
};

/** What a daemon hears. */
export type DaemonEvent =
	| {type: 'trigger'; trigger: string}
	| {type: 'daemon.start'}
	| {type: 'daemon.stop'}
	| {type: 'reset'}
	/** It comes from a persisted snapshot: what it waited for, it waits for anew. */
	| {type: 'resume'}
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

/** Notes a trigger as the last one, now, and counts it. */
export const noted = (counters: Counters, trigger: string, time: Time): Pick<DaemonContext, 'counters' | 'lastTrigger'> => ({
	counters: count(counters, trigger),
	lastTrigger: {type: trigger, timestamp: timestamp(time), elapsed: time.elapsed()},
});

/**
 * The mode, and the loop that asks its parent for a cycle ({@link DaemonRequest}) when it is time for one.
 *
 * @example
 * ```ts
 * import {daemonMachine, defaultLoop} from 'processual-state/machines';
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
	},
	actions: {
		noteTrigger: assign(({context, event}) => event.type === 'trigger' ? noted(context.counters, event.trigger, context.means.value.time) : {}),
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
				reset: {target: '.idle', actions: assign({counters: noCycles})},
			},
			states: {
				idle: {},
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
								assign({thought: ({context}) => draw(context)}),
								sendParent(({context}) => ({type: 'daemon.cycle', ...context.thought!})),
							],
							on: {
								'loop.cycled': {
									target: 'waiting',
									actions: assign(({context}) => noted(context.counters, context.thought!.trigger, context.means.value.time)),
								},
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
