/**
 * The daemon machine: the mode of the process, and the autonomous loop.
 *
 * The parallel regions `mode` and `loop` share events but not transitions. A user's cycle during the loop changes the mode
 * to conversation and leaves the loop running; the loop's cycles do not change the mode.
 *
 * The daemon runs no cycle itself. It sends its parent `daemon.cycle` with a trigger and a text, and receives
 * `loop.succeeded` or `loop.failed` when the cycle has ended. Stopping the loop during a cycle sends `daemon.cancel`. The
 * parent is also notified when the loop starts and stops.
 *
 * The counters run ahead of the journal. A caller's cycle counts at acceptance, one of the loop in its turn
 * (`loop.applied`); a reset clears the counters at acceptance. When the journal fails, `rolledBack` restores the durable
 * counters.
 *
 * It is persisted in XState's usual way: `getPersistedSnapshot()` as JSON, and a new actor with that snapshot. Snapshots
 * contain no timers, so send the new actor `resume`.
 */
import {assign, not, sendParent, setup, stateIn, type SnapshotFrom} from 'xstate';
import type {Random, Time} from '../platform/clock.ts';
import type {Themes} from '../sources/themes.ts';
import type {MachineDeps} from './deps.ts';
import type {LoopConfig} from './loop.ts';
import {triggeredNow, type Tally} from './tally.ts';
import {countTrigger, isAutonomous, noCycles, type Counters, type LastTrigger} from './trigger.ts';

const pauseAfterErrorMs = 5000;

/** The clock and the random source of a daemon. */
export type DaemonDeps = Pick<MachineDeps, 'time' | 'random'>;

/** The daemon's mode: `idle` before any trigger, `conversation` after a caller's, `autonomous` after the loop's. */
export type Mode = 'idle' | 'conversation' | 'autonomous';

/** The input of a daemon. */
export type DaemonInput = {
	loop: LoopConfig;
	themes: Themes;
	/** The counters to continue from after a restart. */
	counters?: Counters;
	lastTrigger?: LastTrigger | null;
};

/** The text of one of the loop's cycles. */
export type LoopThought = {trigger: 'rumination_free' | 'corpus'; content: string};

/** The events that a daemon receives. */
export type DaemonEvent =
	/** A caller's cycle was accepted. `lastTrigger` says when; by default now. */
	| {type: 'trigger'; trigger: string; lastTrigger?: LastTrigger}
	| {type: 'daemon.start'}
	/** Resume a loop that ran before the identity was closed or moved here; its next cycle is due in `dueMs` milliseconds. */
	| {type: 'daemon.resume'; dueMs: number}
	| {type: 'daemon.stop'}
	/** A reset was accepted. */
	| {type: 'reset'}
	/** The reset is durable. */
	| {type: 'reset.recorded'}
	/** The journal failed: return to these durable counters. Resets that are not durable have not happened. */
	| ({type: 'rolledBack'} & Pick<Tally, 'counters' | 'lastTrigger'>)
	/** Sent to a daemon restored from a persisted snapshot: restart its timers. */
	| {type: 'resume'}
	/** The loop's cycle has had its turn. `isCleared`: a reset accepted after the cycle has already cleared its count. */
	| {type: 'loop.applied'; lastTrigger: LastTrigger; isCleared: boolean}
	| {type: 'loop.succeeded'}
	| {type: 'loop.failed'};

/** The events that a daemon sends to its parent: requests to run or cancel a cycle, and the start and stop of the loop. */
export type DaemonRequest =
	({type: 'daemon.cycle'} & LoopThought) | {type: 'daemon.cancel'} | {type: 'daemon.started'} | {type: 'daemon.stopped'};

type DaemonContext = Required<DaemonInput> & {
	/** The text of the loop's current or last cycle; null before the first. */
	thought: LoopThought | null;
	/** Whether the loop's current cycle has been counted. */
	isCounted: boolean;
	/** When the next cycle is due, in monotonic milliseconds; null during a cycle, and while the loop is stopped. */
	dueAt: number | null;
	/** The mode before each reset that is not durable yet, in order. */
	modesBefore: readonly Mode[];
};

/**
 * Draws the loop's next text. By the interface, the unresolved share becomes free rumination, so only the first two
 * probabilities matter.
 */
