/**
 * The whitener: the measure of what is ordinary in a text (`docs/spec/instruments.md#5-visit-chart-the-alarm-with-a-stated-rate`).
 * A whitened vector has the squared length xᵀΣ_a⁻¹x/d, where Σ_a = (1 − a)Σ + a (tr Σ/d) I; of an
 * ordinary text that is about 1.
 *
 * n texts span at most n dimensions, so Σ_a⁻¹ is never made. With the centred texts as rows of X,
 * κ = a (tr Σ/d) n/(1 − a), CCᵀ = XXᵀ + κI and Q = C⁻¹X, it is (I − QᵀQ)/(a tr Σ/d), by Woodbury.
 */
import type {DirectionMatrix, Kernel} from '../kernel/kernel.ts';
import {memoizeWeak} from '../platform/immutable.ts';
import {dimensions, width} from '../kernel/dimensions.ts';
import {meanOf} from './apart.ts';
import {product, productsOf, type Whitened} from './whitened.ts';

/** A whitener, as plain data. */
export type Whitener = {
	/** μ, the mean of the texts, as wide as they are without the zeros that all of them end with. */
	readonly mean: Float64Array;
	/** Q: a product with each says how much of a vector is ordinary. */
	readonly rows: readonly Float64Array[];
	/** The length that is whitened to 1 where the texts do not vary: √(a tr Σ). */
	readonly floor: number;
};

/** Multiplies a vector with each row of Q. */
export type Project = (whitener: Whitener, vector: Float64Array) => Float64Array;

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
	const rows = texts.map(text => mean.map((value, i) => text[i]! - value));
	const products = productsOf(rows, product);
	// tr Σ is tr XXᵀ/n.
	const variance = shrinkage * products.reduce((sum, row, i) => sum + row[i]!, 0) / length;
	const kappa = variance / mean.length * length / (1 - shrinkage);
	for (const [i, row] of products.entries()) {
		row[i]! += kappa;
	}

	factorise(products);
	solve(products, rows);
	return {mean, rows, floor: Math.sqrt(variance)};
};

/** Cholesky's factor of a positive matrix, in its place. Above the diagonal nothing has a meaning. */
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

/** X ← C⁻¹X. */
const solve = (factor: readonly Float64Array[], rows: readonly Float64Array[]): void => {
	for (let i = 0; i < rows.length; i++) {
		const weights = factor[i]!;
		const row = rows[i]!;
		for (let j = 0; j < i; j++) {
			subtract(row, weights[j]!, rows[j]!);
		}

		for (let k = 0; k < row.length; k++) {
			row[k]! /= weights[i]!;
		}
	}
};

/** x ← x − weight·y. */
const subtract = (x: Float64Array, weight: number, y: Float64Array): void => {
	for (let i = 0; i < x.length; i++) {
		x[i]! -= weight * y[i]!;
	}
};

/** Whitens the gap between a vector, or a mean of vectors, and the mean of ordinary texts. */
export const whiten = (whitener: Whitener, vector: ArrayLike<number>, project: Project = projectExactly): Whitened => {
	const {mean, floor} = whitener;
	const gap = new Float64Array(mean.length);
	for (let i = 0; i < gap.length; i++) {
		gap[i] = (vector[i]! - mean[i]!) / floor;
	}

	return {vector: gap, ordinary: project(whitener, gap)};
};

const projectExactly: Project = ({rows}, vector) => Float64Array.from(rows, row => product(row, vector));

/**
 * Multiplies by a kernel, in float32: about ten times as fast, and a reading keeps five digits.
 *
 * @param kernel One that no cycle uses: it keeps the rows of Q.
 */
export const projectWith = (kernel: Kernel): Project => {
	const matrixOf = memoizeWeak(({rows}: Whitener): DirectionMatrix => ({rows: new Uint8Array(rows.length), vectors: rows.map(widen)}));
	return (whitener, vector) => {
		const row = widen(vector);
		return new Float64Array(kernel.project([[row, ...otherRows]], matrixOf(whitener))[0]!);
	};
};

/** The same each time, so that a kernel keeps them. */
const otherRows = dimensions.slice(1).map(() => new Float32Array(width));

const widen = (vector: Float64Array): Float32Array => {
	const wide = new Float32Array(width);
	wide.set(vector);
	return wide;
};
