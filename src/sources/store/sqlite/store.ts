/**
 * The store in an embedded SQLite file: the default, filled by `processual import`.
 *
 * The first write creates the file. Readers never write it, and see imports of other processes
 * while they have it open.
 */
import {existsSync} from 'node:fs';
import path from 'node:path';
import type {DatabaseSync} from 'node:sqlite';
import {orUndoNow, reasonOf, StoreError, withErrors} from '../../../platform/errors.ts';
import {makeFolder} from '../../../platform/files/folders.ts';
import type {KernelName} from '../../../kernel/kernel.ts';
import {classifyFailure, type SqliteFailure} from '../../../platform/sqlite/failure.ts';
import {
	eraseRows, nulSafeColumn, nulSafeText, openToRead, openToWrite, runTransaction, runWithEach,
} from '../../../platform/sqlite/open-database.ts';
import type {TextsToForget} from '../../forget-texts.ts';
import {
	createRowReader, DamageError, directionFields, itemKeys, stateFields, thoughtFields, toFloats, widthsOf, type ItemKind, type Row,
} from '../row-codec.ts';
import type {StoredItem, StoredItems, WritableStore, Written} from '../store.ts';
import {createThoughtSearch, pageSize} from '../thought-index.ts';
import {nameOf} from '../../../platform/option-names.ts';

/** A thought is identified by the digest of its type, content and vector. Ids of thoughts and directions increase in order of import. */
const tables = `
	create table states (
		state_id integer primary key, timestamp text not null, model text, kind text not null, vectors blob not null
	) strict;
	create table thoughts (
		id integer primary key, digest blob not null unique, type text, content text, model text, vector blob not null
	) strict;
	create table directions (
		id integer primary key, category text not null, name text not null, pole_positive text not null, pole_negative text not null,
		model text, vector blob not null, unique (category, name)
	) strict;
`;

const selectTexts = (...columns: string[]): string => columns.map(column => nulSafeColumn(column)).join(', ');

const selections = {
	state: `state_id, ${selectTexts('timestamp', 'model')}, kind, vectors from states`,
	thought: `${selectTexts('type', 'content', 'model')}, vector from thoughts`,
	direction: `${selectTexts('category', 'name', 'pole_positive', 'pole_negative', 'model')}, vector from directions`,
};

const toItem = createRowReader(nulSafeText);

/** Must run in a transaction. Node 22 binds an empty vector as null, hence `ifnull`. */
const writeItems = (database: DatabaseSync, {states = [], thoughts = [], directions = []}: StoredItems): Written => {
	const written = {added: 0, replaced: 0, unchanged: 0};
	const count = (before: Row | undefined, {changes}: {changes: number | bigint}) => {
		written[Number(changes) === 0 ? 'unchanged' : before ? 'replaced' : 'added']++;
	};

	const stateBefore = database.prepare('select state_id from states where state_id = ?');
	const putState = database.prepare(`
		insert into states (state_id, timestamp, model, kind, vectors) values (?, ?, ?, ?, ifnull(?, x''))
		on conflict do update set timestamp = excluded.timestamp, model = excluded.model, kind = excluded.kind, vectors = excluded.vectors
		where (timestamp, model, kind, vectors) is not (excluded.timestamp, excluded.model, excluded.kind, excluded.vectors)`);
	for (const state of states) {
		count(stateBefore.get(state.stateId), putState.run(...stateFields(state)));
	}

	const addThought = database.prepare(
		`insert into thoughts (digest, type, content, model, vector) values (?, ?, ?, ?, ifnull(?, x'')) on conflict do nothing`,
	);
	for (const thought of thoughts) {
		count(undefined, addThought.run(...thoughtFields(thought)));
	}

	const directionBefore = database.prepare('select id from directions where (category, name) = (?, ?)');
	const putDirection = database.prepare(`
		insert into directions (category, name, pole_positive, pole_negative, model, vector) values (?, ?, ?, ?, ?, ifnull(?, x''))
		on conflict do update set
			pole_positive = excluded.pole_positive, pole_negative = excluded.pole_negative, model = excluded.model, vector = excluded.vector
		where (pole_positive, pole_negative, model, vector)
			is not (excluded.pole_positive, excluded.pole_negative, excluded.model, excluded.vector)`);
	for (const direction of directions) {
		count(directionBefore.get(direction.category, direction.name), putDirection.run(...directionFields(direction)));
	}

	return written;
};

const version = 1;

/** How long a write waits for another one, blocking the calling thread. */
const busyTimeoutMs = 1000;

/** Thoughts after an id, of the given width, except those known to be of another model. */
const comparableThoughts =
	'id, vector from thoughts where id > ? and length(vector) = ? and (model is null or model = ifnull(?, model)) order by id limit ?';

/** A store in a file. */
export interface SqliteStore extends WritableStore {
	/** As of every {@link WritableStore}, without waiting. */
	everything(): Iterable<StoredItem>;
}

/**
 * Opens the file at the first use. A missing file is an empty store.
 *
 * @param kernel The kernel for searches among thoughts.
 *
 * @example
 * ```ts
 * import {openSqliteStore} from 'processual-state/store';
 *
 * const store = openSqliteStore('./identity/store.sqlite');
 * console.log(await store.latestState());
 * await store.close();
 * ```
 */
