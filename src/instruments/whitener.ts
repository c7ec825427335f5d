/**
 * The whitener: the measure of what is ordinary in a text (`docs/spec/instruments.md#5-visit-chart-the-alarm-with-a-stated-rate`).
 * A whitened vector has the squared length xᵀΣ_a⁻¹x/d, where Σ_a = (1 − a)Σ + a (tr Σ/d) I; of an
 * ordinary text that is about 1.
 *
 * n texts span at most n dimensions, so Σ_a⁻¹ is never made. With the centred texts as rows of X,
 * κ = a (tr Σ/d) n/(1 − a) and CCᵀ = XXᵀ + κI, the whitened x is
 * (x − Xᵀ(C + √κ I)⁻ᵀ C⁻¹ X x)/√(a tr Σ), by Andrews's square root of I − Xᵀ(XXᵀ + κI)⁻¹X.
 */
import {product, productsOf} from './products.ts';
import {meanOf} from './apart.ts';

/** A whitener, as plain data. */
export type Whitener = {
	/** μ, the mean of the texts, as wide as they are without the zeros that all of them end with. */
	readonly mean: Float64Array;
	/** X, the centred texts. */
	readonly texts: readonly Float64Array[];
	/** C, a lower triangle; what stands above it has no meaning. */
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
	const all = meanOf(texts);
	// A narrow model fills its vectors up with zeros.
	const mean = all.slice(0, all.findLastIndex(value => value !== 0) + 1);
	const centred = texts.map(text => mean.map((value, i) => text[i]! - value));
	const products = productsOf(centred);
	// tr Σ is tr XXᵀ/n.
	const variance = shrinkage * products.reduce((sum, row, i) => sum + row[i]!, 0) / length;
	const kappa = variance / mean.length * length / (1 - shrinkage);
	for (const [i, row] of products.entries()) {
		row[i]! += kappa;
	}

	factorise(products);
	return {mean, texts: centred, factor: products, ridge: Math.sqrt(kappa), floor: Math.sqrt(variance)};
};

/** Cholesky's factor of a positive matrix, in its place. */
const factorise = (matrix: readonly Float64Array[]): void => {
	for (let i = 0; i < matrix.length; i++) {
		const row = matrix[i]!;
		for (let j = 0; j <= i; j++) {
			const other = matrix[j]!;
			let sum = row[j]!;
			for (let k = 0; k < j; k++) {
				sum -= row[k]! * other[k]!;
			}

			row[j] = i === j ? Math.sqrt(sum) : sum / other[j]!;
		}
	}
};

/** Whitens the gap between a vector, or a mean of vectors, and the mean of ordinary texts. */
export const whiten = ({mean, texts, factor, ridge, floor}: Whitener, vector: ArrayLike<number>): Float64Array => {
	const gap = mean.map((value, i) => vector[i]! - value);
	const weights = Float64Array.from(texts, text => product(text, gap));
	solve(factor, weights);
	solveTransposed(factor, ridge, weights);
	for (let i = 0; i < weights.length; i++) {
		subtract(gap, weights[i]!, texts[i]!);
	}

	for (let i = 0; i < gap.length; i++) {
		gap[i]! /= floor;
	}

	return gap;
};

/** x ← x − weight·y. */
const subtract = (x: Float64Array, weight: number, y: Float64Array): void => {
	for (let i = 0; i < x.length; i++) {
		x[i]! -= weight * y[i]!;
	}
};

/** y ← C⁻¹y. */
const solve = (factor: readonly Float64Array[], y: Float64Array): void => {
	for (let i = 0; i < y.length; i++) {
		const row = factor[i]!;
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
