/**
 * The part of a direction that is its own: without the pleasant–unpleasant axis, and without what ordinary sentences
 * vary along anyway (`docs/spec/instruments.md#3-profile-with-units`). Most directions share both, so a state that
 * moves along one seems to move along many.
 */
import {divideBy, measureCovariance, product} from './covariance.ts';

/**
 * How much of the covariance is spread evenly over all components. With less, directions share less, but what is random
 * in a state counts for more: of a random state z is 0.77 on average with 0.8, and 1.5 with 0.2.
 */
const shrinkage = 0.8;

/** Makes a vector of another one, in float64. */
export type VectorMap = (vector: ArrayLike<number>) => Float64Array;

/**
 * Σ_a⁻¹ of sentences, Σ_a = 0.2 Σ + 0.8 (tr Σ/d) I with Σ for n − 1, as a map.
 *
 * @param sentences at least two that differ
 * @param size d: components that follow are zero
 */
export const divideByCovariance = (sentences: readonly Float32Array[], size: number): VectorMap => {
	const covariance = measureCovariance(sentences, shrinkage, size);
	const sample = 1 - 1 / sentences.length;
	return vector => {
		const divided = new Float64Array(vector.length);
		divided.set(divideBy(covariance, vector).map(value => value * sample));
		return divided;
	};
};

/** What of a vector is its own: it is divided by the covariance, and has nothing of the axis. */
export const withoutAxis = (divide: VectorMap, axis: ArrayLike<number>): VectorMap => {
	const divided = divide(axis);
	const size = product(divided, Float64Array.from(axis));
	return vector => {
		const share = product(divided, Float64Array.from(vector)) / size;
		return divide(vector).map((value, i) => value - share * divided[i]!);
	};
};
