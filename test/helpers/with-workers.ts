import type {Worker} from 'node:worker_threads';

/** @returns the workers that were started during a run. For serial tests, because workers of other tests would be among them. */
export const withWorkers = async (run: () => Promise<void>): Promise<Worker[]> => {
	const workers: Worker[] = [];
	const note = (worker: Worker) => {
		workers.push(worker);
	};

	process.on('worker', note);
	await run();
	process.off('worker', note);
	return workers;
};
