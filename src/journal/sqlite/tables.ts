/** The tables of a journal: the beginning, one row per record, and the head. Each row has a checksum. */
import type {DatabaseSync} from 'node:sqlite';
import {checksumOf} from './checksum.ts';

/** Makes them in an empty file. */
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
		create table head (
			id integer primary key check (id = 1),
			last integer not null,
			compacted integer not null,
			checksum integer not null
		) strict;
	`);
	database.prepare('insert into head (id, last, compacted, checksum) values (1, 0, 0, ?)').run(checksumOf([0, 0]));
};
