/**
 * The covariance of vectors, shrunk so that it can be inverted: Σ_a = (1 − a)Σ + a (tr Σ/d) I. It is stored as its Cholesky factor
 * C, with CCᵀ = Σ_a. The length of C⁻¹y is the Mahalanobis length of y.
 */
import {meanOf} from './contrast.ts';

/** Plain data. */
export type Covariance = {
	/** d; later components are ignored. */
	readonly width: number;
	/** The rows of C, each up to its diagonal. */
	readonly factor: Float64Array;
};

/** The dot product. The kernel's `dot` is for float32: one function for both kinds of array takes more than twice the time. */
export const product = (x: Float64Array, y: Float64Array): number => {
	let sum = 0;
	for (let i = 0; i < x.length; i++) {
		sum += x[i]! * y[i]!;
	}

	return sum;
};

/**
 * Its time grows with d³: 0.1 s for 512 components.
 *
 * @param vectors At least two different ones, all of one width.
 * @param shrinkage a, the share of the covariance that is spread evenly over all components.
 * @param width d; by default without the trailing zeros that all vectors share.
 */
export const measureCovariance = (vectors: readonly Float32Array[], shrinkage: number, width?: number): Covariance => {
	const mean = meanOf(vectors);
	const d = width ?? mean.findLastIndex(value => value !== 0) + 1;
	const covariance = new Float64Array(begin(d));
	const gap = new Float64Array(d);
	for (const vector of vectors) {
		for (let i = 0; i < d; i++) {
			gap[i] = vector[i]! - mean[i]!;
		}

		for (let i = 0, place = 0; i < d; i++) {
			const weight = gap[i]! / vectors.length;
			for (let j = 0; j <= i; j++) {
				covariance[place++]! += weight * gap[j]!;
			}
		}
	}

	shrink(covariance, d, shrinkage);
	factorise(covariance, d);
	return {width: d, factor: covariance};
};

/** The index at which row i begins. */
const begin = (i: number): number => i * (i + 1) / 2;

const diagonal = (i: number): number => begin(i) + i;

const shrink = (covariance: Float64Array, width: number, shrinkage: number): void => {
	let trace = 0;
	for (let i = 0; i < width; i++) {
		trace += covariance[diagonal(i)]!;
	}

	for (let place = 0; place < covariance.length; place++) {
		covariance[place]! *= 1 - shrinkage;
	}

	for (let i = 0; i < width; i++) {
		covariance[diagonal(i)]! += shrinkage * trace / width;
	}
};

/** Replaces a positive definite matrix by its Cholesky factor. */
const factorise = (matrix: Float64Array, width: number): void => {
	for (let i = 0; i < width; i++) {
		for (let j = 0; j <= i; j++) {
			const sum = matrix[begin(i) + j]! - rowProduct(matrix, begin(i), matrix, begin(j), j);
			matrix[begin(i) + j] = i === j ? Math.sqrt(sum) : sum / matrix[diagonal(j)]!;
		}
	}
};

/** The dot product of two ranges. Four sums take half the time of one; declaring them in one `let [s0, …]` takes three times as long. */
const rowProduct = (x: Float64Array, xBegin: number, y: Float64Array, yBegin: number, length: number): number => {
	let s0 = 0;
	let s1 = 0;
	let s2 = 0;
	let s3 = 0;
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

/** C⁻¹ · scale · (y − mean). @param mean 0 by default. */
export const whitenBy = ({width, factor}: Covariance, vector: ArrayLike<number>, scale = 1, mean?: Float64Array): Float64Array => {
	const white = new Float64Array(width);
	for (let i = 0; i < width; i++) {
		const value = (mean ? vector[i]! - mean[i]! : vector[i]!) * scale;
		white[i] = (value - rowProduct(factor, begin(i), white, 0, i)) / factor[diagonal(i)]!;
	}

	return white;
};

/** Cᵀy. */
export const timesTransposed = ({width, factor}: Covariance, vector: ArrayLike<number>): Float64Array => {
	const along = new Float64Array(width);
	for (let i = 0; i < width; i++) {
		for (let j = 0; j <= i; j++) {
			along[j]! += factor[begin(i) + j]! * vector[i]!;
		}
	}

	return along;
};

/** Σ_a⁻¹y. */
export const divideBy = (covariance: Covariance, vector: ArrayLike<number>): Float64Array => {
	const {width, factor} = covariance;
	const rest = whitenBy(covariance, vector);
	for (let i = width - 1; i >= 0; i--) {
		rest[i]! /= factor[diagonal(i)]!;
		for (let j = 0; j < i; j++) {
			rest[j]! -= factor[begin(i) + j]! * rest[i]!;
		}
	}

	return rest;
};
