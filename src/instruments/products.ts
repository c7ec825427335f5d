/** Sums of float64 vectors, as the charts need them. */

/** x·y. */
export const product = (x: Float64Array, y: Float64Array): number => {
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

/** The products of all pairs of vectors. */
export const productsOf = (vectors: readonly Float64Array[]): Float64Array[] => {
	const products = vectors.map(() => new Float64Array(vectors.length));
	for (const [i, x] of vectors.entries()) {
		for (let j = 0; j <= i; j++) {
			products[i]![j] = product(x, vectors[j]!);
			products[j]![i] = products[i]![j]!;
		}
	}

	return products;
};
