/**
 * The store in one embedded SQLite file: the default, filled by `processual import`.
 *
 * The file is made by the first write. Readers never write it, and see what another process
 * brings in while they have it open.
 */
import {existsSync} from 'node:fs';
import path from 'node:path';
import type {DatabaseSync} from 'node:sqlite';
import {setImmediate} from 'node:timers/promises';
import {reasonOf, StoreError} from '../../errors.ts';
import {makeFolder} from '../../files/folders.ts';
import type {KernelName} from '../../kernel/kernel.ts';
import {selectKernel} from '../../kernel/select.ts';
import {classifyFailure, type SqliteFailure} from '../../sqlite/failure.ts';
import {openToRead, openToWrite} from '../../sqlite/open-database.ts';
import {width} from '../../tensor/dimensions.ts';
import {DamageError, directionOf, floatsOf, selections, stateOf, tables, thoughtOf, writeItems, type Row, type StoredItems, type Written} from './rows.ts';
import type {Search, Store, StoredDirection, StoredState, StoredThought} from '../store.ts';
import {ThoughtIndex} from './thought-index.ts';

/** Anything that a store holds. */
export type StoredItem = ({kind: 'state'} & StoredState) | ({kind: 'thought'} & StoredThought) | ({kind: 'direction'} & StoredDirection);

/**
 * Opens nothing yet: where there is no file, there is nothing stored.
 *
 * @param kernel Which one searches among thoughts.
 */
export const openSqliteStore = (file: string, kernel: 'auto' | KernelName = 'auto'): SqliteStore => new SqliteStore(file, kernel);

const version = 1;

/** Thoughts read before others have their turn on the event loop. */
const pageSize = 250;

/** How long a write waits for another to end, on the thread that asks. */
const busyTimeoutMs = 1000;

/** Thoughts after one, of a width, that are not known to be of another model than the one that is asked for, if one is. */
const comparable = 'id, vector from thoughts where id > ? and length(vector) = ? and (model is null or model = ifnull(?, model)) order by id limit ?';

/** What `openSqliteStore` opens: a store that can be written too. */
export class SqliteStore implements Store {
	readonly place: string;
	readonly #file: string;
	readonly #kernel: 'auto' | KernelName;
	#reader: DatabaseSync | null = null;
	#index: {of: string; thoughts: ThoughtIndex} | null = null;
	#closed = false;

	constructor(file: string, kernel: 'auto' | KernelName) {
		this.#file = file;
		this.#kernel = kernel;
		this.place = `the store in ${file}`;
	}

	async latestState(signal?: AbortSignal): Promise<StoredState | null> {
		return this.#select(`${selections.states} order by state_id desc limit 1`, [], stateOf, signal)[0] ?? null;
	}

	async thoughts(limit: number, signal?: AbortSignal): Promise<StoredThought[]> {
		return this.#select(`${selections.thoughts} order by id desc limit ?`, [limit], thoughtOf, signal);
	}

	/**
	 * Exact: compares with every stored vector of the same width, 1024 at most. They stay in memory,
	 * 8 KB each, for the next search of the same width and model, which reads what was added since.
	 */
	async nearestThoughts(vector: Float32Array, {limit, model, signal}: Search): Promise<Float32Array[]> {
		if (vector.length > width) {
			throw new StoreError(`${this.place} is searched with at most ${width} floats, not ${vector.length}. Cut the vector.`);
		}

		const thoughts = this.#indexOf(vector.length, model);
		for (;;) {
			const page = this.#select(comparable, [thoughts.last, vector.byteLength, model ?? null, pageSize], row => [Number(row['id']), floatsOf(row['vector'])] as const, signal);
			if (page.length === 0) {
				return thoughts.nearest(vector, limit);
			}

			for (const [id, found] of page) {
				thoughts.add(id, found);
			}

			await setImmediate();
		}
	}

	/** All of them, in the order in which they came in. */
	async directions(signal?: AbortSignal): Promise<StoredDirection[]> {
		return this.#select(`${selections.directions} order by id`, [], directionOf, signal);
	}

