/**
 * Runs an instrument without a thread: in a web page, where it replaces `instrument-thread.ts` (`imports` in package.json), and with
 * an application's kernel. It yields to the event loop between two pages of records.
 */
import type {AnswerOf, InstrumentName} from '../instruments.ts';
import type {DigestStore} from '../../journal/digest-store.ts';
import {readPages, type PastJournal} from '../../journal/read-pages.ts';
import type {Kernel} from '../../kernel/kernel.ts';
import type {Digested} from './digested.ts';
import {startJob, type Job} from './job.ts';

/** The records of a job: those of a journal after the job's beginning, up to `to`, and digests that a thread takes in place of some. */
export type JobRecords = {
	journal: PastJournal;
	to: number;
	digested?: readonly Digested[];
	/** Reads the vectors of digests. */
	digests?: DigestStore | undefined;
};

/** Replaces threads where there are none. */
export class InstrumentsHere {
	/** Runs a job. @throws the signal's reason */
	async run<Name extends InstrumentName>(
		kernel: Kernel, job: Job<Name>, {journal, to}: JobRecords, signal: AbortSignal,
	): Promise<AnswerOf<Name>> {
		const running = startJob(kernel, job);
		for await (const page of readPages(journal, job.from.seq, to, signal)) {
			running.take(page);
			await new Promise(resolve => {
				setTimeout(resolve);
			});
			signal.throwIfAborted();
		}

		return running.answer();
	}

	close(): void {}
}

// The name that `#instrument-thread` has.
export {InstrumentsHere as InstrumentThreads};
