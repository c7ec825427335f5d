/** Journals in SQLite (one per thread, or many in one) and in memory conform to the port. Also: the files in their folders. */
import {mkdtempSync} from 'node:fs';
import {readFile, readdir, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {createMemoryJournal} from '../../src/journal/memory-journal.ts';
import test, {type ExecutionContext} from 'ava';
import {JournalError} from '../../src/platform/errors.ts';
import type {JournalOptions} from '../../src/journal/journal-options.ts';
import {openJournals} from '../../src/journal/sqlite/journals.ts';
import {createSqliteJournal} from '../../src/journal/sqlite/sqlite-journal.ts';
import {FakeJournal} from '../actors/fake-journal.ts';
import {isLongRun} from '../helpers/often.ts';
import {testPort, testStorage} from './conformance.ts';
import {testDigests} from './digest-conformance.ts';
import {testHeld} from './held-conformance.ts';
import {testRewriting} from './rewriting-conformance.ts';
import {checkpointOf, cycle, genesis, journalsOf, recordOf, recordsIn, rowOf, temporaryFolder as ownFolder} from './records.ts';

const root = mkdtempSync(path.join(tmpdir(), 'journals-'));
const journals = openJournals({folder: root});
let names = 0;

test.after.always(async () => {
	await journals.close();
	await rm(root, {recursive: true});
});

/** A journal with a separate thread, and journals that share one. */
const kinds = {
	'a single journal': {temporaryFolder: ownFolder, ...journalsOf(createSqliteJournal)},
	'a journal in a shared thread': {
		temporaryFolder: async () => path.join(root, `tenant-${names++}`),
		...journalsOf(({folder, ...options}) => {
			const isShared = path.dirname(folder) === root && Object.keys(options).length === 0;
			return (isShared ? journals : openJournals({folder: path.dirname(folder), ...options})).for(path.basename(folder));
		}),
	},
};

for (const [kind, {createJournal, openJournal, reopen, temporaryFolder}] of Object.entries(kinds)) {
	const makePlace = async (t: ExecutionContext) => {
		const folder = await temporaryFolder(t);
		return (options?: JournalOptions) => createJournal(t, {folder, ...options});
	};

	// With one thread per journal, this file takes two and a half times as long. Conformance does not depend on it.
	if (kind === 'a journal in a shared thread' || isLongRun) {
		testStorage(kind, makePlace);
		testHeld(kind, makePlace);
		testRewriting(kind, makePlace);
		testDigests(kind, makePlace);
	}

	test(`${kind}: a new journal is empty, and its folder is created`, async t => {
		const folder = path.join(await temporaryFolder(t), 'not', 'yet', 'there');
		const journal = createJournal(t, {folder});
		t.is(await journal.open(), null);
		await journal.close();
		t.is(await journal.open(), null);
		await journal.close();
	});

	test(`${kind}: trailing zeros of a vector take no space`, async t => {
		const size = async (vector: Float32Array): Promise<number> => {
			const folder = await temporaryFolder(t);
			const journal = await openJournal(t, {folder});
			await Promise.all(Array.from({length: 50}, async (_, i) => journal.append(cycle(i, {vector}))));
			await journal.close();
			return (await readFile(path.join(folder, 'journal.sqlite'))).length;
		};

		t.true(await size(rowOf(1)) - await size(rowOf(1).fill(0, 256)) >= 50 * 2048);
	});

	test(`${kind}: with content: hash, the folder has the SHA-256 of text and metadata, but neither of them`, async t => {
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
}

const inMemory = async () => {
	const journal = new FakeJournal();
	return () => journal;
};

testPort('a journal in memory', inMemory);
testHeld('a journal in memory', inMemory, {isCompacted: false});
testRewriting('a journal in memory', inMemory);

test('a journal in memory refuses a second cycle with the same id', async t => {
	const journal = createMemoryJournal({genesis, current: genesis.initial, checkpoint: checkpointOf(0)});
	await journal.append(recordOf(1));
	await t.throwsAsync(journal.append(recordOf(1)), {instanceOf: JournalError, message: /already has a cycle .*id/});
	t.is((await journal.open())!.records, 2);
});
