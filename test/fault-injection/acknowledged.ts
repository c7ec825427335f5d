/** Runs a step of a journal in a process to be killed, and reads what it acknowledged before. */
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {readFile} from 'node:fs/promises';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {childEnvironment} from '../helpers/child-environment.ts';

const script = fileURLToPath(new URL('journal-steps.ts', import.meta.url));

export const runStep = async (step: string, folder: string, environment: Record<string, string>): Promise<void> => {
	const child = spawn(process.execPath, [script, step, folder], {
		env: {...childEnvironment, NODE_OPTIONS: process.env['NODE_OPTIONS'], ...environment},
		stdio: ['ignore', 'ignore', 'inherit'],
	});
	const [code] = await once(child, 'close') as [number | null];
	if (code) {
		throw new Error(`The step ${step} failed without a kill.`);
	}
};

/** A line per acknowledgement before the kill. The last line may be cut off, and does not count then. */
export const acknowledgedIn = async (folder: string): Promise<string[]> => {
	const lines = await readFile(path.join(folder, 'acknowledged'), 'utf8').catch(() => '');
	return lines.split('\n').slice(0, -1);
};
