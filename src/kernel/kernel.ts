/**
 * The kernel port: everything numeric that a cycle, a drift check, a profile or the
 * reference's adjustment needs. It knows vectors; the rules over them are in `semiosis`.
 *
 * The methods are pure to their caller. A kernel may keep copies of vectors that it has
 * seen and recognise them by identity: a vector must not be written once a kernel got or
 * made it. Results are new objects that the caller may keep as long as it likes; a new row
 * may be a view of a larger buffer.
 *
 * Rows need not be exactly unit: norms are measured, and the cosine of a zero vector is 0.
 */
import type {Rows} from '../tensor/state-tensor.ts';

/** `wasm` computes the same bits on every host; `wasm-relaxed` may differ between hosts in the last ones. */
export type KernelName = 'wasm' | 'wasm-relaxed' | 'js';

/** An input against the eight rows of a state. */
export type Comparison = {
	/** ‖e‖ */
	norm: number;
	/** e·X_d per dimension, 8. */
	dots: Float64Array;
	/** cos(e, X_d) per dimension, 8; 0 where either is zero. */
	cosines: Float64Array;
};

/** How strongly the input pulls thirdness away from each of three rows: coefficients c_k of Σ c_k (e − X_k). */
export type Pull = {secondness: number; thirdness: number; valeurs: number};

/** The outcome of applying a limited pull to thirdness. */
export type Move = {
	/** ‖raw‖ before the limit. */
	rawMagnitude: number;
	/** ‖delta‖ = min(‖raw‖, limit). */
	deltaMagnitude: number;
	/** ‖e − X_k‖ for the three rows that a method can pull from. */
	gaps: Pull;
	/** normalise(X_thirdness + delta), 1024 floats. */
	thirdness: Float32Array;
};

/** A state against the reference and against the state of the previous check. */
export type Drift = {
	/** 1 − cos(X_d, R_d) per dimension, 8; 1 where either is zero. */
	distances: Float64Array;
	/** ‖X − P‖ / ‖P‖ over all 8192 components; 0 without P or where P is zero. */
	perCycle: number;
};

/** One step of the reference's adjustment: v += 0.5 (target − v·g) g. */
export type Adjustment = {direction: Float32Array; target: number};

/** Directions laid out for projection: `vectors[i]` is projected on row `rows[i]` of a state. */
export type DirectionMatrix = {readonly rows: Uint8Array; readonly vectors: readonly Float32Array[]};

/** A vector of a list, by its place there, and how near it is. */
export type Neighbour = {place: number; cosine: number};

/** The arithmetic of states and vectors. A kernel never writes what it is given. */
export interface Kernel {
	readonly name: KernelName;

	/** How far a text's vector lies from each row of a state. */
	compare(state: Rows, e: Float32Array): Comparison;

	/** Where the pull of a text moves a state, no farther than `limit`. */
	move(state: Rows, e: Float32Array, pull: Pull, limit: number): Move;

	/** How far a state is from the reference, and how far it came from its predecessor. */
	drift(state: Rows, reference: Rows, previous?: Rows): Drift;

	/** value_i = X_{rows[i]} · vectors[i] of each state, one per direction, unrounded. Two states at once cost little more than one. */
	project(states: readonly Rows[], directions: DirectionMatrix): number[][];

	/** Mean over the eight dimensions of X_d · R_d. */
	similarity(state: Rows, reference: Rows): number;

	/** e·v per vector. */
	dots(e: Float32Array, vectors: readonly Float32Array[]): Float64Array;

	/** cos(e, v) per vector; 0 where either is zero. */
	cosines(e: Float32Array, vectors: readonly Float32Array[]): Float64Array;

	/**
	 * The `count` vectors nearest to e by cosine, nearest first, of equal ones the earlier: what a
	 * store in memory finds thoughts with. A list may be long; of one that begins like the list
	 * before it, only what is new is copied.
	 */
	nearest(e: Float32Array, vectors: readonly Float32Array[], count: number): Neighbour[];

	/** The row after all adjustments in order, normalised once at the end (a zero row stays zero). */
	adjust(row: Float32Array, adjustments: readonly Adjustment[]): Float32Array;
}
