/** Dissonance: how far an input lies from the state (`docs/spec/numerics.md#dissonance`). */
import type {Comparison, Kernel} from '../kernel/kernel.ts';
import {dimensions, type Dimension} from '../kernel/dimensions.ts';
import type {Rows} from '../kernel/state-tensor.ts';

/** The weight of each dimension in the total; they sum to 1. */
const weights = [0.15, 0.25, 0.2, 0.1, 0.1, 0.05, 0.05, 0.1];

/** A total over this is a choc. */
const chocThreshold = 0.3;

/** A dimension with a score over this is affected. */
const affectedThreshold = 0.1;

export type Dissonance = {
	/** 1 − cos(e, X_d) per dimension, in [0, 2]. */
	scores: number[];
	total: number;
	choc: boolean;
	/** The products, which fixation uses too. */
	comparison: Comparison;
};

/** The dimensions that an input with these scores affects, in their order. */
export const affectedDimensions = (scores: readonly number[]): Dimension[] => dimensions.filter((_, d) => scores[d]! > affectedThreshold);

/** Measures the dissonance of an input, 1024 floats, against the rows of a state. */
export const measureDissonance = (kernel: Kernel, state: Rows, e: Float32Array): Dissonance => {
	const comparison = kernel.compare(state, e);
	const scores = dimensions.map((_, d) => 1 - comparison.cosines[d]!);
	const total = scores.reduce((sum, score, d) => sum + weights[d]! * score, 0);
	return {scores, total, choc: total > chocThreshold, comparison};
};
