/**
 * The life since a validation as a watch has followed it up to a record, kept beside the digests: a start goes on from there, and
 * reads the records behind it alone. It is derived as they are. Conversations that are open there have their texts' vectors.
 */
import type {Revision} from '../../journal/revision.ts';
import type {Validation} from '../../journal/validation.ts';
import {readingOver} from '../revised-records.ts';
import type {FollowedLife} from '../run-watch.ts';
import type {DigestedJournal} from './digested.ts';
import type {Job} from './job.ts';

/** What a kept life is of. A revision makes it another one. */
export type KeptBasis = {
	/** The numbers of the validation's record, and of the newest revision's; 0 for none. */
	readonly validation: number;
	readonly revision: number;
};

/** A life up to the record `seq`. */
export type KeptLife = KeptBasis & {readonly seq: number; readonly id: string; readonly start: FollowedLife};

/** A life is kept again after as many records: a start reads fewer. */
export const keptEvery = 4000;

/** @returns null where none is kept that goes on with the journal's records */
export const readKeptLife = async (journal: DigestedJournal, {validation, revision}: KeptBasis): Promise<KeptLife | null> => {
	const kept = await journal.digests?.kept() as KeptLife | null | undefined;
	if (kept?.validation !== validation || kept.revision !== revision || kept.seq > journal.records) {
		return null;
	}

	const [entry] = await journal.read(kept.seq, 1);
	return entry?.seq === kept.seq && entry.record.id === kept.id ? kept : null;
};

/** What a watch is asked with: the records behind the kept life up to one, else those behind the validation. */
export const watchJobOf = (
	{seq, texts, chance}: Validation, kept: KeptLife | null, revisions: readonly Revision[], to: number,
	{authority, initial, reference}: Pick<Job, 'authority' | 'initial' | 'reference'>,
): Job<'watch'> => {
	const from = {seq: kept?.seq ?? seq, state: initial, cumulativeDrift: 0};
	return {
		name: 'watch', question: {validation: {seq, texts, chance}, goesOn: kept && kept.start}, authority, initial, reference, from,
		reading: readingOver(revisions, from.seq, to),
	};
};
