/** Files of other versions: older ones are brought up to date, newer ones refused. */
import {readFile} from 'node:fs/promises';
import {DatabaseSync} from 'node:sqlite';
import path from 'node:path';
import test, {type ExecutionContext} from 'ava';
import {JournalError} from '../../src/errors.ts';
import {version} from '../../src/journal/migrations.ts';
import {JournalReader} from '../../src/journal/reader.ts';
import {createSqliteJournal} from '../../src/journal/sqlite.ts';
import {asRead, bitsOf, genesis, ignored, openJournal, range, recordOf, recordsIn, reopen, standingOf, stateOf, temporaryFolder} from './records.ts';
import {makeVersion1} from './version-1.ts';

/** Changes the file behind the journal's back. */
const edit = (folder: string, sql: string): void => {
	const database = new DatabaseSync(path.join(folder, 'journal.sqlite'));
	database.exec(sql);
	database.close();
};

const version1 = async (t: ExecutionContext, count: number): Promise<string> => {
	const folder = await temporaryFolder(t);
	makeVersion1(folder, range(1, count).map(seq => recordOf(seq))).close();
	return folder;
};

test('a file of version 1 is brought up to date with all that it holds, and goes on', async t => {
	const folder = await version1(t, 40);
	const journal = createSqliteJournal({folder});
	t.teardown(async () => journal.close());
	const restored = (await journal.open())!;
	t.deepEqual(bitsOf(restored.genesis.initial), bitsOf(genesis.initial));
	t.deepEqual(bitsOf(restored.genesis.reference), bitsOf(genesis.reference));
	t.deepEqual(restored.genesis.passport, genesis.passport);
	t.deepEqual(bitsOf(restored.current), bitsOf(stateOf(40)));
	// The records after number 38 are the daemon's.
	t.deepEqual(restored.standing, standingOf(38));
	t.is(restored.records, 40);

	await journal.append(recordOf(41));
	await journal.close();
	t.deepEqual(await recordsIn(folder), range(1, 41).map(seq => asRead(recordOf(seq))));
});

test('a file of version 1 without a record is brought up to date too', async t => {
	t.is((await reopen(t, await version1(t, 0))).records, 0);
});

test('a file is brought up to date once', async t => {
	const folder = await version1(t, 3);
	const versions: unknown[] = [];
	const logger = {info: (details: object) => versions.push((details as {version: number}).version), warn: ignored, error: ignored};
	for (let i = 0; i < 2; i++) {
		const journal = createSqliteJournal({folder, logger});
		await journal.open();
		await journal.close();
	}

	t.deepEqual(versions, [1, version]);
});

test('a row that is no record is not sealed as one: the old file stays as it is', async t => {
	for (const damage of ['update records set thirdness = x\'00\' where seq = 2', 'delete from records where seq = 2', 'update records set kind = \'dream\' where seq = 2']) {
		const folder = await version1(t, 3);
		edit(folder, damage);
		await t.throwsAsync(reopen(t, folder), {instanceOf: JournalError, message: /damaged: it cannot be brought from version 1/}, damage);
		const database = new DatabaseSync(path.join(folder, 'journal.sqlite'));
		t.is(database.prepare('pragma user_version').get()!['user_version'], 1);
		database.close();
	}
});

test('reading changes nothing, so an old version must first be brought up to date', async t => {
	const folder = await version1(t, 3);
	const before = await readFile(path.join(folder, 'journal.sqlite'));
	t.throws(() => new JournalReader(folder), {instanceOf: JournalError, message: /old version 1\. Start the service on it once/});
	t.deepEqual(await readFile(path.join(folder, 'journal.sqlite')), before);
});

test('a file of a newer version is refused, and says what to do', async t => {
	const folder = await temporaryFolder(t);
	const journal = await openJournal(t, {folder}, 3);
	await journal.close();
	edit(folder, `pragma user_version = ${version + 1}`);
	const expected = {instanceOf: JournalError, message: /version 4, made by a newer version of this software; this one knows up to 3\. Install the newer version/};
	await t.throwsAsync(reopen(t, folder), expected);
	t.throws(() => new JournalReader(folder), expected);
	edit(folder, `pragma user_version = ${version}`);
	t.is((await reopen(t, folder)).records, 3);
});

test('a version that the tables belie is damage', async t => {
	for (const found of [-1, 0, 1]) {
		const folder = await temporaryFolder(t);
		const journal = await openJournal(t, {folder}, 3);
		await journal.close();
		edit(folder, `pragma user_version = ${found}`);
		await t.throwsAsync(reopen(t, folder), {instanceOf: JournalError, message: /damaged/}, `${found}`);
	}
});
