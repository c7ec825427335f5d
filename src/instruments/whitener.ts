/**
 * The whitener: the measure of what is ordinary in a text (`docs/spec/instruments.md#5-visit-chart-the-alarm-with-a-stated-rate`).
 * A whitened vector has the squared length xᵀΣ_a⁻¹x/d, where Σ_a = (1 − a)Σ + a (tr Σ/d) I; of an
 * ordinary text that is about 1.
 *
 * n texts span at most n dimensions, so Σ_a⁻¹ is never made. With the centred texts as rows of X,
 * κ = a (tr Σ/d) n/(1 − a) and CCᵀ = XXᵀ + κI, the whitened x is
 * (x − Xᵀ(C + √κ I)⁻ᵀ C⁻¹ X x)/√(a tr Σ), by Andrews's square root of I − Xᵀ(XXᵀ + κI)⁻¹X.
 */
import {dot} from '../kernel/dot.ts';
import {meanOf} from './apart.ts';

/** A whitener, as plain data. */
export type Whitener = {
	/** μ, the mean of the texts. */
	readonly mean: Float64Array;
	/** The texts themselves, not centred. */
	readonly texts: readonly Float32Array[];
	/** C, a lower triangle: row i has i + 1 numbers. */
	readonly factor: readonly Float64Array[];
	/** √κ. */
	readonly ridge: number;
	/** The length that is whitened to 1 where the texts do not vary: √(a tr Σ). */
	readonly floor: number;
};

/**
 * Makes a whitener of ordinary texts.
 *
 * @param texts at least two different ones, all of one width
 * @param shrinkage a, over 0 and under 1
 */
export const makeWhitener = (texts: readonly Float32Array[], shrinkage: number): Whitener => {
	const {length} = texts;
	const mean = meanOf(texts);
	const centred = centreProducts(texts);
	// tr Σ = tr XXᵀ/n.
	const variance = shrinkage * centred.reduce((sum, row, i) => sum + row[i]!, 0) / length;
	const kappa = variance / mean.length * length / (1 - shrinkage);
	for (const [i, row] of centred.entries()) {
		row[i]! += kappa;
	}

	return {mean, texts, factor: factorise(centred), ridge: Math.sqrt(kappa), floor: Math.sqrt(variance)};
};

/** The products of the centred texts, a lower triangle. */
const centreProducts = (texts: readonly Float32Array[]): Float64Array[] => {
	const products = texts.map((text, i) => Float64Array.from({length: i + 1}, (_, j) => dot(text, texts[j]!)));
	const means = new Float64Array(texts.length);
	for (const [i, row] of products.entries()) {
		for (let j = 0; j < i; j++) {
			means[i]! += row[j]! / texts.length;
			means[j]! += row[j]! / texts.length;
		}

		means[i]! += row[i]! / texts.length;
	}

	const mean = means.reduce((sum, one) => sum + one, 0) / texts.length;
	return products.map((row, i) => row.map((product, j) => product - means[i]! - means[j]! + mean));
};

/** Cholesky's factor of a positive matrix, in its place. */
const factorise = (matrix: Float64Array[]): Float64Array[] => {
	for (const [i, row] of matrix.entries()) {
		for (let j = 0; j <= i; j++) {
			const other = matrix[j]!;
			let sum = row[j]!;
			for (let k = 0; k < j; k++) {
				sum -= row[k]! * other[k]!;
			}

			row[j] = i === j ? Math.sqrt(sum) : sum / other[j]!;
		}
	}

	return matrix;
};

/** Whitens the gap between a vector, or a mean of vectors, and the mean of ordinary texts. */
export const whiten = ({mean, texts, factor, ridge, floor}: Whitener, vector: ArrayLike<number>): Float64Array => {
	const gap = mean.map((value, i) => vector[i]! - value);
	let onMean = 0;
	for (let i = 0; i < mean.length; i++) {
		onMean += gap[i]! * mean[i]!;
	}

	const y = Float64Array.from(texts, text => along(text, gap) - onMean);
	solve(factor, y);
	solveTransposed(factor, ridge, y);

	let sum = 0;
	for (const [i, text] of texts.entries()) {
		sum += y[i]!;
		subtract(gap, y[i]!, text);
	}

	for (let i = 0; i < gap.length; i++) {
		gap[i] = (gap[i]! + sum * mean[i]!) / floor;
	}

	return gap;
};

/** x·y of a float32 and a float64 vector. */
const along = (x: Float32Array, y: Float64Array): number => {
	let [s0, s1, s2, s3] = [0, 0, 0, 0];
	let i = 0;
	for (; i + 3 < x.length; i += 4) {
		s0 += x[i]! * y[i]!;
		s1 += x[i + 1]! * y[i + 1]!;
		s2 += x[i + 2]! * y[i + 2]!;
		s3 += x[i + 3]! * y[i + 3]!;
	}

	for (; i < x.length; i++) {
		s0 += x[i]! * y[i]!;
	}

	return (s0 + s1) + (s2 + s3);
};

const subtract = (x: Float64Array, weight: number, y: Float32Array): void => {
	for (let i = 0; i < x.length; i++) {
		x[i]! -= weight * y[i]!;
	}
};

/** y ← C⁻¹y. */
const solve = (factor: readonly Float64Array[], y: Float64Array): void => {
	for (const [i, row] of factor.entries()) {
		let sum = y[i]!;
		for (let j = 0; j < i; j++) {
			sum -= row[j]! * y[j]!;
		}

		y[i] = sum / row[i]!;
	}
};

/** y ← (C + ridge·I)⁻ᵀy. */
const solveTransposed = (factor: readonly Float64Array[], ridge: number, y: Float64Array): void => {
	for (let i = y.length - 1; i >= 0; i--) {
		const row = factor[i]!;
		y[i] = y[i]! / (row[i]! + ridge);
		for (let j = 0; j < i; j++) {
			y[j]! -= row[j]! * y[i]!;
		}
	}
};
