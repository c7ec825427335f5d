/** A thread of questions: runs one instrument after another, on a kernel that no cycle uses. Its other end is `instrument-thread.ts`. */
import {parentPort} from 'node:worker_threads';
import {reasonOf} from '../../platform/errors.ts';
import type {RunningInstrument} from '../instrument.ts';
import type {JournalEntry} from '../../journal/journal.ts';
import type {KernelName} from '../../kernel/kernel.ts';
import {selectKernel} from '../../kernel/select.ts';
import {startJob, type Job} from './job.ts';

/** A message to the thread: a job, which takes the place of the one before; its next records; or null for the end of them. Each gets one reply. */
export type WorkerRequest = {kernel: KernelName; job: Job} | JournalEntry[] | null;

/** A reply of the thread; the one to null has the answer. */
export type WorkerReply = {answer: unknown} | {failure: string};

const port = parentPort!;
let running: RunningInstrument<unknown> | null = null;

const answerTo = (request: WorkerRequest): unknown => {
	if (request === null) {
		const answer = running!.answer();
		running = null;
		return answer;
	}

	if (Array.isArray(request)) {
		running!.take(request);
		return null;
	}

	running = null;
	running = startJob(selectKernel(request.kernel), request.job);
	return null;
};

const reply = (request: WorkerRequest): WorkerReply => {
	try {
		return {answer: answerTo(request)};
	} catch (error) {
		return {failure: reasonOf(error)};
	}
};

port.on('message', (request: WorkerRequest) => {
	port.postMessage(reply(request));
});
