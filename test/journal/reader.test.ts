/** The reader of a closed journal: states after any record, and the records for a replay. */
import {readFile} from 'node:fs/promises';
import path from 'node:path';
import test from 'ava';
import {JournalError} from '../../src/platform/errors.ts';
import {JournalReader} from '../../src/journal/sqlite/journal-reader.ts';
import {createSqliteJournal} from '../../src/journal/sqlite/sqlite-journal.ts';
import {asStored, bitsOf, entriesIn, genesis, openJournal, range, recordOf, checkpointOf, stateOf, temporaryFolder} from './records.ts';
import {deepEqual} from '../helpers/deep-equal.ts';

test('the state after every record is read bit for bit, and the state after 0 is the initial one', async t => {
	const folder = await temporaryFolder(t);
	const journal = await openJournal(t, {folder}, 40);
	await journal.close();
	using reader = new JournalReader(folder);
	deepEqual(t, bitsOf(reader.genesis.reference), bitsOf(genesis.reference));
	for (const seq of range(0, 40)) {
		deepEqual(t, bitsOf(reader.stateAfter(seq)), bitsOf(stateOf(seq)), `after ${seq}`);
	}
});

test('writing into a state that was read changes no other state', async t => {
	const folder = await temporaryFolder(t);
	const journal = await openJournal(t, {folder}, 3);
	await journal.close();
	using reader = new JournalReader(folder);
	for (const {rows} of [reader.stateAfter(0), reader.stateAfter(3), reader.genesis.initial]) {
		for (const row of rows) {
			row.fill(0);
		}
	}

	deepEqual(t, bitsOf(reader.stateAfter(0)), bitsOf(stateOf(0)));
	deepEqual(t, bitsOf(reader.stateAfter(3)), bitsOf(stateOf(3)));
});

test('the checkpoint after a record is the newest one up to that record', async t => {
	const folder = await temporaryFolder(t);
	const journal = await openJournal(t, {folder}, 6);
	await journal.close();
	using reader = new JournalReader(folder);
	t.is(reader.checkpointAfter(0), null);
	deepEqual(t, reader.checkpointAfter(3), checkpointOf(3));
	deepEqual(t, reader.checkpointAfter(6), checkpointOf(4));
});

test('asking for the state after a record that does not exist is an error', async t => {
	const folder = await temporaryFolder(t);
	const journal = await openJournal(t, {folder}, 3);
	await journal.close();
	using reader = new JournalReader(folder);
	for (const seq of [-1, 4, 1.5, Number.NaN]) {
		t.throws(() => reader.stateAfter(seq), {instanceOf: JournalError, message: /has no record .*Ask for 1 to 3/}, `${seq}`);
	}
});

test('a replay gives the records with their vectors, in order, from any record on', async t => {
	const folder = await temporaryFolder(t);
	const journal = await openJournal(t, {folder}, 200);
	await journal.close();
	for (const from of [1, 2, 65, 200, 201]) {
		deepEqual(t, await entriesIn(folder, from), range(from, 200).map(seq => ({seq, record: asStored(recordOf(seq))})));
	}
});

test('a replay can be stopped early', async t => {
	const folder = await temporaryFolder(t);
	const journal = await openJournal(t, {folder}, 10);
	await journal.close();
	const reader = new JournalReader(folder);
	for await (const {seq} of reader.replay()) {
		if (seq === 3) {
			break;
		}
	}

	t.is(reader.stateAfter(10).stateId, stateOf(10).stateId);
	reader.close();
	t.is((await journal.open())!.records, 10);
	await journal.close();
});

test('reading does not change the file', async t => {
	const folder = await temporaryFolder(t);
	const journal = await openJournal(t, {folder}, 10);
	await journal.close();
	const before = await readFile(path.join(folder, 'journal.sqlite'));
	await entriesIn(folder);
	deepEqual(t, await readFile(path.join(folder, 'journal.sqlite')), before);
});

test('errors distinguish a folder without a journal from one with an empty journal', async t => {
	const folder = await temporaryFolder(t);
	t.throws(() => new JournalReader(folder), {instanceOf: JournalError, message: /does not exist: no journal was begun/});
	const journal = createSqliteJournal({folder});
	await journal.open();
	await journal.close();
	t.throws(() => new JournalReader(folder), {instanceOf: JournalError, message: /is empty/});
});
