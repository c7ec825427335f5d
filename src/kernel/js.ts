/**
 * The kernel in TypeScript: the readable reference, and what runs where WebAssembly does not.
 *
 * Sums are float64. Four accumulators are the fastest measured here: one waits for itself, eight
 * no longer fit, and rounding each step to float32 (`Math.fround`) halves the speed.
 */
import {dimensions, indexOf, width} from '../tensor/dimensions.ts';
import {cosine} from './cosine.ts';
import type {Rows} from '../tensor/state-tensor.ts';
import type {Adjustment, Comparison, DirectionMatrix, Drift, Kernel, Move, Pull} from './kernel.ts';

const dot = (a: Float32Array, b: Float32Array): number => {
	let s0 = 0;
	let s1 = 0;
	let s2 = 0;
	let s3 = 0;
	for (let i = 0; i < width; i += 4) {
		s0 += a[i]! * b[i]!;
		s1 += a[i + 1]! * b[i + 1]!;
		s2 += a[i + 2]! * b[i + 2]!;
		s3 += a[i + 3]! * b[i + 3]!;
	}

	return (s0 + s1) + (s2 + s3);
};

const squaredGap = (a: Float32Array, b: Float32Array): number => {
	let sum = 0;
	for (let i = 0; i < width; i++) {
		const d = a[i]! - b[i]!;
		sum += d * d;
	}

	return sum;
};

const norm = (v: Float32Array): number => Math.sqrt(dot(v, v));

export const createJsKernel = (): Kernel => ({
	name: 'js',
	compare(state: Rows, e: Float32Array): Comparison {
		const length = norm(e);
		const dots = Float64Array.from(state, row => dot(e, row));
		return {norm: length, dots, cosines: dots.map((product, d) => cosine(product, length, norm(state[d]!)))};
	},
	move(state: Rows, e: Float32Array, pull: Pull, limit: number): Move {
		const s = state[indexOf('secondness')]!;
		const t = state[indexOf('thirdness')]!;
		const v = state[indexOf('valeurs')]!;
		const raw = new Float64Array(width);
		let squared = 0;
		for (let i = 0; i < width; i++) {
			raw[i] = pull.secondness * (e[i]! - s[i]!) + pull.thirdness * (e[i]! - t[i]!) + pull.valeurs * (e[i]! - v[i]!);
			squared += raw[i]! ** 2;
		}

		const rawMagnitude = Math.sqrt(squared);
		const scale = rawMagnitude > limit ? limit / rawMagnitude : 1;
		const moved = raw.map((value, i) => t[i]! + scale * value);
		const length = Math.sqrt(moved.reduce((sum, x) => sum + x * x, 0));
		return {
			rawMagnitude,
			deltaMagnitude: Math.min(rawMagnitude, limit),
			gaps: {secondness: Math.sqrt(squaredGap(e, s)), thirdness: Math.sqrt(squaredGap(e, t)), valeurs: Math.sqrt(squaredGap(e, v))},
			thirdness: Float32Array.from(moved, x => length === 0 ? 0 : x / length),
		};
	},
	drift(state: Rows, reference: Rows, previous?: Rows): Drift {
		const distances = Float64Array.from(dimensions, (_, d) => {
			const a = norm(state[d]!);
			const b = norm(reference[d]!);
			return a === 0 || b === 0 ? 1 : (squaredGap(state[d]!, reference[d]!) - (a - b) ** 2) / (2 * a * b);
		});
		let step = 0;
		let size = 0;
		for (const [d, row] of (previous ?? []).entries()) {
			step += squaredGap(state[d]!, row);
			size += dot(row, row);
		}

		return {distances, perCycle: size === 0 ? 0 : Math.sqrt(step / size)};
	},
	project: (state: Rows, {rows, vectors}: DirectionMatrix) => Float64Array.from(vectors, (vector, i) => dot(state[rows[i]!]!, vector)),
	similarity: (state, reference) => state.reduce((sum, row, d) => sum + dot(row, reference[d]!), 0) / state.length,
	dots: (e, vectors) => Float64Array.from(vectors, vector => dot(e, vector)),
	cosines: (e, vectors) => Float64Array.from(vectors, vector => cosine(dot(e, vector), norm(e), norm(vector))),
	adjust(row: Float32Array, adjustments: readonly Adjustment[]) {
		const v = Float64Array.from(row);
		for (const {direction, target} of adjustments) {
			const product = v.reduce((sum, x, i) => sum + x * direction[i]!, 0);
			for (let i = 0; i < width; i++) {
				v[i]! += 0.5 * (target - product) * direction[i]!;
			}
		}

		const length = Math.sqrt(v.reduce((sum, x) => sum + x * x, 0));
		return Float32Array.from(v, x => length === 0 ? 0 : x / length);
	},
});
