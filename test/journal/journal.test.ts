/** The journal through its port: it restores what was appended. */
import {mkdtempSync} from 'node:fs';
import {readFile, readdir, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import test from 'ava';
import {JournalError} from '../../src/errors.ts';
import type {JournalRecord} from '../../src/journal/journal.ts';
import {openJournals} from '../../src/journal/sqlite/journals.ts';
import {createSqliteJournal} from '../../src/journal/sqlite/sqlite-journal.ts';
import {asStored, bitsOf, checkpointOf, cycle, genesis, journalsOf, recordOf, recordsIn, rowOf, stateOf, temporaryFolder as ownFolder, timeOf} from './records.ts';

const root = mkdtempSync(path.join(tmpdir(), 'journals-'));
const journals = openJournals({folder: root});
let names = 0;

test.after.always(async () => {
	await journals.close();
	await rm(root, {recursive: true});
});

/** A journal with a thread, and journals that share one. */
const kinds = {
	'a journal alone': {temporaryFolder: ownFolder, ...journalsOf(createSqliteJournal)},
	'a journal of many': {
		temporaryFolder: async () => path.join(root, `tenant-${names++}`),
		...journalsOf(({folder, ...options}) => {
			const isShared = path.dirname(folder) === root && Object.keys(options).length === 0;
			return (isShared ? journals : openJournals({folder: path.dirname(folder), ...options})).for(path.basename(folder));
		}),
	},
};

for (const [kind, {createJournal, openJournal, reopen, temporaryFolder}] of Object.entries(kinds)) {
	test(`${kind}: a new journal is empty, and its folder is made`, async t => {
		const folder = path.join(await temporaryFolder(t), 'not', 'yet', 'there');
		const journal = createJournal(t, {folder});
		t.is(await journal.open(), null);
		await journal.close();
		t.is(await journal.open(), null);
		await journal.close();
	});

	test(`${kind}: the genesis is restored bit for bit, with the model's passport`, async t => {
		const folder = await temporaryFolder(t);
		const journal = await openJournal(t, {folder});
		await journal.close();
		const restored = await reopen(t, folder);
		t.deepEqual(bitsOf(restored.genesis.initial), bitsOf(genesis.initial));
		t.deepEqual(bitsOf(restored.genesis.reference), bitsOf(genesis.reference));
		t.deepEqual(restored.genesis.passport, genesis.passport);
		t.is(restored.current, restored.genesis.initial);
		t.is(restored.records, 0);
	});

	test(`${kind}: the state after a cycle is the cycle's, its other rows are the initial state's`, async t => {
		const folder = await temporaryFolder(t);
		const journal = await openJournal(t, {folder}, 3);
		await journal.close();
		const restored = await reopen(t, folder);
		t.deepEqual(bitsOf(restored.current), bitsOf(stateOf(3)));
		t.deepEqual(restored.checkpoint, checkpointOf(3));
		t.is(restored.records, 3);
	});

	test(`${kind}: the state after a reset is the initial one`, async t => {
		const folder = await temporaryFolder(t);
		const journal = await openJournal(t, {folder}, 3);
		await journal.append({kind: 'reset', id: 'r', timestamp: timeOf(4), checkpoint: checkpointOf(44)});
		await journal.close();
		const restored = await reopen(t, folder);
		t.is(restored.current, restored.genesis.initial);
		t.deepEqual(restored.checkpoint, checkpointOf(44));
	});

	test(`${kind}: a text with NUL characters is stored whole`, async t => {
		const folder = await temporaryFolder(t);
		const record = cycle(1, {id: 'a\0b', content: 'Before\0 and behind\0'});
		const journal = await openJournal(t, {folder});
		await journal.append(record);
		await journal.close();
		t.is((await reopen(t, folder)).records, 1);
		t.deepEqual(await recordsIn(folder), [asStored(record)]);
	});

	test(`${kind}: a vector of nothing but zeros, of which no byte is stored, comes back`, async t => {
		const folder = await temporaryFolder(t);
		const record = cycle(1, {vector: new Float32Array(1024)});
		const journal = await openJournal(t, {folder});
		await journal.append(record);
		await journal.close();
		t.is((await reopen(t, folder)).records, 1);
		t.deepEqual(await recordsIn(folder), [asStored(record)]);
	});

	test(`${kind}: a start or a stop of the daemon changes neither state nor checkpoint`, async t => {
		const folder = await temporaryFolder(t);
		const journal = await openJournal(t, {folder}, 3);
		await journal.append({kind: 'daemon.started', id: 'd', timestamp: timeOf(4)});
		await journal.append({kind: 'daemon.stopped', id: 'e', timestamp: timeOf(5)});
		await journal.close();
		const restored = await reopen(t, folder);
		t.deepEqual(bitsOf(restored.current), bitsOf(stateOf(3)));
		t.deepEqual(restored.checkpoint, checkpointOf(3));
		t.is(restored.records, 5);
	});

	test(`${kind}: records are appended after those of an earlier session`, async t => {
		const folder = await temporaryFolder(t);
		const first = await openJournal(t, {folder}, 2);
		await first.close();
		const second = createJournal(t, {folder});
		await second.open();
		await second.append(recordOf(3));
		await second.close();
		t.is((await reopen(t, folder)).records, 3);
	});

	test(`${kind}: order is by sequence: a clock that jumps back changes nothing`, async t => {
		const folder = await temporaryFolder(t);
		const journal = await openJournal(t, {folder}, 2);
		await journal.append(cycle(3, {timestamp: '1999-12-31T23:59:59.000Z'}));
		await journal.close();
		t.is((await reopen(t, folder)).current.stateId, 10);
	});

	test(`${kind}: a record is stored as it was at the call, even if its objects change later`, async t => {
		const folder = await temporaryFolder(t);
		const journal = await openJournal(t, {folder});
		const metadata = {mood: 'calm'};
		const record = cycle(1, {metadata, thirdness: rowOf(1001)});
		const appended = journal.append(record);
		metadata.mood = 'furious';
		record.thirdness.fill(0);
		await appended;
		await journal.close();
		t.deepEqual((await recordsIn(folder))[0], asStored(cycle(1, {metadata: {mood: 'calm'}})));
	});

	test(`${kind}: texts of every kind come back as they were`, async t => {
		const folder = await temporaryFolder(t);
		const journal = await openJournal(t, {folder});
		const texts = ['naïve 日本 🜍', 'with\0nought', '', '\'); drop table records; --', 'x'.repeat(300_000), '\u{FEFF}mark'];
		for (const content of texts) {
			await journal.append(cycle(1, {content}));
		}

		await journal.close();
		t.deepEqual((await recordsIn(folder)).map(record => record.kind === 'cycle' && record.content), texts);
	});

	test(`${kind}: a lone surrogate, which UTF-8 cannot encode, becomes the replacement character`, async t => {
		const folder = await temporaryFolder(t);
		const journal = await openJournal(t, {folder});
		await journal.append(cycle(1, {content: 'half \uD83D of it', metadata: {exact: '\uD83D'}}));
		await journal.close();
		const [record] = await recordsIn(folder);
		t.like(record, {content: 'half \uFFFD of it', metadata: {exact: '\uD83D'}});
	});

	test(`${kind}: zeros at a vector's end take no space`, async t => {
		const size = async (vector: Float32Array): Promise<number> => {
			const folder = await temporaryFolder(t);
			const journal = await openJournal(t, {folder});
			await Promise.all(Array.from({length: 50}, async (_, i) => journal.append(cycle(i, {vector}))));
			await journal.close();
			return (await readFile(path.join(folder, 'journal.sqlite'))).length;
		};

		t.true(await size(rowOf(1)) - await size(rowOf(1).fill(0, 256)) >= 50 * 2048);
	});

	test(`${kind}: with content: hash the folder has the SHA-256 of text and metadata, and neither itself`, async t => {
		const folder = await temporaryFolder(t);
		const journal = await openJournal(t, {folder, content: 'hash'});
		await journal.append(cycle(1, {content: 'abc', metadata: {}}));
		await journal.append(cycle(2, {content: 'my secret', metadata: {name: 'my name'}}));
		await journal.close();
		const [first] = await recordsIn(folder);
		t.like(first, {
			isHashed: true,
			content: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
			metadata: '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a',
		});
		for (const name of await readdir(folder)) {
			const bytes = await readFile(path.join(folder, name));
			t.is(bytes.indexOf('my secret'), -1);
			t.is(bytes.indexOf('my name'), -1);
		}
	});

	test(`${kind}: one journal may have texts and hashes`, async t => {
		const folder = await temporaryFolder(t);
		const first = await openJournal(t, {folder}, 1);
		await first.close();
		const second = createJournal(t, {folder, content: 'hash'});
		await second.open();
		await second.append(recordOf(2));
		await second.close();
		t.deepEqual((await recordsIn(folder)).map(record => record.kind === 'cycle' && record.isHashed), [false, true]);
	});

	test(`${kind}: a record with a number that JSON cannot represent is rejected, and so is every later record`, async t => {
		const folder = await temporaryFolder(t);
		const journal = await openJournal(t, {folder});
		const before = journal.append(recordOf(1));
		await t.throwsAsync(journal.append(cycle(2, {total: Number.NaN})), {instanceOf: JournalError, message: /total = NaN/});
		await t.throwsAsync(journal.append(recordOf(2)), {instanceOf: JournalError, message: /until it is opened again/});
		await before;
		t.is((await journal.open())!.records, 1);
		await journal.append(recordOf(2));
		await journal.close();
		t.is((await reopen(t, folder)).records, 2);
	});

	test(`${kind}: a row of another width is rejected`, async t => {
		const journal = await openJournal(t, {folder: await temporaryFolder(t)});
		await t.throwsAsync(journal.append(cycle(1, {thirdness: new Float32Array(512)})), {instanceOf: JournalError, message: /thirdness of 512 floats/});
	});

	test(`${kind}: a journal is opened before it is begun, begun before it is appended to, and each once`, async t => {
		const folder = await temporaryFolder(t);
		const journal = createJournal(t, {folder});
		await t.throwsAsync(journal.begin(genesis), {instanceOf: JournalError, message: /not open/});
		await t.throwsAsync(journal.append(recordOf(1)), {instanceOf: JournalError, message: /not open/});
		await journal.open();
		await t.throwsAsync(journal.append(recordOf(1)), {instanceOf: JournalError, message: /no genesis/});
		await journal.begin(genesis);
		await t.throwsAsync(journal.open(), {instanceOf: JournalError, message: /open already/});
		await t.throwsAsync(journal.begin(genesis), {instanceOf: JournalError, message: /genesis already/});
		await journal.append(recordOf(1));
	});

	test(`${kind}: close writes the records in progress, accepts no others, and leaves one file and its high-water mark`, async t => {
		const folder = await temporaryFolder(t);
		const journal = await openJournal(t, {folder});
		const appended = [1, 2, 3].map(async seq => journal.append(recordOf(seq)));
		const closed = journal.close();
		await Promise.all([...appended, closed, journal.close()]);
		await t.throwsAsync(journal.append(recordOf(4)), {instanceOf: JournalError, message: /closed/});
		t.deepEqual((await readdir(folder)).toSorted(), ['journal.mark', 'journal.sqlite']);
		t.is((await reopen(t, folder)).records, 3);
	});

	test(`${kind}: every kind of record is read back whole`, async t => {
		const folder = await temporaryFolder(t);
		const journal = await openJournal(t, {folder}, 40);
		await journal.close();
		const expected = Array.from({length: 40}, (_, i): JournalRecord => recordOf(i + 1));
		t.deepEqual(await recordsIn(folder), expected.map(asStored));
	});
}
