/** A thread of questions: runs one instrument after another, on a kernel that no cycle uses. Its other end is `instrument-thread.ts`. */
import type {StoredDigest} from '../../journal/digest-store.ts';
import type {JournalEntry} from '../../journal/journal.ts';
import type {Kernel, KernelName} from '../../kernel/kernel.ts';
import {selectKernel} from '../../kernel/select.ts';
import type {Job} from './job.ts';
import {answerCalls} from '../../platform/thread-calls.ts';
import {KeptWork, type AskedJournal} from './kept-work.ts';

/**
 * A call: a job, which takes the place of the one before; the records that its kept work is compared by; its next records; or
 * null for the end of them. Where digests stand for records, nothing is asked about kept work; one with vectors is answered with
 * whether it was taken. Null is answered with the job's answer, a job and what is compared with a {@link Continuation}.
 */
export type WorkerRequest =
	| {kernel: KernelName; job: Job; asked: AskedJournal | null} | {same: JournalEntry[]} | {digests: readonly StoredDigest[]}
	| {digest: StoredDigest; vectors: Float32Array} | JournalEntry[] | null;

/** What a thread keeps of all identities: about 40,000 texts of ordinary length, or the drift of three identities. */
const maxKeptBytes = 32 * 2 ** 20;

const work = new KeptWork(maxKeptBytes);
/** One kernel of each kind: kept work knows its own again. */
const kernels = new Map<KernelName, Kernel>();

const kernelOf = (name: KernelName): Kernel => {
	const kernel = kernels.get(name) ?? selectKernel(name);
	kernels.set(name, kernel);
	return kernel;
};

const answerTo = (request: WorkerRequest): unknown => {
	if (request === null) {
		return work.answer();
	}

	if (Array.isArray(request)) {
		return work.take(request);
	}

	if ('digests' in request) {
		return work.takeDigests(request.digests);
	}

	if ('digest' in request) {
		return work.replayDigest(request);
	}

	if ('same' in request) {
		return work.compare(request.same);
	}

	const {job, asked} = request;
	const kernel = kernelOf(request.kernel);
	return asked ? work.begin(kernel, job, asked) : work.beginDigested(kernel, job);
};

answerCalls((request: WorkerRequest) => {
	try {
		return answerTo(request);
	} catch (error) {
		work.drop();
		throw error;
	}
});
