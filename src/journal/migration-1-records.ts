/** Version 1: the beginning, and one row per record. */
import type {DatabaseSync} from 'node:sqlite';

export const makeRecords = (database: DatabaseSync): void => {
	database.exec(`
		create table genesis (
			id integer primary key check (id = 1),
			initial blob not null,
			initial_state integer not null,
			initial_timestamp text not null,
			reference blob not null,
			reference_state integer not null,
			reference_timestamp text not null,
			passport text not null
		) strict;
		create table records (
			seq integer primary key,
			kind text not null,
			id text not null,
			timestamp text not null,
			state integer,
			facts text,
			content text,
			metadata text,
			standing text,
			vector blob,
			thirdness blob
		) strict;
	`);
};
