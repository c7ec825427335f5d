/** Makes a journal file of version 1, as the first version of this software wrote it. */
import {DatabaseSync} from 'node:sqlite';
import path from 'node:path';
import type {CycleRecord, JournalRecord} from '../../src/journal/journal.ts';
import type {StateTensor} from '../../src/tensor/state-tensor.ts';
import {genesis} from './records.ts';

const bytesOf = (...floats: Float32Array[]): Uint8Array => Buffer.concat(floats.map(each => Buffer.from(each.buffer, each.byteOffset, each.byteLength)));

const tensor = ({rows, stateId, timestamp}: StateTensor) => [bytesOf(...rows), stateId, timestamp] as const;

export const makeVersion1 = (folder: string, records: readonly JournalRecord[]): DatabaseSync => {
	const database = new DatabaseSync(path.join(folder, 'journal.sqlite'));
	database.exec(`
		pragma auto_vacuum = incremental;
		pragma journal_mode = wal;
		create table genesis (
			id integer primary key check (id = 1),
			initial blob not null, initial_state integer not null, initial_timestamp text not null,
			reference blob not null, reference_state integer not null, reference_timestamp text not null,
			passport text not null
		) strict;
		create table records (
			seq integer primary key,
			kind text not null, id text not null, timestamp text not null,
			state integer, facts text, content text, metadata text, standing text, vector blob, thirdness blob
		) strict;
		pragma user_version = 1;
	`);
	database.prepare('insert into genesis values (1, ?, ?, ?, ?, ?, ?, ?)').run(...tensor(genesis.initial), ...tensor(genesis.reference), JSON.stringify(genesis.passport));
	const insert = database.prepare('insert into records values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
	for (const [i, record] of records.entries()) {
		const {kind, id, timestamp} = record;
		const standing = 'standing' in record ? JSON.stringify(record.standing) : null;
		insert.run(i + 1, kind, id, timestamp, ...(kind === 'cycle' ? cycleColumns(record) : [null, null, null, null]), standing, ...(kind === 'cycle' ? [bytesOf(record.vector.subarray(0, 512)), bytesOf(record.thirdness)] : [null, null]));
	}

	return database;
};

const cycleColumns = ({stateId, trigger, origin, scores, total, choc, deltaMagnitude, contributions, perCycleDrift, level, content, metadata}: CycleRecord) =>
	[stateId, JSON.stringify({trigger, origin, scores, total, choc, deltaMagnitude, contributions, perCycleDrift, level}), content, JSON.stringify(metadata)] as const;
