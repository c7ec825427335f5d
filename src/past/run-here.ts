/** Runs an instrument where no thread can: in a page, where it replaces `instrument-thread.ts` (`imports` in package.json), and with an application's own kernel. Between two pages of records the event loop goes on. */
import type {AnswerOf, InstrumentName} from '../instruments/instruments.ts';
import type {JournalEntry} from '../journal/journal.ts';
import type {Kernel} from '../kernel/kernel.ts';
import {startJob, type Job} from './job.ts';

/** Runs a job on pages of records. @throws the signal's reason */
export const runJob = async <Name extends InstrumentName>(kernel: Kernel, job: Job<Name>, pages: AsyncIterable<JournalEntry[]>, signal: AbortSignal): Promise<AnswerOf<Name>> => {
	const running = startJob(kernel, job);
	for await (const page of pages) {
		running.take(page);
		await new Promise(resolve => {
			setTimeout(resolve);
		});
		signal.throwIfAborted();
	}

	return running.answer();
};
