/** A journal with keys conforms to the port, and without the keys, its files reveal neither texts nor states. */
import {appendFile, chmod, mkdir, readdir, readFile, rename, rm, stat, writeFile} from 'node:fs/promises';
import path from 'node:path';
import test, {type ExecutionContext} from 'ava';
import {JournalError, UnknownOutcomeError} from '../../src/platform/errors.ts';
import type {JournalOptions} from '../../src/journal/journal-options.ts';
import {openJournals} from '../../src/journal/sqlite/journals.ts';
import {JournalReader} from '../../src/journal/sqlite/journal-reader.ts';
import {ringInFile} from '../../src/journal/sqlite/key-file.ts';
import {createSqliteJournal} from '../helpers/one-thread.ts';
import {deepEqual} from '../helpers/deep-equal.ts';
import {testStorage} from './conformance.ts';
import {testHeld} from './held-conformance.ts';
import {
	asStored, bitsOf, cycle, genesis, held, range, recordOf, revision, stateOf, temporaryFolder, timeOf, untilCompacted, validationUpTo,
} from './records.ts';
import {testRewriting} from './rewriting-conformance.ts';

/** A folder for a journal, and one for its keys. */
const placesIn = async (t: ExecutionContext) => {
	const root = await temporaryFolder(t);
	return {folder: path.join(root, 'journal'), file: path.join(root, 'keys', 'ada.keys')};
};

type Places = Awaited<ReturnType<typeof placesIn>>;

const createIn = (t: ExecutionContext, {folder, file}: Places, seals: boolean | null = true, options: JournalOptions = {}) => {
	const journal = createSqliteJournal({folder, ...(seals !== null && {keys: {file, seals}}), ...options});
	t.teardown(async () => journal.close());
	return journal;
};

const makePlace = async (t: ExecutionContext) => {
	const places = await placesIn(t);
	return (options?: JournalOptions) => createIn(t, places, true, options);
};

testStorage('a journal with keys', makePlace);
testHeld('a journal with keys', makePlace);
testRewriting('a journal with keys', makePlace);

/** A closed journal with records. @returns where it is */
const begin = async (t: ExecutionContext, seals = true, count = 24) => {
	const places = await placesIn(t);
	const journal = createIn(t, places, seals);
	await journal.open();
	await journal.begin(genesis);
	await Promise.all(range(1, count).map(async seq => journal.append(recordOf(seq))));
	await journal.close();
	return places;
};

const bytesIn = async (folder: string): Promise<Buffer> =>
	Buffer.concat(await Promise.all((await readdir(folder)).map(async name => readFile(path.join(folder, name)))));

/** Appends more records. @returns all records */
const appendTo = async (t: ExecutionContext, places: Places, seals: boolean | null, first: number, last: number) => {
	const journal = createIn(t, places, seals);
	await journal.open();
	for (const seq of range(first, last)) {
		await journal.append(recordOf(seq));
	}

	const entries = await journal.read(1, 1000);
	await journal.close();
	return entries;
};

const entriesUpTo = (last: number) => range(1, last).map(seq => ({seq, record: asStored(recordOf(seq))}));

test('no file of the journal has a text, metadata, a vector or a state in the clear, and only the owner may read its keys', async t => {
	const places = await placesIn(t);
	const journal = createIn(t, places);
	await journal.open();
	await journal.begin(genesis);
	const record = cycle(1, {content: 'My secret is this.', metadata: {source: 'Viktor', place: 'The lighthouse'}});
	await journal.append(record);
	await journal.digests!.add({head: {source: 'Viktor'}, body: new Uint8Array(record.vector.buffer)});
	await journal.digests!.keep({said: record.content});
	t.deepEqual(await journal.digests!.read(), [{head: {source: 'Viktor'}, body: new Uint8Array(record.vector.buffer)}]);
	t.deepEqual(await journal.digests!.kept(), {said: record.content});
	t.is(await journal.digests!.vectors!(1, 1, 1024), null);
	await journal.close();
	const bytes = await bytesIn(places.folder);
	for (const floats of [record.vector, record.thirdness]) {
		t.false(bytes.includes(Buffer.from(floats.buffer).subarray(64, 80)));
	}

	for (const word of ['secret', 'Viktor', 'lighthouse', record.trigger]) {
		t.is(bytes.includes(word), word === record.trigger, word);
	}

	t.is((await stat(places.file)).mode & 0o777, 0o600);
	t.is((await stat(path.dirname(places.file))).mode & 0o777, 0o700);
});

