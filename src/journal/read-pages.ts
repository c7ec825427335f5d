/** Reads a journal page by page, so that its thread can write records between two pages. */
import {withSignal} from '../platform/waiting.ts';
import type {StateTensor} from '../kernel/state-tensor.ts';
import type {DigestStore} from './digest-store.ts';
import type {Checkpoint, Genesis, Journal, JournalEntry} from './journal.ts';
import type {ValidationFacts} from './validation.ts';

/** A journal that the past is read from. */
export type PastJournal = Pick<Journal, 'read'> & {
	/** How many records there are, compacted ones included. */
	readonly records: number;
};

/** An entry or a row of a journal. */
type Numbered = {readonly seq: number};

/** Records per page; fewer if their texts are long. A page is read in about ten milliseconds. */
const pageSize = 128;

/** The records after `from` up to `to`, in pages: as entries, or as the rows of a storage. */
export async function * readPages<Entry extends Numbered>(
	journal: {read(from: number, count: number): Promise<Entry[]>}, from: number, to: number, signal?: AbortSignal,
): AsyncGenerator<Entry[]> {
	for (let last = from; last < to;) {
		const page = await withSignal(journal.read(last + 1, Math.min(pageSize, to - last)), signal);
		const entries = page.filter(({seq}) => seq <= to);
		if (entries.length > 0) {
			yield entries;
		}

		// An empty page is the end of a journal that is shorter than it said.
		last = page.at(-1)?.seq ?? to;
	}
}

/** How many records a long read takes between two reports of its progress: a few reports a second. */
const reportEvery = 5000;

/** The same journal, which reports how many records were read, every 5,000. */
export const withProgress = (journal: PastJournal, report: (records: number) => void): PastJournal => {
	let reported = 0;
	return {
		get records() {
			return journal.records;
		},
		async read(from, count) {
			const page = await journal.read(from, count);
			const last = page.at(-1)?.seq ?? 0;
			if (last >= reported + reportEvery) {
				reported = last;
				report(last);
			}

			return page;
		},
	};
};

/** The held texts, in pages, oldest first. */
export async function * readHeld<Entry extends Numbered>(
	journal: {held(after: number, count: number): Promise<Entry[]>},
): AsyncGenerator<Entry[]> {
	for (let page = await journal.held(0, pageSize); page.length > 0; page = await journal.held(page.at(-1)!.seq, pageSize)) {
		yield page;
	}
}

/** The held texts that stay held, in pages: some may be empty. @param settled The record numbers of the others */
export async function * readStillHeld<Entry extends Numbered>(
	journal: {held(after: number, count: number): Promise<Entry[]>}, settled: readonly number[],
): AsyncGenerator<Entry[]> {
	const gone = new Set(settled);
	for await (const page of readHeld(journal)) {
		yield page.filter(({seq}) => !gone.has(seq));
	}
}

/** All records and all held texts, in pages. A held text also has a record until that is compacted. */
export async function * readAll<Entry extends Numbered>(
	journal: {read(from: number, count: number): Promise<Entry[]>; held(after: number, count: number): Promise<Entry[]>},
): AsyncGenerator<Entry[]> {
	yield * readPages(journal, 0, Infinity);
	yield * readHeld(journal);
}

/** Records, newest first. @param range The records after `after` up to `upTo`; all by default. */
export async function * readBackwards(
	journal: PastJournal, signal?: AbortSignal, {after = 0, upTo = journal.records}: {after?: number; upTo?: number} = {},
): AsyncGenerator<JournalEntry> {
	for (let to = upTo; to > after;) {
		let page: JournalEntry[] = [];
		// A page of long texts ends before `to`: read up to `to`, and yield the newest page first.
		for (let from = Math.max(after + 1, to - pageSize + 1); from <= to; from = page.at(-1)!.seq + 1) {
			const found = await withSignal(journal.read(from, to - from + 1), signal);
			if (found.length === 0) {
				break;
			}

			page = found;
		}

		// Compacted records have fewer rows than numbers: a page may then reach past `to`.
		yield * page.filter(({seq}) => seq <= to).toReversed();
		to = Math.min(to - 1, page[0] ? firstOf(page[0]) - 1 : 0);
	}
}

const firstOf = ({seq, record}: JournalEntry): number => record.kind === 'snapshot' ? record.first : seq;

/** A journal as it was when it was opened, for reading only. */
export type JournalView = PastJournal & Pick<Journal, 'validation' | 'decisions' | 'held'> & {
	/** A copy: writing into it changes no state that is read. */
	readonly genesis: Genesis;
	/** How many of the oldest records were compacted to snapshots. */
	readonly compacted: number;
	/** The newest validation in short; null without one. */
	readonly validated: ValidationFacts | null;
	/** Digests of its records; never written. */
	readonly digests?: DigestStore;
	/** The state after the newest record. The caller owns its rows. */
	readonly current: StateTensor;
	/** The checkpoint after the newest record; null when no record has one. */
	readonly checkpoint: Checkpoint | null;
	/** The number of held texts. */
	countHeld(): number | Promise<number>;
	/** The records from a number onwards, in order, each verified. Compacted records come as snapshots. */
	replay(options?: {from?: number}): AsyncGenerator<JournalEntry>;
	close(): void | Promise<void>;
};
