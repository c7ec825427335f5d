/** The worker thread for questions: runs one job after another on a separate kernel. Its other end is `instrument-thread.ts`. */
import type {StoredDigest} from '../../journal/digest-store.ts';
import type {JournalEntry} from '../../journal/journal.ts';
import type {Kernel, KernelName} from '../../kernel/kernel.ts';
import {selectKernel} from '../../kernel/select.ts';
import {answerCalls} from '../../platform/thread-calls.ts';
import type {RunningInstrument} from '../instrument.ts';
import {startJob, type Job} from './job.ts';

const kernels = new Map<KernelName, Kernel>();
let running: RunningInstrument<unknown> | null = null;

const kernelOf = (name: KernelName): Kernel => {
	const kernel = kernels.get(name) ?? selectKernel(name);
	kernels.set(name, kernel);
	return kernel;
};

/** The calls of a job: its start; the next records, or digests in place of some; and its end. */
const calls = {
	begin(kernel: KernelName, job: Job): void {
		running = startJob(kernelOf(kernel), job);
	},
	take: (entries: readonly JournalEntry[]): void => running!.take(entries),
	takeDigests(digests: readonly StoredDigest[]): void {
		for (const digest of digests) {
			running!.takeDigest!(digest);
		}
	},
	replayDigest: (digest: StoredDigest, vectors: Float32Array): boolean => running!.replayDigest!(digest, vectors),
	answer: (): unknown => running!.answer(),
	/** An idle thread keeps nothing of its last job. */
	drop(): void {
		running = null;
	},
};

/** A call with what it is given. */
export type WorkerRequest = {[Name in keyof typeof calls]: readonly [Name, ...Parameters<(typeof calls)[Name]>]}[keyof typeof calls];

answerCalls(([name, ...given]: WorkerRequest) => (calls[name] as (...given: unknown[]) => unknown)(...given));