test('keys can be turned on later, and off again: all records can still be read', async t => {
	const places = await begin(t, false, 8);
	const turnedOn = createIn(t, places);
	await turnedOn.open();
	await turnedOn.close();
	t.is(ringInFile(places.file).idsOf(new Set([null])).length, 1, 'a key exists from then on, so that a missing file is noticed');
	deepEqual(t, await appendTo(t, places, true, 9, 16), entriesUpTo(16));
	deepEqual(t, await appendTo(t, places, false, 17, 24), entriesUpTo(24));
	deepEqual(t, await appendTo(t, places, true, 25, 32), entriesUpTo(32));
});

test('a reader needs the keys, and the error without them names the missing one', async t => {
	const {folder, file} = await begin(t);
	using reader = new JournalReader(folder, {keyFile: file});
	deepEqual(t, bitsOf(reader.current), bitsOf(stateOf(24)));
	deepEqual(t, await reader.validation(), validationUpTo(24));
	deepEqual(t, await reader.read(1, 1000), entriesUpTo(24));
	using without = new JournalReader(folder);
	t.throws(() => without.current, {instanceOf: JournalError, message: /^State \d+ of .*the key [\da-f]{32}, .*opened without a key file/});
});

const missing = [
	['are missing', true, 'ada.keys'], ['are turned off and missing', false, 'ada.keys'], ['are not configured', null, 'without a key file'],
] as const;

for (const [how, seals, place] of missing) {
	test(`if keys ${how}, the error names the records that need them; once they are back, all records are read`, async t => {
		const places = await begin(t);
		const aside = `${places.file}~1`;
		await rename(places.file, aside);
		await t.throwsAsync(createIn(t, places, seals).open(), {
			instanceOf: JournalError,
			message: new RegExp(`^\\d+ records of the journal cannot be read, from number 1 of 20.* to \\d+ of 20.*${place}`),
		});
		await rename(aside, places.file);
		deepEqual(t, await appendTo(t, places, true, 25, 26), entriesUpTo(26));
	});
}

test('missing keys of a text that waits are reported, though its record was compacted', async t => {
	const places = await placesIn(t);
	const journal = createIn(t, places, true, {compaction: {keepRecords: 10, snapshotEvery: 10}});
	await journal.open();
	await journal.begin(genesis);
	await Promise.all([cycle(1), cycle(2), held(3), ...range(4, 40).map(seq => cycle(seq))].map(async record => journal.append(record)));
	await untilCompacted(journal, 30);
	await journal.close();
	await rm(places.file);
	await t.throwsAsync(createIn(t, places).open(), {message: /^14 records of the journal .*, from number 3 of .* to 40 of /});
});

test('keys lost while the journal is open are written again with the next key', async t => {
	const places = await begin(t);
	const journal = createIn(t, places);
	await journal.open();
	await rm(path.dirname(places.file), {recursive: true});
	await journal.append(cycle(25, {metadata: {source: 'somebody new'}}));
	await journal.close();
	t.is((await appendTo(t, places, true, 26, 26)).length, 26);
});

test('a key file emptied, or replaced by an older copy, while the journal is open is completed with the next key', async t => {
	const places = await begin(t);
	const older = await readFile(places.file);
	for (const [i, content] of ['', older].entries()) {
		const journal = createIn(t, places);
		await journal.open();
		await journal.append(cycle(25 + 2 * i, {metadata: {source: `first ${i}`}}));
		await writeFile(places.file, content);
		await journal.append(cycle(26 + 2 * i, {metadata: {source: `second ${i}`}}));
		await journal.close();
	}

	t.is((await appendTo(t, places, true, 29, 29)).length, 29);
});

