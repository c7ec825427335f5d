/**
 * The turn machine: the way of what was accepted, of whatever kind, into the state or the journal.
 *
 * its preparing steps → queued → its steps in its turn → recording → done, failed or cancelled
 *
 * A kind (`cycle.ts`, `reset.ts`, `validation.ts`) says its steps, and each step is a state of its name. Many actors
 * prepare side by side. Who is prepared before its turn waits in `queued`. Steps in a turn that compute at once are one
 * macrostep, which nothing can interrupt: so turns are strictly sequential on the state without any lock.
 *
 * The next turn must not append before this one has, and entry actions run before an invoked actor starts. So the
 * parent learns of the turn's end by an event that is raised in `recording`: it is processed after the append has
 * started.
 *
 * The ends are no final states: XState remembers the transitions of every type of event that a machine met, and a
 * parent of ever new children would meet ever new `xstate.done.actor.<id>`.
 */
import {assign, fromPromise, raise, sendParent, setup} from 'xstate';
import type {JournalRecord, RevisionRecord, Rewriting} from '../journal/journal.ts';
import type {Time} from '../platform/clock.ts';
import {JournalError, reasonOf} from '../platform/errors.ts';
import type {MachineDeps} from './deps.ts';
import {oneLine} from './process-context.ts';
import type {TurnOrder, Turn} from './turns.ts';

/** Milliseconds to wait for the holder of the turn: more than every retry of an embedding server takes, by default. */
export const turnTimeoutMs = 600_000;

export type TurnInput = {
	order: TurnOrder;
	/** Its turn, where nothing was accepted before it; else the turn comes as an event. */
	turn: Turn | null;
};

/** What a turn made: the next turn's start, and the journal's record. */
export type TurnOutcome = {
	readonly turn: Turn;
	readonly record: JournalRecord;
	/** What becomes of the journal with the record, which is a revision's. */
	readonly rewriting?: Rewriting;
};

type TurnDeps = Pick<MachineDeps, 'journal' | 'time'>;

/** What all kinds have in their context; each adds what its steps make. */
export type TurnContext = TurnInput & {
	/** Monotonic milliseconds at acceptance, and when the present step began. */
	readonly acceptedAt: number;
	readonly since: number;
	/** Milliseconds that each step took, of those that were left. */
	readonly steps: Readonly<Record<string, number>>;
	/** What the last step in the turn makes. */
	readonly outcome?: TurnOutcome;
	/** The number of the durable record, the last one where they are several. */
	readonly seq?: number;
	readonly error?: unknown;
};

/** How far a replay is: it reads all records, and a forgetting then writes them again. Each 5,000 records, so short ones say nothing. */
export type ReplayProgress = {
	type: 'replay.progress';
	/** Of the revision or forgetting; null for a dry run. */
	id: string | null;
	step: 'replaying' | 'rewriting';
	/** How many records are done, and of how many. */
	records: number;
	of: number;
};

/** Says how far a step is. */
export type Tell = (progress: ReplayProgress) => void;

/** A step returns what it adds to the context. One that runs is an invoked actor; one that computes returns at once. */
export type TurnStep<Context extends TurnContext = TurnContext> = {
	readonly name: string;
	/** Where it is false, the step is left out. Inspectors show its name. */
	readonly guard?: () => boolean;
} & (
	| {run(context: Context, signal: AbortSignal, tell: Tell): Promise<Partial<Context>>}
	| {compute(context: Context): Partial<Context>}
);

export type TurnKind<Context extends TurnContext = TurnContext> = {
	readonly name: TurnOrder['kind'];
	/** Before its turn, beside others. */
	readonly prepare: ReadonlyArray<TurnStep<Context>>;
	/** In its turn. */
	readonly inTurn: readonly [TurnStep<Context>, ...Array<TurnStep<Context>>];
};

export type TurnEvent =
	/** Everything that was accepted before has had its turn. */
	| ({type: 'turn'} & Turn)
	/** It is not wanted any more. */
	| {type: 'cancel'}
	/** It cannot have its turn. */
	| {type: 'fail'; error: unknown}
	/** From a step of this turn. */
	| ReplayProgress
	/** From itself: the append of its record has started. */
	| {type: 'append.started'};

/** What it tells its parent; what is recorded or cancelled by the name of its kind. */
export type TurnReport<Kind extends TurnOrder['kind'] = TurnOrder['kind'], Context extends TurnContext = TurnContext> = {id: string} & (
	/** It has had its turn, and its record is on its way to the journal. */
	| {type: 'turn.applied'; turn: Turn}
	/** It is done: its record is durable and has the number `seq`, or there is no journal. */
	| ({type: `${Kind}.recorded`; outcome: NonNullable<Context['outcome']>; seq: number | null; processingTimeMs: number}
		& Pick<Context, 'order' | 'steps'>)
	/** `isUnwritten`: the journal did not take its record. */
	| {type: 'turn.failed'; order: TurnOrder; error: unknown; steps?: Context['steps']; isUnwritten: boolean}
	| {type: `${Kind}.cancelled`; order: TurnOrder}
);

/** What one that waits tells its parent: the holder of the turn must have stalled. */
export type TurnOverdue = {type: 'turn.overdue'};

type Ways = ReadonlyArray<{target: string; guard?: TurnStep['guard'] | 'hasTurn' | 'hasJournal'}>;

/** The transition of a failure, which ends its step. */
const failsIn = (step: string) => ({
	target: 'failed',
	actions: {type: 'take', params: ({event: {error}}: {event: {error: unknown}}) => ({step, made: {error}})},
} as const);

/** Who waits may be cancelled or fail at any moment. */
const whileWaiting = (step: string) => ({cancel: 'cancelled', fail: failsIn(step)} as const);

/** The states of some steps. Each leads to the next that has something to do. */
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

/** Notes how long a step took, at its end. */
const endStep = ({steps, since}: TurnContext, step: string, time: Time): Pick<TurnContext, 'steps' | 'since'> => {
	const now = time.elapsed();
	return {steps: {...steps, [step]: (steps[step] ?? 0) + now - since}, since: now};
};

/** What the machine of a kind does. */
const turnSetup = ({name, prepare, inTurn}: TurnKind, {journal, time}: TurnDeps) => {
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
			 * Any failure of an application's own journal must halt the process, because the states to come would build on
			 * one that is not kept.
			 */
			record: fromPromise<number, TurnOutcome>(async ({input: {record, rewriting}}) => {
				try {
					return await (rewriting ? journal!.rewrite(record as RevisionRecord, rewriting) : journal!.append(record));
				} catch (error) {
					throw error instanceof JournalError
						? error
						: new JournalError(`The journal did not take a record: ${reasonOf(error)}`, {cause: error});
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

/** Takes what was accepted through its turn to the journal; tells its parent a {@link TurnReport}. */
export const createTurnMachine = (kind: TurnKind, deps: TurnDeps) => {
	const {name, prepare, inTurn} = kind;
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
