/** The behaviour of every journal, in any storage. `testPort` is for all journals, `testStorage` for durable ones. */
import test, {type ExecutionContext} from 'ava';
import {JournalError} from '../../src/platform/errors.ts';
import type {Journal, RestoredJournal, StoredCycle, StoredRecord} from '../../src/journal/journal.ts';
import {factsOf} from '../../src/journal/validation.ts';
import {isRevision} from '../../src/journal/revision.ts';
import type {JournalOptions} from '../../src/journal/journal-options.ts';
import {deepEqual} from '../helpers/deep-equal.ts';
import {
	asStored, bitsOf, checkpointOf, cycle, genesis, range, recordOf, revision, decisionsUpTo, rowOf, stateOf, timeOf, validation,
	validationUpTo, untilCompacted,
} from './records.ts';

/** Makes journals in one place; only one of them is open at a time. */
export type Place = (options?: JournalOptions) => Journal;

/** A new place for each test. */
export type MakePlace = (t: ExecutionContext) => Promise<Place>;

const entryOf = (seq: number) => ({seq, record: asStored(recordOf(seq))});

/** Helpers for journals in a place, which are closed at the end of the test. */
export const helpersOf = (makePlace: MakePlace) => ({
	/** An open journal with a genesis and records 1 … count. `reopen` closes it, and gives what its place has. */
	async begin(t: ExecutionContext, {count = 0, ...options}: {count?: number} & JournalOptions = {}) {
		const place = await makePlace(t);
		const create: Place = given => {
			const journal = place(given);
			t.teardown(async () => journal.close());
			return journal;
		};

		const journal = create(options);
		await journal.open();
		await journal.begin(genesis);
		await Promise.all(range(1, count).map(async seq => journal.append(recordOf(seq))));
		return {
			journal,
			create,
			async reopen(): Promise<RestoredJournal & {entries: StoredRecord[]}> {
				await journal.close();
				const again = create();
				const restored = await again.open();
				const entries = await again.read(1, 1000);
				await again.close();
				return {...restored!, entries: entries.map(({record}) => record)};
			},
		};
	},
});

