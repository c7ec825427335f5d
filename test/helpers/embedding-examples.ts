/** The examples of embedding, what each needs and says, and a way to run one as its reader would. */
import {execFile} from 'node:child_process';
import {existsSync} from 'node:fs';
import {readdir, stat} from 'node:fs/promises';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import {childEnvironment} from './child-environment.ts';

export const root = fileURLToPath(new URL('../../', import.meta.url));
export const examplesFolder = path.join(root, 'examples/embedding');

type Example = {
	file: string;
	/** What it prints. */
	says: RegExp;
	/** A package that it needs and this one does not have. */
	needs?: string;
};

const mounted = /^\/ → My own application\.\n\/identity\/cycle → state 1\n$/;

export const examples: readonly Example[] = [
	{file: 'chat-loop.ts', says: /^> The sea is quiet today\.\nI lean .*\(State 1: a little more “.+”\.\)\n(?:> .*\n.*\(State [23]: .*\)\n){2}$/},
	{file: 'custom-encoder.ts', says: /^pairs-of-letters: state 1, dissonance \d\.\d\d\n$/},
	{file: 'express.ts', says: mounted, needs: 'express'},
	{file: 'fastify.ts', says: mounted, needs: 'fastify'},
	{file: 'hono.ts', says: mounted, needs: 'hono'},
	{file: 'koa-mount.ts', says: mounted},
	{file: 'next-route.ts', says: /^\/identity\/cycle → state 1\n$/},
	{file: 'own-machine.ts', says: /\bpass 1\n/},
	{file: 'tenants.ts', says: /^100 tenants; each takes \d+\.\d ms to start and \d+ KiB of memory\.\ntenant-1 continues at state 1\.\n$/},
];

/** Runs a file to its end, without a terminal. @returns what it printed. @throws when it fails. */
export const run = async (file: string): Promise<string> => {
	const running = promisify(execFile)(process.execPath, [file], {timeout: 600_000, env: childEnvironment});
	running.child.stdin!.end();
	const {stdout} = await running;
	return stdout;
};

/** Whether `dist` is what the sources say now. */
export const isBuilt = async (): Promise<boolean> => {
	const built = path.join(root, 'dist/index.js');
	if (!existsSync(built)) {
		return false;
	}

	const sources = await readdir(path.join(root, 'src'), {recursive: true});
	const times = await Promise.all(sources.filter(name => name.endsWith('.ts')).map(async name => (await stat(path.join(root, 'src', name))).mtimeMs));
	return (await stat(built)).mtimeMs >= Math.max(...times);
};

export const wayOut = 'dist is missing or older than src: run “npm run build” first';
