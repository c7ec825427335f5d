/**
 * The cycle machine: one text's way into the state, then the next one's.
 *
 * embedding → dissonance → fixation → applying → recording → done, or failed. Where science has
 * a source to ask, it is asked for what corroborates the text after the embedding. It knows the
 * text's vector alone, not the state, so it may be asked before the turn.
 *
 * The rules are in `semiosis/run-cycle.ts`: dissonance, fixation and applying each run the part of
 * their name.
 *
 * Embeddings of many cycles run side by side, an actor each. Turns come in the order of
 * acceptance (`turns.ts`): a cycle that is prepared early waits in `queued`. From dissonance to
 * applying a cycle passes in one macrostep, which nothing can interrupt: that is its turn, and
 * why cycles are strictly sequential on the state without any lock. It ends with the record on
 * its way to the journal, which keeps records in the order of their turns; the cycle is done when
 * its record is durable, at once where nothing lasts.
 *
 * The next cycle must not append before this one has. So the turn is passed on by an event that
 * is raised on entering `recording`: it is processed after the append has started. It goes
 * through the parent, whose mailbox keeps the stack flat however many cycles wait.
 *
 * The ends are no final states: a cycle tells its parent how it ended, and waits for its next
 * run. A new actor for each cycle took two thirds as long again. And a final state would send
 * `xstate.done.actor.<id>`: XState remembers the transitions of every type of event that a
 * machine ever met, which in a parent of ever new children never ends.
 */
import {assign, enqueueActions, fromPromise, sendParent, setup, type AnyActorRef, type ErrorActorEvent} from 'xstate';
import {embedWithReport, type Embedding, type Encoder, type TokenReport} from '../embedding/encoder.ts';
import {EmbeddingError, reasonOf} from '../errors.ts';
import type {CycleRecord, Journal} from '../journal/journal.ts';
import type {Dissonance} from '../semiosis/dissonance.ts';
import type {Fixation} from '../semiosis/fixation.ts';
import {applyCycle, runDissonance, runFixation, type CycleRules, type EmbeddedText, type WorkingState} from '../semiosis/run-cycle.ts';
import {toUnitLength} from '../tensor/normalise.ts';
import type {Vigilance} from '../semiosis/vigilance.ts';
import {width} from '../tensor/dimensions.ts';
import type {StateTensor} from '../tensor/state-tensor.ts';
import {timestamp, type Time} from '../clock.ts';
import {Handle} from './handle.ts';
import {record} from './recording.ts';
import {standingOf} from './standing.ts';
import type {Tally} from './tally.ts';
import type {Turns} from './turns.ts';
import type {LastTrigger} from './trigger.ts';
import type {CycleResult} from './views.ts';

/**
 * The state as cycles find and leave it, ahead of what is durable by the records under way.
 * Written by a cycle in its turn, and by nobody else but a reset and a return to what is durable.
 */
export type LivingState = {
	state: StateTensor;
	vigilance: Vigilance;
};

/** Vectors of what is known that lies near a text; null for something that has none. */
export type Corroborate = (vector: Float32Array, signal: AbortSignal) => Promise<ReadonlyArray<Float32Array | null>>;

/** What a cycle works with. */
export type CycleServices = CycleRules & {
	encoder: Encoder;
	corroborate: Corroborate | null;
	living: LivingState;
	/** Who has the turn, and what was counted up to the last one. */
	turns: Turns;
	/** Null where nothing lasts. */
	journal: Journal | null;
	time: Time;
};

/** Who asked for a cycle: a caller, or the daemon's loop. */
export type Origin = 'caller' | 'daemon';

/** What a cycle is asked for. */
export type CycleRun = {
	id: string;
	content: string;
	trigger: string;
	metadata: Record<string, unknown>;
	origin: Origin;
	/** Its number in the order of acceptance. */
	turn: number;
};

/** What a cycle machine is created with. */
export type CycleInput = {services: Handle<CycleServices>};

/** The steps that a cycle can go through. */
export type CycleStep = 'embedding' | 'corroborating' | 'queued' | 'dissonance' | 'fixation' | 'applying' | 'recording';

