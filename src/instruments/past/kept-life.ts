/**
 * The history since a validation, followed up to a record and kept beside the digests: a watch and a drift continue from there, and
 * read the records behind it alone. It is derived as they are. Conversations that are open there have their texts' vectors.
 */
import type {Revision} from '../../journal/revision.ts';
import type {Validation} from '../../journal/validation.ts';
import type {StateTensor} from '../../kernel/state-tensor.ts';
import {talkOf} from '../drift/ordinary.ts';
import type {Followed} from '../following.ts';
import {readingOver} from '../revised-records.ts';
import type {DigestedJournal} from './digested.ts';
import type {Place} from './find-moment.ts';
import type {Job} from './job.ts';
import type {FoundStretch} from './stretches.ts';

/** What is followed changes its form with this number: what another version kept is not read. */
const form = 4;

/** What a kept life is of. A revision makes it another one. */
type KeptBasis = {
	readonly form: number;
	/** The numbers of the validation's record, and of the newest revision's; 0 for none. */
	readonly validation: number;
	readonly revision: number;
};

/** A life up to the record `seq`. */
export type KeptLife = KeptBasis & {readonly seq: number; readonly id: string; readonly followed: Followed};

/** A life is kept again after as many records: a question reads fewer, and those that have no digest yet. */
export const keptEvery = 1000;

/** @param revisions that are known, oldest first */
export const basisOf = ({seq}: Pick<Validation, 'seq'>, revisions: readonly Pick<Revision, 'seq'>[]): KeptBasis =>
	({form, validation: seq, revision: revisions.at(-1)?.seq ?? 0});

/** @returns null where none is kept from which the journal's records up to one continue */
export const readKeptLife = async (journal: DigestedJournal, basis: KeptBasis, to: number): Promise<KeptLife | null> => {
	const kept = await journal.digests?.kept() as KeptLife | null | undefined;
	if (kept?.form !== basis.form || kept.validation !== basis.validation || kept.revision !== basis.revision || kept.seq > to) {
		return null;
	}

	const [entry] = await journal.read(kept.seq, 1);
	return entry?.seq === kept.seq && entry.record.id === kept.id ? kept : null;
};

/** What a drift since a validation continues from, and the stretch behind it; null where its own stretch is to be read. */
export const goOn = async (
	journal: DigestedJournal, {seq}: Pick<Validation, 'seq'>, found: FoundStretch,
): Promise<{readonly followed: Followed; readonly stretch: FoundStretch} | null> => {
	const kept = await readKeptLife(journal, basisOf({seq}, found.revisions), found.to.seq);
	const [first] = kept ? await journal.read(seq + 1, 1) : [];
	// A drift begins behind what was compacted.
	return kept && first!.record.kind !== 'snapshot'
		? {followed: kept.followed, stretch: {...found, from: {...found.from, seq: kept.seq}}}
		: null;
};

/** Where the life since a validation begins. */
export const anchorOf = ({seq, stateId, anchor: {timestamp, thirdness}}: Validation, initial: StateTensor): Place =>
	({seq, state: initial.withThirdness(stateId, timestamp, thirdness), cumulativeDrift: 0});

/** What a watch is asked with: the records behind the kept life up to one, else those behind the validation. */
export const watchJobOf = (
	validation: Validation, kept: KeptLife | null, revisions: readonly Revision[], to: number,
	{authority, initial, reference}: Pick<Job, 'authority' | 'initial' | 'reference'>, asksStrangers = false,
): Job<'watch'> => {
	const from = {seq: kept?.seq ?? validation.seq, state: initial, cumulativeDrift: 0};
	return {
		name: 'watch', question: {validation: talkOf(validation), goesOn: kept && kept.followed, asksStrangers}, authority, initial,
		reference, from,
		reading: readingOver(revisions, from.seq, to),
	};
};
