/** No space, no permission, no folder: each error says what to do, and no acknowledged record is lost. */
import {spawnSync} from 'node:child_process';
import {chmod, chown, rm, stat, statfs, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import test, {type ExecutionContext} from 'ava';
import {JournalError} from '../../src/platform/errors.ts';
import {createSqliteJournal} from '../../src/journal/sqlite/sqlite-journal.ts';
import {asStored, openJournal, range, recordOf, recordsIn, reopen, revision, temporaryFolder, timeOf} from './records.ts';
import {pattern} from '../helpers/pattern.ts';
import {deepEqual} from '../helpers/deep-equal.ts';

const script = fileURLToPath(new URL('append-forever.ts', import.meta.url));

const isRoot = process.getuid?.() === 0;
const asRoot = isRoot ? test : test.skip;

/** Runs the appending process to its end in a shell. @returns the records it acknowledged, its status and its error */
const run = (prelude: string, folder: string, env: Record<string, string> = {}) => {
	const {status, stdout, stderr} = spawnSync('sh', ['-c', `${prelude} exec "$0" "$1" "$2"`, process.execPath, script, folder], {
		encoding: 'utf8',
		env: {...process.env, ...env},
	});
	return {status, stderr, acknowledged: stdout.split('\n').filter(Boolean).map(Number)};
};

/** A small disk; null if none can be mounted, and the test passes. */
const mountDisk = async (t: ExecutionContext, size: string): Promise<string | null> => {
	const folder = await temporaryFolder(t);
	if (spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder]).status !== 0) {
		t.log('not tried: this user may not mount');
		t.pass();
		return null;
	}

	t.teardown(() => spawnSync('umount', [folder]));
	return folder;
};

asRoot('a full disk stops the journal, which continues where it was only once there is free space', async t => {
	const folder = await mountDisk(t, '1m');
	if (folder === null) {
		return;
	}

	const ballast = path.join(folder, 'ballast');
	await writeFile(ballast, Buffer.alloc(400_000));
	const data = path.join(folder, 'data');
	const journal = await openJournal(t, {folder: data});
	const full = {
		instanceOf: JournalError,
		message: /the disk is full\. Free space on it, then try again\. Nothing that was acknowledged is lost/,
	};
	let acknowledged = 0;
	const error = await t.throwsAsync(async () => {
		for (;; acknowledged++) {
			await journal.append(recordOf(acknowledged + 1));
		}
	}, full);
	t.true((error as JournalError).retryable);
	t.notRegex(error!.message, new RegExp(folder), 'it may reach a client');
	t.true(acknowledged > 0);
	await t.throwsAsync(journal.append(recordOf(acknowledged + 1)), {instanceOf: JournalError, message: /until it is opened again/});

	// Another file takes the space that the journal freed.
	await writeFile(path.join(folder, 'others'), Buffer.alloc(1_000_000)).catch(() => {});
	await t.throwsAsync(journal.open(), full);

	await rm(path.join(folder, 'others'));
	await rm(ballast);
	t.is((await journal.open())!.records, acknowledged);
	await journal.append(recordOf(acknowledged + 1));
	await journal.close();
	deepEqual(t, await recordsIn(data), range(1, acknowledged + 1).map(seq => asStored(recordOf(seq))));
});

asRoot('a rewrite leaves the journal as it was if the disk has room for the log, but not for the file as well', async t => {
	const folder = await mountDisk(t, '8m');
	if (folder === null) {
		return;
	}

	const data = path.join(folder, 'data');
	const count = 200;
	const journal = await openJournal(t, {folder: data}, count);
	await journal.close();
	await journal.open();
	const {size} = await stat(path.join(data, 'journal.sqlite'));
	const {bavail, bsize} = await statfs(folder);
	await writeFile(path.join(folder, 'ballast'), Buffer.alloc(bavail * bsize - 1.5 * size));
	await t.throwsAsync(journal.rewrite(revision(count + 1), {
		async * changes() {
			yield [{seq: 2, record: {kind: 'forgotten' as const, id: 'f', timestamp: timeOf(2)}}];
		},
		decisions: [], settled: [], forgotten: [2],
	}), {instanceOf: JournalError, message: /stays as it was.*free space/});
	await journal.close();
	deepEqual(t, await recordsIn(data), range(1, count).map(seq => asStored(recordOf(seq))));
});

test('a limit on file size stops the journal, and no acknowledged record is lost', async t => {
	const folder = await temporaryFolder(t);
	const {status, stderr, acknowledged} = run('trap "" XFSZ; ulimit -f 2000;', folder);
	t.is(status, 3);
	t.regex(
		stderr,
		pattern(
			/accepts no records until it is opened again\. The journal could not be read or written: the disk answered with an /,
			/error.*limits and quotas/,
		),
	);
	t.true(acknowledged.length > 0);
	const {records} = await reopen(t, folder);
	t.is(records, acknowledged.length);
});

test('the error for a read-only folder names the file that cannot be written', async t => {
	const folder = await temporaryFolder(t);
	const journal = await openJournal(t, {folder}, 3);
	await journal.close();
	await chmod(folder, 0o555);
	await chmod(path.join(folder, 'journal.sqlite'), 0o444);
	await chmod(path.join(folder, 'journal.mark'), 0o444);
	const {status, stderr} = run('', folder, isRoot ? {AS_NOBODY: '1'} : {});
	await chmod(folder, 0o755);
	t.is(status, 3);
	t.regex(stderr, new RegExp(`${folder}/journal.sqlite cannot be opened for writing\\. Give this process the permission`));
	await chmod(path.join(folder, 'journal.sqlite'), 0o644);
	await chmod(path.join(folder, 'journal.mark'), 0o644);
	t.is((await reopen(t, folder)).records, 3);
});

test('a new journal in a read-only folder is refused when it is opened', async t => {
	const folder = await temporaryFolder(t);
	await chmod(folder, 0o555);
	const {status, stderr} = run('', folder, isRoot ? {AS_NOBODY: '1'} : {});
	await chmod(folder, 0o755);
	t.is(status, 3);
	t.regex(stderr, /cannot be opened for writing/);
});

asRoot('a writable file in a read-only folder is refused when it is opened, not at the first record', async t => {
	const folder = await temporaryFolder(t);
	const journal = await openJournal(t, {folder}, 3);
	await journal.close();
	await chown(path.join(folder, 'journal.sqlite'), 65_534, 65_534);
	await chown(path.join(folder, 'journal.mark'), 65_534, 65_534);
	await chmod(folder, 0o555);
	const {status, stderr, acknowledged} = run('', folder, {AS_NOBODY: '1'});
	t.is(status, 3);
	t.deepEqual(acknowledged, []);
	t.regex(stderr, /cannot be opened for writing/);
});

test('the error for a folder that cannot be created says why', async t => {
	const folder = await temporaryFolder(t);
	const file = path.join(folder, 'file');
	await writeFile(file, '');
	await t.throwsAsync(createSqliteJournal({folder: file}).open(), {
		instanceOf: JournalError,
		message: /a file of that name is in the way\. Remove it, or configure another folder/,
	});
	await t.throwsAsync(createSqliteJournal({folder: path.join(file, 'inner')}).open(), {
		instanceOf: JournalError,
		message: /part of its path is a file/,
	});
});
