/** Normalisation to unit length, computed in float64. */

/** The largest deviation of a norm from 1 by rounding to float32, with a margin. */
const roundingTolerance = 1e-5;

/** ‖v‖. */
const normOf = (v: ArrayLike<number>): number => {
	let squares = 0;
	for (let i = 0; i < v.length; i++) {
		squares += v[i]! ** 2;
	}

	return Math.sqrt(squares);
};

/** v / ‖v‖ as float32. @throws {RangeError} for a zero vector, and for one that is not finite */
export const normalise = (v: ArrayLike<number>): Float32Array => {
	const norm = normOf(v);
	if (!(norm > 0 && norm < Infinity)) {
		throw new RangeError('A zero vector, or one that is not finite, has no direction.');
	}

	// A loop: `Float32Array.from` takes ten times as long.
	const unit = new Float32Array(v.length);
	for (let i = 0; i < v.length; i++) {
		unit[i] = v[i]! / norm;
	}

	return unit;
};

/** The same object if its length is already 1, else `normalise(v)`. @throws {RangeError} for a zero vector, and one that is not finite */
export const toUnitLength = (v: Float32Array): Float32Array => Math.abs(normOf(v) - 1) <= roundingTolerance ? v : normalise(v);