/** Milliseconds that each step took, of those that were left. */
export type CycleSteps = Partial<Record<CycleStep, number>>;

/**
 * What a cycle has so far. It is noted in place: an assignment would make a new context and a new
 * snapshot at every step, which took a tenth of a cycle's time.
 */
type Progress = {
	/** Monotonic milliseconds at acceptance, and when the present step began. */
	readonly accepted: number;
	since: number;
	readonly steps: CycleSteps;
	vector: Handle<Float32Array> | null;
	tokenReport: TokenReport;
	corroborating: Handle<ReadonlyArray<Float32Array | null>> | null;
	dissonance: Dissonance | null;
	fixation: Fixation | null;
	outcome: Handle<CycleOutcome> | null;
	error: unknown;
};

/** The run is the present one, or the last one; there is none before the first. */
export type CycleContext = CycleInput & {run: CycleRun; progress: Progress};

/** What a cycle did: what its caller hears, what is published, what is kept. */
export type CycleOutcome = WorkingState & {
	result: Omit<CycleResult, 'processingTimeMs'>;
	/** What was counted up to this cycle. */
	tally: Tally;
	record: CycleRecord;
};

/** What a cycle tells its parent, at its end above all; `actor` is the name of the one that runs it. */
export type CycleReport = {actor: string; id: string; trigger: string; origin: Origin; turn: number} & (
	/** It has had its turn, and is on its way; told of the daemon's cycles, which count from then on. */
	| {type: 'cycle.turned'; lastTrigger: LastTrigger}
	| {type: 'cycle.recorded'; outcome: Handle<CycleOutcome>; processingTimeMs: number; steps: CycleSteps; tokenReport: TokenReport}
	| {type: 'cycle.failed'; error: unknown; steps?: CycleSteps}
	| {type: 'cycle.cancelled'}
);

/** What a cycle or a reset tells its parent of turns. */
export type TurnReport =
	/** Its turn has ended and another waits, which may have its turn now. */
	| {type: 'turn.ended'}
	/** It has waited so long that the first in the line, which was accepted earlier, must have stalled. */
	| {type: 'turn.overdue'};

/** Milliseconds: more than every retry of an embedding server takes, by default. */
export const turnPatience = 600_000;

const begun = (time: Time): Progress => {
	const now = time.elapsed();
	return {accepted: now, since: now, steps: {}, vector: null, tokenReport: {}, corroborating: null, dissonance: null, fixation: null, outcome: null, error: null};
};

/** Notes how long a step took, at its end. */
const leave = ({progress, services}: CycleContext, step: CycleStep): void => {
	const now = services.value.time.elapsed();
	progress.steps[step] = (progress.steps[step] ?? 0) + now - progress.since;
	progress.since = now;
};

/**
 * A vector must be usable before it meets the state: an encoder brought by an application may give
 * anything, and may write its next vector into the same memory.
 */
const checked = (vector: Float32Array): Float32Array => {
	try {
		if (vector.length !== width) {
			throw new RangeError(`It has ${vector.length} components.`);
		}

		return toUnitLength(new Float32Array(vector));
	} catch (error) {
		throw new EmbeddingError(`The encoder gave a vector that is not ${width} finite floats with some length; the cycle is dropped. ${reasonOf(error)}`, {cause: error});
	}
};

const embed = fromPromise<Embedding, {content: string; services: Handle<CycleServices>}>(
	async ({input: {content, services}, signal}) => {
		const {vector, report} = await embedWithReport(services.value.encoder, content, signal);
		return {vector: checked(vector), report};
	},
);

const corroborate = fromPromise<ReadonlyArray<Float32Array | null>, {vector: Handle<Float32Array>; services: Handle<CycleServices>}>(
	async ({input: {vector, services}, signal}) => services.value.corroborate!(vector.value, signal),
);

const none: CycleRun = {id: '', content: '', trigger: '', metadata: {}, origin: 'caller', turn: 0};

const reportOf = ({id, trigger, origin, turn}: CycleRun, self: AnyActorRef): Pick<CycleReport, 'actor' | 'id' | 'trigger' | 'origin' | 'turn'> =>
	({actor: self.id, id, trigger, origin, turn});

