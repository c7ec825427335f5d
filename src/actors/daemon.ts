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
 * It counts as the journal does: the loop's cycle in its turn (`loop.turned`), and nothing any
 * more after a reset. What the journal then does not take has not happened: `loop.lost` and
 * `reset.failed` take it back.
 */
import {assign, not, sendParent, setup, stateIn, type AnyActorRef} from 'xstate';
import type {Themes} from '../store/themes.ts';
import {timestamp, type Random, type Time} from '../time.ts';
import {LiveHandle, type Handle} from './handle.ts';
import type {LoopConfig} from './loop.ts';
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
	/** The turn of the loop's cycle that was noted last, and the trigger before it. */
	turn: {noted: LastTrigger; before: LastTrigger | null} | null;
	/** What stood before each reset that is on its way to the journal, in their order. */
	resets: ReadonlyArray<{counters: Counters; mode: Mode}>;
};

/** What a daemon hears. */
export type DaemonEvent =
	| {type: 'trigger'; trigger: string}
	| {type: 'daemon.start'}
	| {type: 'daemon.stop'}
	/** The state is the initial one again, and its record on its way; one of the next two follows. */
	| {type: 'reset'}
	| {type: 'reset.recorded'}
	| {type: 'reset.failed'}
	/** It comes from a persisted snapshot: what it waited for, it waits for anew. */
	| {type: 'resume'}
	/** The loop's cycle has had its turn. */
	| {type: 'loop.turned'; trigger: string}
	/** It had its turn, and was not kept. */
	| {type: 'loop.lost'; trigger: string}
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

/** Counts what was counted before and since, key by key. */
const sum = (before: Counters, since: Counters): Counters =>
	Object.fromEntries(Object.entries(before).map(([kind, times]) => [kind, times + since[kind as keyof Counters]])) as Counters;

/** Takes back the count of the loop's turn: from what stood before the first reset that came after it, or from what stands. */
const withoutTurn = ({counters, resets, lastTrigger, turn}: DaemonContext, trigger: string): Partial<DaemonContext> => {
	const last = turn && lastTrigger?.elapsed === turn.noted.elapsed && lastTrigger.type === turn.noted.type ? turn.before : lastTrigger;
	const [first, ...later] = resets;
	return first
		? {lastTrigger: last, turn: null, resets: [{...first, counters: count(first.counters, trigger, -1)}, ...later]}
		: {lastTrigger: last, turn: null, counters: count(counters, trigger, -1)};
};

const modeIn = (daemon: AnyActorRef): Mode => (daemon.getSnapshot() as {value: {mode: Mode}}).value.mode;

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
		/** A parent need not tell turns: then the cycle counts when it is over. */
		isTurnNoted: ({context}) => context.turn !== null,
		/** Whether this was the mode before the reset that failed. */
		wasMode: ({context}, mode: 'conversation' | 'autonomous') => context.resets.at(-1)?.mode === mode,
	},
	actions: {
		noteTurn: assign(({context: {counters, lastTrigger, means}}, trigger: string) => {
			const {counters: counted, lastTrigger: last} = noted(counters, trigger, means.value.time);
			return {counters: counted, lastTrigger: last, turn: {noted: last!, before: lastTrigger}};
		}),
		takeTurnBack: assign(({context}, trigger: string) => withoutTurn(context, trigger)),
		clear: assign(({context: {counters, resets}, self}) => ({counters: noCycles, resets: [...resets, {counters, mode: modeIn(self)}]})),
		forgetReset: assign(({context: {resets}}) => ({resets: resets.slice(1)})),
		takeResetBack: assign(({context: {counters, resets}}) => ({counters: sum(resets.at(-1)?.counters ?? noCycles, counters), resets: resets.slice(0, -1)})),
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
		turn: null,
		resets: [],
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
				'reset.failed': {actions: 'takeResetBack'},
				'loop.turned': {actions: {type: 'noteTurn', params: ({event}) => event.trigger}},
				'loop.lost': {actions: {type: 'takeTurnBack', params: ({event}) => event.trigger}},
			},
			states: {
				// Where nobody spoke since a reset that failed, its mode is taken back too.
				idle: {
					on: {
						'reset.failed': [
							{guard: {type: 'wasMode', params: 'conversation'}, target: 'conversation', actions: 'takeResetBack'},
							{guard: {type: 'wasMode', params: 'autonomous'}, target: 'autonomous', actions: 'takeResetBack'},
							{actions: 'takeResetBack'},
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
								assign(({context}) => ({thought: draw(context), turn: null})),
								sendParent(({context}) => ({type: 'daemon.cycle', ...context.thought!})),
							],
							on: {
								'loop.cycled': [
									{guard: 'isTurnNoted', target: 'waiting'},
									{target: 'waiting', actions: {type: 'noteTurn', params: ({context}) => context.thought!.trigger}},
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
