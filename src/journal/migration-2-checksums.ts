/**
 * Version 2: a checksum for everything, texts that may be hashes, and the head, which knows how
 * many records there are and how many of them were compacted.
 */
import type {DatabaseSync} from 'node:sqlite';
import {checksumOf} from './checksum.ts';
import {decodeGenesis, decodeRecord, fieldsOf, genesisFields, type GenesisRow, type Row} from './rows.ts';
import {selection, wholeTexts} from './whole-texts.ts';

export const addChecksums = (database: DatabaseSync): void => {
	database.exec(`
		alter table genesis add column checksum integer not null default 0;
		alter table records add column kept text;
		alter table records add column checksum integer not null default 0;
		create table head (
			id integer primary key check (id = 1),
			last integer not null,
			compacted integer not null,
			checksum integer not null
		) strict;
		update records set kept = 'text' where kind = 'cycle';
	`);

	const genesis = database.prepare('select * from genesis').get() as GenesisRow | undefined;
	if (genesis) {
		decodeGenesis(genesis);
		database.prepare('update genesis set checksum = ?').run(checksumOf(genesisFields(genesis)));
	}

	const next = database.prepare(`select seq, ${selection} from records where seq > ? order by seq limit 1`);
	const seal = database.prepare('update records set checksum = ? where seq = ?');
	let last = 0;
	for (let read; (read = next.get(last) as (Row & {seq: number}) | undefined); last = read.seq) {
		const row = wholeTexts(read);
		// A row that is no record must not get a seal that says it is.
		if (row.seq !== last + 1) {
			throw new RangeError(`record ${last + 1} is missing`);
		}

		decodeRecord(row);
		seal.run(checksumOf(fieldsOf(row.seq, row)), row.seq);
	}

	database.prepare('insert into head (id, last, compacted, checksum) values (1, ?, 0, ?)').run(last, checksumOf([last, 0]));
};
