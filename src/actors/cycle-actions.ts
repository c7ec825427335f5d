/** What a cycle does in its states: functions of its context. The rules are in `semiosis/run-cycle.ts`. */
import {embedWithReport, type Embedding, type Encoder, type TextTurn, type TokenReport} from '../embedding/encoder.ts';
import {recogniseLanguage} from '../embedding/recognise-language.ts';
import {EmbeddingError, reasonOf, StoreError, wrapError} from '../platform/errors.ts';
import type {Dissonance} from '../semiosis/dissonance.ts';
import {proposalsOf, type Fixation} from '../semiosis/fixation.ts';
import {applyCycle, runDissonance, runFixation, type CycleRules, type EmbeddedText} from '../semiosis/run-cycle.ts';
import {toUnitLength} from '../kernel/normalise.ts';
import {width} from '../kernel/dimensions.ts';
import {timestamp, type Time} from '../platform/clock.ts';
import {checkpointOf} from './checkpoint.ts';
import type {CycleInput, CycleOutcome, CycleStep, CycleSteps} from './cycle-events.ts';
import type {Corroborate, MachineDeps} from './deps.ts';
import {oneLine} from './one-line.ts';
import {withCycle} from './tally.ts';

/** What a cycle works with. */
export type CycleDeps = Pick<MachineDeps, 'kernel' | 'time' | 'corroborate' | 'journal'> & {encoder: Encoder};

export type CycleContext = CycleInput & {
	/** Monotonic milliseconds at acceptance, and when the present step began. */
	readonly acceptedAt: number;
	readonly since: number;
	readonly steps: CycleSteps;
	/** The text as the rules know it. */
	readonly text: EmbeddedText | null;
	readonly tokenReport: TokenReport;
	readonly dissonance: Dissonance | null;
	readonly fixation: Fixation | null;
	readonly outcome: CycleOutcome | null;
	readonly error: unknown;
};

export const startCycle = (input: CycleInput, time: Time): CycleContext => {
	const now = time.elapsed();
	return {...input, acceptedAt: now, since: now, steps: {}, text: null, tokenReport: {}, dissonance: null, fixation: null, outcome: null, error: null};
};

/** Notes how long a step took, at its end. */
export const endStep = ({steps, since}: CycleContext, step: CycleStep, time: Time): Pick<CycleContext, 'steps' | 'since'> => {
	const now = time.elapsed();
	return {steps: {...steps, [step]: (steps[step] ?? 0) + now - since}, since: now};
};

/** @throws {EmbeddingError} for a vector that is not 1024 finite floats with some length. */
export const embed = async (content: string, encoder: CycleDeps['encoder'], signal: AbortSignal, turn: TextTurn): Promise<Embedding> => {
	let embedding: Embedding;
	/** Recognised while the model works, which takes a hundred times as long. */
	let language: string | null | undefined;
	try {
		const embedded = embedWithReport(encoder, content, signal, turn);
		[embedding, language] = await Promise.all([embedded, encoder.languages && recogniseLanguage(content, encoder.languages)]);
	} catch (error) {
		throw wrapError(error, EmbeddingError, 'The encoder failed', signal);
	}

	return {vector: requireVector(embedding.vector), report: {...embedding.report, ...(language !== undefined && {language})}};
};

/** Asks what corroborates a text. @throws {StoreError} for what an application's function throws */
export const corroborate = async (ask: Corroborate, vector: Float32Array, signal: AbortSignal): ReturnType<Corroborate> => {
	try {
		return await ask(vector, signal);
	} catch (error) {
		throw wrapError(error, StoreError, 'What corroborates the text could not be found', signal);
	}
};

/**
 * A vector must be usable before it meets the state: an encoder of an application may give anything,
 * and may write its next vector into the same memory.
 */
const requireVector = (vector: Float32Array): Float32Array => {
	try {
		if (vector.length !== width) {
			throw new RangeError(`It has ${vector.length} components.`);
		}

		return toUnitLength(new Float32Array(vector));
	} catch (error) {
		throw new EmbeddingError(`The encoder gave a vector that is not ${width} finite floats with some length; the cycle is dropped. ${reasonOf(error)}`, {cause: error});
	}
};

export const takeEmbedding = (context: CycleContext, {vector, report}: Embedding, time: Time): Partial<CycleContext> =>
	({text: oneLine({vector}, `embedding of ${vector.length} floats`), tokenReport: report, ...endStep(context, 'embedding', time)});

export const takeCorroborating = (context: CycleContext, corroborating: EmbeddedText['corroborating'], time: Time): Partial<CycleContext> => {
	const {vector} = context.text!;
	const text = oneLine({vector, corroborating}, `embedding of ${vector.length} floats, ${corroborating?.length} corroborating`);
	return {text, ...endStep(context, 'corroborating', time)};
};

const rulesOf = ({rules}: CycleContext, {kernel}: CycleDeps): CycleRules => ({kernel, authority: rules.authority, reference: rules.reference});

export const measureDissonance = (context: CycleContext, deps: CycleDeps): Partial<CycleContext> => {
	const dissonance = runDissonance(rulesOf(context, deps), context.turn!, context.text!);
	return {dissonance, ...endStep(context, 'dissonance', deps.time)};
};

export const decideFixation = (context: CycleContext, deps: CycleDeps): Partial<CycleContext> => {
	const fixation = runFixation(rulesOf(context, deps), context.text!, context.dissonance!);
	return {fixation, ...endStep(context, 'fixation', deps.time)};
};

/** Keeps the number of the durable record: in the outcome, which is one line in an inspector's frames. */
export const takeSeq = (context: CycleContext, seq: number, time: Time): Partial<CycleContext> => {
	const outcome: CycleOutcome = {...context.outcome!, seq};
	return {outcome: oneLine(outcome, `outcome: ${outcome.turn.state.toJSON()}`), ...endStep(context, 'recording', time)};
};

/** Makes the next state, and writes down what the cycle did. */
export const applyFixation = (context: CycleContext, deps: CycleDeps): Partial<CycleContext> => {
	const {order: {id, content, trigger, metadata, origin, accepted}, turn: before, text, dissonance, fixation} = context;
	const {state, vigilance, measures, affected} = applyCycle(rulesOf(context, deps), before!, text!, dissonance!, fixation!, timestamp(deps.time));
	const tally = withCycle(before!.tally, accepted ?? {type: trigger, timestamp: state.timestamp, elapsed: deps.time.elapsed()});
	const outcome: CycleOutcome = {
		turn: {state, vigilance, tally},
		seq: null,
		result: {
			stateId: state.stateId,
			deltaMagnitude: measures.deltaMagnitude,
			dissonanceTotal: measures.total,
			isChoc: measures.choc,
			dimensionsAffected: affected,
		},
		record: {
			kind: 'cycle',
			id,
			timestamp: state.timestamp,
			trigger,
			origin,
			content,
			metadata,
			vector: text!.vector,
			...measures,
			proposals: proposalsOf(fixation!),
			stateId: state.stateId,
			thirdness: state.row('thirdness'),
			checkpoint: checkpointOf(tally, vigilance.report.cumulativeDrift),
		},
	};
	return {outcome: oneLine(outcome, `outcome: ${state.toJSON()}`), ...endStep(context, 'applying', deps.time)};
};
