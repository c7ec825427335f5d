/**
 * The package as its users have it: packed, and installed in an empty folder outside this checkout,
 * so that it cannot find what is installed here. All test files share one installation per content
 * of the package; the first of them makes it.
 */
import {execFile} from 'node:child_process';
import {createHash} from 'node:crypto';
import {existsSync, globSync} from 'node:fs';
import {mkdir, mkdtemp, readFile, rm, stat, symlink} from 'node:fs/promises';
import {createRequire} from 'node:module';
import {homedir, tmpdir} from 'node:os';
import path from 'node:path';
import {pathToFileURL} from 'node:url';
import {promisify} from 'node:util';
import type {ExecutionContext} from 'ava';
import {isBuilt, root, notBuilt} from '../helpers/built-package.ts';
import {childEnvironment} from '../helpers/child-environment.ts';

/** What `npm pack --json` reports. */
export type Packed = {filename: string; size: number; unpackedSize: number; files: Array<{path: string; size: number}>};

const execute = promisify(execFile);
const installations = path.join(process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache'), 'processual-state-installed');

export const npm = async (folder: string, ...words: string[]): Promise<{stdout: string; stderr: string}> =>
	execute('npm', words, {cwd: folder, maxBuffer: 2 ** 24});

/** Packs this checkout, as it is built, into the folder. @returns npm's report */
export const pack = async (folder: string): Promise<Packed> => {
	if (!await isBuilt()) {
		throw new Error(notBuilt);
	}

	const {stdout} = await npm(root, 'pack', '--json', '--ignore-scripts', '--pack-destination', folder);
	const [packed] = JSON.parse(stdout) as [Packed];
	return packed;
};

/** One process installs at a time. An existing installation is complete; those older than a day are removed. */
const installOnce = `
	test -d "$2" && exit
	find . -mindepth 1 -maxdepth 1 -type d -mmin +1440 -exec rm -rf {} +
	mkdir "$2.part" && cd "$2.part" && echo '{"private": true}' > package.json
	npm install --prefer-offline --no-audit --no-fund --ignore-scripts "$1" && mv "$2.part" "$2"
	code=$?
	rm -rf "$2.part"
	exit $code
`;

/** A digest of the files that `npm pack` would take; much faster than packing them. */
const digestOfContent = async (): Promise<string> => {
	const {files} = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as {files: string[]};
	const patterns = files.flatMap(name => name.startsWith('!') ? [] : [name, `${name}/**`]);
	const names = globSync(['package.json', 'README.md', 'LICENSE', ...patterns], {cwd: root, exclude: ['**/__pycache__']});
	const hash = createHash('sha256');
	for (const name of [...new Set(names)].toSorted()) {
		const file = path.join(root, name);
		if ((await stat(file)).isFile()) {
			hash.update(`${name}\0`).update(await readFile(file));
		}
	}

	return hash.digest('hex').slice(0, 16);
};

const install = async (): Promise<string> => {
	if (!await isBuilt()) {
		throw new Error(notBuilt);
	}

	const installed = path.join(installations, await digestOfContent());
	if (existsSync(installed)) {
		return installed;
	}

	const folder = await mkdtemp(path.join(tmpdir(), 'packed-'));
	const tarball = path.join(folder, (await pack(folder)).filename);
	await mkdir(installations, {recursive: true});
	await execute('flock', [`${installations}.lock`, 'sh', '-c', installOnce, 'sh', tarball, installed], {cwd: installations});
	await rm(folder, {recursive: true});
	return installed;
};

let installed: Promise<string> | undefined;

/** The folder where only the package is installed. Tests must not change it. */
export const installPackage = async (): Promise<string> => installed ??= install();

/** A module of the installed package, by its import specifier. */
export const importInstalled = async <Module>(name: string): Promise<Module> =>
	await import(pathToFileURL(createRequire(path.join(await installPackage(), 'package.json')).resolve(name)).href) as Module;

/** The environment of a user's shell: the package's commands on the path, the Node of the tests, no settings. */
export const userEnvironment = async (): Promise<NodeJS.ProcessEnv> => ({
	...childEnvironment,
	PATH: [path.join(await installPackage(), 'node_modules/.bin'), path.dirname(process.execPath), childEnvironment['PATH']].join(
		path.delimiter,
	),
	HOME: tmpdir(),
});

/**
 * A new folder where only the package is installed: programs import it, `npx` finds it.
 * It is removed after its test.
 */
export const userFolder = async (t: ExecutionContext): Promise<string> => {
	const folder = await mkdtemp(path.join(tmpdir(), 'user-'));
	t.teardown(async () => rm(folder, {recursive: true, force: true}));
	await symlink(path.join(await installPackage(), 'node_modules'), path.join(folder, 'node_modules'));
	return folder;
};
