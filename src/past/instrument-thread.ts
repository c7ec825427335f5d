/** Runs an instrument in a thread that lives as long as its question. */
import {once} from 'node:events';
import {Worker} from 'node:worker_threads';
import {ProcessualError} from '../errors.ts';
import type {AnswerOf, InstrumentName} from '../instruments/instruments.ts';
import type {JournalEntry} from '../journal/journal.ts';
import type {Kernel, KernelName} from '../kernel/kernel.ts';
import type {Job} from './job.ts';
import {threadModule} from '../package-file.ts';
import {withSignal} from '../with-signal.ts';
import {runJob as runHere} from './run-here.ts';
import {isSeparable} from './separate-kernel.ts';
import type {WorkerData, WorkerReply, WorkerRequest} from './worker.ts';

/**
 * Runs a job on pages of records. The next page is read while the thread works on one.
 *
 * @param signal Ends the thread; the call then throws its reason.
 */
export const runJob = async <Name extends InstrumentName>(kernel: Kernel, job: Job<Name>, pages: AsyncIterable<JournalEntry[]>, signal: AbortSignal): Promise<AnswerOf<Name>> => {
	// An application's own kernel runs in its own thread.
	if (!isSeparable(kernel)) {
		return runHere(kernel, job, pages, signal);
	}

	signal.throwIfAborted();
	const workerData: WorkerData = {job: job as never, kernel: kernel.name as KernelName};
	const thread = new Worker(threadModule('past/worker'), {workerData});
	const ended = new Promise<never>((_resolve, reject) => {
		thread.once('error', reject).once('exit', code => {
			reject(new ProcessualError(`The thread of the question ended by itself (exit code ${code}). Ask again.`, {retryable: true}));
		});
	});
	ended.catch(() => {});

	const ask = async (request: WorkerRequest): Promise<unknown> => {
		thread.postMessage(request);
		const [reply] = await withSignal(Promise.race([once(thread, 'message'), ended]), signal) as [WorkerReply];
		if ('failure' in reply) {
			throw new ProcessualError(reply.failure);
		}

		return reply.answer;
	};

	try {
		let taken: Promise<unknown> = Promise.resolve();
		for await (const page of pages) {
			await taken;
			taken = ask(page);
			// Awaited with the next page; a failure until then is no unhandled one.
			taken.catch(() => {});
		}

		await taken;
		return await ask(null) as AnswerOf<Name>;
	} finally {
		await thread.terminate();
	}
};
