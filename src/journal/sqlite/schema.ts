/**
 * The tables of a journal and their format: the genesis, one row per record, the newest
 * validation, all revisions, the held texts, and the head. Each row has a checksum.
 *
 * Format numbers only rise; an empty file has 0. The present tables once had the number 1. Earlier
 * tables, which had 1, 2 and 3, are recognised by the lack of a table `validation`. Format 4 added
 * the revisions, and format 5 the held texts and the tombstones of forgotten ones.
 */
import type {DatabaseSync} from 'node:sqlite';
import {JournalError} from '../../platform/errors.ts';
import {checksumOf} from '../rows.ts';
import {damageError} from './journal-errors.ts';

const format = 5;

/** The condition for a record with a text. */
export const isText = 'kind in (\'cycle\', \'held\')';

/** Finds texts by id. Without it they are found too, but slowly. */
const textIndex = `drop index if exists cycles; create index if not exists texts on records (id) where ${isText}`;

const recordColumns = `
			seq integer primary key,
			kind text not null,
			id text not null,
			timestamp text not null,
			state integer,
			facts text,
			kept text,
			content text,
			metadata text,
			standing text,
			vector blob,
			thirdness blob,
			checksum integer not null`;

/** A second copy of each held text's record: compaction removes the one among the others. */
const held = `create table if not exists held (${recordColumns}) strict; create index if not exists waiting on held (id)`;

/** The facts of revisions. Each also has a record among the others. */
const revisions = 'create table if not exists revision (seq integer primary key, facts text not null, checksum integer not null) strict';

/** Creates the tables in an empty file; must run in a transaction. */
export const createTables = (database: DatabaseSync): void => {
	database.exec(`
		create table genesis (
			id integer primary key check (id = 1),
			initial blob not null,
			initial_state integer not null,
			initial_timestamp text not null,
			reference blob not null,
			reference_state integer not null,
			reference_timestamp text not null,
			passport text not null,
			random integer not null,
			checksum integer not null
		) strict;
		create table records (${recordColumns}) strict;
		create table validation (
			id integer primary key check (id = 1),
			seq integer not null,
			facts text not null,
			details text not null,
			thirdness blob not null,
			vectors blob not null,
			checksum integer not null
		) strict;
		create table head (
			id integer primary key check (id = 1),
			last integer not null,
			compacted integer not null,
			validation integer not null,
			checksum integer not null
		) strict;
	`);
	database.prepare('insert into head (id, last, compacted, validation, checksum) values (1, 0, 0, 0, ?)').run(checksumOf([0, 0, 0]));
	bringUpToDate(database);
};

/** Adds what tables of an earlier format lack. If nothing is lacking, this still finds out whether the file can be written. */
export const bringUpToDate = (database: DatabaseSync): void => {
	database.exec(`${textIndex}; ${revisions}; ${held}; pragma user_version = ${format}`);
};

/**
 * Whether the file has a journal's tables; an empty file has none yet.
 *
 * @throws {JournalError} when another version of this software made the file and this one cannot read it, or it is no journal.
 */
export const hasTables = (database: DatabaseSync, place: string): boolean => {
	const found = Number(database.prepare('pragma user_version').get()!['user_version']);
	if (found > format) {
		throw new JournalError(`${place} has format ${found}, made by a newer version of this software; `
			+ `this one reads up to ${format}. Install the newer version again: a journal is never changed back.`);
	}

	const tables = database.prepare('select name from sqlite_schema where type = \'table\'').all().map(({name}) => name);
	if (found < 0 || (found === 0) !== (tables.length === 0)) {
		throw damageError(place, 'its format is not that of a journal');
	}

	if (tables.includes('genesis') && !tables.includes('validation')) {
		throw new JournalError(`${place} has format ${found}, made by an older version of this software, which this one cannot read. `
			+ 'Export its state with the version that made it (“processual export FILE”), move the journal\'s folder aside, '
			+ 'and import the state with this one (“processual import state FILE”): the next start begins with it.');
	}

	return found > 0;
};
