/** The dot product of two vectors, and measures of their angle, in float64. */

/** x·y of two vectors of one length. Four independent sums do not wait for each other. */
export const dot = (x: Float32Array, y: Float32Array): number => {
	let s0 = 0;
	let s1 = 0;
	let s2 = 0;
	let s3 = 0;
	const whole = x.length & ~3;
	for (let i = 0; i < whole; i += 4) {
		s0 += x[i]! * y[i]!;
		s1 += x[i + 1]! * y[i + 1]!;
		s2 += x[i + 2]! * y[i + 2]!;
		s3 += x[i + 3]! * y[i + 3]!;
	}

	for (let i = whole; i < x.length; i++) {
		s0 += x[i]! * y[i]!;
	}

	return (s0 + s1) + (s2 + s3);
};

/**
 * The cosine of two vectors from their product and their norms; 0 if either is a zero vector.
 * The quotient is clamped to ±1, because rounding may exceed that.
 */
export const cosine = (product: number, a: number, b: number): number =>
	a === 0 || b === 0 ? 0 : Math.min(1, Math.max(-1, product / (a * b)));

/**
 * 1 − cos of two vectors from ‖x − r‖² and their norms; 1 if either is a zero vector.
 *
 * 2‖x‖‖r‖ (1 − cos) = ‖x − r‖² − (‖x‖ − ‖r‖)² is accurate for small distances, which 1 minus a rounded product would lose.
 */
export const angularDistance = (squaredGap: number, a: number, b: number): number =>
	a === 0 || b === 0 ? 1 : Math.min(2, Math.max(0, (squaredGap - (a - b) ** 2) / (2 * a * b)));

/**
 * The angle between two unit rows in milliradians, 0 … 1000π. It is computed from the chord, because the cosine of a small angle keeps
 * few of its digits.
 */
export const turnMrad = (from: Float32Array, to: Float32Array): number => {
	let squares = 0;
	for (let i = 0; i < from.length; i++) {
		squares += (to[i]! - from[i]!) ** 2;
	}

	return 2000 * Math.asin(Math.min(1, Math.sqrt(squares) / 2));
};
