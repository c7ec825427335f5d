/** Which test runs where: the configurations name what exists, and long tests run when their inputs changed. */
import {execFileSync} from 'node:child_process';
import {globSync} from 'node:fs';
import {mkdir, mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import test, {type ExecutionContext} from 'ava';
import fast, {slow} from '../ava.config.js';
import {inEveryRun as everyNode22, inLongRun as longNode22} from '../ava.node-22.config.js';
import {longest} from '../ava.slow.config.js';
import {findDue, readPassed, writePassed} from '../scripts/test-long.ts';
import {groups, onChange} from './long/groups.js';

const root = fileURLToPath(new URL('..', import.meta.url));

/** `{a,b}.ts` is two patterns, each of which must name something. */
const expand = (pattern: string): string[] => {
	const [whole, list] = /\{([^}]*)\}/.exec(pattern) ?? [];
	return whole === undefined ? [pattern] : list!.split(',').flatMap(each => expand(pattern.replace(whole, each)));
};

const filesOf = (patterns: readonly string[]): string[] => patterns.flatMap(pattern => globSync(pattern, {cwd: root}));

const named = {
	'ava.config.js': slow.map(pattern => pattern.replace('!', '')),
	'ava.slow.config.js': longest.map(name => `test/${name}.test.ts`),
	'ava.node-22.config.js': [...everyNode22, ...longNode22].map(pattern => pattern.replace('!', '')),
	'test/long/groups.js': Object.values(groups).flatMap(({alone, longer, inputs}) => [...alone, ...longer, ...inputs]),
};

for (const [name, patterns] of Object.entries(named)) {
	test(`each pattern of ${name} names files that are there`, t => {
		t.deepEqual(patterns.flatMap(expand).filter(pattern => filesOf([pattern]).length === 0), []);
	});
}

/** The files of a list of patterns, of which some begin with `!`. */
const chosenBy = (patterns: readonly string[]): Set<string> => {
	const left = new Set(filesOf(patterns.filter(pattern => pattern.startsWith('!')).map(pattern => pattern.slice(1))));
	return new Set(filesOf(patterns.filter(pattern => !pattern.startsWith('!'))).filter(file => !left.has(file)));
};

test('what begins first of the slow tests is one of them', t => {
	t.deepEqual(named['ava.slow.config.js'].filter(file => !chosenBy(slow).has(file)), []);
});

test('each test file is in one run: all have it, or a group has it alone', t => {
	const runs = [chosenBy(fast.files), chosenBy(slow), new Set(filesOf(onChange))];
	t.deepEqual(filesOf(['test/**/*.test.ts']).filter(file => runs.filter(run => run.has(file)).length !== 1), []);
});

test('what a group makes longer is shorter in every run', t => {
	const inEveryRun = new Set([...chosenBy(fast.files), ...chosenBy(slow)]);
	t.deepEqual(filesOf(Object.values(groups).flatMap(({longer}) => longer)).filter(file => !inEveryRun.has(file)), []);
});

test('the oldest Node has in the long run all that it has in every run', t => {
	const all = new Set(filesOf(longNode22.filter(pattern => !pattern.startsWith('!'))));
	t.deepEqual(filesOf(everyNode22).filter(file => !all.has(file)), []);
});

const git = (folder: string, ...words: string[]): string =>
	execFileSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@example.org', ...words], {
		cwd: folder,
		encoding: 'utf8',
		stdio: ['ignore', 'pipe', 'ignore'],
	});

/** A repository with a file in each of three rooms, and nothing that passed. */
const startRepository = async (t: ExecutionContext): Promise<string> => {
	const place = await mkdtemp(path.join(tmpdir(), 'repository-'));
	t.teardown(async () => rm(place, {recursive: true, force: true}));
	const folder = path.join(place, 'original');
	for (const room of ['journal', 'instruments', 'commands']) {
		await mkdir(path.join(folder, 'src', room), {recursive: true});
		await writeFile(path.join(folder, 'src', room, 'a.ts'), room);
	}

	await mkdir(path.join(folder, 'test/long'), {recursive: true});
	git(folder, 'init', '--quiet');
	git(folder, 'add', '.');
	git(folder, 'commit', '--quiet', '--message', 'Begin');
	return folder;
};

const namesOf = (due: Record<string, string>): string[] => Object.keys(due).toSorted();

test('every group runs where none has passed', async t => {
	const folder = await startRepository(t);
	t.deepEqual(namesOf(findDue(folder)), Object.keys(groups).toSorted());
});

test('a group runs when one of its inputs changed since it passed, committed or not, and no other group', async t => {
	const folder = await startRepository(t);
	writePassed(findDue(folder), folder);
	t.deepEqual(findDue(folder), {});
	await writeFile(path.join(folder, 'src/commands/a.ts'), 'no input of any');
	t.deepEqual(findDue(folder), {});
	await writeFile(path.join(folder, 'src/instruments/a.ts'), 'changed');
	t.deepEqual(namesOf(findDue(folder)), ['history', 'instruments', 'pages']);
	git(folder, 'commit', '--quiet', '--all', '--message', 'Change');
	t.deepEqual(namesOf(findDue(folder)), ['history', 'instruments', 'pages']);
	await writeFile(path.join(folder, 'src/instruments/a.ts'), 'instruments');
	await writeFile(path.join(folder, 'src/journal/new.ts'), 'new');
	t.deepEqual(namesOf(findDue(folder)), ['cluster', 'journal', 'node22', 'node26', 'runtimes']);
	await rm(path.join(folder, 'src/journal/new.ts'));
	t.deepEqual(findDue(folder), {});
	await rm(path.join(folder, 'src/instruments/a.ts'));
	t.deepEqual(namesOf(findDue(folder)), ['history', 'instruments', 'pages']);
});

test('a fresh clone knows what has passed, and a group that passed leaves the others as they are', async t => {
	const folder = await startRepository(t);
	const {journal, ...others} = findDue(folder);
	writePassed(others, folder);
	writePassed({journal: journal!}, folder);
	t.deepEqual(readPassed(folder), {...others, journal});
	git(folder, 'add', '.');
	git(folder, 'commit', '--quiet', '--message', 'Long tests have passed');
	const clone = path.join(folder, '../clone');
	git(folder, 'clone', '--quiet', '--depth', '1', `file://${folder}`, clone);
	t.deepEqual(findDue(clone), {});
});

test('a test that a group names beside others, in braces, is an input too', async t => {
	const folder = await startRepository(t);
	const file = path.join(folder, 'test/sources/message-file.test.ts');
	await mkdir(path.dirname(file));
	await writeFile(file, 'as it passed');
	writePassed(findDue(folder), folder);
	await writeFile(file, 'changed');
	t.deepEqual(namesOf(findDue(folder)), ['texts']);
});
