/**
 * The kernel in TypeScript: the readable reference, and the fallback without WebAssembly.
 *
 * Sums are float64. Four accumulators are the fastest measured here: a single one waits for each addition, eight do not fit into the
 * registers, and rounding each step to float32 (`Math.fround`) halves the speed.
 */
import {memoizeWeak} from '../platform/immutable.ts';
import {createRowAllocator, dimensions, secondness, thirdness, valeurs, width} from './dimensions.ts';
import {angularDistance, cosine, dot} from './dot.ts';
import type {Kernel} from './kernel.ts';
import {topK} from './top-k.ts';

/** Writes e·a to `out[at]` and e·b to `out[at + 1]`: each part of e is read once for both. */
const dotPair = (e: Float32Array, a: Float32Array, b: Float32Array, out: Float64Array, at: number): void => {
	let a0 = 0;
	let a1 = 0;
	let b0 = 0;
	let b1 = 0;
	for (let i = 0; i < width; i += 2) {
		const x = e[i]!;
		const y = e[i + 1]!;
		a0 += x * a[i]!;
		b0 += x * b[i]!;
		a1 += y * a[i + 1]!;
		b1 += y * b[i + 1]!;
	}

	out[at] = a0 + a1;
	out[at + 1] = b0 + b1;
};

const squaredGap = (a: Float32Array, b: Float32Array): number => {
	let s0 = 0;
	let s1 = 0;
	let s2 = 0;
	let s3 = 0;
	for (let i = 0; i < width; i += 4) {
		const d0 = a[i]! - b[i]!;
		const d1 = a[i + 1]! - b[i + 1]!;
		const d2 = a[i + 2]! - b[i + 2]!;
		const d3 = a[i + 3]! - b[i + 3]!;
		s0 += d0 * d0;
		s1 += d1 * d1;
		s2 += d2 * d2;
		s3 += d3 * d3;
	}

	return (s0 + s1) + (s2 + s3);
};

const normOf = (v: Float32Array): number => Math.sqrt(dot(v, v));

/** The norm of a row, which is never written. A cycle replaces one of eight rows, so most norms are known. */
const rowNorm = memoizeWeak(normOf);

const cosinesWith = (e: Float32Array, vectors: readonly Float32Array[]): Float64Array => {
	const length = normOf(e);
	return Float64Array.from(vectors, vector => cosine(dot(e, vector), length, rowNorm(vector)));
};

/** The methods that compare rows. */
const measures: Pick<Kernel, 'compare' | 'drift' | 'cosines' | 'nearest'> = {
	compare(state, e) {
		const norm = normOf(e);
		const dots = new Float64Array(dimensions.length);
		for (let d = 0; d < dimensions.length; d += 2) {
			dotPair(e, state[d]!, state[d + 1]!, dots, d);
		}

		return {norm, dots, cosines: dots.map((product, d) => cosine(product, norm, rowNorm(state[d]!)))};
	},

	drift(state, reference, previous) {
		const distances = Float64Array.from(state, (row, d) =>
			angularDistance(squaredGap(row, reference[d]!), rowNorm(row), rowNorm(reference[d]!)));
		const step = previous?.reduce((sum, before, d) => sum + squaredGap(state[d]!, before), 0) ?? 0;
		const size = previous?.reduce((sum, before) => sum + rowNorm(before) ** 2, 0) ?? 0;
		return {distances, perCycle: size === 0 ? 0 : Math.sqrt(step / size)};
	},

	cosines: cosinesWith,

	nearest: (e, vectors, count) => topK(cosinesWith(e, vectors), count),
};

/** The methods that make rows. */
const createMoves = (): Pick<Kernel, 'move' | 'adjust'> => {
	const newRow = createRowAllocator();
	/** Scratch space for a row in float64. */
	const exact = new Float64Array(width);

	/** v / √squares, rounded once; a zero vector stays zero. */
	const normalise = (v: Float64Array, squares: number): Float32Array => {
		const inverse = squares === 0 ? 0 : 1 / Math.sqrt(squares);
		const unit = newRow();
		for (let i = 0; i < width; i++) {
			unit[i] = v[i]! * inverse;
		}

		return unit;
	};

	return {
		move(state, e, pull, limit) {
			const s = state[secondness]!;
			const t = state[thirdness]!;
			const v = state[valeurs]!;
			const {secondness: cs, thirdness: ct, valeurs: cv} = pull;
			let squares = 0;
			let gs = 0;
			let gt = 0;
			let gv = 0;
			for (let i = 0; i < width; i++) {
				const x = e[i]!;
				const ds = x - s[i]!;
				const dt = x - t[i]!;
				const dv = x - v[i]!;
				const pulled = cs * ds + ct * dt + cv * dv;
				exact[i] = pulled;
				squares += pulled * pulled;
				gs += ds * ds;
				gt += dt * dt;
				gv += dv * dv;
			}

			const rawMagnitude = Math.sqrt(squares);
			const scale = rawMagnitude > limit ? limit / rawMagnitude : 1;
			let even = 0;
			let odd = 0;
			for (let i = 0; i < width; i += 2) {
				const x = t[i]! + scale * exact[i]!;
				const y = t[i + 1]! + scale * exact[i + 1]!;
				exact[i] = x;
				exact[i + 1] = y;
				even += x * x;
				odd += y * y;
			}

			return {
				rawMagnitude,
				deltaMagnitude: Math.min(rawMagnitude, limit),
				gaps: {secondness: Math.sqrt(gs), thirdness: Math.sqrt(gt), valeurs: Math.sqrt(gv)},
				thirdness: normalise(exact, even + odd),
			};
		},

		adjust(row, adjustments) {
			const v = Float64Array.from(row);
			for (const {direction, target} of adjustments) {
				let product = 0;
				for (let i = 0; i < width; i++) {
					product += v[i]! * direction[i]!;
				}

				const step = 0.5 * (target - product);
				for (let i = 0; i < width; i++) {
					v[i]! += step * direction[i]!;
				}
			}

			return normalise(v, v.reduce((sum, value) => sum + value * value, 0));
		},
	};
};

export const createJsKernel = (): Kernel => ({
	name: 'js',
	...measures,
	...createMoves(),
	project: (states, {rows, vectors}) => states.map(state => vectors.map((vector, i) => dot(state[rows[i]!]!, vector))),
	similarity: (state, reference) => state.reduce((sum, row, d) => sum + dot(row, reference[d]!), 0) / dimensions.length,
	dots: (e, vectors) => Float64Array.from(vectors, vector => dot(e, vector)),
});
