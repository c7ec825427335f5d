/** A file of another version is refused with what to do. */
import {DatabaseSync} from 'node:sqlite';
import path from 'node:path';
import test, {type ExecutionContext} from 'ava';
import {JournalError} from '../../src/errors.ts';
import {JournalReader} from '../../src/journal/sqlite/journal-reader.ts';
import {openJournal, reopen, temporaryFolder} from './records.ts';

const setVersion = (folder: string, version: number): void => {
	using database = new DatabaseSync(path.join(folder, 'journal.sqlite'));
	database.exec(`pragma user_version = ${version}`);
};

/** A closed journal of three records. */
const closedJournal = async (t: ExecutionContext): Promise<string> => {
	const folder = await temporaryFolder(t);
	const journal = await openJournal(t, {folder}, 3);
	await journal.close();
	return folder;
};

test('a file of a newer version is refused, and says what to do', async t => {
	const folder = await closedJournal(t);
	setVersion(folder, 2);
	const expected = {instanceOf: JournalError, message: /version 2, made by a newer version of this software; this one reads up to 1\. Install the newer version/};
	await t.throwsAsync(reopen(t, folder), expected);
	t.throws(() => new JournalReader(folder), expected);
	setVersion(folder, 1);
	t.is((await reopen(t, folder)).records, 3);
});

test('a version that contradicts the tables is damage', async t => {
	for (const version of [-1, 0]) {
		const folder = await closedJournal(t);
		setVersion(folder, version);
		await t.throwsAsync(reopen(t, folder), {instanceOf: JournalError, message: /damaged/}, `${version}`);
	}

	const folder = await temporaryFolder(t);
	setVersion(folder, 1);
	await t.throwsAsync(reopen(t, folder), {instanceOf: JournalError, message: /damaged/}, 'no tables');
});
