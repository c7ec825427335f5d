/**
 * The store port: imported states, thoughts and directions, each with its vector. An identity
 * begins with them; its cycles are in the journal.
 *
 * A store returns vectors of any width. Callers decide which they can use.
 */
import type {Erased, TextsToForget} from '../forget-texts.ts';
import type {Rows} from '../../kernel/state-tensor.ts';

/** A stored state: one base vector, or the 8 rows of an exported state tensor. */
export type StoredState = {
	stateId: number;
	/** ISO 8601, UTC. */
	timestamp: string;
	/** Identifier of the embedding model of the vectors; null if unknown. */
	model: string | null;
} & ({vector: Float32Array} | {rows: Rows});

/** A thought with its vector. */
export type StoredThought = {
	type: string | null;
	/** Null if only the vector is stored. */
	content: string | null;
	model: string | null;
	/** Of any length; empty if none is stored. */
	vector: Float32Array;
};

/** A direction with its two poles and its vector. */
export type StoredDirection = {
	category: string;
	name: string;
	polePositive: string;
	poleNegative: string;
	model: string | null;
	vector: Float32Array;
};

/** Options of a nearest-neighbour search. */
export type Search = {
	limit: number;
	/** Skips thoughts known to be of another embedding model. */
	model?: string;
	signal?: AbortSignal | undefined;
};

/** A source of states, thoughts and directions. Every method throws a `StoreError` if the store fails. */
export interface Store {
	/** Describes the store in messages: `the store in .processual/store.sqlite`. */
	readonly place: string;

	/** The state with the highest state_id; null if there is none. */
	latestState(signal?: AbortSignal): Promise<StoredState | null>;

	/** Up to `limit` thoughts, the newest first if the store has an order. */
	thoughts(limit: number, signal?: AbortSignal): Promise<StoredThought[]>;

	/** Vectors of the thoughts nearest to `vector` by cosine, the nearest first. */
	nearestThoughts(vector: Float32Array, search: Search): Promise<Float32Array[]>;

	/** All directions. */
	directions(signal?: AbortSignal): Promise<StoredDirection[]>;

	/** Removes thoughts with these contents or vectors, down to the last byte. Absent if the store is read-only. */
	forget?(texts: Pick<TextsToForget, 'contents' | 'vectors'>): Promise<Erased>;

	/** Closes files and ends requests. */
	close(): Promise<void>;
}

/** Items that are written in one transaction. */
export type StoredItems = {states?: readonly StoredState[]; thoughts?: readonly StoredThought[]; directions?: readonly StoredDirection[]};

/** The numbers of items that a write added, replaced or left unchanged. */
export type Written = {added: number; replaced: number; unchanged: number};

/** A stored item with its kind. */
export type StoredItem = ({kind: 'state'} & StoredState) | ({kind: 'thought'} & StoredThought) | ({kind: 'direction'} & StoredDirection);

/** A store that can also be written. */
export interface WritableStore extends Store {
	/** All items, each kind in the order that gives the same store when written again. */
	everything(): Iterable<StoredItem> | AsyncIterable<StoredItem>;

	/**
	 * Writes all items in one transaction. A state replaces the state with the same id, a direction
	 * the one with the same category and name. A thought with the type, content and vector of an
	 * existing one is unchanged.
	 */
	write(items: StoredItems): Promise<Written>;
}
