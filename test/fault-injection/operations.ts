/** A program that runs every file operation that the shim intercepts in a folder, and prints the errors. */
import {
	closeSync, copyFileSync, fdatasyncSync, fsyncSync, ftruncateSync, linkSync, mkdirSync, openSync, renameSync,
	rmdirSync, unlinkSync, writeFileSync, writeSync, writevSync,
} from 'node:fs';
import {rm, rename, writeFile, open} from 'node:fs/promises';
import path from 'node:path';
import {DatabaseSync} from 'node:sqlite';

const folder = process.argv[2]!;
const at = (name: string): string => path.join(folder, name);
const errors: string[] = [];

const attempt = async (what: string, act: () => unknown): Promise<void> => {
	try {
		await act();
	} catch (error) {
		errors.push(`${what} ${(error as NodeJS.ErrnoException).code}`);
	}
};

await attempt('mkdir', () => mkdirSync(at('folder')));
await attempt('create', () => closeSync(openSync(at('file'), 'w', 0o600)));
const file = openSync(at('file'), 'r+');
await attempt('write', () => writeSync(file, 'abcd'));
await attempt('write at', () => writeSync(file, Buffer.from('efgh'), 0, 4, 4));
await attempt('write parts', () => writevSync(file, [Buffer.from('ij'), Buffer.from('kl')]));
await attempt('write parts at', () => writevSync(file, [Buffer.from('mn'), Buffer.from('op')], 8));
await attempt('truncate', () => ftruncateSync(file, 10));
await attempt('fsync', () => fsyncSync(file));
await attempt('fdatasync', () => fdatasyncSync(file));
closeSync(file);
await attempt('replace', () => writeFileSync(at('file'), 'abcd'));
await attempt('copy', () => copyFileSync(at('file'), at('copy')));
await attempt('link', () => linkSync(at('file'), at('link')));
await attempt('rename', () => renameSync(at('copy'), at('renamed')));
await attempt('unlink', () => unlinkSync(at('link')));
await attempt('rmdir', () => rmdirSync(at('folder')));
await attempt('write by promise', async () => writeFile(at('promised'), 'abcd'));
await attempt('rename by promise', async () => rename(at('promised'), at('kept')));
await attempt('rm by promise', async () => rm(at('kept')));
await attempt('sync a folder', async () => {
	await using handle = await open(folder);
	await handle.sync();
});
await attempt('database', () => {
	const database = new DatabaseSync(at('database'));
	try {
		database.exec(
			'pragma journal_mode = wal; pragma synchronous = full; create table numbers (number integer); insert into numbers values (1)',
		);
	} finally {
		database.close();
	}
});
process.stdout.write(JSON.stringify(errors));
