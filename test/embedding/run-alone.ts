/** Runs `run-once.ts` in a separate process, with modules preloaded into it and its workers. */
import {execFile} from 'node:child_process';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import type {ModelPassport} from '../../src/embedding/encoder.ts';
import type {EmbeddingOptions} from '../../src/embedding/load-encoder.ts';

type Outcome = {passport?: ModelPassport; vector?: number[]; code?: string; message?: string};

export const runAlone = async (options: EmbeddingOptions, ...preloaded: string[]): Promise<{outcome: Outcome; stderr: string}> => {
	const {stdout, stderr} = await promisify(execFile)(process.execPath, [
		...preloaded.map(name => `--import=${new URL(name, import.meta.url).href}`),
		fileURLToPath(new URL('run-once.ts', import.meta.url)),
		JSON.stringify(options),
	], {timeout: 600_000});
	return {outcome: JSON.parse(stdout) as Outcome, stderr};
};
