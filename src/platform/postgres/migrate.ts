/** Brings the tables to this version, forward only. A database is never changed back. */
import {JournalError} from '../errors.ts';
import {nameOf} from '../option-names.ts';
import {type Database, inTransaction, type Query} from './database.ts';
import {lockClass, migrations, schemaVersion} from './schema.ts';

/** The schema before the first version. */
const beginning = 'create schema processual; create table processual.version (version integer not null); '
	+ 'insert into processual.version values (0);';

/**
 * Brings the tables to this version, in one transaction. One program at a time does so; others wait.
 * Nodes of the earlier version write nothing from then on, since every fence is replaced, and they leave.
 *
 * @param versions The migrations, each from the version before.
 * @returns the version that was found, and the present one
 * @throws {JournalError} for a newer version, an encoding that cannot hold every text, and a role that may not create tables
 */
export const migrate = async (
	database: Database, versions = migrations,
): Promise<{from: number; to: number}> => inTransaction(database, async query => {
	await query('select pg_advisory_xact_lock($1, 0)', [lockClass]);
	const from = await readVersion(query) ?? 0;
	const to = versions.length;
	requireNoNewer(from, to);
	if (from === 0) {
		await requireEncoding(query);
	}

	if (from > 0 && from < to) {
		await query('lock table processual.identity in access exclusive mode');
	}

	for (const migration of [...from === 0 ? [beginning] : [], ...versions.slice(from)]) {
		await query(migration);
	}

	if (from > 0 && from < to) {
		await query('update processual.identity set fence = gen_random_uuid()');
	}

	await query('update processual.version set version = $1 where version < $1', [to]);
	return {from, to};
}, {isBounded: false});

/** @throws {JournalError} if the tables are not of this version */
export const requireSchema = async ({query}: Pick<Database, 'query'>): Promise<void> => {
	requireVersion(await readVersion(query));
};

/** @param found The version of the tables; null if there are none. @throws {JournalError} for another version than this one */
export const requireVersion = (found: number | null): void => {
	requireNoNewer(found ?? 0);
	if (found !== schemaVersion) {
		throw new JournalError(found === null
			? 'The database has no tables for identities. Run “processual migrate” once, with a role that may create them.'
			: `The tables of the database have version ${found}, and this software needs ${schemaVersion}. Run “processual migrate”.`);
	}
};

/** Writes nothing. @throws {JournalError} if this role may not write the tables, or the database is read-only */
export const requireRights = async ({query}: Pick<Database, 'query'>): Promise<void> => {
	const refused = await query<{name: string}>(`select relname as name from pg_class
		where relnamespace = 'processual'::regnamespace and relkind in ('r', 'p') and not relispartition and relname <> 'version'
			and not (has_table_privilege(oid, 'select') and has_table_privilege(oid, 'insert')
				and has_table_privilege(oid, 'update') and has_table_privilege(oid, 'delete'))
		order by relname`);
	if (refused.length > 0) {
		throw new JournalError(`This role may not read and write ${refused.map(({name}) => `processual.${name}`).join(', ')}. `
			+ `Grant it what docs/operations.md lists, or name another role in ${nameOf('database.url')}.`);
	}

	await query('delete from processual.identity where false');
};

/** SQL_ASCII keeps the bytes of a text as they are; every other encoding than UTF8 refuses some characters. */
const requireEncoding = async (query: Query): Promise<void> => {
	const [{encoding}] = await query<{encoding: string}>('select current_setting(\'server_encoding\') as encoding') as [{encoding: string}];
	if (encoding !== 'UTF8' && encoding !== 'SQL_ASCII') {
		throw new JournalError(`The database has the encoding ${encoding}, which cannot hold every character of a text. `
			+ 'Make it again with: create database … encoding \'UTF8\' template template0.');
	}
};

/** Null if there are no tables yet. */
const readVersion = async (query: Query): Promise<number | null> => {
	const [{exists}] = await query<{exists: boolean}>('select to_regclass(\'processual.version\') is not null as '
		+ 'exists') as [{exists: boolean}];
	const [row] = exists ? await query<{version: number}>('select version from processual.version') : [];
	return row?.version ?? null;
};

const requireNoNewer = (found: number, known = schemaVersion): void => {
	if (found > known) {
		throw new JournalError(`The tables of the database have version ${found}, made by a newer version of this software; `
			+ `this one knows up to ${known}. Install the newer version: tables are never changed back.`);
	}
};