export const testPort = (kind: string, makePlace: MakePlace): void => {
	const {begin} = helpersOf(makePlace);

	test(`${kind}: a new journal is empty before and after its genesis`, async t => {
		const journal = (await makePlace(t))();
		t.is(await journal.open(), null);
		t.deepEqual(await journal.read(1, 10), []);
		await journal.close();
		t.is(await journal.open(), null);
		await journal.begin(genesis);
		t.deepEqual(await journal.read(1, 10), []);
		t.is(await journal.validation(), null);
		t.is(await journal.find('1'), null);
		await journal.close();
	});

	test(`${kind}: the genesis is restored bit for bit, with the model's passport`, async t => {
		const {reopen} = await begin(t);
		const restored = await reopen();
		deepEqual(t, bitsOf(restored.genesis.initial), bitsOf(genesis.initial));
		deepEqual(t, bitsOf(restored.genesis.reference), bitsOf(genesis.reference));
		t.deepEqual(restored.genesis.passport, genesis.passport);
		t.is(restored.genesis.isRandom, genesis.isRandom);
		t.is(restored.current, restored.genesis.initial);
		t.is(restored.records, 0);
	});

	test(`${kind}: the restored state has the newest cycle's row, and the other rows of the initial state`, async t => {
		const {reopen} = await begin(t, {count: 3});
		const restored = await reopen();
		deepEqual(t, bitsOf(restored.current), bitsOf(stateOf(3)));
		deepEqual(t, restored.checkpoint, checkpointOf(3));
		t.is(restored.records, 3);
	});

	test(`${kind}: the state after a reset is the initial one`, async t => {
		const {journal, reopen} = await begin(t, {count: 3});
		await journal.append({kind: 'reset', id: 'r', timestamp: timeOf(4), checkpoint: checkpointOf(44)});
		const restored = await reopen();
		t.is(restored.current, restored.genesis.initial);
		deepEqual(t, restored.checkpoint, checkpointOf(44));
	});

	test(`${kind}: a start or a stop of the daemon changes neither state nor checkpoint`, async t => {
		const {journal, reopen} = await begin(t, {count: 3});
		await journal.append({kind: 'daemon.started', id: 'd', timestamp: timeOf(4)});
		await journal.append({kind: 'daemon.stopped', id: 'e', timestamp: timeOf(5)});
		const restored = await reopen();
		deepEqual(t, bitsOf(restored.current), bitsOf(stateOf(3)));
		deepEqual(t, restored.checkpoint, checkpointOf(3));
		t.is(restored.records, 5);
	});

	test(`${kind}: records are appended after those of an earlier session`, async t => {
		const {journal, create, reopen} = await begin(t, {count: 2});
		await journal.close();
		const second = create();
		await second.open();
		await second.append(recordOf(3));
		await second.close();
		t.is((await reopen()).records, 3);
	});

	test(`${kind}: records are ordered by sequence, even if the clock jumps back`, async t => {
		const {journal, reopen} = await begin(t, {count: 2});
		await journal.append(cycle(3, {timestamp: '1999-12-31T23:59:59.000Z'}));
		t.is((await reopen()).current.stateId, 10);
	});

	test(`${kind}: every kind of record is read back whole`, async t => {
		const {reopen} = await begin(t, {count: 40});
		deepEqual(t, (await reopen()).entries, range(1, 40).map(seq => asStored(recordOf(seq))));
	});

	test(`${kind}: reads records in order, from any record on, as they were appended`, async t => {
		const {journal} = await begin(t, {count: 25});
		deepEqual(t, await journal.read(1, 25), range(1, 25).map(entryOf));
		deepEqual(t, await journal.read(9, 4), range(9, 12).map(entryOf));
		deepEqual(t, await journal.read(24, 10), range(24, 25).map(entryOf));
		t.deepEqual(await journal.read(26, 10), []);
	});

	test(`${kind}: each record can be read once it is acknowledged`, async t => {
		const {journal} = await begin(t, {count: 3});
		for (const seq of range(4, 8)) {
			await journal.append(recordOf(seq));
			deepEqual(t, await journal.read(seq, 1), [entryOf(seq)]);
		}
	});

	test(`${kind}: finds a cycle by its id, also after a restart`, async t => {
		const {journal} = await begin(t, {count: 12});
		const reset = range(1, 12).map(recordOf).find(({kind: of}) => of === 'reset')!;
		for (const _ of ['before', 'after']) {
			const found = await Promise.all(
				[recordOf(12).id, 'unknown', recordOf(9).id, reset.id, recordOf(12).id].map(async id => journal.find(id)),
			);
			t.deepEqual(found, [asStored(recordOf(12)), null, asStored(recordOf(9)), null, asStored(recordOf(12))] as Array<StoredCycle | null>);
			await journal.close();
			await journal.open();
		}
	});

	test(`${kind}: gives the newest validation as it was appended, and null before the first`, async t => {
		const {journal} = await begin(t, {count: 7});
		t.is(await journal.validation(), null);
		for (const seq of [8, 25]) {
			await Promise.all(range(seq === 8 ? 8 : 10, seq + 1).map(async next => journal.append(recordOf(next))));
			deepEqual(t, await journal.validation(), validationUpTo(seq));
		}

		await journal.close();
		deepEqual(t, (await journal.open())?.validation, factsOf(validationUpTo(25)!));
	});

	test(`${kind}: gives all decisions, oldest first, and restores the newest revision when it opens`, async t => {
		const {journal} = await begin(t, {count: 13});
		t.deepEqual(await journal.decisions(), []);
		await Promise.all(range(14, 32).map(async seq => journal.append(recordOf(seq))));
		deepEqual(t, await journal.decisions(), decisionsUpTo(32));
		await journal.close();
		const {revision: newest, current} = (await journal.open())!;
		deepEqual(t, [newest, bitsOf(current)], [decisionsUpTo(32).findLast(isRevision), bitsOf(stateOf(32))]);
	});
};

