/**
 * Keeps the work of earlier questions, so that the next one takes only new records. Work is resumed only if the journal still has the
 * records at which it began and ended. Then all between them are unchanged too: compaction takes the oldest records first, and nothing
 * else changes a record.
 */
import {isDeepStrictEqual} from 'node:util';
import type {Journal, JournalEntry} from '../../journal/journal.ts';
import type {StoredDigest} from '../../journal/digest-store.ts';
import type {Kernel, KernelName} from '../../kernel/kernel.ts';
import {selectKernel} from '../../kernel/select.ts';
import type {RunningInstrument} from '../instrument.ts';
import {startJob, type Job} from './job.ts';

/** The number by which the thread knows a journal, and the last record of the question. */
export type AskedJournal = {journal: number; to: number};

/** A job resumes after the record `from`, if the journal's records `same` are unchanged. If `same` is empty, it begins. */
export type Continuation = {from: number; same: readonly number[]};

type Work = {
	/** Null if it takes digests, and is not kept. */
	readonly journal: number | null;
	readonly kernel: KernelName;
	readonly job: Job;
	readonly running: RunningInstrument<unknown>;
	/** The first records of its stretch, at most two; only one if the stretch begins with a reset or a snapshot. */
	first: JournalEntry[];
	last: JournalEntry | null;
	/** Its memory after its last answer. */
	bytes: number;
};

/** The memory of a work without its texts: states, and three records. */
const baseBytes = 150_000;

const bytesOf = ({running}: Work): number => baseBytes + (running.reuse?.bytes() ?? 0);

/** Runs one job after another. */
export class KeptWork {
	readonly #maxBytes: number;
	/** One of each kind, shared by all works. */
	readonly #kernels = new Map<KernelName, Kernel>();
	/** The last used one is last. */
	#kept: Work[] = [];
	#current: Work | null = null;
	#answer: () => unknown = () => null;
	/** Starts the running job again. */
	#restart: () => Continuation = () => ({from: 0, same: []});

	/** @param maxBytes The most memory for the works of all journals. */
	constructor(maxBytes: number) {
		this.#maxBytes = maxBytes;
	}

	/** Begins a job with digests, whose work is small and is not kept. */
	beginDigested(kernel: KernelName, job: Job): void {
		this.#settle();
		this.#start(kernel, job, null);
	}

	takeDigests(digests: readonly StoredDigest[]): void {
		for (const digest of digests) {
			this.#current!.running.takeDigest!(digest);
		}
	}

	replayDigest(digest: StoredDigest, vectors: Float32Array): boolean {
		return this.#current!.running.replayDigest!(digest, vectors);
	}

	/** Begins a job in place of the previous one, or resumes its kept work. */
	begin(kernel: KernelName, job: Job, {journal, to}: AskedJournal): Continuation {
		this.#settle();
		this.#restart = () => this.#start(kernel, job, journal);
		for (const work of this.#kept) {
			const isSame = work.journal === journal && work.last && work.last.seq <= to && isSameBeginning(work, kernel, job);
			const answer = isSame ? work.running.reuse!.ask(job.question) : null;
			if (answer) {
				this.#use(work, answer);
				return {from: work.last!.seq, same: [...work.first, work.last!].map(({seq}) => seq)};
			}
		}

		return this.#restart();
	}

	/** Resumes if these are the records that were taken, else begins. */
	compare(entries: readonly JournalEntry[]): Continuation {
		const {first, last} = this.#current!;
		if (isDeepStrictEqual(entries, [...first, last])) {
			return {from: last!.seq, same: []};
		}

		this.drop();
		return this.#restart();
	}

	take(entries: readonly JournalEntry[]): void {
		const work = this.#current!;
		work.running.take(entries);
		for (const entry of entries) {
			const {kind} = entry.record;
			if (kind === 'reset' || kind === 'snapshot') {
				work.first = [entry];
			} else if (work.first.length < 2) {
				work.first.push(entry);
			}

			work.last = entry;
		}
	}

	answer(): unknown {
		const answer = this.#answer();
		this.#settle();
		return answer;
	}

	/** Drops the work under way after a failure, because it is half done. */
	drop(): void {
		this.#kept = this.#kept.filter(work => work !== this.#current);
		this.#current = null;
	}

	#kernelOf(name: KernelName): Kernel {
		const kernel = this.#kernels.get(name) ?? selectKernel(name);
		this.#kernels.set(name, kernel);
		return kernel;
	}

	#start(kernel: KernelName, job: Job, journal: number | null): Continuation {
		const running = startJob(this.#kernelOf(kernel), job);
		this.#use({journal, kernel, job, running, first: [], last: null, bytes: 0}, () => running.answer());
		return {from: job.from.seq, same: []};
	}

	#use(work: Work, answer: () => unknown): void {
		this.#current = work;
		this.#answer = answer;
		this.#kept = this.#kept.filter(other => other !== work);
		if (work.running.reuse && work.journal !== null) {
			this.#kept.push(work);
		}
	}

	/** Ends the work under way, and drops the least recently used works beyond the limit. */
	#settle(): void {
		if (this.#current?.running.reuse) {
			this.#current.bytes = bytesOf(this.#current);
		}

		this.#current = null;
		this.#answer = () => null;
		let bytes = 0;
		const first = this.#kept.findLastIndex(work => {
			bytes += work.bytes;
			return bytes > this.#maxBytes;
		}) + 1;
		this.#kept = this.#kept.slice(first);
	}
}

/** Work depends on the kernel, and on the states and the place at its beginning. The instrument compares the rest of the question. */
const isSameBeginning = (work: Work, kernel: KernelName, {name, authority, initial, reference, from, reading}: Job): boolean => {
	const {job} = work;
	return work.kernel === kernel && isDeepStrictEqual(
		[job.name, job.from, job.reading, job.initial, job.reference, job.authority],
		[name, from, reading, initial, reference, authority],
	);
};

/** Reads the records with which work is compared. */
export const readSame = async (journal: Pick<Journal, 'read'>, same: readonly number[]): Promise<JournalEntry[]> =>
	(await Promise.all(same.map(async seq => journal.read(seq, 1)))).flat();
