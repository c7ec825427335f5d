/** Brings the tables to this version, forward only. A database is never changed back. */
import {JournalError} from '../../errors.ts';
import type {Database, Query} from './database.ts';
import {lockClass, migrations, schemaVersion} from './schema.ts';
import {inTransaction} from './transaction.ts';

/**
 * Brings the tables to this version, in one transaction. One program at a time does so; others wait.
 *
 * @returns the version that was found, and the one that is there now
 * @throws {JournalError} for a newer version, and for a role that may not create tables
 */
export const migrate = async (database: Database): Promise<{from: number; to: number}> => inTransaction(database, async query => {
	await query('select pg_advisory_xact_lock($1, 0)', [lockClass]);
	const from = await readVersion(query) ?? 0;
	requireNoNewer(from);
	for (const migration of migrations.slice(from)) {
		await query(from === 0 ? `create schema processual; create table processual.version (version integer not null); insert into processual.version values (0); ${migration}` : migration);
	}

	await query('update processual.version set version = $1 where version < $1', [schemaVersion]);
	return {from, to: schemaVersion};
}, {isBounded: false});

/** @throws {JournalError} for a database that was not brought to this version */
export const requireSchema = async ({query}: Pick<Database, 'query'>): Promise<void> => {
	const found = await readVersion(query);
	requireNoNewer(found ?? 0);
	if (found !== schemaVersion) {
		throw new JournalError(found === null
			? 'The database has no tables for identities. Run “processual migrate” once, with a role that may create them.'
			: `The tables of the database have version ${found}, and this software needs ${schemaVersion}. Run “processual migrate”.`);
	}
};

/** Null where there are no tables yet. */
const readVersion = async (query: Query): Promise<number | null> => {
	const [{exists}] = await query<{exists: boolean}>('select to_regclass(\'processual.version\') is not null as exists') as [{exists: boolean}];
	const [row] = exists ? await query<{version: number}>('select version from processual.version') : [];
	return row?.version ?? null;
};

const requireNoNewer = (found: number): void => {
	if (found > schemaVersion) {
		throw new JournalError(`The tables of the database have version ${found}, made by a newer version of this software; this one knows up to ${schemaVersion}. Install the newer version: tables are never changed back.`);
	}
};
