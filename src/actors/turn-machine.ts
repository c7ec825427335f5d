/**
 * The turn machine takes an accepted request of any kind into the state or the journal:
 *
 * preparing steps → queued → steps in its turn → recording → done, failed or cancelled
 *
 * A kind (`cycle.ts`, `reset.ts`, `validation.ts`) lists its steps, and each step is a state of the same name. Many actors
 * prepare in parallel. An actor that is ready before its turn waits in `queued`. Synchronous steps in a turn form one
 * macrostep, which nothing can interrupt, so turns are strictly sequential on the state without a lock.
 *
 * The next turn must not append before this one has, but entry actions run before an invoked actor starts. So the turn's
 * end is reported by an event raised in `recording`, which is processed after the append has started.
 *
 * The end states are not final: XState caches the transitions of every event type that a machine has received, and each
 * child would add another `xstate.done.actor.<id>` to its parent's cache.
 */
import {assign, fromPromise, raise, sendParent, setup} from 'xstate';
import type {ForgetResponse, RevisionResponse, Settled} from '../generated/types.ts';
import type {JournalRecord, RevisionRecord, Rewriting} from '../journal/journal.ts';
import type {Time} from '../platform/clock.ts';
import {JournalError, reasonOf} from '../platform/errors.ts';
import type {MachineDeps} from './deps.ts';
import {oneLine} from './process-context.ts';
import type {TurnOrder, Turn} from './turns.ts';

/** Milliseconds to wait for the holder of the turn. By default, all retries of an embedding server together take less. */
export const turnTimeoutMs = 600_000;

export type TurnInput = {
	order: TurnOrder;
	/** The turn, if nothing is queued before it; otherwise the turn arrives as an event. */
	turn: Turn | null;
};

/** The outcome of a turn: the start of the next turn, and the record. */
export type TurnOutcome = {
	readonly turn: Turn;
	readonly record: JournalRecord;
	/** For the record of a forgetting: how the journal is rewritten with it. */
	readonly rewriting?: Rewriting;
	/** For a decision: its full answer, of which the record keeps a summary. */
	readonly answer?: RevisionResponse | ForgetResponse | Settled;
};

type TurnDeps = Pick<MachineDeps, 'journal' | 'time'>;

/** The context that all kinds share; each kind adds the results of its steps. */
export type TurnContext = TurnInput & {
	/** The time of acceptance, in monotonic milliseconds. */
	readonly acceptedAt: number;
	/** The start of the current step, in monotonic milliseconds. */
	readonly since: number;
	/** The duration of each completed step in milliseconds. */
	readonly steps: Readonly<Record<string, number>>;
	/** The result of the last step in the turn. */
	readonly outcome?: TurnOutcome;
	/** The number of the durable record; of the last one if there are several. */
	readonly seq?: number;
	readonly error?: unknown;
};

/** The progress of a replay, every 5,000 records. A forgetting first replays, then rewrites. */
export type ReplayProgress = {
	type: 'replay.progress';
	/** The id of the revision or forgetting; null for a dry run. */
	id: string | null;
	step: 'replaying' | 'rewriting';
	/** Records done, out of `of`. */
	records: number;
	of: number;
};

/** Reports the progress of a step. */
export type Tell = (progress: ReplayProgress) => void;

/** A step returns its addition to the context: `run` in an invoked actor, `compute` synchronously. */
export type TurnStep<Context extends TurnContext = TurnContext> = {
	readonly name: string;
	/** The step is skipped if this returns false. Inspectors show the function's name. */
	readonly guard?: () => boolean;
} & (
	| {run(context: Context, signal: AbortSignal, tell: Tell): Promise<Partial<Context>>}
	| {compute(context: Context): Partial<Context>}
);

export type TurnKind<Context extends TurnContext = TurnContext> = {
	readonly name: TurnOrder['kind'];
	/** Steps before the turn, in parallel with other requests. @default none */
	readonly prepare?: ReadonlyArray<TurnStep<Context>>;
	readonly inTurn: readonly [TurnStep<Context>, ...Array<TurnStep<Context>>];
};

