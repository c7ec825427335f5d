/** A new file is written as a whole or not at all. */
import {mkdtemp, readdir, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import test, {type ExecutionContext} from 'ava';
import {ConfigurationError, StoreError} from '../../../src/platform/errors.ts';
import {writeNewFile} from '../../../src/platform/files/write.ts';

const folderOf = async (t: ExecutionContext): Promise<string> => {
	const folder = await mkdtemp(path.join(tmpdir(), 'new-file-'));
	t.teardown(async () => rm(folder, {recursive: true}));
	return folder;
};

function * broken(error: Error): Generator<string> {
	yield 'one\n';
	throw error;
}

test('every line is written', async t => {
	const file = path.join(await folderOf(t), 'new.jsonl');
	await writeNewFile(file, ['one\n', 'two\n']);
	t.is(await readFile(file, 'utf8'), 'one\ntwo\n');
});

test('an existing file is not changed', async t => {
	const file = path.join(await folderOf(t), 'kept.jsonl');
	await writeFile(file, 'kept');
	await t.throwsAsync(writeNewFile(file, ['one\n']), {
		instanceOf: ConfigurationError,
		message: /kept\.jsonl already exists\. Name a new file/,
	});
	t.is(await readFile(file, 'utf8'), 'kept');
});

test('a file gets its name when it is complete, and the draft of a killed process is overwritten', async t => {
	const folder = await folderOf(t);
	await writeFile(path.join(folder, 'new.jsonl~new'), 'one\ntwo\nthr');
	const seen: string[][] = [];
	await writeNewFile(path.join(folder, 'new.jsonl'), (async function * () {
		yield 'one\n';
		seen.push(await readdir(folder));
	})());
	t.deepEqual(seen, [['new.jsonl~new']]);
	t.deepEqual(await readdir(folder), ['new.jsonl']);
	t.is(await readFile(path.join(folder, 'new.jsonl'), 'utf8'), 'one\n');
});

test('a missing folder is an error that says what to do', async t => {
	const file = path.join(await folderOf(t), 'nowhere', 'new.jsonl');
	await t.throwsAsync(writeNewFile(file, ['one\n']), {
		instanceOf: ConfigurationError,
		message: /new\.jsonl cannot be written: ENOENT.*Name a file in an existing folder/,
	});
});

test('a full disk is an error that says what to do, and leaves no part of the file', async t => {
	const folder = await folderOf(t);
	const full = Object.assign(new Error('ENOSPC: no space left on device, write'), {code: 'ENOSPC', syscall: 'write'});
	await t.throwsAsync(writeNewFile(path.join(folder, 'new.jsonl'), broken(full)), {
		instanceOf: ConfigurationError,
		message: /cannot be written: ENOSPC.*that has space/,
	});
	t.deepEqual(await readdir(folder), []);
});

test('an error from the source of lines is thrown unchanged, and leaves no part of the file', async t => {
	const folder = await folderOf(t);
	const damage = new StoreError('the store is damaged');
	t.is(await t.throwsAsync(writeNewFile(path.join(folder, 'new.jsonl'), broken(damage))), damage);
	t.deepEqual(await readdir(folder), []);
});
