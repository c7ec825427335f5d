/** How far a row has turned (`docs/spec/instruments.md#7-history-and-diff`). */

/**
 * The angle between two unit rows in milliradians, 0 … 1000π. By the chord, because the cosine of a small angle keeps few
 * of its digits.
 */
export const turnMrad = (from: Float32Array, to: Float32Array): number => {
	let squares = 0;
	for (let i = 0; i < from.length; i++) {
		squares += (to[i]! - from[i]!) ** 2;
	}

	return 2000 * Math.asin(Math.min(1, Math.sqrt(squares) / 2));
};