export const openSqliteStore = (file: string, kernel: 'auto' | KernelName = 'auto'): SqliteStore => {
	const place = `the store in ${file}`;
	const search = createThoughtSearch(kernel, place);
	let reader: DatabaseSync | null = null;
	let isClosed = false;

	/** Runs a function if the store is open. */
	const run = <Result>(work: () => Result): Result => withErrors(() => {
		if (isClosed) {
			throw new StoreError(`${place} is closed.`);
		}

		return work();
	}, error => toStoreError(error, place));

	/** The file, open for reading; null if it does not exist or is empty. */
	const openReader = (): DatabaseSync | null => {
		if (!reader && existsSync(file)) {
			const database = openToRead(file, {busyTimeoutMs});
			if (orUndoNow(() => hasTables(database, place), () => database.close())) {
				reader = database;
			} else {
				database.close();
			}
		}

		return reader;
	};

	const select = async <Item>(
		what: string, values: Array<number | string | null>, read: (row: Row) => Item, signal?: AbortSignal,
	): Promise<Item[]> => {
		signal?.throwIfAborted();
		return run(() => openReader()?.prepare(`select ${what}`).all(...values).map(read) ?? []);
	};

	return {
		place,
		latestState: async signal => (await select(`${selections.state} order by state_id desc limit 1`, [], toItem.state, signal))[0] ?? null,
		thoughts: async (limit, signal) => select(`${selections.thought} order by id desc limit ?`, [limit], toItem.thought, signal),
		directions: async signal => select(`${selections.direction} order by id`, [], toItem.direction, signal),
		nearestThoughts: async (vector, options) => search.nearest(vector, options, async after => select(
			comparableThoughts, [after, vector.byteLength, options.model ?? null, pageSize],
			row => [Number(row['id']), toFloats(row['vector'])] as const, options.signal,
		)),

		* everything(): Iterable<StoredItem> {
			yield * itemsIn(run(openReader), place);
		},

		write: async items => run(() => {
			makeFolder(path.dirname(file));
			using database = openToWrite(file, {busyTimeoutMs, pragmas: 'pragma journal_mode = wal;'});
			return runTransaction(database, () => {
				if (!hasTables(database, place)) {
					database.exec(`${tables} pragma user_version = ${version};`);
				}

				return writeItems(database, items);
			});
		}),

		forget: async texts => run(() => {
			search.clear();
			const count = existsSync(file)
				? eraseRows(file, database => hasTables(database, place) ? forgetThoughts(database, texts) : 0, {busyTimeoutMs})
				: 0;
			return {count, left: null};
		}),

		async close() {
			isClosed = true;
			reader?.close();
			reader = null;
			search.clear();
		},
	};
};

function * itemsIn(database: DatabaseSync | null, place: string): Generator<StoredItem> {
	try {
		for (const [kind, key] of Object.entries(itemKeys) as Array<[ItemKind, string]>) {
			for (const row of database?.prepare(`select ${selections[kind]} order by ${key}`).iterate() ?? []) {
				yield {kind, ...toItem[kind](row)} as StoredItem;
			}
		}
	} catch (error) {
		throw toStoreError(error, place);
	}
}

/** Whether the file has tables yet. @throws {StoreError} for those of a newer version; {DamageError} for others */
const hasTables = (database: DatabaseSync, place: string): boolean => {
	const found = Number(database.prepare('pragma user_version').get()!['user_version']);
	if (found > version) {
		throw new StoreError(`${place} has version ${found}, made by a newer version of this software; `
			+ `this one reads up to version ${version}. Install the newer version again.`);
	}

	const {count} = database.prepare('select count(*) as count from sqlite_schema').get()!;
	if (found < 0 || (found === 0 && count !== 0)) {
		throw new DamageError('it has other tables');
	}

	return found > 0;
};

/** Deletes thoughts; must run in a transaction. @returns the number of deleted thoughts */
const forgetThoughts = (database: DatabaseSync, {contents, vectors}: Pick<TextsToForget, 'contents' | 'vectors'>): number =>
	runWithEach(database, 'delete from thoughts where content = ?', contents)
		+ runWithEach(database, 'delete from thoughts where vector = ? and length(vector) > 0', vectors.flatMap(widthsOf));

/** Failures caused by the content of the file. */
const damages: ReadonlySet<SqliteFailure | null> = new Set(['other tables', 'damaged', 'not a database', 'out of range']);

const toStoreError = (error: unknown, place: string): StoreError => {
	if (error instanceof StoreError) {
		return error;
	}

	const failure = classifyFailure(error);
	if (error instanceof DamageError || damages.has(failure)) {
		return new StoreError(`${place} is damaged or is not a store (${reasonOf(error)}). `
			+ 'Restore a copy of it, or move it away and import its data again.', {cause: error});
	}

	const advice = failure === 'busy'
		? 'Another process is writing it: try again later.'
		: `Check the free space of the disk, and the permissions of the file and its folder (${nameOf('store.file')}).`;
	return new StoreError(`${place} could not be read or written (${reasonOf(error)}). ${advice}`, {cause: error, retryable: true});
};
