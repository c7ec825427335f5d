/** The thread of one question: runs an instrument on a kernel that no cycle uses. Its other end is `instrument-thread.ts`. */
import {parentPort, workerData} from 'node:worker_threads';
import {reasonOf} from '../errors.ts';
import type {JournalEntry} from '../journal/journal.ts';
import type {KernelName} from '../kernel/kernel.ts';
import {selectKernel} from '../kernel/select.ts';
import {startJob, type Job} from './job.ts';

/** What a thread begins with. */
export type WorkerData = {job: Job; kernel: KernelName};

/** A message to the thread: the next records, or null for the end of them. Each gets one reply. */
export type WorkerRequest = JournalEntry[] | null;

/** A reply of the thread; the one to null has the answer. */
export type WorkerReply = {answer: unknown} | {failure: string};

const {job, kernel} = workerData as WorkerData;
const port = parentPort!;
const running = startJob(selectKernel(kernel), job);

const reply = (entries: WorkerRequest): WorkerReply => {
	try {
		return {answer: entries ? running.take(entries) : running.answer()};
	} catch (error) {
		return {failure: reasonOf(error)};
	}
};

port.on('message', (entries: WorkerRequest) => {
	port.postMessage(reply(entries));
});
