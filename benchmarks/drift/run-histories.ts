/** Runs histories in threads that share the vectors. */
import {once} from 'node:events';
import {availableParallelism} from 'node:os';
import {Worker} from 'node:worker_threads';
import type {HistoryResult} from './history.ts';
import type {Scenario} from './streams.ts';
import {embedAll} from './vectors.ts';
import {openWorld, type WorldName} from './worlds.ts';

/** A history by the number of its scenario, and its seed. */
export type Task = {readonly scenario: number; readonly seed: number};

/** The data of a thread. */
export type ThreadData = {readonly world: WorldName; readonly vectors: SharedArrayBuffer; readonly unread: readonly number[]; readonly directions: readonly Float32Array[]};

/** The histories of a scenario. */
export type Cell = {readonly scenario: Scenario; readonly histories: readonly HistoryResult[]};

/**
 * All scenarios advance together, so that Ctrl+C leaves the same share of the histories of each.
 *
 * @param countOf how many histories a scenario has; 0 leaves it out
 */
export const runHistories = async (world: WorldName, countOf: (scenario: Scenario) => number): Promise<Cell[]> => {
	const {sentences, scenarios, model} = openWorld(world);
	const cells = scenarios.map(scenario => ({scenario, histories: Array<HistoryResult>(countOf(scenario))})).filter(({histories}) => histories.length > 0);
	const tasks = cells.flatMap(({scenario, histories}) => {
		const place = scenarios.indexOf(scenario);
		return Array.from(histories, (_, i) => ({histories, i, task: {scenario: place, seed: 1000 * (place + 1) + i} satisfies Task}));
	}).toSorted((a, b) => a.i / a.histories.length - b.i / b.histories.length);
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
		for (const {histories, i, task} of rest) {
			if (isEnded) {
				break;
			}

			worker.postMessage(task);
			[histories[i]] = await once(worker, 'message') as [HistoryResult];
			process.stderr.write(`\r${++done} of ${tasks.length} histories`);
		}

		await worker.terminate();
	}));
	process.stderr.write('\n');
	return cells.map(({scenario, histories}) => ({scenario, histories: histories.filter(history => history !== undefined)}));
};
