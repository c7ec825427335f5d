/** Selects the digests that replace the records of a stretch. Short stretches are read. */
import type {DigestStore, StoredDigest} from '../../journal/digest-store.ts';
import type {PastJournal} from '../../journal/read-pages.ts';
import {decodeDigest, digestForm, digestLength, headOf, type DigestHead} from '../digest.ts';
import {lastTextOf} from '../drift/paths.ts';
import {mayHave} from '../text-choice.ts';
import type {WhatIfQuestion} from '../what-if.ts';

/** A journal that may keep digests of its records. */
export type DigestedJournal = PastJournal & {readonly digests?: DigestStore | undefined};

/** One or more digests without a gap, of the journal's present records from `first` to `last`. */
export type Digested = {
	readonly digests: readonly StoredDigest[]; readonly first: number; readonly last: number;
	/** Whether their texts are replayed, with the vectors of the records. */
	readonly isReplayed: boolean;
};

/** Fewer digests save little, and the answers from records are exact. */
const leastDigests = 8;

const toDigested = (digests: readonly StoredDigest[]): Digested | null => digests.length === 0
	? null
	: {digests, first: headOf(digests[0]!).first, last: headOf(digests.at(-1)!).last, isReplayed: false};

/** Whether the newest digest fits the journal. If not, all are cleared: each record depends on all earlier ones. */
const isOurs = async (journal: DigestedJournal, newest: StoredDigest): Promise<boolean> => {
	const {form, last, id} = headOf(newest);
	const [entry] = form !== digestForm || last > journal.records ? [] : await journal.read(last, 1);
	const isSame = entry?.seq === last && entry.record.id === id;
	await (isSame ? undefined : journal.digests!.clear());
	return isSame;
};

/** The newest digest, if it fits the journal; else null. */
export const readNewest = async (journal: DigestedJournal): Promise<StoredDigest | null> => {
	const newest = await journal.digests?.newest();
	return newest && await isOurs(journal, newest) ? newest : null;
};

/** All digests that fit the journal; null for none. @param wants Selects those whose bodies are read; of others, only the heads. */
export const readDigests = async (journal: DigestedJournal, wants?: (head: DigestHead) => boolean): Promise<Digested | null> => {
	const stored = await journal.digests?.read(wants as ((head: unknown) => boolean) | undefined) ?? [];
	const newest = stored.at(-1);
	return newest && await isOurs(journal, newest) ? toDigested(stored.slice(await countCompacted(journal, stored))) : null;
};

/** Counts the digests with compacted records, by bisection: compaction takes the oldest records first. */
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
 * The digests that replace records of a stretch, without a gap; none if they save little.
 *
 * @param from The last record before the stretch.
 * @param fresh The number of newest records that are read in any case.
 */
export const digestedBetween = async (journal: DigestedJournal, from: number, to: number, fresh: number): Promise<Digested[]> => {
	const usable = await digestsIn(journal, from, to - fresh);
	return usable.length < leastDigests ? [] : [toDigested(usable)!];
};

const digestsIn = async (journal: DigestedJournal, from: number, to: number): Promise<readonly StoredDigest[]> => {
	const {digests = []} = to - from < digestLength ? {} : await readDigests(journal) ?? {};
	return digests.filter(digest => headOf(digest).first > from && headOf(digest).last <= to);
};

/**
 * The digests that replace records of a what-if. Up to the first text that may be left out, both selves are the same, and digests are
 * taken as they are. From there to the next reset, and wherever p needs the texts, they are replayed. If a text may be left out by
 * more than its source, its records are read.
 *
 * @param from The last record before the stretch.
 */
export const digestedForWhatIf = async (
	journal: DigestedJournal, from: number, to: number, {without, ordinary}: Pick<WhatIfQuestion, 'without' | 'ordinary'>,
): Promise<Digested[]> => {
	const {sources = [], ...others} = without;
	const [isOfSource, isNamed] = [mayHave({sources}), mayHave(others)];
	const validated = ordinary?.seq ?? Infinity;
	const needed = ordinary?.chance ? lastTextOf(ordinary.chance.heard) : Infinity;
	/** The number of texts that p has taken so far. */
	let heard = 0;
	let isOther = false;
	const runs: Array<{isReplayed: boolean; digests: StoredDigest[]}> = [];
	let last = from;
	for (const stored of await digestsIn(journal, from, to)) {
		const digest = decodeDigest(stored);
		const names = {...digest, ids: new Set(digest.columns.idHash)};
		const [isRead, isChosen] = [isNamed(names), isNamed(names) || isOfSource(names)];
		const isValidated = digest.first <= validated && validated <= digest.last;
		const isHeard = digest.first > validated && heard < needed;
		if (digest.isPlain && !isRead && (isOther || !isChosen) && !isValidated) {
			const isReplayed = isOther || isHeard;
			const run = runs.at(-1);
			if (run?.isReplayed === isReplayed && last + 1 === digest.first) {
				run.digests.push(stored);
			} else {
				runs.push({isReplayed, digests: [stored]});
			}

			last = digest.last;
		}

		isOther = isChosen || isOther && digest.begins === null;
		heard = digest.isPlain ? heard + (digest.first > validated ? digest.cycles : 0) : 0;
	}

	return runs.map(({isReplayed, digests}) => ({...toDigested(digests)!, isReplayed}));
};
