/**
 * The daemon machine: what mode the process is in, and the loop that thinks when no caller speaks.
 *
 * Two regions side by side, `mode` and `loop`, share events, not steps: a user's cycle during the loop turns the mode
 * to conversation and leaves the loop running, and the loop's own cycles leave the mode alone.
 *
 * The daemon runs no cycle itself. It sends its parent `daemon.cycle` with a trigger and a text, and hears
 * `loop.succeeded` or `loop.failed` when that cycle has ended. Leaving the loop in the middle of one sends
 * `daemon.cancel`. The parent also hears when the loop starts and stops.
 *
 * Its counters run ahead of the journal: a caller's cycle counts when it is accepted, the loop's in its turn
 * (`loop.applied`), and a reset clears them when it is accepted. When the journal fails, `rolledBack` brings them back
 * to what is durable.
 *
 * It persists by XState's own way: `getPersistedSnapshot()` as JSON, and a new actor with that snapshot. XState keeps
 * no timers in it, so send the new actor `resume`.
 */
import {assign, not, sendParent, setup, stateIn, type SnapshotFrom} from 'xstate';
import type {Random, Time} from '../platform/clock.ts';
import type {DaemonEvent, DaemonInput, DaemonRequest, LoopThought} from './daemon-events.ts';
import type {MachineDeps} from './deps.ts';
import {triggeredNow, type Tally} from './tally.ts';
import {countTrigger, isAutonomous, noCycles, type Counters, type LastTrigger} from './trigger.ts';

/** The wait after a failed cycle, before the loop continues. */
const pauseAfterErrorMs = 5000;

/** What a daemon works with. */
export type DaemonDeps = Pick<MachineDeps, 'time' | 'random'>;

/** The daemon's mode: before any trigger, after a caller's, or after one of the loop's. */
export type Mode = 'idle' | 'conversation' | 'autonomous';

type DaemonContext = Required<DaemonInput> & {
	/** What the loop thinks about in its present cycle. */
	thought: LoopThought | null;
	/** Whether the loop's present cycle has been counted. */
	isCounted: boolean;
	/** When the next cycle is due, by the monotonic clock; null while it runs, and without a loop. */
	dueAt: number | null;
	/** The mode before each reset that is not durable yet, in their order. */
	modesBefore: readonly Mode[];
};

/**
 * Draws the loop's next thought. The unresolved share becomes free rumination, as the
 * interface has it, so only the first two probabilities decide.
 */
const draw = ({loop, themes}: DaemonContext, random: Random): LoopThought => {
	const r = random();
	const trigger = r >= loop.probRuminationFree && r < loop.probRuminationFree + loop.probCorpus ? 'corpus' : 'rumination_free';
	const list = trigger === 'corpus' ? themes.corpus : themes.rumination;
	return {trigger, content: list[Math.floor(random() * list.length)]!};
};

/** Notes a trigger as the last one, and counts it. */
const withTrigger = (counters: Counters, lastTrigger: LastTrigger): Pick<DaemonContext, 'counters' | 'lastTrigger'> => ({
	counters: countTrigger(counters, lastTrigger.type),
	lastTrigger,
});

/** A reset clears the counters. One that follows another finds the mode of that one. */
const withoutCounts = ({modesBefore}: DaemonContext, mode: Mode): Partial<DaemonContext> =>
	({counters: noCycles, modesBefore: [...modesBefore, mode === 'idle' ? modesBefore.at(-1) ?? mode : mode]});

const intervalMs = ({loop}: Pick<DaemonContext, 'loop'>): number => loop.cycleIntervalSeconds * 1000;

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
		/** A parent need not tell of turns: then the cycle counts when it is over. */
		isCounted: ({context}) => context.isCounted,
		/** Whether this was the mode before the last reset that is not durable. */
		wasMode: ({context}, mode: Mode) => context.modesBefore.at(-1) === mode,
	},
	actions: {
		think: assign(({context}) => ({thought: draw(context, random), isCounted: false, dueAt: null})),
		setDue: assign(({context}, pauseMs: number) => ({dueAt: time.elapsed() + pauseMs + intervalMs(context)})),
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
		// Where nothing was accepted since a reset that is not durable, its mode goes back too.
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
		// The conversation continues: no state to leave, none to enter.
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

/** In how many milliseconds the loop's next cycle is due: 0 while it runs; null without a loop. */
export const untilNextCycle = (
	{value, context: {dueAt}}: SnapshotFrom<ReturnType<typeof createDaemonMachine>>, {elapsed}: Pick<Time, 'elapsed'>,
): number | null => value.loop === 'stopped' ? null : dueAt === null ? 0 : Math.max(0, dueAt - elapsed());

/**
 * The mode, and the loop that asks its parent for a cycle ({@link DaemonRequest}) when it is time for one.
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
