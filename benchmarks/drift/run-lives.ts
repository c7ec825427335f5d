/** Runs lives in threads that share the vectors. */
import {once} from 'node:events';
import {availableParallelism} from 'node:os';
import {Worker} from 'node:worker_threads';
import type {LifeResult} from './life.ts';
import type {Scenario} from './streams.ts';
import {embedAll} from './vectors.ts';
import {openWorld, type WorldName} from './worlds.ts';

/** A life by the number of its scenario, and its seed. */
export type Task = {readonly scenario: number; readonly seed: number};

/** What a thread gets. */
export type ThreadData = {readonly world: WorldName; readonly vectors: SharedArrayBuffer; readonly unread: readonly number[]; readonly directions: readonly Float32Array[]};

/** The lives of a scenario. */
export type Cell = {readonly scenario: Scenario; readonly lives: readonly LifeResult[]};

/**
 * All scenarios go on together: Ctrl+C ends the run, and leaves the same part of the lives of each.
 *
 * @param countOf how many lives a scenario has; 0 leaves it out
 */
export const runLives = async (world: WorldName, countOf: (scenario: Scenario) => number): Promise<Cell[]> => {
	const {sentences, scenarios, model} = openWorld(world);
	const cells = scenarios.map(scenario => ({scenario, lives: Array<LifeResult>(countOf(scenario))})).filter(({lives}) => lives.length > 0);
	const tasks = cells.flatMap(({scenario, lives}) => {
		const place = scenarios.indexOf(scenario);
		return Array.from(lives, (_, i) => ({lives, i, task: {scenario: place, seed: 1000 * (place + 1) + i} satisfies Task}));
	}).toSorted((a, b) => a.i / a.lives.length - b.i / b.lives.length);
	if (tasks.length === 0) {
		return [];
	}

	const {vectors, unread, directions} = await embedAll(sentences, model);
	let done = 0;
	const rest = tasks.values();
	let isEnded = false;
	process.once('SIGINT', () => {
		isEnded = true;
	});
	await Promise.all(Array.from({length: Math.min(2, availableParallelism())}, async () => {
		const worker = new Worker(new URL('worker.ts', import.meta.url), {workerData: {world, vectors, unread, directions} satisfies ThreadData});
		for (const {lives, i, task} of rest) {
			if (isEnded) {
				break;
			}

			worker.postMessage(task);
			[lives[i]] = await once(worker, 'message') as [LifeResult];
			process.stderr.write(`\r${++done} of ${tasks.length} lives`);
		}

		await worker.terminate();
	}));
	process.stderr.write('\n');
	return cells.map(({scenario, lives}) => ({scenario, lives: lives.filter(life => life !== undefined)}));
};
