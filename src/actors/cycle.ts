/**
 * The cycle machine: one text's way into the state.
 *
 * embedding → dissonance → fixation → applying → recording → done, or failed. Where science has
 * a source to ask, it is asked for what corroborates the text after the embedding.
 *
 * Embeddings of many cycles run side by side. From dissonance to applying a cycle passes in
 * one macrostep, which nothing can interrupt: that is its turn, and why cycles are strictly
 * sequential on the state without any lock. It ends with the record on its way to the journal,
 * which keeps records in the order of their turns; the cycle is done when its record is durable.
 *
 * The ends are no final states: a cycle tells its parent how it ended, and the parent stops it.
 * A final state would send `xstate.done.actor.<id>`, and XState remembers the transitions of
 * every type of event that a machine ever met, which in a parent of many children never ends.
 */
import {assign, fromPromise, sendParent, setup} from 'xstate';
import type {Encoder} from '../embedding/encoder.ts';
import {EmbeddingError} from '../errors.ts';
import type {CycleRecord, Journal, Standing} from '../journal/journal.ts';
import type {Kernel} from '../kernel/kernel.ts';
import {measureDissonance, type Dissonance} from '../semiosis/dissonance.ts';
import {applyFixation, fixate, type Authority, type Fixation} from '../semiosis/fixation.ts';
import {checkDrift, type Vigilance} from '../semiosis/vigilance.ts';
import {width} from '../tensor/dimensions.ts';
import type {StateTensor} from '../tensor/state-tensor.ts';
import {timestamp, type Time} from '../time.ts';
import {Handle} from './handle.ts';
import type {CycleResult} from './views.ts';

/**
 * The state as cycles find and leave it, ahead of what is durable by the records under way.
 * Written by a cycle in its turn, and by nobody else but a reset and a return to what is durable.
 */
export type LivingState = {
	current: StateTensor;
	vigilance: Vigilance;
};

/** Vectors of what is known that lies near a text; null for something that has none. */
export type Corroborate = (vector: Float32Array, signal: AbortSignal) => Promise<ReadonlyArray<Float32Array | null>>;

/** What a cycle works with. */
export type CycleServices = {
	kernel: Kernel;
	encoder: Encoder;
	corroborate: Corroborate | null;
	authority: Authority;
	reference: StateTensor;
	living: LivingState;
	journal: Journal;
	/** Counters and last trigger as they stand after this cycle. */
	standing: (cycle: {trigger: string; origin: Origin}) => Omit<Standing, 'cumulativeDrift'>;
	time: Time;
};

/** Who asked for a cycle: a caller, or the daemon's loop. */
export type Origin = 'caller' | 'daemon';

export type CycleInput = {
	id: string;
	content: string;
	trigger: string;
	metadata: Record<string, unknown>;
	origin: Origin;
	services: Handle<CycleServices>;
};

/** The steps that a cycle can go through. */
export type CycleStep = 'embedding' | 'corroborating' | 'dissonance' | 'fixation' | 'applying' | 'recording';

/** Milliseconds that each step took, of those that were left. */
export type CycleSteps = Partial<Record<CycleStep, number>>;

/** Monotonic milliseconds at acceptance, and when the present step began. */
type Timing = {readonly accepted: number; since: number; readonly steps: CycleSteps};

type CycleContext = CycleInput & {
	/** Noted in place: an assignment for each step would copy the context each time. */
	timing: Timing;
	vector: Handle<Float32Array> | null;
	corroborating: Handle<ReadonlyArray<Float32Array | null>> | null;
	dissonance: Dissonance | null;
	fixation: Fixation | null;
	outcome: Handle<CycleOutcome> | null;
	error: unknown;
};

/** What a cycle did: what its caller hears, what is published, what is kept. */
export type CycleOutcome = {
	result: Omit<CycleResult, 'processingTimeMs'>;
	state: StateTensor;
	vigilance: Vigilance;
	record: CycleRecord;
};

/** What a cycle tells its parent at its end. */
export type CycleReport =
	| {type: 'cycle.recorded'; id: string; trigger: string; origin: Origin; outcome: Handle<CycleOutcome>; processingTimeMs: number; steps: CycleSteps}
	| {type: 'cycle.failed'; id: string; trigger: string; origin: Origin; error: unknown; steps?: CycleSteps}
	| {type: 'cycle.cancelled'; id: string};

const begun = (time: Time): Timing => {
	const now = time.elapsed();
	return {accepted: now, since: now, steps: {}};
};

/** A vector must be usable before it meets the state: an encoder brought by an application may give anything. */
const checked = (vector: Float32Array): Float32Array => {
	// One sum tells both: squares of float32 cannot overflow it, and what is not finite makes it so.
	let squares = 0;
	for (let i = 0; i < vector.length; i++) {
		squares += vector[i]! ** 2;
	}

	if (vector.length !== width || !(squares > 0 && squares < Infinity)) {
		throw new EmbeddingError(`The encoder gave a vector that is not ${width} finite floats with some length; the cycle is dropped.`);
	}

	return vector;
};

const embed = fromPromise<Float32Array, {content: string; encoder: Encoder}>(
	async ({input: {content, encoder}, signal}) => checked(await encoder.embed(content, signal)),
);

const corroborate = fromPromise<ReadonlyArray<Float32Array | null>, {vector: Float32Array; corroborate: Corroborate}>(
	async ({input: {vector, corroborate: ask}, signal}) => ask(vector, signal),
);

