/**
 * Hosts and runtimes from npm. The runtimes take some 400 MB, so they are not dependencies of the
 * project. They are installed beside it once, without install scripts, which would only move binaries.
 */
import {execFile} from 'node:child_process';
import {glob, mkdir, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {promisify} from 'node:util';
import {root} from '../helpers/built-package.ts';

/** @returns the folder of these packages. @throws if npm cannot install them */
export const installBeside = async (name: string, dependencies: Record<string, string>): Promise<string> => {
	const folder = path.join(root, 'node_modules/.cache/processual-state', name);
	await mkdir(folder, {recursive: true});
	await writeFile(path.join(folder, 'package.json'), JSON.stringify({private: true, dependencies}));
	await promisify(execFile)('npm', ['install', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'], {cwd: folder});
	return folder;
};

/** The first file that matches a pattern. @throws if there is none */
const findFile = async (folder: string, pattern: string): Promise<string> => {
	for await (const file of glob(pattern, {cwd: folder})) {
		return path.join(folder, file);
	}

	throw new Error(`npm has no ${pattern} for this machine.`);
};

/** @returns the command of each runtime that runs a file. @throws if npm cannot install them */
export const installRuntimes = async (): Promise<Record<'Deno' | 'Bun', [string, ...string[]]>> => {
	const folder = await installBeside('runtimes', {deno: '2.9.6', bun: '1.4.5'});
	return {
		Deno: [await findFile(folder, 'node_modules/@deno/*/deno*'), 'run', '--allow-all'],
		Bun: [await findFile(folder, 'node_modules/@oven/*/bin/bun*')],
	};
};

/** The oldest workerd that docs/library.md promises, and a recent one. */
export const workerdVersions = ['1.20260701.1', '1.20261117.1'] as const;

/** @returns the command of Cloudflare's runtime. @throws if npm cannot install it */
export const installWorkerd = async (version: string): Promise<string> =>
	findFile(await installBeside(`workerd-${version}`, {workerd: version}), 'node_modules/@cloudflare/workerd-*/bin/workerd');
