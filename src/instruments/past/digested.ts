/** Which digests stand for the records of a stretch. They are used for long stretches alone: what is shorter is read, and kept. */
import type {DigestStore, StoredDigest} from '../../journal/digest-store.ts';
import type {PastJournal} from '../../journal/read-pages.ts';
import {headOf} from '../digest.ts';

/** A journal that may keep digests of its records. */
export type DigestedJournal = PastJournal & {readonly digests?: DigestStore | undefined};

/** Digests without a gap, one at least; they are whole records of the journal, as it has them. */
export type Digested = {readonly digests: readonly StoredDigest[]; readonly first: number; readonly last: number};

/** Fewer digests save less than what is kept of the work on their records. */
const leastDigests = 8;

const toDigested = (digests: readonly StoredDigest[]): Digested | null => digests.length === 0
	? null
	: {digests, first: headOf(digests[0]!).first, last: headOf(digests.at(-1)!).last};

/** Whether the newest digest is of what the journal has. Those of another history are forgotten: each record follows from all before it. */
const isOurs = async (journal: DigestedJournal, newest: StoredDigest): Promise<boolean> => {
	const {last, id} = headOf(newest);
	const [entry] = last > journal.records ? [] : await journal.read(last, 1);
	const isSame = entry?.seq === last && entry.record.id === id;
	await (isSame ? undefined : journal.digests!.clear());
	return isSame;
};

/** The newest digest of what the journal has; null for none. */
export const readNewest = async (journal: DigestedJournal): Promise<StoredDigest | null> => {
	const newest = await journal.digests?.newest();
	return newest && await isOurs(journal, newest) ? newest : null;
};

/** All digests of what the journal has; null for none. */
export const readDigests = async (journal: DigestedJournal): Promise<Digested | null> => {
	const stored = await journal.digests?.read() ?? [];
	const newest = stored.at(-1);
	return newest && await isOurs(journal, newest) ? toDigested(stored.slice(await countCompacted(journal, stored))) : null;
};

/** How many digests have compacted records. Compaction takes the oldest first. */
const countCompacted = async (journal: PastJournal, digests: readonly StoredDigest[]): Promise<number> => {
	let [whole, compacted] = [digests.length, 0];
	for (let place = 0; compacted < whole; place = (compacted + whole) >> 1) {
		const {first} = headOf(digests[place]!);
		const [entry] = await journal.read(first, 1);
		if (entry?.seq === first && entry.record.kind !== 'snapshot') {
			whole = place;
		} else {
			compacted = place + 1;
		}
	}

	return whole;
};

/**
 * The digests that stand for records of a stretch; null where they save little.
 *
 * @param from the record that the stretch begins behind
 * @param fresh how many of the newest records are read in any case
 */
export const digestedBetween = async (journal: DigestedJournal, from: number, to: number, fresh: number): Promise<Digested | null> => {
	if (to - from < fresh + leastDigests) {
		return null;
	}

	const {digests = []} = await readDigests(journal) ?? {};
	const usable = digests.filter(digest => headOf(digest).first > from && headOf(digest).last <= to - fresh);
	return usable.length < leastDigests ? null : toDigested(usable);
};
