/** Opening and copying SQLite's files. */
import {execFile} from 'node:child_process';
import path from 'node:path';
import {promisify} from 'node:util';
import test from 'ava';
import {copyDatabase, openInMemory, openToRead, openToWrite} from '../../src/platform/sqlite/open-database.ts';
import {childEnvironment} from '../helpers/child-environment.ts';
import {temporaryFolder} from '../journal/records.ts';

const countIn = (file: string): unknown => {
	using database = openToRead(file);
	return database.prepare('select count(*) as count from texts').get()!['count'];
};

test('a copy that begins during a transaction waits for its end, and includes it', async t => {
	const folder = await temporaryFolder(t);
	using database = openToWrite(path.join(folder, 'one.sqlite'), {pragmas: 'pragma journal_mode = wal;'});
	database.exec('create table texts (content text); begin immediate; insert into texts values (\'Hello.\')');
	const copying = copyDatabase(database, path.join(folder, 'other.sqlite'));
	setImmediate(() => database.exec('insert into texts values (\'Good day.\'); commit'));
	await copying;
	t.is(countIn(path.join(folder, 'other.sqlite')), 2);
});

test('a copy that cannot be written is an error', async t => {
	using database = openInMemory();
	await t.throwsAsync(copyDatabase(database, path.join(await temporaryFolder(t), 'no', 'other.sqlite')), {message: /unable to open/});
});

test('a program that uses it gets no warning about SQLite, but all other warnings', async t => {
	const program = `
		const before = process.emitWarning;
		await import('${import.meta.resolve('../../src/platform/sqlite/open-database.ts')}');
		if (process.emitWarning !== before) throw new Error('Warnings are lost.');
		process.emitWarning('A warning of the program.');
	`;
	const {stderr} = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], {env: childEnvironment});
	t.regex(stderr, /A warning of the program/);
	t.notRegex(stderr, /SQLite/);
});