export const testStorage = (kind: string, makePlace: MakePlace): void => {
	testPort(kind, makePlace);
	const {begin} = helpersOf(makePlace);

	test(`${kind}: a text with NUL characters is stored whole`, async t => {
		const record = cycle(1, {id: 'a\0b', content: 'Before\0 and behind\0, \u001A0 and \u001A\0'});
		const {journal, reopen} = await begin(t);
		await journal.append(record);
		deepEqual(t, await journal.find('a\0b'), asStored(record) as StoredCycle);
		deepEqual(t, (await reopen()).entries, [asStored(record)]);
	});

	test(`${kind}: a vector of zeros, of which no byte is stored, is read back`, async t => {
		const record = cycle(1, {vector: new Float32Array(1024)});
		const {journal, reopen} = await begin(t);
		await journal.append(record);
		deepEqual(t, (await reopen()).entries, [asStored(record)]);
	});

	test(`${kind}: a record is stored as it was at the call, even if its objects change later`, async t => {
		const {journal, reopen} = await begin(t);
		const metadata = {mood: 'calm'};
		const record = cycle(1, {metadata, thirdness: rowOf(1001)});
		const appended = journal.append(record);
		metadata.mood = 'furious';
		record.thirdness.fill(0);
		await appended;
		t.deepEqual((await reopen()).entries, [asStored(cycle(1, {metadata: {mood: 'calm'}}))]);
	});

	test(`${kind}: unusual texts are read back unchanged`, async t => {
		const {journal, reopen} = await begin(t);
		const texts = [
			'naïve 日本 🜍',
			'with\0nought',
			'',
			'\'); drop table records; --',
			'{"a\\b",NULL}',
			'NULL',
			'x'.repeat(300_000),
			'\u{FEFF}mark',
		];
		await Promise.all(texts.map(async (content, i) => journal.append(cycle(i, {content}))));
		t.deepEqual((await reopen()).entries.map(record => record.kind === 'cycle' && record.content), texts);
	});

	test(`${kind}: a lone surrogate, which UTF-8 cannot encode, becomes the replacement character in texts, not in metadata`, async t => {
		const {journal, reopen} = await begin(t);
		await journal.append(cycle(1, {content: 'half \uD83D of it', metadata: {exact: '\uD83D'}}));
		t.like((await reopen()).entries[0], {content: 'half \uFFFD of it', metadata: {exact: '\uD83D'}});
	});

	test(`${kind}: two cycles cannot have the same id, but a reset may have a cycle's`, async t => {
		const {journal, reopen} = await begin(t, {count: 2});
		await journal.append({kind: 'reset', id: recordOf(2).id, timestamp: timeOf(3), checkpoint: checkpointOf(3)});
		await t.throwsAsync(journal.append(cycle(4, {id: recordOf(2).id})), {instanceOf: JournalError, message: /already has a cycle .*id/});
		t.is((await reopen()).records, 3);
	});

	test(`${kind}: with content: hash, a cycle has the SHA-256 of its text and metadata, and its token report`, async t => {
		const {journal, reopen} = await begin(t, {content: 'hash'});
		await journal.append(cycle(1, {content: 'abc', metadata: {}}));
		const hashes = {
			isHashed: true,
			content: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
			metadata: '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a',
			tokenReport: cycle(1).tokenReport,
		};
		t.like(await journal.find(cycle(1).id), hashes);
		t.like((await reopen()).entries[0], hashes);
	});

	test(`${kind}: one journal may have both texts and hashes`, async t => {
		const {journal, create, reopen} = await begin(t, {count: 1});
		await journal.close();
		const second = create({content: 'hash'});
		await second.open();
		await second.append(recordOf(2));
		await second.close();
		t.deepEqual((await reopen()).entries.map(record => record.kind === 'cycle' && record.isHashed), [false, true]);
	});

	test(`${kind}: a record with a number that JSON cannot represent is rejected, and so are others until reopening`, async t => {
		const {journal, reopen} = await begin(t);
		const before = journal.append(recordOf(1));
		await t.throwsAsync(journal.append(cycle(2, {total: Number.NaN})), {instanceOf: JournalError, message: /total = NaN/});
		await t.throwsAsync(journal.append(recordOf(2)), {instanceOf: JournalError, message: /until it is opened again/});
		await before;
		t.is((await journal.open())!.records, 1);
		await journal.append(recordOf(2));
		t.is((await reopen()).records, 2);
	});

	test(`${kind}: a row of another width is rejected`, async t => {
		const {journal} = await begin(t);
		await t.throwsAsync(journal.append(cycle(1, {thirdness: new Float32Array(512)})), {
			instanceOf: JournalError,
			message: /thirdness of 512 floats/,
		});
	});

	test(`${kind}: a journal must be opened before it is begun, and begun before records are appended, each once`, async t => {
		const journal = (await makePlace(t))();
		t.teardown(async () => journal.close());
		for (const ask of [
			async () => journal.begin(genesis),
			async () => journal.append(recordOf(1)),
			async () => journal.read(1, 1),
			async () => journal.find('1'),
			async () => journal.validation(),
		]) {
			await t.throwsAsync(ask(), {instanceOf: JournalError, message: /not open/});
		}

		await journal.open();
		await t.throwsAsync(journal.append(recordOf(1)), {instanceOf: JournalError, message: /no genesis/});
		await journal.begin(genesis);
		await t.throwsAsync(journal.open(), {instanceOf: JournalError, message: /already open/});
		await t.throwsAsync(journal.begin(genesis), {instanceOf: JournalError, message: /already has a genesis/});
		await journal.append(recordOf(1));
	});

	test(`${kind}: close writes the records in progress, and accepts no others`, async t => {
		const {journal, reopen} = await begin(t);
		const appended = [1, 2, 3].map(async seq => journal.append(recordOf(seq)));
		await Promise.all([...appended, journal.close(), journal.close()]);
		await t.throwsAsync(journal.append(recordOf(4)), {instanceOf: JournalError, message: /closed/});
		await t.throwsAsync(journal.read(1, 1), {instanceOf: JournalError, message: /closed/});
		t.is((await reopen()).records, 3);
	});

	test(`${kind}: a snapshot replaces compacted records: it has their range, the state after them and its checkpoint`, async t => {
		const {journal} = await begin(t, {count: 35, compaction: {keepRecords: 10, snapshotEvery: 10}});
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
			checkpoint: checkpointOf(20),
		});
		t.deepEqual(await journal.read(15, 1), [entries[1]!]);
	});

	test(`${kind}: a compacted cycle can no longer be found, and the others can`, async t => {
		const {journal} = await begin(t, {count: 35, compaction: {keepRecords: 10, snapshotEvery: 10}});
		await untilCompacted(journal, 20);
		t.is(await journal.find(recordOf(19).id), null);
		t.is(await journal.find(recordOf(20).id), null);
		deepEqual(t, await journal.find(recordOf(24).id), asStored(recordOf(24)) as StoredCycle);
	});

	test(`${kind}: compaction changes neither the state nor the count, even if it compacts all records`, async t => {
		for (const count of [22, 23, 28, 30]) {
			const {journal, reopen} = await begin(t, {count, compaction: {keepRecords: 0, snapshotEvery: 1}});
			await untilCompacted(journal, count);
			const {current, records, checkpoint} = await reopen();
			deepEqual(t, bitsOf(current), bitsOf(stateOf(count)));
			t.is(records, count);
			t.truthy(checkpoint.lastTrigger);
		}
	});

	test(`${kind}: a snapshot whose last record is a reset stands for the initial state`, async t => {
		const {journal} = await begin(t, {compaction: {keepRecords: 0, snapshotEvery: 2}});
		await journal.append(cycle(1));
		await journal.append({
			kind: 'reset',
			id: 'r',
			timestamp: genesis.initial.timestamp,
			checkpoint: {counters: {}, lastTrigger: null, cumulativeDrift: 0},
		});
		await untilCompacted(journal, 2);
		t.like((await journal.read(1, 1))[0]?.record, {kind: 'snapshot', state: null});
	});

	test(`${kind}: records younger than keepDays stay, counted back from the newest time`, async t => {
		const {journal} = await begin(t, {compaction: {keepRecords: 0, keepDays: 10, snapshotEvery: 10}});
		// Four records a day: those before number 40 are older than ten days, and blocks are compacted whole.
		await Promise.all(range(
			1,
			80,
		).map(async seq => journal.append(cycle(seq, {timestamp: new Date(Date.UTC(2026, 0, 1) + seq * 6 * 3_600_000).toISOString()}))));
		await untilCompacted(journal, 30);
		await journal.append(cycle(81, {timestamp: '1999-01-01T00:00:00.000Z'}));
		await journal.close();
		await journal.open();
		t.deepEqual((await journal.read(1, 4)).map(({seq}) => seq), [10, 20, 30, 31]);
	});

	test(`${kind}: decisions survive the compaction of their records, and so do the states of revisions`, async t => {
		const {journal} = await begin(t, {count: 4, compaction: {keepRecords: 10, snapshotEvery: 10}});
		await Promise.all(range(5, 35).map(async seq => journal.append(seq === 5 || seq === 10 ? revision(seq) : cycle(seq))));
		await untilCompacted(journal, 20);
		t.like((await journal.read(10, 1))[0]!.record, {kind: 'snapshot', state: {stateId: revision(10).stateId}});
		deepEqual(t, await journal.decisions(), [5, 10].map(seq => ({...revision(seq).facts, seq})));
	});

	test(`${kind}: a validation with a baseline of 600 texts survives the compaction of its record, and a restart`, async t => {
		const {journal} = await begin(t, {count: 4, compaction: {keepRecords: 10, snapshotEvery: 10}});
		const record = validation(5, {texts: 600});
		await journal.append(record);
		await Promise.all(range(6, 35).map(async seq => journal.append(cycle(seq))));
		await untilCompacted(journal, 20);
		deepEqual(t, await journal.validation(), {...record, seq: 5});
		await journal.close();
		deepEqual(t, (await journal.open())!.validation, factsOf(record));
		deepEqual(t, await journal.validation(), {...record, seq: 5});
	});
};
