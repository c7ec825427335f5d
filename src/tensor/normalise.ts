/** Unit length, in float64 on the way. */

/** What rounding to float32 leaves of unit length, generously. */
const rounding = 1e-5;

/** ‖v‖. */
const normOf = (v: ArrayLike<number>): number => {
	let squares = 0;
	for (let i = 0; i < v.length; i++) {
		squares += v[i]! ** 2;
	}

	return Math.sqrt(squares);
};

/** v / ‖v‖ as float32. @throws {RangeError} for a vector without a direction. */
export const normalise = (v: ArrayLike<number>): Float32Array => {
	const norm = normOf(v);
	if (!(norm > 0 && norm < Infinity)) {
		throw new RangeError('A zero vector, or one that is not finite, has no direction.');
	}

	return Float32Array.from(v, value => value / norm);
};

/** The vector itself, bit for bit, where it is of unit length already; else as `normalise`, and throws as that does. */
export const toUnitLength = (v: Float32Array): Float32Array => Math.abs(normOf(v) - 1) <= rounding ? v : normalise(v);
