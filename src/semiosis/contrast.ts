/** A direction's vector from examples of its poles (`docs/spec/numerics.md#direction-by-contrast`). */
import {normalise} from '../kernel/normalise.ts';

/** The mean of at least one vector, in float64. */
export const meanOf = (vectors: readonly Float32Array[]): Float64Array => {
	const mean = new Float64Array(vectors[0]!.length);
	for (const vector of vectors) {
		for (const [i, value] of vector.entries()) {
			mean[i]! += value / vectors.length;
		}
	}

	return mean;
};

/**
 * normalise(mean(positive) − mean(negative)), in float64.
 *
 * @throws {RangeError} if a pole has no examples, or the two means are equal
 */
export const contrast = (positive: readonly Float32Array[], negative: readonly Float32Array[]): Float32Array => {
	if (positive.length === 0 || negative.length === 0) {
		throw new RangeError('A direction by contrast needs examples of both poles.');
	}

	const other = meanOf(negative);
	return normalise(meanOf(positive).map((value, i) => value - other[i]!));
};