/** What a cycle hears. */
export type CycleEvent =
	| {type: 'run'; run: CycleRun}
	/** Everything that was accepted before has had its turn. */
	| {type: 'turn'}
	/** The cycle is not wanted any more. */
	| {type: 'cancel'}
	/** The cycle cannot have its turn. */
	| {type: 'fail'; error: unknown}
	/** From itself: the append of its record has started. */
	| {type: 'appending'};

/** A state in which a cycle waits for its next run. */
const waiting = {tags: 'waiting', on: {run: {target: 'embedding', actions: 'begin'}}} as const;

/** Before its turn, a cycle may be cancelled or fail at any moment. */
const abandoned = {
	cancel: 'cancelled',
	fail: {target: 'failed', actions: {type: 'takeError', params: ({event}: {event: {error: unknown}}) => event.error}},
} as const;

/** Takes one text after the other into the state; tells its parent a {@link CycleReport} of each. */
export const cycleMachine = setup({
	types: {
		context: {} as CycleContext,
		input: {} as CycleInput,
		events: {} as CycleEvent,
	},
	actors: {embed, corroborate, record},
	guards: {
		hasScience: ({context}) => context.services.value.corroborate !== null,
		isNext: ({context: {run, services}}) => services.value.turns.isNext(run.turn),
		isKept: ({context}) => context.services.value.journal !== null,
	},
	delays: {turnPatience},
	actions: {
		begin: assign(({context: {services}, event}) => event.type === 'run' ? {run: event.run, progress: begun(services.value.time)} : {}),
		leave({context}, step: CycleStep) {
			leave(context, step);
		},
		take({context: {progress}}, {vector, report}: Embedding) {
			progress.vector = new Handle(vector, `embedding of ${vector.length} floats`);
			progress.tokenReport = report;
		},
		takeCorroborating({context: {progress}}, vectors: ReadonlyArray<Float32Array | null>) {
			progress.corroborating = new Handle(vectors, `${vectors.length} corroborating vectors`);
		},
		measure({context}) {
			const {services: {value: services}, progress} = context;
			progress.dissonance = runDissonance(services, services.living, embeddedText(progress));
			leave(context, 'dissonance');
		},
		decide({context}) {
			const {services: {value: services}, progress} = context;
			progress.fixation = runFixation(services, embeddedText(progress), progress.dissonance!);
			leave(context, 'fixation');
		},
		apply({context}) {
			context.progress.outcome = new Handle(apply(context), 'outcome');
			leave(context, 'applying');
		},
		waitForTurn({context: {run, services}}) {
			services.value.turns.ready(run.turn);
		},
		tellTurn: enqueueActions(({enqueue, context: {run, progress}, self}) => {
			if (run.origin === 'daemon') {
				enqueue.sendParent({type: 'cycle.turned', ...reportOf(run, self), lastTrigger: progress.outcome!.value.tally.lastTrigger!} satisfies CycleReport);
			}
		}),
		endTurn: enqueueActions(({enqueue, context: {services}}) => {
			if (services.value.turns.next() !== null) {
				enqueue.raise({type: 'appending'});
			}
		}),
		tellOverdue: sendParent({type: 'turn.overdue'} satisfies TurnReport),
		tellTurnEnd: sendParent({type: 'turn.ended'} satisfies TurnReport),
		takeError({context: {progress}}, error: unknown) {
			progress.error = error;
		},
		reportRecorded: sendParent(({context: {run, services, progress: {accepted, steps, outcome, tokenReport}}, self}): CycleReport =>
			({type: 'cycle.recorded', ...reportOf(run, self), outcome: outcome!, processingTimeMs: services.value.time.elapsed() - accepted, steps, tokenReport})),
		reportFailed: sendParent(({context: {run, progress: {error, steps}}, self}): CycleReport =>
			({type: 'cycle.failed', ...reportOf(run, self), error, steps})),
		reportCancelled: sendParent(({context: {run}, self}): CycleReport => ({type: 'cycle.cancelled', ...reportOf(run, self)})),
	},
}).createMachine({
	id: 'cycle',
	context: ({input}) => ({...input, run: none, progress: begun(input.services.value.time)}),
	initial: 'idle',
	states: {
		idle: waiting,
		embedding: {
			exit: {type: 'leave', params: 'embedding'},
			invoke: {
				src: 'embed',
				input: ({context: {run: {content}, services}}) => ({content, services}),
				onDone: [
					{target: 'corroborating', guard: 'hasScience', actions: {type: 'take', params: ({event}) => event.output}},
					{target: 'dissonance', guard: 'isNext', actions: {type: 'take', params: ({event}) => event.output}},
					{target: 'queued', actions: {type: 'take', params: ({event}) => event.output}},
				],
				onError: {target: 'failed', actions: {type: 'takeError', params: ({event}: {event: ErrorActorEvent}) => event.error}},
			},
			on: abandoned,
		},
		corroborating: {
			exit: {type: 'leave', params: 'corroborating'},
			invoke: {
				src: 'corroborate',
				input: ({context: {progress, services}}) => ({vector: progress.vector!, services}),
				onDone: [
					{target: 'dissonance', guard: 'isNext', actions: {type: 'takeCorroborating', params: ({event}) => event.output}},
					{target: 'queued', actions: {type: 'takeCorroborating', params: ({event}) => event.output}},
				],
				onError: {target: 'failed', actions: {type: 'takeError', params: ({event}: {event: ErrorActorEvent}) => event.error}},
			},
			on: abandoned,
		},
		queued: {
			entry: 'waitForTurn',
			exit: {type: 'leave', params: 'queued'},
			after: {turnPatience: {target: 'queued', reenter: true, actions: 'tellOverdue'}},
			on: {...abandoned, turn: {target: 'dissonance', guard: 'isNext'}},
		},
		dissonance: {
			entry: 'measure',
			always: 'fixation',
		},
		fixation: {
			entry: 'decide',
			always: 'applying',
		},
		applying: {
			entry: ['apply', 'tellTurn'],
			always: [
				{target: 'recording', guard: 'isKept'},
				{target: 'done'},
			],
		},
		recording: {
			entry: 'endTurn',
			exit: {type: 'leave', params: 'recording'},
			invoke: {
				src: 'record',
				input: ({context: {services, progress}}) => ({services, outcome: progress.outcome!}),
				onDone: 'done',
				onError: {target: 'failed', actions: {type: 'takeError', params: ({event}: {event: ErrorActorEvent}) => event.error}},
			},
			on: {appending: {actions: 'tellTurnEnd'}},
		},
		done: {entry: 'reportRecorded', ...waiting},
		failed: {entry: 'reportFailed', ...waiting},
		cancelled: {entry: 'reportCancelled', ...waiting},
	},
});

