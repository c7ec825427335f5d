/**
 * The rows of a folder's fleet, in memory and in one SQLite file, which is read at the start. The file has derived data, so it
 * is written without a sync, and made again if it is damaged.
 */
import {rmSync} from 'node:fs';
import path from 'node:path';
import type {DatabaseSync} from 'node:sqlite';
import {setImmediate as nextTurn} from 'node:timers/promises';
import {emptyRow, type FleetEntry, type FleetRow} from '../instruments/fleet.ts';
import type {Journals} from '../journal/sqlite/journals.ts';
import {makeFolder} from '../platform/files/folders.ts';
import {orUndoNow, reasonOf, type Warn} from '../platform/errors.ts';
import {openInMemory, openToWrite, preparing, runTransaction} from '../platform/sqlite/open-database.ts';
import type {FleetStore} from './fleet.ts';

/** The version of a row's form. Rows of another one are made again. */
const form = 2;

/** A row's earlier content is overwritten: it may name a source that was forgotten since. */
const pragmas = 'pragma journal_mode = truncate; pragma synchronous = off; pragma secure_delete = on;';

/** How many names are compared in one turn of the event loop. */
const namesPerTurn = 100;

export class FleetFile implements FleetStore {
	readonly #database: DatabaseSync;
	readonly #prepare: ReturnType<typeof preparing>;
	readonly #rows = new Map<string, FleetRow>();
	readonly #stale = new Set<string>();
	#entries: readonly FleetEntry[] | null = null;

	constructor(file: string, warn: Warn) {
		this.#database = openKept(file, warn);
		this.#prepare = preparing(this.#database);
		for (const {name, row} of this.#prepare('select name, row from fleet').all() as Array<{name: string; row: string}>) {
			this.#rows.set(name, JSON.parse(row) as FleetRow);
		}
	}

	async get(): Promise<ReadonlyMap<string, FleetRow>> {
		return this.#rows;
	}

	/** Rows that cannot be written are still in memory. @throws SQLite's errors */
	async put(entries: readonly FleetEntry[]): Promise<void> {
		this.#entries = null;
		for (const {name, row, isCurrent} of entries) {
			this.#rows.set(name, row);
			this.#stale[isCurrent ? 'delete' : 'add'](name);
		}

		runTransaction(this.#database, () => {
			for (const {name, row} of entries) {
				this.#prepare('insert or replace into fleet (name, row) values (?, ?)').run(name, JSON.stringify(row));
			}
		});
	}

	async entries(): Promise<readonly FleetEntry[]> {
		this.#entries ??= Array.from(this.#rows, ([name, row]) => ({name, row, isCurrent: !this.#stale.has(name)}));
		return this.#entries;
	}

	/** Removes an identity that was put aside. @throws SQLite's errors; then the file has its row until the next start */
	remove(name: string): void {
		this.#entries = null;
		this.#rows.delete(name);
		this.#stale.delete(name);
		this.#prepare('delete from fleet where name = ?').run(name);
	}

	/** Compares the rows with the journals: a name without a row gets one, and a row is behind if its journal has other records. */
	async compare(journals: Pick<Journals, 'list' | 'newest'>, signal: AbortSignal): Promise<void> {
		const names = await journals.list();
		const known = new Set(names);
		for (const name of [...this.#rows.keys()].filter(one => !known.has(one))) {
			this.remove(name);
		}

		for (let first = 0; first < names.length; first += namesPerTurn) {
			await nextTurn();
			signal.throwIfAborted();
			const compared = names.slice(first, first + namesPerTurn).map((name): FleetEntry => {
				const row = this.#rows.get(name) ?? emptyRow;
				return {name, row, isCurrent: (journals.newest(name) ?? row.records) === row.records};
			});
			const changed = compared.filter(({name, isCurrent}) => !isCurrent || !this.#rows.has(name));
			await (changed.length > 0 ? this.put(changed) : undefined);
		}
	}

	close(): void {
		this.#database.close();
	}
}

/** Makes a damaged file again. If it cannot be written, rows are only in memory: the identities matter, not their rows. */
const openKept = (file: string, warn: Warn): DatabaseSync => {
	try {
		return openFile(file);
	} catch (damage) {
		try {
			for (const end of ['', '-journal']) {
				rmSync(file + end, {force: true});
			}

			const made = openFile(file);
			warn(`The rows of the fleet in ${file} will be rebuilt: ${reasonOf(damage)}`, damage);
			return made;
		} catch (error) {
			warn(`The rows of the fleet are not saved, because ${path.basename(file)} cannot be written: ${reasonOf(error)}`, error);
			return withTable(openInMemory());
		}
	}
};

const openFile = (file: string): DatabaseSync => {
	makeFolder(path.dirname(file));
	return withTable(openToWrite(file, {pragmas}));
};

/** Makes the table, and closes the database if that fails. */
const withTable = (database: DatabaseSync): DatabaseSync => orUndoNow(() => {
	const found = Number(database.prepare('pragma user_version').get()!['user_version']);
	database.exec(`
		${found === form ? '' : 'drop table if exists fleet;'}
		create table if not exists fleet (name text primary key, row text not null) strict, without rowid;
		pragma user_version = ${form}`);
	return database;
}, () => database.close());
