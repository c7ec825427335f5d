/** Files of other versions: older ones are brought up to date, newer ones refused. */
import {DatabaseSync} from 'node:sqlite';
import path from 'node:path';
import test, {type ExecutionContext} from 'ava';
import {JournalError} from '../../src/errors.ts';
import {version} from '../../src/journal/sqlite/format-version.ts';
import {JournalReader} from '../../src/journal/sqlite/journal-reader.ts';
import {decodeGenesis, decodeThirdness, encodeRecord} from '../../src/journal/sqlite/codec.ts';
import {JournalWriter} from '../../src/journal/sqlite/writer.ts';
import {bitsOf, genesis, openJournal, recordOf, reopen, stateOf, temporaryFolder} from './records.ts';
import {secondVersion} from './second-version.ts';

/** Changes the file behind the journal's back. */
const edit = (folder: string, sql: string): void => {
	const database = new DatabaseSync(path.join(folder, 'journal.sqlite'));
	database.exec(sql);
	database.close();
};

const versionIn = (folder: string): unknown => {
	using database = new DatabaseSync(path.join(folder, 'journal.sqlite'));
	return database.prepare('pragma user_version').get()!['user_version'];
};

/** A closed journal of the present version. */
const kept = async (t: ExecutionContext, count: number): Promise<string> => {
	const folder = await temporaryFolder(t);
	const journal = await openJournal(t, {folder}, count);
	await journal.close();
	return folder;
};

/** As the software of the next version opens it. @returns the version that it found */
const openAsNext = (folder: string, steps = secondVersion): number => {
	using writer = new JournalWriter(folder, null, steps);
	return writer.foundVersion;
};

test('a file of an older version is brought up to date once, with all that it holds, and goes on', async t => {
	const folder = await kept(t, 40);
	t.deepEqual([openAsNext(folder), openAsNext(folder)], [version, version + 1]);
	using writer = new JournalWriter(folder, null, secondVersion);
	const {records, genesis: beginning, state} = writer.kept!;
	t.is(records, 40);
	t.deepEqual(bitsOf(decodeGenesis(beginning).initial), bitsOf(genesis.initial));
	t.deepEqual(decodeThirdness(state!.thirdness), stateOf(40).rows[2]);
	writer.append([encodeRecord(recordOf(41), 'text')]);
});

test('a file without a record is brought up to date too', async t => {
	const folder = await kept(t, 0);
	openAsNext(folder);
	t.is(versionIn(folder), version + 1);
});

test('a step that meets a row that is no record leaves the old file as it is', async t => {
	const folder = await kept(t, 3);
	const failing = [...secondVersion, () => {
		throw new RangeError('record 2 is missing');
	}];
	t.throws(() => openAsNext(folder, failing), {instanceOf: JournalError, message: /damaged: it cannot be brought from version 1 to 3, because record 2 is missing/});
	t.is((await reopen(t, folder)).records, 3);
	// Nothing of the steps before the failing one is there: they can be taken again.
	t.is(openAsNext(folder), version);
});

test('a file of a newer version is refused, and says what to do', async t => {
	const folder = await kept(t, 3);
	edit(folder, `pragma user_version = ${version + 1}`);
	const expected = {instanceOf: JournalError, message: /version 2, made by a newer version of this software; this one knows up to 1\. Install the newer version/};
	await t.throwsAsync(reopen(t, folder), expected);
	t.throws(() => new JournalReader(folder), expected);
	edit(folder, `pragma user_version = ${version}`);
	t.is((await reopen(t, folder)).records, 3);
});

test('a version that the tables belie is damage', async t => {
	for (const found of [-1, 0]) {
		const folder = await kept(t, 3);
		edit(folder, `pragma user_version = ${found}`);
		await t.throwsAsync(reopen(t, folder), {instanceOf: JournalError, message: /damaged/}, `${found}`);
	}

	const folder = await temporaryFolder(t);
	edit(folder, `pragma user_version = ${version}`);
	await t.throwsAsync(reopen(t, folder), {instanceOf: JournalError, message: /damaged/}, 'no tables');
});
