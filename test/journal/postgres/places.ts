/** Databases with tables, and identities in them, for tests of journals. */
import {readdirSync, readFileSync} from 'node:fs';
import path from 'node:path';
import {ifExists} from '../../../src/platform/files/folders.ts';
import {openDatabase, type Database} from '../../../src/platform/postgres/database.ts';
import {ensureIdentityRow} from '../../../src/journal/postgres/identity-rows.ts';
import {migrate} from '../../../src/platform/postgres/migrate.ts';
import {createPostgresJournal} from '../../../src/journal/postgres/postgres-journal.ts';
import type {PostgresServer} from '../../helpers/postgres.ts';
import type {Place} from '../conformance.ts';

/** With a query timeout that a busy machine keeps. */
export const openPatiently = (url: string): Database => openDatabase({url, queryTimeoutMs: 120_000});

/** A new database with tables. */
export const openMigrated = async (server: PostgresServer): Promise<{url: string; database: Database}> => {
	const url = await server.createDatabase();
	const database = openPatiently(url);
	await migrate(database);
	return {url, database};
};

let names = 0;

/** A new identity of a database. */
export const placeIn = async (database: Database, name = `tenant-${++names}`): Promise<Place & {readonly identity: string}> => {
	await ensureIdentityRow(database, name);
	return Object.assign((options = {}) => createPostgresJournal({database, name, ...options}), {identity: name}) satisfies Place;
};

/** The number of passages found in the files of tables, indexes and statistics; the write-ahead log is not searched. */
export const countInFiles = async (database: Database, passages: readonly Buffer[]): Promise<number> => {
	const [{folder}] = await database.query<{folder: string}>('select current_setting(\'data_directory\') as folder') as [{folder: string}];
	await database.query('checkpoint');
	const base = path.join(folder, 'base');
	const files = readdirSync(base, {recursive: true, withFileTypes: true}).filter(entry => entry.isFile());
	// A table that is being rewritten removes its old files.
	const contents = files.flatMap(({parentPath, name}) => ifExists(() => readFileSync(path.join(parentPath, name))) ?? []);
	return passages.filter(passage => contents.some(bytes => bytes.includes(passage))).length;
};