const draw = ({loop, themes}: DaemonContext, random: Random): LoopThought => {
	const r = random();
	const trigger = r >= loop.probRuminationFree && r < loop.probRuminationFree + loop.probCorpus ? 'corpus' : 'rumination_free';
	const list = trigger === 'corpus' ? themes.corpus : themes.rumination;
	return {trigger, content: list[Math.floor(random() * list.length)]!};
};

const withTrigger = (counters: Counters, lastTrigger: LastTrigger): Pick<DaemonContext, 'counters' | 'lastTrigger'> => ({
	counters: countTrigger(counters, lastTrigger.type),
	lastTrigger,
});

/** Clears the counters for a reset. A reset right after another remembers the same earlier mode. */
const withoutCounts = ({modesBefore}: DaemonContext, mode: Mode): Partial<DaemonContext> =>
	({counters: noCycles, modesBefore: [...modesBefore, mode === 'idle' ? modesBefore.at(-1) ?? mode : mode]});

const rollBack = {type: 'rollBack', params: ({event}: {event: Pick<Tally, 'counters' | 'lastTrigger'>}) => event} as const;

const daemonSetup = ({time, random}: DaemonDeps) => setup({
	types: {
		context: {} as DaemonContext,
		events: {} as DaemonEvent,
		input: {} as DaemonInput,
	},
	guards: {
		isAutonomousTrigger: ({event}) => event.type === 'trigger' && isAutonomous(event.trigger),
		loopIsStopped: stateIn({loop: 'stopped'}),
		loopIsRunning: stateIn({loop: 'running'}),
		/** A parent may omit `loop.applied`; then the cycle counts when it ends. */
		isCounted: ({context}) => context.isCounted,
		/** Whether the mode before the last non-durable reset was this one. */
		wasMode: ({context}, mode: Mode) => context.modesBefore.at(-1) === mode,
	},
	actions: {
		think: assign(({context}) => ({thought: draw(context, random), isCounted: false, dueAt: null})),
		setDue: assign(({context: {loop}}, pauseMs: number) => ({dueAt: time.elapsed() + pauseMs + 1000 * loop.cycleIntervalSeconds})),
		resumeLoop: assign((_, {dueMs}: {dueMs: number}) => ({dueAt: time.elapsed() + dueMs})),
		countCycle: assign(({context: {counters}}, {lastTrigger, isCleared}: {lastTrigger: LastTrigger; isCleared: boolean}) =>
			({...(isCleared ? {lastTrigger} : withTrigger(counters, lastTrigger)), isCounted: true})),
		countEndedCycle: assign(({context: {counters, thought}}) => withTrigger(counters, triggeredNow(thought!.trigger, time))),
		countTrigger: assign(({context}, {trigger, lastTrigger = triggeredNow(trigger, time)}: {trigger: string; lastTrigger?: LastTrigger}) =>
			withTrigger(context.counters, lastTrigger)),
		clear: assign(({context}, mode: Mode) => withoutCounts(context, mode)),
		forgetReset: assign(({context: {modesBefore}}) => ({modesBefore: modesBefore.slice(1)})),
		rollBack: assign((_, {counters, lastTrigger}: Pick<Tally, 'counters' | 'lastTrigger'>) => ({counters, lastTrigger, modesBefore: []})),
		requestCycle: sendParent(({context: {thought}}): DaemonRequest => ({type: 'daemon.cycle', ...thought!})),
	},
	delays: {
		untilDue: ({context: {dueAt}}) => Math.max(0, dueAt! - time.elapsed()),
		pauseAfterErrorMs,
	},
});

type Setup = ReturnType<typeof daemonSetup>;

const countEvent = {type: 'countTrigger', params: ({event}: {event: Extract<DaemonEvent, {type: 'trigger'}>}) => event} as const;

