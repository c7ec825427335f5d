/** The product of two vectors in float64, by four sums that do not wait for one another. */

/** x·y, of two vectors of one length. */
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
