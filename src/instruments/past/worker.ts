/** The worker thread for questions: runs one instrument after another on a separate kernel. Its other end is `instrument-thread.ts`. */
import {answerCalls} from '../../platform/thread-calls.ts';
import {KeptWork} from './kept-work.ts';

/** A call of a method of {@link KeptWork}. */
type WorkCall<Method extends keyof KeptWork> = {[Name in Method]: readonly [Name, ...Parameters<KeptWork[Name]>]}[Method];

/**
 * The messages of a job: its start, which replaces the previous job; the records with which kept work is compared; the next records,
 * or digests in place of some; and the end. A job with digests does not use kept work.
 */
export type WorkerRequest = WorkCall<'begin' | 'beginDigested' | 'compare' | 'take' | 'takeDigests' | 'replayDigest' | 'answer'>;

/** The memory for the kept work of all identities: about 20,000 texts of ordinary length, or the drift of one or two identities. */
const maxKeptBytes = 16 * 2 ** 20;

const work = new KeptWork(maxKeptBytes);

answerCalls(([method, ...given]: WorkerRequest) => {
	try {
		return (work[method] as (...given: unknown[]) => unknown).apply(work, given);
	} catch (error) {
		work.drop();
		throw error;
	}
});
