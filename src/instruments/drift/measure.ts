/**
 * The measure of what is ordinary: a vector is as long as it is unusual
 * (`docs/spec/instruments.md#4-validate-conversations-drift`). D(y)² = yᵀΣ_a⁻¹y/d, where
 * Σ_a = (1 − a)Σ + a (tr Σ/d) I is the covariance of ordinary texts, shrunk. With Cholesky's factor
 * Σ_a = CCᵀ that is the squared length of the whitened vector C⁻¹y/√d.
 */

/** A measure, as plain data. */
export type Measure = {
	/** How many numbers of a vector are measured: a narrow model fills its vectors up with zeros. */
	readonly width: number;
	/** C, row by row, each up to its diagonal. */
	readonly factor: Float64Array;
};

/** How much of Σ_a is the same in all dimensions; Ledoit and Wolf (2004) find .13 to .15 here. */
const shrinkage = 0.2;

/** The mean of vectors, in float64. @param vectors at least one, all of one width */
export const meanOf = (vectors: readonly Float32Array[]): Float64Array => {
	const mean = new Float64Array(vectors[0]!.length);
	for (const vector of vectors) {
		for (let i = 0; i < mean.length; i++) {
			mean[i]! += vector[i]!;
		}
	}

	for (let i = 0; i < mean.length; i++) {
		mean[i]! /= vectors.length;
	}

	return mean;
};

/** The product of two vectors. The kernel's `dot` is for float32: one function for both kinds of array takes more than twice the time. */
export const product = (x: Float64Array, y: Float64Array): number => {
	let sum = 0;
	for (let i = 0; i < x.length; i++) {
		sum += x[i]! * y[i]!;
	}

	return sum;
};

/**
 * Learns what is ordinary.
 *
 * @param texts at least two different ones, all of one width
 */
export const learnMeasure = (texts: readonly Float32Array[], a = shrinkage): Measure => {
	const mean = meanOf(texts);
	const width = mean.findLastIndex(value => value !== 0) + 1;
	const covariance = new Float64Array(width * (width + 1) / 2);
	const gap = new Float64Array(width);
	for (const text of texts) {
		for (let i = 0; i < width; i++) {
			gap[i] = text[i]! - mean[i]!;
		}

		for (let i = 0, place = 0; i < width; i++) {
			const weight = gap[i]! / texts.length;
			for (let j = 0; j <= i; j++) {
				covariance[place++]! += weight * gap[j]!;
			}
		}
	}

	let trace = 0;
	for (let i = 0; i < width; i++) {
		trace += covariance[diagonal(i)]!;
	}

	for (let place = 0; place < covariance.length; place++) {
		covariance[place]! *= 1 - a;
	}

	for (let i = 0; i < width; i++) {
		covariance[diagonal(i)]! += a * trace / width;
	}

	factorise(covariance, width);
	return {width, factor: covariance};
};

/** Where row i begins. */
const begin = (i: number): number => i * (i + 1) / 2;

const diagonal = (i: number): number => begin(i) + i;

/** Cholesky's factor of a positive matrix, in its place. */
const factorise = (matrix: Float64Array, width: number): void => {
	for (let i = 0; i < width; i++) {
		for (let j = 0; j <= i; j++) {
			const sum = matrix[begin(i) + j]! - rowProduct(matrix, begin(i), matrix, begin(j), j);
			matrix[begin(i) + j] = i === j ? Math.sqrt(sum) : sum / matrix[diagonal(j)]!;
		}
	}
};

/** The product of two stretches; four sums at once take half of the time of one. */
const rowProduct = (x: Float64Array, xBegin: number, y: Float64Array, yBegin: number, length: number): number => {
	let [s0, s1, s2, s3] = [0, 0, 0, 0];
	let i = 0;
	for (; i + 3 < length; i += 4) {
		s0 += x[xBegin + i]! * y[yBegin + i]!;
		s1 += x[xBegin + i + 1]! * y[yBegin + i + 1]!;
		s2 += x[xBegin + i + 2]! * y[yBegin + i + 2]!;
		s3 += x[xBegin + i + 3]! * y[yBegin + i + 3]!;
	}

	for (; i < length; i++) {
		s0 += x[xBegin + i]! * y[yBegin + i]!;
	}

	return (s0 + s1) + (s2 + s3);
};

/** The whitened vector C⁻¹y/√d of y = vector − mean. @param mean 0 by default */
export const whiten = ({width, factor}: Measure, vector: ArrayLike<number>, mean?: Float64Array): Float64Array => {
	const white = new Float64Array(width);
	const unit = 1 / Math.sqrt(width);
	for (let i = 0; i < width; i++) {
		const value = (mean ? vector[i]! - mean[i]! : vector[i]!) * unit;
		white[i] = (value - rowProduct(factor, begin(i), white, 0, i)) / factor[diagonal(i)]!;
	}

	return white;
};

/** D: how far a difference from the ordinary goes; about 1 for a single ordinary text. */
export const distanceOf = (measure: Measure, difference: ArrayLike<number>): number => lengthOf(whiten(measure, difference));

export const lengthOf = (white: Float64Array): number => Math.sqrt(product(white, white));

/**
 * A direction g for whitened rows: its product with the whitened y is y·g/√(gᵀΣ_a g), what y has on the
 * direction beside what single ordinary texts vary on it.
 */
export const whitenDirection = ({width, factor}: Measure, direction: Float32Array): Float64Array => {
	const along = new Float64Array(width);
	for (let i = 0; i < width; i++) {
		for (let j = 0; j <= i; j++) {
			along[j]! += factor[begin(i) + j]! * direction[i]!;
		}
	}

	const length = lengthOf(along) / Math.sqrt(width);
	return along.map(value => value / length);
};
