/** A thread of questions: runs one instrument after another, on a kernel that no cycle uses. Its other end is `instrument-thread.ts`. */
import {answerCalls} from '../../platform/thread-calls.ts';
import {KeptWork} from './kept-work.ts';

/** A call of the thread's kept work, by its method. */
type WorkCall<Method extends keyof KeptWork> = {[Name in Method]: readonly [Name, ...Parameters<KeptWork[Name]>]}[Method];

/**
 * A job, which takes the place of the one before; the records that its kept work is compared by; its next records, and digests that
 * stand for some; and the end of them. Where digests stand for records, nothing is asked about kept work.
 */
export type WorkerRequest = WorkCall<'begin' | 'beginDigested' | 'compare' | 'take' | 'takeDigests' | 'replayDigest' | 'answer'>;

/** What a thread keeps of all identities: about 40,000 texts of ordinary length, or the drift of three identities. */
const maxKeptBytes = 32 * 2 ** 20;

const work = new KeptWork(maxKeptBytes);

answerCalls(([method, ...given]: WorkerRequest) => {
	try {
		return (work[method] as (...given: unknown[]) => unknown).apply(work, given);
	} catch (error) {
		work.drop();
		throw error;
	}
});