export type TurnEvent =
	/** It is this actor's turn: all earlier requests have had theirs. */
	| ({type: 'turn'} & Turn)
	/** Its caller cancelled it. */
	| {type: 'cancel'}
	/** It cannot have its turn. */
	| {type: 'fail'; error: unknown}
	/** Sent by a step of this turn. */
	| ReplayProgress
	/** Raised by the machine itself: the append of the record has started. */
	| {type: 'append.started'};

/** The reports to the parent. The names of `recorded` and `cancelled` begin with the kind. */
export type TurnReport = {id: string} & (
	/** The turn is over, and the record is on its way to the journal. */
	| {type: 'turn.applied'; turn: Turn}
	/** Done: the record is durable and has the number `seq`, or there is no journal. */
	| ({type: `${TurnOrder['kind']}.recorded`; outcome: TurnOutcome; seq: number | null; processingTimeMs: number}
		& Pick<TurnContext, 'order' | 'steps'>)
	/** `isUnwritten`: the journal did not take the record. */
	| {type: 'turn.failed'; order: TurnOrder; error: unknown; steps?: TurnContext['steps']; isUnwritten: boolean}
	| {type: `${TurnOrder['kind']}.cancelled`; order: TurnOrder}
);

/** Sent by a queued actor when the holder of the turn must have stalled. */
export type TurnOverdue = {type: 'turn.overdue'};

type Ways = ReadonlyArray<{target: string; guard?: TurnStep['guard'] | 'hasTurn' | 'hasJournal'}>;

/** The transition for a failure, which also ends the step. */
const failsIn = (step: string) => ({
	target: 'failed',
	actions: {type: 'take', params: ({event: {error}}: {event: {error: unknown}}) => ({step, made: {error}})},
} as const);

/** An actor that waits can be cancelled or can fail at any time. */
const whileWaiting = (step: string) => ({cancel: 'cancelled', fail: failsIn(step)} as const);

/** The states of a list of steps. Each leads to the next step that is not skipped. */
const statesOf = ([step, ...others]: readonly TurnStep[], end: Ways): Record<string, ReturnType<typeof stateOf>> => {
	const ways = [...others.map(({name, guard}) => ({target: name, guard})), ...end];
	return step ? {[step.name]: stateOf(step, ways.slice(0, ways.findIndex(({guard}) => !guard) + 1)), ...statesOf(others, end)} : {};
};

const stateOf = (step: TurnStep, ways: Ways) => 'compute' in step
	? {entry: {type: 'compute', params: step.name}, always: ways} as const
	: {
		invoke: {
			src: 'run',
			input: ({context, self}: {context: TurnContext; self: {send: Tell}}) => oneLine({
				step: step.name, context, tell: (progress: ReplayProgress) => self.send(progress),
			}, step.name),
			onDone: ways.map(way => ({...way, actions: takeOf(step.name)})),
			onError: failsIn(step.name),
		},
		on: whileWaiting(step.name),
	} as const;

const takeOf = (step: string) =>
	({type: 'take', params: ({event: {output}}: {event: {output: Partial<TurnContext>}}) => ({step, made: output})} as const);

/** Adds the duration of a step that ends now. */
const endStep = ({steps, since}: TurnContext, step: string, time: Time): Pick<TurnContext, 'steps' | 'since'> => {
	const now = time.elapsed();
	return {steps: {...steps, [step]: (steps[step] ?? 0) + now - since}, since: now};
};

