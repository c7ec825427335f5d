/**
 * The work of ledgers, kept for the next question: it takes the new records alone. Before it goes on, the journal has
 * to have the same records where the work begins and ends. Then it has all between them too: compaction takes the
 * oldest records first, and nothing else changes a record.
 */
import {isDeepStrictEqual} from 'node:util';
import type {Journal, JournalEntry} from '../../journal/journal.ts';
import type {StoredDigest} from '../../journal/digest-store.ts';
import type {Kernel, KernelName} from '../../kernel/kernel.ts';
import {selectKernel} from '../../kernel/select.ts';
import type {RunningInstrument} from '../instrument.ts';
import {startJob, type Job} from './job.ts';

/** A journal, by a number that its thread knows it by; and up to which record it is asked about. */
export type AskedJournal = {journal: number; to: number};

/** Where a job goes on: behind `from`, if the journal has the records `same` as they were taken. Without any it begins. */
export type Continuation = {from: number; same: readonly number[]};

type Work = {
	readonly journal: number;
	readonly kernel: KernelName;
	readonly job: Job;
	readonly running: RunningInstrument<unknown>;
	/** The first two records of its stretch; one is what the stretch begins with, or comes first in it. */
	first: JournalEntry[];
	last: JournalEntry | null;
	/** What it took after its last answer. */
	bytes: number;
};

/** What the base of a work takes beside its texts: states, and three records. */
const baseBytes = 150_000;

const bytesOf = ({running}: Work): number => baseBytes + (running.again?.bytes() ?? 0);

/** Runs one job after another. */
export class KeptWork {
	readonly #maxBytes: number;
	/** One of each kind, which all works of it share. */
	readonly #kernels = new Map<KernelName, Kernel>();
	/** The one that was used last comes last. */
	#kept: Work[] = [];
	#current: Work | null = null;
	#answer: () => unknown = () => null;
	/** Starts the running job again. */
	#restart: () => Continuation = () => ({from: 0, same: []});

	/** @param maxBytes What is kept of all journals at most. */
	constructor(maxBytes: number) {
		this.#maxBytes = maxBytes;
	}

	/** Begins a job that takes digests: its work is small, and not kept. */
	beginDigested(kernel: KernelName, job: Job): void {
		this.#settle();
		const running = startJob(this.#kernelOf(kernel), job);
		this.#current = {journal: 0, kernel, job, running, first: [], last: null, bytes: 0};
		this.#answer = () => running.answer();
	}

	takeDigests(digests: readonly StoredDigest[]): void {
		for (const digest of digests) {
			this.#current!.running.takeDigest!(digest);
		}
	}

	replayDigest(digest: StoredDigest, vectors: Float32Array): boolean {
		return this.#current!.running.replayDigest!(digest, vectors);
	}

	/** Begins a job, in the place of the one before; or goes on with what is kept. */
	begin(kernel: KernelName, job: Job, {journal, to}: AskedJournal): Continuation {
		this.#settle();
		this.#restart = () => this.#start(kernel, job, journal);
		for (const work of this.#kept) {
			const isSame = work.journal === journal && work.last && work.last.seq <= to && isSameBeginning(work, kernel, job);
			const answer = isSame ? work.running.again!.ask(job.question) : null;
			if (answer) {
				this.#use(work, answer);
				return {from: work.last!.seq, same: [...work.first, work.last!].map(({seq}) => seq)};
			}
		}

		return this.#restart();
	}

	/** Goes on if these records are those that were taken; else it begins. */
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

	/** Forgets the work under way: what failed within it is half done. */
	drop(): void {
		this.#kept = this.#kept.filter(work => work !== this.#current);
		this.#current = null;
	}

	#kernelOf(name: KernelName): Kernel {
		const kernel = this.#kernels.get(name) ?? selectKernel(name);
		this.#kernels.set(name, kernel);
		return kernel;
	}

	#start(kernel: KernelName, job: Job, journal: number): Continuation {
		const running = startJob(this.#kernelOf(kernel), job);
		this.#use({journal, kernel, job, running, first: [], last: null, bytes: 0}, () => running.answer());
		return {from: job.from.seq, same: []};
	}

	#use(work: Work, answer: () => unknown): void {
		this.#current = work;
		this.#answer = answer;
		this.#kept = this.#kept.filter(other => other !== work);
		if (work.running.again) {
			this.#kept.push(work);
		}
	}

	/** Ends the work under way, and forgets what was not used for long beyond the bytes. */
	#settle(): void {
		if (this.#current?.running.again) {
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

/** Work follows from the kernel, the states and the place that it begins with; what else is asked, the instrument compares. */
const isSameBeginning = (work: Work, kernel: KernelName, {name, authority, initial, reference, from, reading}: Job): boolean => {
	const {job} = work;
	return work.kernel === kernel && isDeepStrictEqual(
		[job.name, job.from, job.reading, job.initial, job.reference, job.authority],
		[name, from, reading, initial, reference, authority],
	);
};

/** Reads the records that work is compared by. */
export const readSame = async (journal: Pick<Journal, 'read'>, same: readonly number[]): Promise<JournalEntry[]> =>
	(await Promise.all(same.map(async seq => journal.read(seq, 1)))).flat();
