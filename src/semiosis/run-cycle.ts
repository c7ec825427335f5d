/**
 * The cycle: how one text moves the state (`docs/spec/numerics.md`). The cycle machine, `reembed`
 * and every replay of a journal run these rules.
 *
 * It is pure: the same rules, working state, text and timestamp give the same bits. A replay calls {@link runCycle}. The machine calls
 * its three parts, each in a separate state. Each part takes the result of the previous one, so no other order type-checks.
 */
import type {Kernel} from '../kernel/kernel.ts';
import type {StateTensor} from '../kernel/state-tensor.ts';
import {measureDissonance, type Dissonance} from './dissonance.ts';
import {applyFixation, fixate, fixateBy, type Authority, type Fixation, type Method, type Proposals} from './fixation.ts';
import {checkDrift, type Level, type Vigilance} from './vigilance.ts';

/** The parts that all cycles of an identity share. */
export type CycleRules = {
	readonly kernel: Kernel;
	readonly authority: Authority;
	readonly reference: StateTensor;
};

/** The input of a cycle, and its output for the next one. */
export type WorkingState = {
	readonly state: StateTensor;
	/** The drift check of that state. */
	readonly vigilance: Vigilance;
};

/** An embedded text, with its corroboration. */
export type EmbeddedText = {
	/** The embedding, 1024 floats of unit length. */
	readonly vector: Float32Array;
	/** Vectors of the nearest known texts, null for one without a vector. Absent if science has no source. */
	readonly corroborating?: ReadonlyArray<Float32Array | null> | null | undefined;
	/**
	 * The proposals of authority and science when the text was first said. A replay passes them, so its bits do not depend on
	 * today's articles and stores.
	 */
	readonly proposals?: Proposals | undefined;
};

/** The measures of one cycle, by the names of the journal's record. */
export type CycleMeasures = {
	/** Dissonance per dimension, 8. */
	readonly scores: readonly number[];
	/** Weighted sum of the scores. */
	readonly total: number;
	readonly choc: boolean;
	/** ‖delta‖, at most 0.001. */
	readonly deltaMagnitude: number;
	/** The norm of each method's vector, unweighted. */
	readonly contributions: Record<Method, number>;
	/** ‖X − P‖ / ‖P‖ between this state and its predecessor. */
	readonly perCycleDrift: number;
	readonly level: Level;
};

/** The result of one cycle. */
export type CycleChange = WorkingState & {
	readonly measures: CycleMeasures;
	readonly fixation: Fixation;
};

/** First part: measures the distance of the text from the state. */
export const runDissonance = ({kernel}: CycleRules, {state}: WorkingState, {vector}: EmbeddedText): Dissonance =>
	measureDissonance(kernel, state.rows, vector);

/** Second part: decides by the four methods. */
export const runFixation = (
	{kernel, authority}: CycleRules, {vector, corroborating, proposals}: EmbeddedText, {comparison}: Pick<Dissonance, 'comparison'>,
): Fixation => proposals ? fixateBy(proposals, comparison) : fixate(kernel, vector, comparison, authority, corroborating ?? []);

/**
 * Third part: moves the state, and checks the drift of the new one.
 *
 * @param timestamp ISO 8601, UTC; the new state's.
 * @throws {ConfigurationError} when the state's id is the last safe integer.
 */
export const applyCycle = (
	{kernel, reference}: CycleRules,
	before: WorkingState,
	{vector}: EmbeddedText,
	{scores, total, choc}: Dissonance,
	fixation: Fixation,
	timestamp: string,
): CycleChange => {
	const {state, deltaMagnitude, contributions} = applyFixation(kernel, before.state, vector, fixation, timestamp);
	const vigilance = checkDrift(kernel, before.vigilance, state.rows, reference.rows);
	const {perCycle, level} = vigilance.report;
	return {
		state, vigilance, fixation,
		measures: {scores, total, choc, deltaMagnitude, contributions, perCycleDrift: perCycle, level},
	};
};

/** The state after a cycle, with the same bits as {@link runCycle}, but without measuring dissonance and drift. */
export const moveState = (rules: CycleRules, before: StateTensor, text: EmbeddedText, timestamp: string): StateTensor => {
	const {kernel} = rules;
	const fixation = runFixation(rules, text, {comparison: kernel.compare(before.rows, text.vector)});
	return applyFixation(kernel, before, text.vector, fixation, timestamp).state;
};

/**
 * Runs one whole cycle.
 *
 * @param timestamp ISO 8601, UTC; the new state's.
 * @throws {ConfigurationError} when the state's id is the last safe integer.
 */
export const runCycle = (rules: CycleRules, before: WorkingState, text: EmbeddedText, timestamp: string): CycleChange => {
	const dissonance = runDissonance(rules, before, text);
	const fixation = runFixation(rules, text, dissonance);
	return applyCycle(rules, before, text, dissonance, fixation, timestamp);
};
