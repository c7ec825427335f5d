/**
 * The specific part of a direction, without the pleasant–unpleasant axis and the usual variation of sentences
 * (`docs/spec/instruments.md#3-profile-with-units`). Most directions share both, so a state that moves along one would seem to move
 * along many.
 */
import {divideBy, measureCovariance, product} from './covariance.ts';

/**
 * The share of the covariance that is spread evenly over all components. With less, directions share less, but noise in a state
 * counts for more: z of a random state is 0.77 on average with 0.8, and 1.5 with 0.2.
 */
const shrinkage = 0.8;

/** Maps a vector to another one, in float64. */
export type VectorMap = (vector: ArrayLike<number>) => Float64Array;

/**
 * The map Σ_a⁻¹ of sentences, with Σ_a = 0.2 Σ + 0.8 (tr Σ/d) I and the sample covariance Σ, which divides by n − 1.
 *
 * @param sentences At least two that differ.
 * @param size d; later components of the result are zero.
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

/** The map to a vector's specific part: it is divided by the covariance, and its component on the axis is removed. */
export const withoutAxis = (divide: VectorMap, axis: ArrayLike<number>): VectorMap => {
	const divided = divide(axis);
	const size = product(divided, Float64Array.from(axis));
	return vector => {
		const share = product(divided, Float64Array.from(vector)) / size;
		return divide(vector).map((value, i) => value - share * divided[i]!);
	};
};
