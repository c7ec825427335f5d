/** Stored texts are as private as a diary: only the owner can access new files and their folders. */
import {mkdtemp, readdir, rm, stat} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import test, {type ExecutionContext} from 'ava';
import {writeMessages} from '../../src/sources/message-file.ts';
import {openSqliteStore} from '../../src/sources/store/sqlite/store.ts';
import {loadDirections} from '../../src/sources/directions/vectors.ts';
import {writeNewFile} from '../../src/platform/files/write.ts';
import {FakeEncoder} from '../actors/fixtures.ts';

const onUnix = process.platform === 'win32' ? test.skip : test;

const folderOf = async (t: ExecutionContext): Promise<string> => {
	const folder = await mkdtemp(path.join(tmpdir(), 'permissions-'));
	t.teardown(async () => rm(folder, {recursive: true}));
	return path.join(folder, 'made', 'here');
};

/** Every file and folder below one, with its permissions. */
const modesIn = async (folder: string): Promise<Record<string, string>> => {
	const entries = await readdir(path.dirname(folder), {recursive: true});
	const modes = await Promise.all(['', ...entries].map(async name => [
		name,
		((await stat(path.join(path.dirname(folder), name))).mode & 0o777).toString(8),
	]));
	return Object.fromEntries(modes) as Record<string, string>;
};

const thought = {type: 'insight', content: 'a thought', model: null, vector: Float32Array.of(1, 2)};

onUnix('only the owner can access the store and the files that SQLite keeps beside it', async t => {
	const folder = await folderOf(t);
	const file = path.join(folder, 'store.sqlite');
	const store = openSqliteStore(file);
	await store.write({thoughts: [thought]});
	// SQLite keeps its files while a connection is open.
	const other = new DatabaseSync(file);
	other.prepare('select * from thoughts').all();
	await store.write({thoughts: [{...thought, content: 'another'}]});
	t.deepEqual(await modesIn(folder), {
		'': '700',
		here: '700',
		'here/store.sqlite': '600',
		'here/store.sqlite-wal': '600',
		'here/store.sqlite-shm': '600',
	});
	other.close();
	await store.close();
});

onUnix('only the owner can access the messages', async t => {
	const folder = await folderOf(t);
	await writeMessages(
		path.join(folder, 'messages.sqlite'),
		[{conversation: 'a', title: null, isDeleted: false, role: 'user', content: 'a text', createdAt: '2026-01-01T00:00:00.000Z'}],
	);
	t.deepEqual(await modesIn(folder), {'': '700', here: '700', 'here/messages.sqlite': '600'});
});

onUnix('only the owner can access the vectors of directions', async t => {
	const folder = await folderOf(t);
	await loadDirections([{
		category: 'affective',
		name: 'calm',
		pole_positive: 'calm',
		pole_negative: 'agitated',
		positive: ['a', 'b', 'c', 'd'],
		negative: ['e', 'f', 'g', 'h'],
	}], {encoder: new FakeEncoder(), folder});
	const {'': made, here, ...files} = await modesIn(folder);
	t.deepEqual([made, here, ...Object.values(files)], ['700', '700', '600']);
});

onUnix('only the owner can access an export', async t => {
	const file = `${await folderOf(t)}.jsonl`;
	const {makeFolder} = await import('../../src/platform/files/folders.ts');
	makeFolder(path.dirname(file));
	await writeNewFile(file, ['one\n']);
	t.is((await stat(file)).mode & 0o777, 0o600);
});