/** The mode table of the interface, row by row. */
const mode = (daemon: Setup) => daemon.createStateConfig({
	initial: 'idle',
	on: {
		trigger: [
			{guard: 'isAutonomousTrigger', target: '.autonomous', actions: countEvent},
			{target: '.conversation', actions: countEvent},
		],
		'daemon.start': {guard: 'loopIsStopped', target: '.autonomous'},
		'daemon.resume': {guard: 'loopIsStopped', target: '.autonomous'},
		'daemon.stop': {guard: 'loopIsRunning', target: '.idle'},
		'reset.recorded': {actions: 'forgetReset'},
		rolledBack: {actions: rollBack},
		'loop.applied': {actions: {type: 'countCycle', params: ({event}) => event}},
	},
	states: {
		// If nothing was accepted since a reset that is now rolled back, the mode is restored too.
		idle: {
			on: {
				reset: {actions: {type: 'clear', params: 'idle'}},
				rolledBack: [
					{guard: {type: 'wasMode', params: 'conversation'}, target: 'conversation', actions: rollBack},
					{guard: {type: 'wasMode', params: 'autonomous'}, target: 'autonomous', actions: rollBack},
					{actions: rollBack},
				],
			},
		},
		// In a conversation a further trigger only counts: the state is not re-entered.
		conversation: {
			on: {
				reset: {target: 'idle', actions: {type: 'clear', params: 'conversation'}},
				trigger: {guard: not('isAutonomousTrigger'), actions: countEvent},
			},
		},
		autonomous: {
			on: {reset: {target: 'idle', actions: {type: 'clear', params: 'autonomous'}}},
		},
	},
});

const setDue = {type: 'setDue', params: 0} as const;

/** Waits, asks the parent for a cycle, and waits again. */
const loop = (daemon: Setup) => daemon.createStateConfig({
	initial: 'stopped',
	states: {
		stopped: {
			on: {
				'daemon.start': {target: 'running', actions: [setDue, sendParent({type: 'daemon.started'})]},
				'daemon.resume': {target: 'running', actions: {type: 'resumeLoop', params: ({event}) => event}},
			},
		},
		running: {
			initial: 'waiting',
			exit: assign({dueAt: null}),
			on: {
				'daemon.stop': {target: 'stopped', actions: sendParent({type: 'daemon.stopped'})},
			},
			states: {
				waiting: {
					after: {untilDue: 'cycling'},
					on: {resume: {target: 'waiting', reenter: true, actions: setDue}},
				},
				cycling: {
					entry: ['think', 'requestCycle'],
					on: {
						'loop.succeeded': [
							{guard: 'isCounted', target: 'waiting', actions: setDue},
							{target: 'waiting', actions: ['countEndedCycle', setDue]},
						],
						'loop.failed': 'pausing',
						'daemon.stop': {
							target: '#daemon.loop.stopped',
							actions: [sendParent({type: 'daemon.cancel'}), sendParent({type: 'daemon.stopped'})],
						},
					},
				},
				pausing: {
					entry: {type: 'setDue', params: pauseAfterErrorMs},
					after: {pauseAfterErrorMs: 'waiting'},
					on: {resume: {target: 'pausing', reenter: true}},
				},
			},
		},
	},
});

/** Milliseconds until the loop's next cycle is due; 0 during a cycle, null if the loop is stopped. */
export const untilNextCycle = (
	{value, context: {dueAt}}: SnapshotFrom<ReturnType<typeof createDaemonMachine>>, {elapsed}: Pick<Time, 'elapsed'>,
): number | null => value.loop === 'stopped' ? null : dueAt === null ? 0 : Math.max(0, dueAt - elapsed());

/**
 * Creates the daemon machine: the mode, and the loop, which sends its parent a {@link DaemonRequest} when a cycle is due.
 *
 * @example
 * ```ts
 * import {defaultLoop} from 'processual-state';
 * import {createDaemonMachine} from 'processual-state/actors';
 * import {createActor} from 'xstate';
 *
 * const machine = createDaemonMachine({
 * 	time: {now: () => Date.now(), elapsed: () => performance.now()},
 * 	random: Math.random,
 * });
 * const daemon = createActor(machine, {
 * 	input: {
 * 		loop: defaultLoop,
 * 		themes: {rumination: ['Who am I when no one asks?'], corpus: ['The sea.']},
 * 	},
 * }).start();
 * daemon.stop();
 * ```
 */
export const createDaemonMachine = (deps: DaemonDeps) => {
	const daemon = daemonSetup(deps);
	return daemon.createMachine({
		id: 'daemon',
		context: ({input}) =>
			({counters: noCycles, lastTrigger: null, ...input, thought: null, isCounted: false, dueAt: null, modesBefore: []}),
		type: 'parallel',
		states: {mode: mode(daemon), loop: loop(daemon)},
	});
};
