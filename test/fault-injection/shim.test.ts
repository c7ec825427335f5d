/** The fault injector itself: it logs, fails and tears each operation, and kills at it, as its rules say. */
import {spawnSync} from 'node:child_process';
import {mkdir, mkdtemp, readFile, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {faultTest} from './fault-test.ts';
import {environmentOf, readOperations, type Injection} from './shim.ts';

const script = fileURLToPath(new URL('operations.ts', import.meta.url));

/** Runs a program under the shim. @returns its file operations and how it ended */
const run = async (injection: Omit<Injection, 'under' | 'log'> = {}, program: string[] = [script]) => {
	const place = await mkdtemp(path.join(tmpdir(), 'shim-'));
	const under = path.join(place, 'seen');
	const log = path.join(place, 'log');
	await mkdir(under);
	const {status, signal, stdout, stderr} = spawnSync(process.execPath, [...program, under], {
		env: environmentOf({under, log, ...injection}),
		encoding: 'utf8',
	});
	const operations = await readOperations(log);
	const names = operations.map(({operation, file, size, outcome}) => [operation, path.relative(under, file), size, outcome].join(' '));
	return {under, status, signal, stdout, stderr, names};
};

/** A program of these lines, with `node:fs` as `fs` and its folder as `folder`. */
const lines = (...text: string[]): string[] =>
	['--input-type=module', '--eval', `import fs from 'node:fs'; const folder = process.argv.at(-1); ${text.join('\n')}`];

faultTest('every operation on the files below the folder is logged, with its size, in order', async t => {
	const {names, stdout, stderr} = await run();
	t.is(stdout, '[]', stderr);
	// libuv decides whether a copy is emptied first.
	t.deepEqual(names.filter(name => !/ database|^sync  |^truncate copy/.test(name)), [
		'mkdir folder 0 done',
		'create file 0 done',
		'write file 4 done',
		'write file 4 done',
		'write file 4 done',
		'write file 4 done',
		'truncate file 0 done',
		'sync file 0 done',
		'sync file 0 done',
		'truncate file 0 done',
		'write file 4 done',
		'create copy 0 done',
		'copy copy 0 done',
		'link file 0 done',
		'rename copy 0 done',
		'unlink link 0 done',
		'unlink folder 0 done',
		'create promised 0 done',
		'write promised 4 done',
		'rename promised 0 done',
		'unlink kept 0 done',
	]);
	t.true(names.includes('sync  0 done'), 'the folder itself');
});

faultTest('reading the beginning of a file is logged and fails only if a rule names it', async t => {
	const program = lines(
		'fs.writeFileSync(`${folder}/file`, "hello");',
		'const file = fs.openSync(`${folder}/file`);',
		'for (const at of [1, 0]) try { fs.readSync(file, Buffer.alloc(4), 0, 4, at); } catch ({code}) { console.log(at, code); }',
	);
	const isRead = (name: string): boolean => name.startsWith('read');
	const failing = await run({rules: [{operations: ['read'], file: '/file', fault: 'EIO', when: 1}]}, program);
	t.is(failing.stdout, '0 EIO\n', failing.stderr);
	t.deepEqual(failing.names.filter(isRead), ['read file 0 EIO']);
	t.deepEqual((await run({}, program)).names.filter(isRead), []);
});

faultTest('operations of a database are logged: on its file, its rollback journal, and its write-ahead log', async t => {
	const {names} = await run();
	for (const name of [
		'create database', 'write database', 'sync database', 'create database-journal', 'unlink database-journal',
		'create database-wal', 'write database-wal', 'sync database-wal', 'truncate database', 'unlink database-wal',
	]) {
		t.true(names.some(found => found.startsWith(`${name} `)), name);
	}
});

faultTest('every operation can be made to fail', async t => {
	const {stdout} = await run({
		rules: [{operations: ['write', 'truncate', 'sync', 'rename', 'unlink', 'link', 'mkdir', 'copy'], fault: 'EIO', when: 1}],
	});
	t.deepEqual(JSON.parse(stdout), [
		'mkdir EIO', 'write EIO', 'write at EIO', 'write parts EIO', 'write parts at EIO', 'truncate EIO', 'fsync EIO', 'fdatasync EIO',
		'replace EIO', 'copy EIO', 'link EIO', 'rename EIO', 'unlink EIO', 'rmdir EIO', 'write by promise EIO',
		'rename by promise EIO', 'rm by promise ENOENT',
		'sync a folder EIO', 'database ERR_SQLITE_ERROR',
	]);
});

faultTest('a rule applies to the operations, the file and the occurrences that it names', async t => {
	const {stdout, names} = await run({rules: [
		{operations: ['sync'], file: '/file', fault: 'EIO', when: [2, 2]},
		{operations: ['write'], file: '-wal', fault: 'ENOSPC', when: [1, 1]},
		{operations: ['create'], file: '/promised', fault: 'ENOSPC', when: [1, 9]},
	]});
	t.deepEqual(JSON.parse(stdout), [
		'fdatasync EIO', 'write by promise ENOSPC', 'rename by promise ENOENT', 'rm by promise ENOENT',
		'database ERR_SQLITE_ERROR',
	]);
	t.deepEqual(
		names.filter(name => !name.endsWith('done')),
		['sync file 0 EIO', 'create promised 0 ENOSPC', 'write database-wal 32 ENOSPC'],
	);
});

const oneWrite = lines('fs.writeFileSync(`${folder}/file`, "abcdef");');

faultTest('a short write writes half of the bytes, and returns their number', async t => {
	const {under, names, status} = await run({rules: [{operations: ['write'], fault: 'short', when: [1, 1]}]}, oneWrite);
	t.is(status, 0);
	t.deepEqual(names, ['create file 0 done', 'write file 6 short', 'write file 3 done']);
	t.is(await readFile(path.join(under, 'file'), 'utf8'), 'abcdef');
});

faultTest('a torn write writes half of the bytes, and fails', async t => {
	const {under, stderr} = await run({rules: [{operations: ['write'], fault: 'torn', when: [1, 1]}]}, oneWrite);
	t.regex(stderr, /ENOSPC/);
	t.is(await readFile(path.join(under, 'file'), 'utf8'), 'abc');
});

const twoWrites = lines('fs.writeFileSync(`${folder}/first`, "abcd");', 'fs.writeFileSync(`${folder}/second`, "efgh");');

faultTest('a process can be killed before an operation', async t => {
	const {under, signal, names} = await run({kill: {at: 4, how: 'before'}}, twoWrites);
	t.is(signal, 'SIGKILL');
	t.is(names.at(-1), 'write second 4 killed');
	t.is(await readFile(path.join(under, 'first'), 'utf8'), 'abcd');
	t.is(await readFile(path.join(under, 'second'), 'utf8'), '');
});

faultTest('a process can be killed halfway through a write', async t => {
	const {under, signal} = await run({kill: {at: 4, how: 'half'}}, twoWrites);
	t.is(signal, 'SIGKILL');
	t.is(await readFile(path.join(under, 'second'), 'utf8'), 'ef');
});

faultTest('faults can be switched on and off while the process runs', async t => {
	const control = path.join(await mkdtemp(path.join(tmpdir(), 'shim-')), 'control');
	await writeFile(control, '0');
	const program = lines(
		'const attempt = () => { try { fs.writeFileSync(`${folder}/file`, "a"); return "done"; } catch (error) { return error.code; } };',
		`const flip = to => fs.writeFileSync(${JSON.stringify(control)}, to, {flag: "r+"});`,
		'const found = [attempt()]; flip("1"); found.push(attempt()); flip("0"); found.push(attempt());',
		'process.stdout.write(found.join(" "));',
	);
	const {stdout, stderr} = await run({control, rules: [{operations: ['write'], fault: 'EIO', when: 1}]}, program);
	t.is(stdout, 'done EIO done', stderr);
});

faultTest('a probability makes about that share of operations fail, and the same ones for the same seed', async t => {
	const program = lines('for (let i = 0; i < 1000; i++) { try { fs.mkdirSync(`${folder}/${i}`); } catch {} }');
	const failed = async (seed: number) => {
		const {names} = await run({seed, rules: [{operations: ['mkdir'], fault: 'ENOSPC', when: 0.2}]}, program);
		return names.filter(name => name.endsWith('ENOSPC'));
	};

	const [first, again, other] = await Promise.all([failed(1), failed(1), failed(2)]);
	t.true(first.length > 140 && first.length < 260, `${first.length}`);
	t.deepEqual(first, again);
	t.notDeepEqual(first, other);
});
