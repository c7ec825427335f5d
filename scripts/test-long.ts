/**
 * `npm run test:long` runs the groups of `test/long/groups.js` whose inputs changed since they last
 * passed; with `-- --all` it runs every group, as before a release. A file of the repository has the
 * digest of each group's inputs when it passed, so a fresh clone has it too, even without the Git history.
 */
import {execFileSync, spawnSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {existsSync, globSync, readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {groups} from '../test/long/groups.js';

type Group = {alone: readonly string[]; longer: readonly string[]; inputs: readonly string[]};

const root = fileURLToPath(new URL('..', import.meta.url));
const record = 'test/long/passed.json';

/** The inputs of every group. */
const shared = ['package-lock.json', 'ava.config.js', 'test/helpers/often.ts', 'test/helpers/fast-check.ts'];

/** A digest of the names and contents of a group's inputs, as they are in the working tree. */
const digestOf = ({alone, longer, inputs}: Group, folder: string): string => {
	const git = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...shared, ...globSync([...alone, ...longer], {cwd: folder}), ...inputs];
	const names = execFileSync('git', git, {cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 26}).split('\0').filter(Boolean);
	const hash = createHash('sha256');
	for (const name of new Set(names.toSorted())) {
		const file = path.join(folder, name);
		if (existsSync(file)) {
			hash.update(`${name}\0`).update(createHash('sha256').update(readFileSync(file)).digest());
		}
	}

	return hash.digest('hex').slice(0, 16);
};

/** The digest of each group by its name, as it was when the group passed. */
export const readPassed = (folder = root): Record<string, string> => {
	const file = path.join(folder, record);
	return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) as Record<string, string> : {};
};

export const writePassed = (passed: Record<string, string>, folder = root): void => {
	const all = Object.entries({...readPassed(folder), ...passed}).toSorted(([one], [other]) => one.localeCompare(other));
	writeFileSync(path.join(folder, record), `${JSON.stringify(Object.fromEntries(all), null, '\t')}\n`);
};

/** The groups whose inputs changed since they passed, with the present digest of these. */
export const findDue = (folder = root, passed = readPassed(folder)): Record<string, string> =>
	Object.fromEntries(Object.entries<Group>(groups).map(([name, group]) => [name, digestOf(group, folder)]).filter(([name, digest]) => passed[name!] !== digest));

const run = (name: string): boolean => {
	const {alone, longer} = (groups as Record<string, Group>)[name]!;
	const files = [...alone, ...longer];
	const words = files.length === 0 ? ['run', `test:${name.replace('node', 'node-')}`] : ['exec', '--', 'ava', '--config', 'ava.long.config.js', ...files];
	return spawnSync('npm', words, {cwd: root, stdio: 'inherit', env: {...process.env, TEST_LENGTH: 'long'}}).status === 0;
};

if (import.meta.main) {
	const due = findDue(root, process.argv.includes('--all') ? {} : readPassed());
	console.log(`Long tests to run: ${Object.keys(due).join(', ') || 'none, since their inputs have not changed'}`);
	for (const [name, digest] of Object.entries(due)) {
		if (run(name)) {
			writePassed({[name]: digest});
		} else {
			process.exitCode = 1;
		}
	}
}
