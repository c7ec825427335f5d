/**
 * Deno and Bun, as npm has them: some 200 MB, so they are no dependencies of the project. They are
 * installed beside it once, without their install scripts, which would only move the binaries.
 */
import {execFile} from 'node:child_process';
import {glob, mkdir, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {promisify} from 'node:util';
import {root} from '../helpers/embedding-examples.ts';

const versions = {deno: '2.9.6', bun: '1.4.5'};

const folder = path.join(root, 'node_modules/.cache/processual-state/runtimes');

/** The one file that a pattern finds. @throws when there is none. */
const only = async (pattern: string): Promise<string> => {
	for await (const file of glob(pattern, {cwd: folder})) {
		return path.join(folder, file);
	}

	throw new Error(`npm has no ${pattern} for this machine.`);
};

/** Installs what is missing. @returns the command of each runtime that runs a file. @throws where npm cannot install them. */
export const installRuntimes = async (): Promise<Record<'Deno' | 'Bun', string[]>> => {
	await mkdir(folder, {recursive: true});
	await writeFile(path.join(folder, 'package.json'), JSON.stringify({private: true, dependencies: versions}));
	await promisify(execFile)('npm', ['install', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'], {cwd: folder});
	return {
		Deno: [await only('node_modules/@deno/*/deno*'), 'run', '--allow-all'],
		Bun: [await only('node_modules/@oven/*/bin/bun*')],
	};
};
