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

const secondness = indexOf('secondness');
const thirdness = indexOf('thirdness');
const valeurs = indexOf('valeurs');

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

/** v / ‖v‖, rounded once; a zero vector stays zero. */
const normalised = (v: Float64Array): Float32Array => {
	let squares = 0;
	for (let i = 0; i < width; i++) {
		squares += v[i]! * v[i]!;
	}

	const inverse = squares === 0 ? 0 : 1 / Math.sqrt(squares);
	const unit = new Float32Array(width);
	for (let i = 0; i < width; i++) {
		unit[i] = v[i]! * inverse;
	}

	return unit;
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
		const [s, t, v] = [state[secondness]!, state[thirdness]!, state[valeurs]!];
		const raw = new Float64Array(width);
		let [squares, gs, gt, gv] = [0, 0, 0, 0];
		for (let i = 0; i < width; i++) {
			const x = e[i]!;
			const [ds, dt, dv] = [x - s[i]!, x - t[i]!, x - v[i]!];
			const pulled = (pull.secondness * ds) + (pull.thirdness * dt) + (pull.valeurs * dv);
			raw[i] = pulled;
			squares += pulled * pulled;
			gs += ds * ds;
			gt += dt * dt;
			gv += dv * dv;
		}

		const rawMagnitude = Math.sqrt(squares);
		const scale = rawMagnitude > limit ? limit / rawMagnitude : 1;
		for (let i = 0; i < width; i++) {
			raw[i] = t[i]! + (scale * raw[i]!);
		}

		return {
			rawMagnitude,
			deltaMagnitude: Math.min(rawMagnitude, limit),
			gaps: {secondness: Math.sqrt(gs), thirdness: Math.sqrt(gt), valeurs: Math.sqrt(gv)},
			thirdness: normalised(raw),
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
			step += row === state[d] ? 0 : squaredGap(state[d]!, row);
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
			let product = 0;
			for (let i = 0; i < width; i++) {
				product += v[i]! * direction[i]!;
			}

			const step = 0.5 * (target - product);
			for (let i = 0; i < width; i++) {
				v[i]! += step * direction[i]!;
			}
		}

		return normalised(v);
	},
});
