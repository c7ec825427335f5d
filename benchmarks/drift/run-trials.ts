/** Runs trials in threads that share the vectors. */
import {once} from 'node:events';
import {Worker} from 'node:worker_threads';
import {makeSentences} from './sentences.ts';
import type {Trial} from './trial.ts';
import {embedAll} from './vectors.ts';

/** A trial by the number of its scenario, and its seed. */
export type Task = {scenario: number; seed: number};

/** A trial for each seed of each cell. */
export const runTrials = async (cells: ReadonlyArray<{scenario: number; seeds: readonly number[]}>, threads: number): Promise<Trial[][]> => {
	const {sentences} = makeSentences();
	const vectors = await embedAll(sentences);
	const results = cells.map((): Trial[] => []);
	const tasks = cells.flatMap(({scenario, seeds}, cell) => seeds.map((seed, place) => ({cell, place, task: {scenario, seed} satisfies Task})));
	let done = 0;
	const rest = tasks.values();
	await Promise.all(Array.from({length: threads}, async () => {
		const worker = new Worker(new URL('worker.ts', import.meta.url), {workerData: vectors});
		for (const {cell, place, task} of rest) {
			worker.postMessage(task);
			const [trial] = await once(worker, 'message') as [Trial];
			results[cell]![place] = trial;
			process.stderr.write(`\r${++done} of ${tasks.length} identities`);
		}

		await worker.terminate();
	}));
	process.stderr.write('\n');
	return results;
};