const turnSetup = ({name, prepare = [], inTurn}: TurnKind, {journal, time}: TurnDeps) => {
	const stepNamed = (step: string) => [...prepare, ...inTurn].find(other => other.name === step)!;
	return setup({
		types: {
			context: {} as TurnContext,
			input: {} as TurnInput,
			events: {} as TurnEvent,
		},
		actors: {
			run: fromPromise<Partial<TurnContext>, {step: string; context: TurnContext; tell: Tell}>(async ({input, signal}) => {
				const found = stepNamed(input.step);
				return 'run' in found ? found.run(input.context, signal, input.tell) : {};
			}),
			/**
			 * Any failure of an application's journal must halt the process, because later states would build on one that is
			 * not durable.
			 */
			record: fromPromise<number, TurnOutcome>(async ({input: {record, rewriting}}) => {
				try {
					return await (rewriting ? journal!.rewrite(record as RevisionRecord, rewriting) : journal!.append(record));
				} catch (error) {
					throw error instanceof JournalError
						? error
						: new JournalError(`The journal did not accept a record: ${reasonOf(error)}`, {cause: error});
				}
			}),
		},
		guards: {
			hasJournal: () => journal !== null,
			hasTurn: ({context}) => context.turn !== null,
		},
		delays: {turnTimeoutMs},
		actions: {
			takeTurn: assign((_, {state, vigilance, tally, quarantine}: Turn) => ({turn: {state, vigilance, tally, quarantine}})),
			take: assign(({context}, {step, made}: {step: string; made: Partial<TurnContext>}) => ({...made, ...endStep(context, step, time)})),
			compute: assign(({context}, step: string) => {
				const found = stepNamed(step);
				return {...'compute' in found && found.compute(context), ...endStep(context, step, time)};
			}),
			reportProgress: sendParent((_, progress: ReplayProgress) => progress),
			reportOverdue: sendParent({type: 'turn.overdue'} satisfies TurnOverdue),
			reportApplied: sendParent(({context: {order: {id}, outcome}}): TurnReport =>
				({type: 'turn.applied', id, turn: outcome!.turn})),
			reportRecorded: sendParent(({context: {order, outcome, seq, steps, acceptedAt}}): TurnReport => ({
				type: `${name}.recorded`, id: order.id, order, outcome: outcome!, seq: seq ?? null, steps,
				processingTimeMs: time.elapsed() - acceptedAt,
			})),
			reportFailed: sendParent(({context: {order, outcome, error, steps}}): TurnReport => ({
				type: 'turn.failed', id: order.id, order, error, steps, isUnwritten: outcome !== undefined,
			})),
			reportCancelled: sendParent(({context: {order}}): TurnReport => ({type: `${name}.cancelled`, id: order.id, order})),
		},
	});
};

/** Takes an accepted request through its turn to the journal, and sends its parent {@link TurnReport}s. */
export const createTurnMachine = (kind: TurnKind, deps: TurnDeps) => {
	const {name, prepare = [], inTurn} = kind;
	return turnSetup(kind, deps).createMachine({
		id: name,
		context: ({input}) => {
			const now = deps.time.elapsed();
			return {...input, acceptedAt: now, since: now, steps: {}};
		},
		initial: prepare[0]?.name ?? 'queued',
		on: {
			turn: {actions: {type: 'takeTurn', params: ({event}) => event}},
			'replay.progress': {actions: {type: 'reportProgress', params: ({event}) => event}},
		},
		states: {
			...statesOf(prepare, [{target: inTurn[0].name, guard: 'hasTurn'}, {target: 'queued'}]),
			queued: {
				always: {target: inTurn[0].name, guard: 'hasTurn', actions: {type: 'take', params: {step: 'queued', made: {}}}},
				after: {turnTimeoutMs: {target: 'queued', reenter: true, actions: 'reportOverdue'}},
				on: whileWaiting('queued'),
			},
			...statesOf(inTurn, [{target: 'recording', guard: 'hasJournal'}, {target: 'done'}]),
			recording: {
				entry: raise({type: 'append.started'}),
				invoke: {
					src: 'record',
					input: ({context}) => context.outcome!,
					onDone: {target: 'done', actions: {type: 'take', params: ({event: {output: seq}}) => ({step: 'recording', made: {seq}})}},
					onError: failsIn('recording'),
				},
				on: {'append.started': {actions: 'reportApplied'}},
			},
			done: {entry: 'reportRecorded'},
			failed: {entry: 'reportFailed'},
			cancelled: {entry: 'reportCancelled'},
		},
	});
};
