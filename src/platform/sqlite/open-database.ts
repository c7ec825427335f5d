/**
 * Opens a SQLite file, to read or to write: the one place for its modes and pragmas.
 *
 * A kill in the middle of a write leaves a rollback journal beside the file. Only a connection
 * that may write can roll it back; a read-only one fails with SQLITE_READONLY_ROLLBACK.
 */
import {existsSync, statSync} from 'node:fs';
import type {DatabaseSync, SQLInputValue, StatementSync} from 'node:sqlite';
import {pathToFileURL} from 'node:url';
import {orUndoNow} from '../errors.ts';
import {makeFile} from '../files/folders.ts';

/**
 * Not imported: an older Node would fail at the import, before any module could say what is needed.
 *
 * Node 22 warns here that its SQLite is experimental, which no user of a program can act on. Nothing else runs in between.
 */
const loadSqlite = () => {
	const {emitWarning} = process;
	process.emitWarning = () => {};
	try {
		return process.getBuiltinModule('node:sqlite');
	} finally {
		process.emitWarning = emitWarning;
	}
};

const sqlite = loadSqlite();

type Options = {
	/**
	 * How long a statement waits, blocking its thread, while another connection has the file locked; 500 by default,
	 * longer than an inspection of the file takes.
	 */
	busyTimeoutMs?: number;
};

/** A file may be damaged: check each page's cells before use, and run no code from its schema. */
const hardeningPragmas = 'pragma cell_size_check = on; pragma trusted_schema = off;';

/**
 * Opens the file and makes it, readable by its owner only, if it is missing.
 *
 * @param options `pragmas` run before anything else.
 * @throws SQLite's errors, with `errcode`, and those of the file system.
 */
export const openToWrite = (file: string, options: Options & {pragmas?: string} = {}): DatabaseSync => {
	makeFile(file);
	return connect(file, options);
};

export const openInMemory = (): DatabaseSync => connect(':memory:', {});

/**
 * Opens the file read-only, after rolling back what a kill left of a transaction.
 *
 * @param options `isImmutable` for a file that does not change, in a folder that cannot be written.
 * @throws SQLite's errors, with `errcode`.
 */
export const openToRead = (file: string, {isImmutable = false, ...options}: Options & {isImmutable?: boolean} = {}): DatabaseSync => {
	if (!isImmutable) {
		rollBack(file, options);
	}

	const url = pathToFileURL(file);
	url.search = isImmutable ? 'immutable=1' : '';
	return connect(url, {...options, readOnly: true});
};

/** Commits what `work` writes, or rolls it back and throws. */
export const runTransaction = <Result>(database: DatabaseSync, work: () => Result): Result => {
	database.exec('begin immediate');
	return orUndoNow(() => {
		const result = work();
		database.exec('commit');
		return result;
	}, () => {
		// After some errors, such as a full disk, SQLite has rolled back already.
		if (database.isTransaction) {
			database.exec('rollback');
		}
	});
};

/**
 * Deletes rows of a file, and every byte of them: deleted rows stay in free pages, in gaps of other pages and in the
 * write-ahead log until the file is rewritten.
 *
 * @param remove Deletes, and returns how many rows it deleted; with none, the file stays as it is.
 * @throws SQLite's errors; if another program reads the file, an error after which it can be tried again
 */
export const eraseRows = (file: string, remove: (database: DatabaseSync) => number, options?: Options): number => {
	const database = openToWrite(file, options);
	try {
		database.exec('begin immediate');
		const count = remove(database);
		database.exec(count > 0 ? 'commit; vacuum' : 'rollback');
		const {busy} = database.prepare('pragma wal_checkpoint(truncate)').get() as {busy: number};
		if (count > 0 && busy !== 0) {
			throw new Error('another program reads it; try again');
		}

		return count;
	} finally {
		database.close();
	}
};

/** Runs a statement with each of these values. @returns how many rows it changed in all */
export const runWithEach = (database: DatabaseSync, statement: string, values: Iterable<SQLInputValue>): number => {
	const prepared = database.prepare(statement);
	return Array.from(values, value => Number(prepared.run(value).changes)).reduce((sum, changes) => sum + changes, 0);
};

/** The first read of a connection that may write rolls back. It does not touch the journal of a running writer. */
const rollBack = (file: string, options: Options): void => {
	if (!existsSync(file) || !statSync(`${file}-journal`, {throwIfNoEntry: false})?.size) {
		return;
	}

	const database = connect(file, options);
	try {
		database.exec('select count(*) from sqlite_schema');
	} finally {
		database.close();
	}
};

const connect = (file: string | URL, {
	busyTimeoutMs = 500, readOnly = false, pragmas = '',
}: Options & {readOnly?: boolean; pragmas?: string}): DatabaseSync => {
	const database = new sqlite.DatabaseSync(file, {timeout: busyTimeoutMs, readOnly, defensive: true});
	orUndoNow(() => database.exec(`${pragmas} ${hardeningPragmas}`), () => database.close());
	return database;
};

/** How often a copy is tried: a transaction takes milliseconds. */
const maxCopies = 100;

/**
 * Copies an open database into a new file, some pages at a time, including what is written before it ends. The first step fails
 * without a reason if a transaction is under way in this program at that moment: then the copy begins again.
 *
 * @throws SQLite's errors, with `errcode`, and those of the file system.
 */
export const copyDatabase = async (database: DatabaseSync, file: string): Promise<void> => {
	for (let left = maxCopies; left > 0; left--) {
		try {
			await sqlite.backup(database, file);
			return;
		} catch (error) {
			if (left === 1 || (error as {errcode?: unknown}).errcode !== 0) {
				throw error;
			}
		}
	}
};

/** A statement of a database. */
export type Prepare = (sql: string) => StatementSync;

/** Prepares each statement at its first use, and caches it: one takes 12 to 19 KiB, and few files need all of them. */
export const preparing = (database: DatabaseSync): Prepare => {
	const prepared = new Map<string, StatementSync>();
	return sql => {
		const statement = prepared.get(sql) ?? database.prepare(sql);
		prepared.set(sql, statement);
		return statement;
	};
};

/**
 * A column of a `select` whose value goes through {@link nulSafeText}: Node 22 cuts a text at its first NUL character, so one that
 * may have it is selected as JSON, in which it is escaped.
 */
export const nulSafeColumn = (name: string, expression = name): string => `json_quote(${expression}) as ${name}`;

/** The column's value: a text, null, or whatever else the column holds. @throws {SyntaxError} for a value that is not JSON. */
export const nulSafeText = (value: unknown): unknown => JSON.parse(value as string);
