/** An open journal is read from: its records in order, what compaction left, and what a damaged one says. */
import path from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import test, {type ExecutionContext} from 'ava';
import {JournalError} from '../../src/errors.ts';
import type {Journal, StoredCycle} from '../../src/journal/journal.ts';
import {openJournals} from '../../src/journal/sqlite/journals.ts';
import {createSqliteJournal, type SqliteJournalOptions} from '../../src/journal/sqlite/sqlite-journal.ts';
import {factsOf} from '../../src/journal/validation-facts.ts';
import {FakeJournal} from '../actors/fake-journal.ts';
import {asStored, cycle, genesis, journalsOf, range, recordOf, stateOf, temporaryFolder, validation, validationUpTo} from './records.ts';

const oneOfMany = ({folder, ...options}: SqliteJournalOptions): Journal =>
	openJournals({...options, folder: path.dirname(folder)}).for(path.basename(folder).toLowerCase());

const entryOf = (seq: number) => ({seq, record: asStored(recordOf(seq))});

for (const [name, create] of Object.entries({'a journal alone': createSqliteJournal, 'one of many': oneOfMany, 'a journal in memory': () => new FakeJournal()})) {
	const {createJournal, openJournal} = journalsOf(create);

	test(`${name}: gives records in their order, from any on, as they were appended`, async t => {
		const journal = await openJournal(t, {folder: path.join(await temporaryFolder(t), 'read')}, 25);
		t.deepEqual(await journal.read(1, 25), range(1, 25).map(entryOf));
		t.deepEqual(await journal.read(9, 4), range(9, 12).map(entryOf));
		t.deepEqual(await journal.read(24, 10), range(24, 25).map(entryOf));
		t.deepEqual(await journal.read(26, 10), []);
	});

	test(`${name}: what was acknowledged can be read, and appending goes on`, async t => {
		const journal = await openJournal(t, {folder: path.join(await temporaryFolder(t), 'read')}, 3);
		for (const seq of range(4, 8)) {
			await journal.append(recordOf(seq));
			t.deepEqual(await journal.read(seq, 1), [entryOf(seq)]);
		}
	});

	test(`${name}: finds a cycle by its id, after a restart too`, async t => {
		const journal = await openJournal(t, {folder: path.join(await temporaryFolder(t), 'read')}, 12);
		const reset = range(1, 12).map(recordOf).find(({kind}) => kind !== 'cycle')!;
		for (const _ of ['before', 'after']) {
			t.deepEqual(await journal.find(recordOf(12).id), asStored(recordOf(12)) as StoredCycle);
			t.is(await journal.find('unknown'), null);
			t.is(await journal.find(reset.id), null);
			await journal.close();
			await journal.open();
		}
	});

	test(`${name}: gives the newest validation whole, as it was appended, and none before one`, async t => {
		const journal = await openJournal(t, {folder: path.join(await temporaryFolder(t), 'read')}, 7);
		t.is(await journal.validation(), null);
		for (const seq of [8, 25]) {
			await Promise.all(range(seq === 8 ? 8 : 10, seq + 1).map(async next => journal.append(recordOf(next))));
			t.deepEqual(await journal.validation(), validationUpTo(seq));
		}

		await journal.close();
		t.deepEqual((await journal.open())?.validation, factsOf(validationUpTo(25)!));
	});

	test(`${name}: before its genesis there is nothing to read`, async t => {
		const journal = createJournal(t, {folder: path.join(await temporaryFolder(t), 'read')});
		await journal.open();
		t.deepEqual(await journal.read(1, 10), []);
		await journal.begin(genesis);
		t.deepEqual(await journal.read(1, 10), []);
	});
}

const {createJournal, openJournal} = journalsOf(createSqliteJournal);

/** Waits until the journal's thread has nothing left to compact: it compacts after the requests that have arrived. */
const untilCompacted = async (journal: Journal, end: number): Promise<void> => {
	for (;;) {
		const [entry] = await journal.read(end, 1);
		if (entry?.record.kind === 'snapshot') {
			return;
		}
	}
};

