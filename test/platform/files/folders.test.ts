/** A folder is created with its parents, for its owner only, or an error says why not. */
import {chmodSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import test, {type ExecutionContext} from 'ava';
import {makeFile, makeFolder} from '../../../src/platform/files/folders.ts';

const folderOf = (t: ExecutionContext): string => {
	const folder = mkdtempSync(path.join(tmpdir(), 'folders-'));
	t.teardown(() => {
		rmSync(folder, {recursive: true});
	});
	return folder;
};

test('a folder is created with its parents; creating it again changes nothing', t => {
	const folder = path.join(folderOf(t), 'a', 'b', 'c');
	makeFolder(folder);
	makeFolder(folder);
	t.true(statSync(folder).isDirectory());
	t.notThrows(() => {
		makeFolder('.');
		makeFolder('/');
	});
});

(process.platform === 'win32' ? test.skip : test)('only the owner can access a new file or folder; an existing one is not changed', t => {
	const folder = folderOf(t);
	const modeOf = (...names: string[]) => statSync(path.join(folder, ...names)).mode & 0o777;
	chmodSync(folder, 0o755);
	makeFolder(path.join(folder, 'a', 'b'));
	makeFile(path.join(folder, 'a', 'file'));
	t.deepEqual([modeOf('a'), modeOf('a', 'b'), modeOf('a', 'file'), modeOf()], [0o700, 0o700, 0o600, 0o755]);

	writeFileSync(path.join(folder, 'there'), 'as it was');
	chmodSync(path.join(folder, 'there'), 0o644);
	makeFile(path.join(folder, 'there'));
	t.is(modeOf('there'), 0o644);
	t.is(readFileSync(path.join(folder, 'there'), 'utf8'), 'as it was');
});

test('a link to a folder counts as a folder', t => {
	const folder = folderOf(t);
	const link = path.join(folder, 'link');
	symlinkSync(tmpdir(), link);
	t.notThrows(() => {
		makeFolder(link);
	});
});

test('a file in the place of a folder is an error', t => {
	const file = path.join(folderOf(t), 'file');
	writeFileSync(file, '');
	t.throws(() => {
		makeFolder(file);
	}, {code: 'EEXIST'});
	t.throws(() => {
		makeFolder(path.join(file, 'a', 'b'));
	}, {code: 'ENOTDIR'});
});

(process.platform === 'linux' ? test : test.skip)('a folder that the system cannot create is an error', t => {
	t.throws(() => {
		makeFolder('/proc/nothing/of/ours');
	}, {code: 'ENOENT'});
});
