/**
 * The kernel port: the arithmetic of a cycle, a drift check, a profile and the reference's adjustment. A kernel computes with vectors;
 * the rules are in `semiosis`.
 *
 * The methods are pure for their caller. A kernel may cache a copy of a vector and recognise the vector by identity: never write to a
 * vector that a kernel has received or made. Results are new objects that the caller may keep; a new row may be a view of a larger
 * buffer.
 *
 * Rows need not have exactly unit length: norms are measured, and the cosine of a zero vector is 0.
 */
import type {Rows} from './state-tensor.ts';

/** The kernels of the package. Each computes the same bits on every host. */
export type KernelName = 'wasm' | 'js';

/** The products of an input and the eight rows of a state. */
export type Comparison = {
	/** ‖e‖ */
	norm: number;
	/** e·X_d per dimension, 8. */
	dots: Float64Array;
	/** cos(e, X_d) per dimension, 8; 0 if either is a zero vector. */
	cosines: Float64Array;
};

/** The coefficients c_k of Σ c_k (e − X_k), the pull of an input on thirdness (`docs/spec/numerics.md#fixation`). */
export type Pull = {secondness: number; thirdness: number; valeurs: number};

/** The result of applying a limited pull to thirdness (`docs/spec/numerics.md#apply`). */
export type Move = {
	/** ‖raw‖ before the limit. */
	rawMagnitude: number;
	/** ‖delta‖ = min(‖raw‖, limit). */
	deltaMagnitude: number;
	/** ‖e − X_k‖ for the three rows of a pull. */
	gaps: Pull;
	/** normalise(X_thirdness + delta), 1024 floats. */
	thirdness: Float32Array;
};

/** The distances of a state from the reference and from the state of the previous check (`docs/spec/numerics.md#vigilance`). */
export type Distances = {
	/** 1 − cos(X_d, R_d) per dimension, 8; 1 if either is a zero vector. */
	distances: Float64Array;
	/** ‖X − P‖ / ‖P‖ over all 8192 components; 0 without P, or if P is zero. */
	perCycle: number;
};

/** One step of the reference's adjustment: v += 0.5 (target − v·g) g (`docs/spec/numerics.md#reference-from-a-declared-profile`). */
export type Adjustment = {direction: Float32Array; target: number};

/** Directions for projection: row `rows[i]` of a state is projected on `vectors[i]`. */
export type DirectionMatrix = {readonly rows: Uint8Array; readonly vectors: readonly Float32Array[]};

/** A search result: the index of a vector in the list, and its cosine with the query. */
export type Neighbour = {place: number; cosine: number};

/** The arithmetic of states and vectors. A kernel never writes to its arguments. */
export interface Kernel {
	/** The name for logs; a {@link KernelName} for the kernels of the package. */
	readonly name: string;

	/** Multiplies an input's vector by each row of a state. */
	compare(state: Rows, e: Float32Array): Comparison;

	/** Moves thirdness by the pull of an input, at most by `limit`. */
	move(state: Rows, e: Float32Array, pull: Pull, limit: number): Move;

	/** Measures the distances of a state from the reference, and from the previous state. */
	drift(state: Rows, reference: Rows, previous?: Rows): Distances;

	/** value_i = X_{rows[i]} · vectors[i] for each state, unrounded. Two states at once take little more time than one. */
	project(states: readonly Rows[], directions: DirectionMatrix): number[][];

	/** The mean of X_d · R_d over the eight dimensions. */
	similarity(state: Rows, reference: Rows): number;

	/** e·v per vector. */
	dots(e: Float32Array, vectors: readonly Float32Array[]): Float64Array;

	/** cos(e, v) per vector; 0 if either is a zero vector. */
	cosines(e: Float32Array, vectors: readonly Float32Array[]): Float64Array;

	/**
	 * The `count` vectors nearest to e by cosine, nearest first; of equal ones the earlier comes first. The list may be long: if it begins
	 * with the same vectors as in the previous call, only its new end is copied.
	 */
	nearest(e: Float32Array, vectors: readonly Float32Array[], count: number): Neighbour[];

	/** The row after all adjustments in order, normalised once at the end (a zero row stays zero). */
	adjust(row: Float32Array, adjustments: readonly Adjustment[]): Float32Array;
}
