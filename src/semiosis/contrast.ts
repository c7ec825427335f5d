/** A direction's vector from examples of its poles (`docs/spec/numerics.md#direction-by-contrast`). */
import {normalise} from '../kernel/normalise.ts';

const addMean = (sum: Float64Array, vectors: readonly Float32Array[], sign: number): void => {
	for (const vector of vectors) {
		for (const [i, value] of vector.entries()) {
			sum[i]! += sign * value / vectors.length;
		}
	}
};

/**
 * normalise(mean(positive) − mean(negative)), in float64.
 *
 * @throws {RangeError} when a pole has no examples, or the two means are equal.
 */
export const contrast = (positive: readonly Float32Array[], negative: readonly Float32Array[]): Float32Array => {
	if (positive.length === 0 || negative.length === 0) {
		throw new RangeError('A direction by contrast needs examples of both poles.');
	}

	const difference = new Float64Array(positive[0]!.length);
	addMean(difference, positive, 1);
	addMean(difference, negative, -1);
	return normalise(difference);
};
