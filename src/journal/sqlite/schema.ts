/**
 * The tables of a journal and their version: the genesis, one row per record, the newest
 * validation, and the head. Each row has a checksum. An empty file has version 0, and no other version than 1 was ever published.
 */
import type {DatabaseSync} from 'node:sqlite';
import {JournalError} from '../../errors.ts';
import {checksumOf} from '../checksum.ts';
import {damageError} from './journal-errors.ts';

const version = 1;

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
		create table records (
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
			checksum integer not null
		) strict;
		create index cycles on records (id) where kind = 'cycle';
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
	writeVersion(database);
};

/** Writes the version. Where the file has it already, this finds out whether the file can be written. */
export const writeVersion = (database: DatabaseSync): void => {
	database.exec(`pragma user_version = ${version}`);
};

/**
 * Whether the file has a journal's tables; an empty file has none yet.
 *
 * @throws {JournalError} when a newer version of this software made the file, or it is no journal.
 */
export const hasTables = (database: DatabaseSync, place: string): boolean => {
	const found = Number(database.prepare('pragma user_version').get()!['user_version']);
	if (found > version) {
		throw new JournalError(`${place} has version ${found}, made by a newer version of this software; this one reads up to ${version}. Install the newer version again: a journal is never changed back.`);
	}

	const tables = Number(database.prepare('select count(*) as tables from sqlite_schema').get()!['tables']);
	if (found < 0 || (found === 0) !== (tables === 0)) {
		throw damageError(place, 'its version is not that of a journal');
	}

	return found === version;
};
