/**
 * The store port: what was gathered outside of the process, and what it begins from. State
 * vectors, thoughts and directions, each with its vector; a journal of cycles is elsewhere.
 *
 * Readers hand over what is stored, whatever its width: what may be used is decided by those
 * who use it.
 */
import type {Rows} from '../tensor/state-tensor.ts';

/** A stored state: one base vector, or a whole tensor of 8 rows as an export of a process gives it. */
export type StoredState = {
	stateId: number;
	/** ISO 8601, UTC. */
	timestamp: string;
	/** Identifier of the embedding model that the vectors are of; null where it is not known. */
	model: string | null;
} & ({vector: Float32Array} | {rows: Rows});

/** A thought, with the vector that it was given. */
export type StoredThought = {
	type: string | null;
	/** Absent where only the vector is stored. */
	content: string | null;
	model: string | null;
	/** Of any length; empty where none is stored. */
	vector: Float32Array;
};

/** A direction, with its two poles and its vector. */
export type StoredDirection = {
	category: string;
	name: string;
	polePositive: string;
	poleNegative: string;
	model: string | null;
	vector: Float32Array;
};

/** How far to look for what is near. */
export type Search = {
	limit: number;
	/** Thoughts that are known to be of another embedding model than this are passed over. */
	model?: string;
	signal?: AbortSignal | undefined;
};

/** A source of state vectors, thoughts and directions. Every method throws a `StoreError` when the store fails in any way. */
export interface Store {
	/** Where it is, in words for a message: `the store in .processual/store.sqlite`. */
	readonly place: string;

	/** The state with the highest state_id; null when there is none. */
	latestState(signal?: AbortSignal): Promise<StoredState | null>;

	/** Up to `limit` thoughts, the newest first where the store knows their order. */
	thoughts(limit: number, signal?: AbortSignal): Promise<StoredThought[]>;

	/** Vectors of thoughts, the nearest to `vector` (by cosine) first. */
	nearestThoughts(vector: Float32Array, search: Search): Promise<Float32Array[]>;

	/** All of them. */
	directions(signal?: AbortSignal): Promise<StoredDirection[]>;

	/** Frees what it holds open. */
	close(): Promise<void>;
}
