/** Old records become snapshots; new records, counts and the restored state do not change. */
import {stat} from 'node:fs/promises';
import path from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import test, {type ExecutionContext} from 'ava';
import {JournalError} from '../../src/platform/errors.ts';
import type {Compaction} from '../../src/journal/journal-options.ts';
import {JournalReader} from '../../src/journal/sqlite/journal-reader.ts';
import {encodeGenesis, encodeRecords} from '../../src/journal/record-codec.ts';
import {createSqliteJournal} from '../../src/journal/sqlite/sqlite-journal.ts';
import {JournalWriter} from '../../src/journal/sqlite/writer.ts';
import {
	asStored, bitsOf, cycle, entriesIn, genesis, ignored, openJournal, range, recordOf, reopen, checkpointOf, stateOf,
	temporaryFolder,
} from './records.ts';
import {deepEqual} from '../helpers/deep-equal.ts';

/** Compacts until no block is due, as the thread does between requests. @returns the number of steps */
const compact = (folder: string, policy: Partial<Compaction>): number => {
	using writer = new JournalWriter(folder);
	let steps = 0;
	while (writer.compact({keepRecords: 0, keepDays: 0, snapshotEvery: 10, ...policy})) {
		steps++;
	}

	return steps;
};

const filled = async (t: ExecutionContext, count: number): Promise<string> => {
	const folder = await temporaryFolder(t);
	const journal = await openJournal(t, {folder}, count);
	await journal.close();
	return folder;
};

test('the newest records stay whole, and older ones become one snapshot per block', async t => {
	const folder = await filled(t, 57);
	t.is(compact(folder, {keepRecords: 30}), 2);
	const entries = await entriesIn(folder);
	t.deepEqual(entries.slice(0, 2), [[1, 10], [11, 20]].map(([first, seq]) => {
		const {id, timestamp} = recordOf(seq!);
		const {stateId, timestamp: stateTimestamp, rows} = stateOf(seq!);
		const state = {stateId, timestamp: stateTimestamp, thirdness: rows[2]!};
		return {seq: seq!, record: {kind: 'snapshot', id, timestamp, first: first!, state, checkpoint: checkpointOf(seq!)}};
	}));
	t.deepEqual(entries.slice(2), range(21, 57).map(seq => ({seq, record: asStored(recordOf(seq))})));
});

test('compaction changes neither state, checkpoint nor count, nor the state at a snapshot or after a whole record', async t => {
	const folder = await filled(t, 200);
	const before = await reopen(t, folder);
	compact(folder, {keepRecords: 20});
	const after = await reopen(t, folder);
	deepEqual(t, {...after, current: bitsOf(after.current), genesis: null}, {...before, current: bitsOf(before.current), genesis: null});
	using reader = new JournalReader(folder);
	t.is(reader.compacted, 180);
	for (const seq of [...range(0, 18).map(block => block * 10), ...range(180, 200)]) {
		deepEqual(t, bitsOf(reader.stateAfter(seq)), bitsOf(stateOf(seq)), `after ${seq}`);
	}
});

test('a journal that has only snapshots restores its state', async t => {
	for (const count of [22, 23, 28, 30]) {
		const folder = await filled(t, count);
		compact(folder, {snapshotEvery: 1});
		compact(folder, {snapshotEvery: 1});
		const {current, records} = await reopen(t, folder);
		deepEqual(t, bitsOf(current), bitsOf(stateOf(count)));
		t.is(records, count);
	}
});

test('a snapshot before the first cycle has the initial state', async t => {
	const folder = await temporaryFolder(t);
	const journal = await openJournal(t, {folder});
	await journal.append({kind: 'daemon.started', id: 'd', timestamp: 't'});
	await journal.append({kind: 'daemon.stopped', id: 'e', timestamp: 't'});
	await journal.close();
	compact(folder, {snapshotEvery: 2});
	const {current, checkpoint} = await reopen(t, folder);
	deepEqual(t, bitsOf(current), bitsOf(genesis.initial));
	t.deepEqual(checkpoint, {counters: {}, lastTrigger: null, cumulativeDrift: 0});
});

test('the error for a compacted state names the nearest remaining states', async t => {
	const folder = await filled(t, 57);
	compact(folder, {keepRecords: 30});
	using reader = new JournalReader(folder);
	t.throws(() => reader.stateAfter(14), {
		instanceOf: JournalError,
		message: /no longer has the state after record 14: it was compacted\. Ask for the states after 10 or 20\./,
	});
});

test('a replay from within a block begins with the block\'s snapshot', async t => {
	const folder = await filled(t, 57);
	compact(folder, {keepRecords: 30});
	deepEqual(t, (await entriesIn(folder, 14)).map(({seq}) => seq), range(20, 57));
});

test('records younger than keepDays stay, counted back from the newest record', async t => {
	const aDay = 1440;
	const folder = await temporaryFolder(t);
	const journal = await openJournal(t, {folder});
	// Four records a day.
	await Promise.all(range(
		1,
		80,
	).map(async seq => journal.append(cycle(seq, {timestamp: new Date(Date.UTC(2026, 0, 1) + seq * aDay / 4 * 60_000).toISOString()}))));
	await journal.close();
	compact(folder, {keepDays: 10});
	using reader = new JournalReader(folder);
	// Records before number 40 are older than ten days; blocks are compacted whole.
	t.is(reader.compacted, 30);
});