	/**
	 * All that is stored, each kind in the order in which writing it again gives the same store.
	 *
	 * @throws {StoreError}
	 */
	*everything(): Iterable<StoredItem> {
		try {
			const database = this.#read();
			const rows = (what: string): Iterable<Row> => database?.prepare(`select ${what}`).iterate() ?? [];
			for (const row of rows(`${selections.states} order by state_id`)) {
				yield {kind: 'state', ...stateOf(row)};
			}

			for (const row of rows(`${selections.thoughts} order by id`)) {
				yield {kind: 'thought', ...thoughtOf(row)};
			}

			for (const row of rows(`${selections.directions} order by id`)) {
				yield {kind: 'direction', ...directionOf(row)};
			}
		} catch (error) {
			throw explain(error, this.place);
		}
	}

	/**
	 * Writes all of it or, when anything fails, nothing. A state takes the place of the one of the
	 * same id, a direction of the one of the same category and name; a thought that is there
	 * already, with the same type, content and vector, stays as it is.
	 *
	 * @throws {StoreError}
	 */
	async write(items: StoredItems): Promise<Written> {
		return this.#explaining(() => {
			this.#requireOpen();
			makeFolder(path.dirname(this.#file));
			const database = openToWrite(this.#file, {busyTimeoutMs, pragmas: 'pragma journal_mode = wal;'});
			try {
				database.exec('begin immediate');
				if (this.#versionOf(database) === 0) {
					database.exec(`${tables} pragma user_version = ${version};`);
				}

				const written = writeItems(database, items);
				database.exec('commit');
				return written;
			} finally {
				// Takes back a transaction that was not committed.
				database.close();
			}
		});
	}

	/** Frees the file. */
	async close(): Promise<void> {
		this.#closed = true;
		this.#reader?.close();
		this.#reader = null;
		this.#index = null;
	}

	/** The index of one width and model; another takes its place. */
	#indexOf(length: number, model: string | undefined): ThoughtIndex {
		const of = `${length} ${model ?? ''}`;
		if (this.#index?.of !== of) {
			this.#index = {of, thoughts: new ThoughtIndex(selectKernel(this.#kernel))};
		}

		return this.#index.thoughts;
	}

	#select<Item>(what: string, parameters: Array<number | string | null>, itemOf: (row: Row) => Item, signal: AbortSignal | undefined): Item[] {
		signal?.throwIfAborted();
		return this.#explaining(() => this.#read()?.prepare(`select ${what}`).all(...parameters).map(itemOf) ?? []);
	}

	/** The file, open for reading; null when there is none, or nothing was written to it yet. */
	#read(): DatabaseSync | null {
		this.#requireOpen();
		if (this.#reader || !existsSync(this.#file)) {
			return this.#reader;
		}

		const database = openToRead(this.#file, {busyTimeoutMs});
		try {
			this.#reader = this.#versionOf(database) === 0 ? null : database;
		} finally {
			if (!this.#reader) {
				database.close();
			}
		}

		return this.#reader;
	}

	/** 0 for a file that has no tables yet. */
	#versionOf(database: DatabaseSync): number {
		const found = Number(database.prepare('pragma user_version').get()!['user_version']);
		if (found > version) {
			throw new StoreError(`${this.place} has version ${found}, made by a newer version of this software; this one knows up to ${version}. Install the newer version again: a store does not go back.`);
		}

		const {count} = database.prepare('select count(*) as count from sqlite_schema').get()!;
		if (found < 0 || (found === 0 && count !== 0)) {
			throw new DamageError('its tables are others');
		}

		return found;
	}

	#requireOpen(): void {
		if (this.#closed) {
			throw new StoreError(`${this.place} is closed.`);
		}
	}

	#explaining<Result>(run: () => Result): Result {
		try {
			return run();
		} catch (error) {
			throw explain(error, this.place);
		}
	}
}

/** Failures that come of what is in the file. */
const damages: ReadonlySet<SqliteFailure | null> = new Set(['other tables', 'damaged', 'not a database', 'out of range']);

/** What was thrown, in words that say what to do. */
const explain = (error: unknown, place: string): StoreError => {
	if (error instanceof StoreError) {
		return error;
	}

	const failure = classifyFailure(error);
	if (error instanceof DamageError || damages.has(failure)) {
		return new StoreError(`${place} is damaged, or is no store (${reasonOf(error)}). Restore a copy of it, or move it away and import again what it held.`, {cause: error});
	}

	const advice = failure === 'busy' ? 'Another process is writing it: try again when that is done.' : 'Check that there is room on the disk, and that this process may read and write the file and its folder (DATA_DIR).';
	return new StoreError(`${place} could not be read or written (${reasonOf(error)}). ${advice}`, {cause: error, retryable: true});
};