test('of compacted records a snapshot is left: which they were, the state after them and its checkpoint', async t => {
	const journal = await openJournal(t, {folder: await temporaryFolder(t), compaction: {keepRecords: 10, snapshotEvery: 10}}, 35);
	await untilCompacted(journal, 20);
	const entries = await journal.read(1, 3);
	t.deepEqual(entries.map(({seq, record}) => [seq, record.kind]), [[10, 'snapshot'], [20, 'snapshot'], [21, 'cycle']]);
	const {timestamp, id} = recordOf(20);
	const {stateId, timestamp: stateTimestamp, rows} = stateOf(20);
	t.deepEqual(entries[1]!.record, {
		kind: 'snapshot',
		id,
		timestamp,
		first: 11,
		state: {stateId, timestamp: stateTimestamp, thirdness: rows[2]!},
		checkpoint: (recordOf(20) as ReturnType<typeof cycle>).checkpoint,
	});
	t.deepEqual(await journal.read(15, 1), [entries[1]!]);
});

test('a compacted cycle is not found, and the others are', async t => {
	const journal = await openJournal(t, {folder: await temporaryFolder(t), compaction: {keepRecords: 10, snapshotEvery: 10}}, 35);
	await untilCompacted(journal, 20);
	t.is(await journal.find(recordOf(19).id), null);
	t.is(await journal.find(recordOf(20).id), null);
	t.deepEqual(await journal.find(recordOf(24).id), asStored(recordOf(24)) as StoredCycle);
});

test('where texts are hashed, a cycle is found with the hashes', async t => {
	const journal = await openJournal(t, {folder: await temporaryFolder(t), content: 'hash'}, 1);
	t.like(await journal.find(recordOf(1).id), {isHashed: true, id: recordOf(1).id});
});

test('a validation with a baseline of 600 texts survives the compaction of its record, and a restart', async t => {
	const folder = await temporaryFolder(t);
	const journal = await openJournal(t, {folder, compaction: {keepRecords: 10, snapshotEvery: 10}}, 4);
	const record = validation(5, {texts: 600});
	await journal.append(record);
	await Promise.all(range(6, 35).map(async seq => journal.append(cycle(seq))));
	await untilCompacted(journal, 20);
	t.deepEqual(await journal.validation(), {...record, seq: 5});
	await journal.close();
	t.deepEqual((await journal.open())!.validation, factsOf(record));
	t.deepEqual(await journal.validation(), {...record, seq: 5});
});

test('a journal that is not open says so when it is asked for its validation or a cycle', async t => {
	const journal = createJournal(t, {folder: await temporaryFolder(t)});
	await t.throwsAsync(journal.validation(), {instanceOf: JournalError, message: /not open/});
	await t.throwsAsync(journal.find('1'), {instanceOf: JournalError, message: /not open/});
});

test('a snapshot of resets alone stands for the initial state', async t => {
	const journal = createJournal(t, {folder: await temporaryFolder(t), compaction: {keepRecords: 0, snapshotEvery: 2}});
	await journal.open();
	await journal.begin(genesis);
	await journal.append(cycle(1));
	await journal.append({kind: 'reset', id: 'r', timestamp: genesis.initial.timestamp, checkpoint: {counters: {}, lastTrigger: null, cumulativeDrift: 0}});
	await untilCompacted(journal, 2);
	const [entry] = await journal.read(1, 1);
	t.like(entry?.record, {kind: 'snapshot', state: null});
});

test('a damaged record is refused, and the journal takes records as before', async t => {
	const folder = await temporaryFolder(t);
	const first = await openJournal(t, {folder}, 600);
	await first.close();
	const database = new DatabaseSync(path.join(folder, 'journal.sqlite'));
	database.exec('update records set content = \'something else\' where seq = 3');
	database.close();

	const journal = createJournal(t, {folder});
	await journal.open();
	await t.throwsAsync(journal.read(1, 10), {instanceOf: JournalError, message: /record 3 is not what was written/});
	await journal.append(recordOf(601));
	t.deepEqual(await journal.read(601, 1), [entryOf(601)]);
	t.deepEqual(await journal.read(1, 2), range(1, 2).map(entryOf));
});

test('a closed journal is not read from', async (t: ExecutionContext) => {
	const journal = await openJournal(t, {folder: await temporaryFolder(t)}, 2);
	await journal.close();
	await t.throwsAsync(journal.read(1, 1), {instanceOf: JournalError, message: /closed/});
});