test('a record is kept while either limit protects it', async t => {
	const folder = await filled(t, 100);
	compact(folder, {keepRecords: 60, keepDays: 1});
	compact(folder, {keepRecords: 100, keepDays: 1 / 1440});
	using reader = new JournalReader(folder);
	t.is(reader.compacted, 0);
});

test('one record with a wrong time delays the compaction of its block', async t => {
	const folder = await temporaryFolder(t);
	const journal = await openJournal(t, {folder});
	await Promise.all(range(
		1,
		10,
	).map(async seq => journal.append(cycle(seq, {timestamp: seq === 4 ? '2026-06-01T00:00:00.000Z' : '2020-01-01T00:00:00.000Z'}))));
	await journal.append(cycle(11, {timestamp: '2026-06-02T00:00:00.000Z'}));
	await journal.close();
	t.is(compact(folder, {keepDays: 30}), 0);
});

test('the block length may change from one start to the next', async t => {
	const folder = await filled(t, 100);
	compact(folder, {keepRecords: 70, snapshotEvery: 10});
	compact(folder, {keepRecords: 0, snapshotEvery: 7});
	const entries = await entriesIn(folder);
	t.deepEqual(entries.map(({seq}) => seq), [10, 20, 30, ...range(1, 10).map(block => 30 + block * 7)]);
	const {current} = await reopen(t, folder);
	deepEqual(t, bitsOf(current), bitsOf(stateOf(100)));
});

test('the thread compacts while records are appended', async t => {
	const folder = await temporaryFolder(t);
	const journal = await openJournal(t, {folder, compaction: {keepRecords: 50, snapshotEvery: 10}}, 100);
	// At least one small step follows each commit.
	for (const seq of range(101, 130)) {
		await journal.append(recordOf(seq));
	}

	await journal.close();
	using reader = new JournalReader(folder);
	t.true(reader.compacted >= 50, `${reader.compacted}`);
	deepEqual(t, bitsOf(reader.stateAfter(130)), bitsOf(stateOf(130)));
});

test('without the option compaction, nothing is compacted', async t => {
	const folder = await temporaryFolder(t);
	const journal = createSqliteJournal({folder});
	t.teardown(async () => journal.close());
	await journal.open();
	await journal.begin(genesis);
	await Promise.all(range(1, 12_000).map(async seq => journal.append({kind: 'daemon.started', id: `${seq}`, timestamp: 't'})));
	await journal.append(recordOf(1));
	await journal.close();
	using reader = new JournalReader(folder);
	t.is(reader.compacted, 0);
});

/** Damages an old record, which `open` does not verify. */
const damage = (folder: string, seq: number): void => {
	const database = new DatabaseSync(path.join(folder, 'journal.sqlite'));
	database.prepare('update records set thirdness = zeroblob(4096) where seq = ?').run(seq);
	database.close();
};

test('compaction refuses a damaged record', async t => {
	const folder = await filled(t, 400);
	damage(folder, 10);
	t.throws(() => compact(folder, {keepRecords: 20}), {instanceOf: JournalError, message: /record 10 is not what was written/});
	t.is((await entriesIn(folder, 11)).length, 390);
});

test('a failed compaction is logged, and records can still be appended', async t => {
	const folder = await filled(t, 400);
	damage(folder, 10);
	const warnings: string[] = [];
	const {promise: hasWarned, resolve} = Promise.withResolvers<void>();
	const journal = createSqliteJournal({
		folder,
		compaction: {keepRecords: 20, snapshotEvery: 10},
		logger: {
			info: ignored,
			warn(_, message) {
				warnings.push(message);
				resolve();
			},
			error: ignored,
		},
	});
	await journal.open();
	await journal.append(recordOf(401));
	await hasWarned;
	await journal.append(recordOf(402));
	await journal.close();
	t.is(warnings.length, 1);
	t.regex(warnings[0]!, /Compaction stopped until the journal is opened again: .*record 10/);
});

test('the space of compacted records is returned to the file system', async t => {
	const folder = await temporaryFolder(t);
	const size = async (): Promise<number> => (await stat(path.join(folder, 'journal.sqlite'))).size;
	const writer = new JournalWriter(folder);
	writer.begin(encodeGenesis(genesis));
	const rows = range(1, 5000).flatMap(seq => encodeRecords(cycle(seq), 'text'));
	writer.append(rows);
	writer.close();
	const before = await size();
	compact(folder, {keepRecords: 100, snapshotEvery: 100});
	const after = await size();
	t.log(`${Math.round(before / 5000)} bytes per cycle before, ${Math.round(after / 5000)} after`);
	t.true(after < before / 10, `${before} → ${after}`);
});

test('compaction ends even if another program has turned off auto-vacuum in the file', async t => {
	const folder = await filled(t, 1000);
	{
		using file = new DatabaseSync(path.join(folder, 'journal.sqlite'));
		file.exec('pragma auto_vacuum = none; vacuum');
	}

	using writer = new JournalWriter(folder);
	let steps = 0;
	while (steps < 500 && writer.compact({keepRecords: 0, keepDays: 0, snapshotEvery: 10})) {
		steps++;
	}

	t.is(steps, 100, 'a step for each block');
	t.is(writer.pendingCut, null);
});