const record = fromPromise<void, Handle<CycleServices & CycleOutcome>>(async ({input: {value: {journal, record: kept}}}) => journal.append(kept));

export const cycleMachine = setup({
	types: {
		context: {} as CycleContext,
		input: {} as CycleInput,
		events: {} as {type: 'cancel'},
	},
	actors: {embed, corroborate, record},
	guards: {
		hasScience: ({context}) => context.services.value.corroborate !== null,
	},
	actions: {
		leave({context: {services, timing}}, step: CycleStep) {
			const now = services.value.time.elapsed();
			timing.steps[step] = now - timing.since;
			timing.since = now;
		},
		take: assign({vector: (_, vector: Float32Array) => new Handle(vector, `embedding of ${vector.length} floats`)}),
		measure: assign({
			dissonance: ({context: {services, vector}}) =>
				measureDissonance(services.value.kernel, services.value.living.current.rows, vector!.value),
		}),
		decide: assign({
			fixation: ({context: {services, vector, dissonance, corroborating}}) =>
				fixate(services.value.kernel, vector!.value, dissonance!.comparison, services.value.authority, corroborating?.value),
		}),
		apply: assign({outcome: ({context}) => new Handle(apply(context), 'outcome')}),
		reportRecorded: sendParent(({context: {id, trigger, origin, outcome, timing: {accepted, steps}, services}}): CycleReport =>
			({type: 'cycle.recorded', id, trigger, origin, outcome: outcome!, processingTimeMs: services.value.time.elapsed() - accepted, steps})),
		reportFailed: sendParent(({context: {id, trigger, origin, error, timing: {steps}}}): CycleReport =>
			({type: 'cycle.failed', id, trigger, origin, error, steps})),
		reportCancelled: sendParent(({context: {id}}): CycleReport => ({type: 'cycle.cancelled', id})),
	},
}).createMachine({
	id: 'cycle',
	context: ({input}) => ({
		...input,
		timing: begun(input.services.value.time),
		vector: null,
		corroborating: null,
		dissonance: null,
		fixation: null,
		outcome: null,
		error: null,
	}),
	initial: 'embedding',
	states: {
		embedding: {
			exit: {type: 'leave', params: 'embedding'},
			invoke: {
				src: 'embed',
				input: ({context: {content, services}}) => ({content, encoder: services.value.encoder}),
				onDone: [
					{target: 'corroborating', guard: 'hasScience', actions: {type: 'take', params: ({event}) => event.output}},
					{target: 'dissonance', actions: {type: 'take', params: ({event}) => event.output}},
				],
				onError: {
					target: 'failed',
					actions: assign({error: ({event}) => event.error}),
				},
			},
			on: {cancel: 'cancelled'},
		},
		corroborating: {
			exit: {type: 'leave', params: 'corroborating'},
			invoke: {
				src: 'corroborate',
				input: ({context: {vector, services}}) => ({vector: vector!.value, corroborate: services.value.corroborate!}),
				onDone: {
					target: 'dissonance',
					actions: assign({corroborating: ({event}) => new Handle(event.output, `${event.output.length} corroborating vectors`)}),
				},
				onError: {
					target: 'failed',
					actions: assign({error: ({event}) => event.error}),
				},
			},
			on: {cancel: 'cancelled'},
		},
		dissonance: {
			exit: {type: 'leave', params: 'dissonance'},
			entry: 'measure',
			always: 'fixation',
		},
		fixation: {
			exit: {type: 'leave', params: 'fixation'},
			entry: 'decide',
			always: 'applying',
		},
		applying: {
			exit: {type: 'leave', params: 'applying'},
			entry: 'apply',
			always: 'recording',
		},
		recording: {
			exit: {type: 'leave', params: 'recording'},
			invoke: {
				src: 'record',
				input: ({context: {services, outcome}}) => new Handle({...services.value, ...outcome!.value}, 'record'),
				onDone: 'done',
				onError: {
					target: 'failed',
					actions: assign({error: ({event}) => event.error}),
				},
			},
		},
		done: {entry: 'reportRecorded'},
		failed: {entry: 'reportFailed'},
		cancelled: {entry: 'reportCancelled'},
	},
});

/** Moves the living state by what was decided, checks the drift of what came of it, and writes it all down. */
const apply = ({id, content, trigger, metadata, origin, services, vector, dissonance, fixation}: CycleContext): CycleOutcome => {
	const {kernel, living, reference, standing, time} = services.value;
	const {state, deltaMagnitude, contributions} = applyFixation(kernel, living.current, vector!.value, fixation!, timestamp(time));
	const vigilance = checkDrift(kernel, living.vigilance, state.rows, reference.rows);
	living.current = state;
	living.vigilance = vigilance;
	const {scores, total, choc, affected} = dissonance!;
	const {perCycle, level, cumulativeDrift} = vigilance.report;
	return {
		result: {
			stateId: state.stateId,
			deltaMagnitude,
			dissonanceTotal: total,
			isChoc: choc,
			dimensionsAffected: affected,
		},
		state,
		vigilance,
		record: {
			kind: 'cycle',
			id,
			timestamp: state.timestamp,
			trigger,
			origin,
			content,
			metadata,
			vector: vector!.value,
			scores,
			total,
			choc,
			deltaMagnitude,
			contributions,
			perCycleDrift: perCycle,
			level,
			stateId: state.stateId,
			thirdness: state.row('thirdness'),
			standing: {...standing({trigger, origin}), cumulativeDrift},
		},
	};
};