const embeddedText = ({vector, corroborating}: Progress): EmbeddedText => ({vector: vector!.value, corroborating: corroborating?.value});

/** Applies the fixation to the working state, and writes down what the cycle did. */
const apply = ({run: {id, content, trigger, metadata, origin, turn}, services: {value: services}, progress}: CycleContext): CycleOutcome => {
	const {living, turns, time} = services;
	const text = embeddedText(progress);
	const {state, vigilance, measures, affected} = applyCycle(services, living, text, progress.dissonance!, progress.fixation!, timestamp(time));
	const tally = turns.takeCycle(turn, {type: trigger, timestamp: state.timestamp, elapsed: time.elapsed()});
	living.state = state;
	living.vigilance = vigilance;
	return {
		result: {
			stateId: state.stateId,
			deltaMagnitude: measures.deltaMagnitude,
			dissonanceTotal: measures.total,
			isChoc: measures.choc,
			dimensionsAffected: affected,
		},
		state,
		vigilance,
		tally,
		record: {
			kind: 'cycle',
			id,
			timestamp: state.timestamp,
			trigger,
			origin,
			content,
			metadata,
			vector: text.vector,
			...measures,
			stateId: state.stateId,
			thirdness: state.row('thirdness'),
			standing: {...standingOf(tally), cumulativeDrift: vigilance.report.cumulativeDrift},
		},
	};
};
