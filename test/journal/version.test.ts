/** A file of another format is either refused with advice, or migrated to the present one. */
import {DatabaseSync} from 'node:sqlite';
import path from 'node:path';
import test, {type ExecutionContext} from 'ava';
import {JournalError} from '../../src/platform/errors.ts';
import type {StoredCycle} from '../../src/journal/journal.ts';
import {JournalReader} from '../../src/journal/sqlite/journal-reader.ts';
import {checksumOf, genesisFields, recordFields, type GenesisRow, type NumberedRow} from '../../src/journal/rows.ts';
import {createJournal, cycle, held, openJournal, reopen, revision, temporaryFolder} from './records.ts';

/** Changes the file behind the journal's back. */
const edit = (folder: string, sql: string): void => {
	using database = new DatabaseSync(path.join(folder, 'journal.sqlite'));
	database.exec(sql);
};

/** A closed journal of three records. */
const closedJournal = async (t: ExecutionContext): Promise<string> => {
	const folder = await temporaryFolder(t);
	const journal = await openJournal(t, {folder}, 3);
	await journal.close();
	return folder;
};

/** Removes token reports from records, as an older version wrote them. */
const removeTokenReports = (folder: string): void => {
	using database = new DatabaseSync(path.join(folder, 'journal.sqlite'));
	for (const row of database.prepare('select * from records').all() as NumberedRow[]) {
		const {tokenReport: _, ...facts} = JSON.parse(row.facts!);
		const before = {...row, facts: JSON.stringify(facts)};
		database.prepare('update records set facts = ?, checksum = ? where seq = ?')
			.run(before.facts, checksumOf(recordFields(row.seq, before)), row.seq);
	}
};

const formatIn = (folder: string): unknown => {
	using database = new DatabaseSync(path.join(folder, 'journal.sqlite'));
	return database.prepare('pragma user_version').get()!['user_version'];
};

test('a file of a newer format is refused, and the error says what to do', async t => {
	const folder = await closedJournal(t);
	edit(folder, 'pragma user_version = 6');
	const expected = {
		instanceOf: JournalError,
		message: /format 6, made by a newer version of this software; this one reads up to 5\. Install the newer version/,
	};
	await t.throwsAsync(reopen(t, folder), expected);
	t.throws(() => new JournalReader(folder), expected);
	edit(folder, 'pragma user_version = 5');
	t.is((await reopen(t, folder)).records, 3);
});

test('a beginning that other software wrote is refused at each opening, and the file is free afterwards', async t => {
	const folder = await closedJournal(t);
	const database = new DatabaseSync(path.join(folder, 'journal.sqlite'));
	const row = {...database.prepare('select * from genesis').get() as GenesisRow, passport: 'no JSON'};
	database.prepare('update genesis set passport = ?, checksum = ?').run(row.passport, checksumOf(genesisFields(row)));
	database.close();
	const journal = createJournal(t, {folder});
	for (let opening = 0; opening < 2; opening++) {
		await t.throwsAsync(journal.open(), {instanceOf: JournalError, message: /^The journal could not be read or written: .*JSON/});
	}

	t.notThrows(() => edit(folder, 'begin exclusive; rollback'));
});

test('a file of any older format is refused, and the error says what to do', async t => {
	for (const format of [1, 2, 3]) {
		const folder = await closedJournal(t);
		edit(folder, `drop table validation; alter table head drop column validation; pragma user_version = ${format}`);
		const expected = {
			instanceOf: JournalError,
			message: new RegExp(`format ${format}, made by an older version .* with the version that made it .*processual import state`),
		};
		await t.throwsAsync(reopen(t, folder), expected);
		t.throws(() => new JournalReader(folder), expected);
		t.is(formatIn(folder), format, 'the file is as it was');
	}
});

test('the present tables with their first format number are read, and a writer gives them the present number', async t => {
	const folder = await closedJournal(t);
	edit(folder, 'drop index texts; pragma user_version = 1');
	const reader = new JournalReader(folder);
	t.is(reader.records, 3);
	reader.close();
	t.is(formatIn(folder), 1);
	t.is((await reopen(t, folder)).records, 3);
	t.is(formatIn(folder), 5);
	using database = new DatabaseSync(path.join(folder, 'journal.sqlite'));
	t.truthy(database.prepare('select 1 from sqlite_schema where name = ?').get('texts'), 'the writer creates the index of texts');
});

test('a file from before revisions existed is read as it is, and a writer adds their table', async t => {
	const folder = await closedJournal(t);
	edit(folder, 'drop table revision; pragma user_version = 3');
	const reader = new JournalReader(folder);
	t.deepEqual(await reader.decisions(), []);
	reader.close();
	const journal = createJournal(t, {folder});
	await journal.open();
	await journal.append(revision(4));
	t.is((await journal.decisions()).length, 1);
});

test('a file from before texts were held is read as it is, and a writer adds their table', async t => {
	const folder = await closedJournal(t);
	edit(folder, 'drop table held; drop index texts; create index cycles on records (id) where kind = \'cycle\'; pragma user_version = 4');
	const reader = new JournalReader(folder);
	t.deepEqual(await reader.held(0, 10), []);
	reader.close();
	const journal = createJournal(t, {folder});
	t.is((await journal.open())!.held, 0);
	await journal.append(held(4));
	t.is((await journal.held(0, 10)).length, 1);
});

test('records of an older version are read without a token report, and the next record has one', async t => {
	const folder = await closedJournal(t);
	removeTokenReports(folder);
	const journal = createJournal(t, {folder});
	await journal.open();
	await journal.append(cycle(4));
	const records = (await journal.read(1, 4)).map(({record}) => record as StoredCycle);
	t.deepEqual(records.map(({tokenReport}) => tokenReport), [{}, {}, {}, cycle(4).tokenReport]);
	t.like(records[0], {scores: cycle(1).scores, level: cycle(1).level});
});

test('a format number that contradicts the tables is reported as damage', async t => {
	for (const version of [-1, 0]) {
		const folder = await closedJournal(t);
		edit(folder, `pragma user_version = ${version}`);
		await t.throwsAsync(reopen(t, folder), {instanceOf: JournalError, message: /damaged/}, `${version}`);
	}

	const folder = await temporaryFolder(t);
	edit(folder, 'pragma user_version = 1');
	await t.throwsAsync(reopen(t, folder), {instanceOf: JournalError, message: /damaged/}, 'no tables');
});
