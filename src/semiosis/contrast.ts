/** A direction's vector by contrast (`docs/spec/numerics.md#direction-by-contrast`): from the mean of its negative examples to the mean of its positive ones. */
import {normalise} from '../tensor/normalise.ts';

const meanInto = (sum: Float64Array, vectors: readonly Float32Array[], sign: number): void => {
	for (const vector of vectors) {
		for (const [i, value] of vector.entries()) {
			sum[i]! += sign * value / vectors.length;
		}
	}
};

/**
 * normalise(mean(positive) − mean(negative)), in float64.
 *
 * @throws {RangeError} when a pole has no examples, or the two means are the same.
 */
export const contrast = (positive: readonly Float32Array[], negative: readonly Float32Array[]): Float32Array => {
	if (positive.length === 0 || negative.length === 0) {
		throw new RangeError('A direction by contrast needs examples of both poles.');
	}

	const difference = new Float64Array(positive[0]!.length);
	meanInto(difference, positive, 1);
	meanInto(difference, negative, -1);
	return normalise(difference);
};
