/** Unit length, in float64 on the way. */

/** v / ‖v‖ as float32. @throws {RangeError} for a vector without a direction. */
export const normalised = (v: ArrayLike<number>): Float32Array => {
	let squares = 0;
	for (let i = 0; i < v.length; i++) {
		squares += v[i]! ** 2;
	}

	const norm = Math.sqrt(squares);
	if (!(norm > 0 && norm < Infinity)) {
		throw new RangeError('A zero vector, or one that is not finite, has no direction.');
	}

	return Float32Array.from(v, value => value / norm);
};
