/** The packed package in an empty project, outside this checkout: nothing that is installed here can be found from there. */
import {execFile} from 'node:child_process';
import {mkdtemp, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {promisify} from 'node:util';
import {isBuilt, root, wayOut} from '../helpers/built-package.ts';

export const npm = async (folder: string, ...words: string[]): Promise<{stdout: string; stderr: string}> =>
	promisify(execFile)('npm', words, {cwd: folder, maxBuffer: 2 ** 24});

/** Packs this checkout, as it is built. @returns the tarball, in the folder */
export const pack = async (folder: string): Promise<string> => {
	if (!await isBuilt()) {
		throw new Error(wayOut);
	}

	const {stdout} = await npm(root, 'pack', '--json', '--ignore-scripts', '--pack-destination', folder);
	const [{filename}] = JSON.parse(stdout) as [{filename: string}];
	return path.join(folder, filename);
};

/** Installs the package alone in a new folder. */
export const installInEmptyProject = async (): Promise<string> => {
	const folder = await mkdtemp(path.join(tmpdir(), 'project-'));
	await writeFile(path.join(folder, 'package.json'), '{"private": true}');
	await npm(folder, 'install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', await pack(folder));
	return folder;
};