test('the first key is not lost if the key file exists and is empty', async t => {
	const places = await placesIn(t);
	await mkdir(path.dirname(places.file), {recursive: true});
	await writeFile(places.file, '');
	const journal = createIn(t, places);
	await journal.open();
	await journal.begin(genesis);
	await journal.append(recordOf(1));
	await journal.close();
	t.deepEqual(await appendTo(t, places, true, 2, 2), entriesUpTo(2));
});

test('a record whose key cannot be written is not written either', async t => {
	const places = await placesIn(t);
	const journal = createIn(t, places);
	await journal.open();
	await journal.begin(genesis);
	await writeFile(path.dirname(places.file), 'in the way');
	await t.throwsAsync(journal.append(recordOf(1)), {
		instanceOf: JournalError, message: /key file .*ada\.keys could not be written.*set journal\.keys to another place/,
	});
	await journal.close();
	await rm(path.dirname(places.file));
	t.deepEqual(await appendTo(t, places, true, 1, 1), entriesUpTo(1));
});

test('a torn last key is ignored; the error for a damaged key names its line', async t => {
	const places = await begin(t);
	await appendFile(places.file, '{"key":"12');
	t.is((await appendTo(t, places, true, 25, 26)).length, 26);
	const lines = (await readFile(places.file, 'utf8')).split('\n');
	await writeFile(places.file, lines.with(2, '{"key":').join('\n'));
	await t.throwsAsync(createIn(t, places).open(), {instanceOf: JournalError, message: /Line 3 of the key file .*ada\.keys is not a key/});
});

test('a key whose secret was changed is refused, and the error names it', async t => {
	const places = await begin(t);
	const text = await readFile(places.file, 'utf8');
	await writeFile(places.file, text.replaceAll(/"secret":"..../g, '"secret":"AAAA'));
	await t.throwsAsync(createIn(t, places).open(), {instanceOf: JournalError, message: /the key [\da-f]{32} in the key file .* is damaged/});
});

test('keys that cannot be destroyed at once are destroyed at the next opening; until then the outcome is unknown', async t => {
	const places = await begin(t);
	const journal = createIn(t, places);
	await journal.open();
	await journal.append(cycle(25, {metadata: {source: 'viktor'}}));
	const before = ringInFile(places.file).idsOf(new Set([null, 'viktor']));
	// Blocks the file that replaces the old one.
	await mkdir(`${places.file}.new`);
	await t.throwsAsync(journal.rewrite(revision(26), {
		async * changes() {
			yield [{seq: 25, record: {kind: 'forgotten' as const, id: 'f', timestamp: timeOf(25)}}];
		},
		decisions: await journal.decisions(), settled: [], forgotten: [25],
	}), {instanceOf: UnknownOutcomeError, message: /keys are not destroyed yet.*could not be written/});
	await rm(`${places.file}.new`, {recursive: true});
	t.is((await journal.open())!.records, 26);
	t.is((await journal.read(25, 1))[0]!.record.kind, 'forgotten');
	await journal.close();
	const after = ringInFile(places.file);
	t.is(after.replacement, null);
	t.is(before.length, 2);
	t.deepEqual(after.idsOf().filter(key => before.includes(key)), []);
});

test('putting a journal aside destroys its keys, and keeps those of others', async t => {
	const root = await temporaryFolder(t);
	const keys = path.join(root, 'keys');
	await mkdir(keys);
	await chmod(keys, 0o700);
	await using journals = openJournals({folder: path.join(root, 'journals'), keys: {folder: keys}});
	for (const name of ['ada', 'bo']) {
		await journals.create(name, async journal => {
			await journal.open();
			await journal.begin(genesis);
			await journal.append(recordOf(1));
			await journal.close();
		});
	}

	t.deepEqual((await readdir(keys)).toSorted(), ['ada.keys', 'bo.keys']);
	await journals.putAside('ada');
	t.deepEqual(await readdir(keys), ['bo.keys']);
	const journal = journals.for('bo');
	t.is((await journal.open())!.records, 1);
	await journal.close();
});
