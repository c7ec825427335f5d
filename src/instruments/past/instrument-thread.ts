/** Runs instruments in threads, which are kept for later questions until they have been idle for long. */
import type {Timers} from '../../platform/clock.ts';
import {ProcessualError, reasonOf} from '../../platform/errors.ts';
import type {AnswerOf, InstrumentName} from '../instruments.ts';
import type {DigestStore, StoredDigest} from '../../journal/digest-store.ts';
import {readPages, type PastJournal} from '../../journal/read-pages.ts';
import type {Kernel, KernelName} from '../../kernel/kernel.ts';
import {headOf} from '../digest.ts';
import type {Job} from './job.ts';
import {CalledThread} from '../../platform/thread-calls.ts';
import {withSignal} from '../../platform/waiting.ts';
import {InstrumentsHere, type JobRecords} from './run-here.ts';
import {isSeparable} from '../../kernel/select.ts';
import type {WorkerRequest} from './worker.ts';

const here = new InstrumentsHere();

/** The buffers that are transferred with digests instead of copied. */
const bodiesOf = (digests: readonly StoredDigest[]): ArrayBuffer[] => digests.map(({body}) => body.buffer as ArrayBuffer);

/** A pool of threads, one for each job that runs. */
export class InstrumentThreads {
	readonly #idleMs: number;
	readonly #timers: Timers;
	/** The idle threads with the timers of their end; the last used one is last. */
	readonly #idle = new Map<Thread, unknown>();
	#isClosed = false;

	constructor({idleMs, timers}: {idleMs: number; timers: Timers}) {
		this.#idleMs = idleMs;
		this.#timers = timers;
	}

	/** Runs a job. @throws the signal's reason */
	async run<Name extends InstrumentName>(
		kernel: Kernel, job: Job<Name>, records: JobRecords, signal: AbortSignal,
	): Promise<AnswerOf<Name>> {
		// An application's kernel runs in the application's thread.
		if (!isSeparable(kernel)) {
			return here.run(kernel, job, records, signal);
		}

		signal.throwIfAborted();
		const thread = this.#take();
		try {
			return await thread.run(kernel.name as KernelName, job, records, signal) as AnswerOf<Name>;
		} finally {
			await this.#putBack(thread);
		}
	}

	/** Ends the idle threads now, and the others after their jobs. */
	close(): void {
		this.#isClosed = true;
		for (const thread of this.#idle.keys()) {
			this.#end(thread);
		}
	}

	/** Takes the idle thread that was used last, else a new one. */
	#take(): Thread {
		const thread = [...this.#idle.keys()].findLast(({calls}) => !calls.isEnded) ?? new Thread();
		this.#timers.clearTimeout(this.#idle.get(thread));
		this.#idle.delete(thread);
		thread.calls.hold(true);
		return thread;
	}

	/** Keeps a thread for the next job, unless it is still computing. */
	async #putBack(thread: Thread): Promise<void> {
		if (thread.isAnswering || thread.calls.isEnded || this.#isClosed) {
			await thread.calls.end();
			return;
		}

		thread.calls.call(['drop']).catch(() => {});
		// An idle thread keeps no program alive.
		thread.calls.hold(false);
		this.#idle.set(thread, this.#timers.setTimeout(() => this.#end(thread), this.#idleMs));
	}

	#end(thread: Thread): void {
		this.#timers.clearTimeout(this.#idle.get(thread));
		this.#idle.delete(thread);
		void thread.calls.end();
	}
}

/** A thread that runs one job after another. */
class Thread {
	readonly calls = new CalledThread<WorkerRequest, unknown>('instruments/past/worker', {
		failure: ProcessualError,
		maxYoungMegabytes: 6,
		endError: cause => new ProcessualError(
			`The question’s thread ended unexpectedly (${reasonOf(cause)}). Ask again.`, {cause, retryable: true},
		),
	});
	/** Whether it is computing an answer, which cannot be interrupted. Everything else takes milliseconds. */
	isAnswering = false;

	/** The next page is read while the thread works on one. */
	async run(kernel: KernelName, job: Job, {journal, to, digested = [], digests: store}: JobRecords, signal: AbortSignal): Promise<unknown> {
		await this.#ask(['begin', kernel, job], signal);
		let taken = job.from.seq;
		for (const {digests, first, last, isReplayed} of digested) {
			await this.#takePages(journal, taken, first - 1, signal);
			await (isReplayed
				? this.#replayDigests(journal, store, digests, signal)
				: this.#ask(['takeDigests', digests], signal, bodiesOf(digests)));
			taken = last;
		}

		await this.#takePages(journal, taken, to, signal);
		this.isAnswering = true;
		try {
			return await this.#ask(['answer'], signal);
		} finally {
			this.isAnswering = signal.aborted;
		}
	}

	async #takePages(journal: PastJournal, from: number, to: number, signal: AbortSignal): Promise<void> {
		let taken: Promise<unknown> = Promise.resolve();
		for await (const page of readPages(journal, from, to, signal)) {
			await taken;
			taken = this.#ask(['take', page], signal);
		}

		await taken;
	}

	/** The vectors of the next digest are read while the thread works on one. */
	async #replayDigests(
		journal: PastJournal, store: DigestStore | undefined, digests: readonly StoredDigest[], signal: AbortSignal,
	): Promise<void> {
		let taken: Promise<unknown> = Promise.resolve();
		for (const digest of digests) {
			const {first, last, width} = headOf(digest);
			const vectors = await withSignal(store?.vectors?.(first, last, width) ?? Promise.resolve(null), signal);
			await taken;
			taken = this.#replayDigest(journal, digest, vectors, signal);
			// Awaited with the next one; a failure until then must not be an unhandled rejection.
			taken.catch(() => {});
		}

		await taken;
	}

	/** If the vectors do not match the digest, its records are read instead; an error in them then shows. */
	async #replayDigest(journal: PastJournal, digest: StoredDigest, vectors: Float32Array | null, signal: AbortSignal): Promise<void> {
		const isTaken = vectors
			&& await this.#ask(['replayDigest', digest, vectors], signal, [vectors.buffer as ArrayBuffer, ...bodiesOf([digest])]);
		if (!isTaken) {
			const {first, last} = headOf(digest);
			await this.#takePages(journal, first - 1, last, signal);
		}
	}

	#ask(request: WorkerRequest, signal: AbortSignal, transfer?: ArrayBuffer[]): Promise<unknown> {
		const reply = withSignal(this.calls.call(request, transfer), signal);
		// Awaited with the next page; a failure until then must not be an unhandled rejection.
		reply.catch(() => {});
		return reply;
	}
}
