/**
 * The state of the monitor at a record, stored beside the digests. A watch and a question about drift resume from it, and read only
 * later records. Like a digest it is derived from the records. It has the vectors of the texts in open conversations.
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

/** The version of the stored form. Increase it with each change of `Followed`; other versions are not read. */
const form = 6;

/** What a kept monitor depends on: after another validation or revision it is not used. */
type KeptBasis = {
	readonly form: number;
	/** The record numbers of the validation, and of the newest revision or 0. */
	readonly validation: number;
	readonly revision: number;
};

/** A history followed up to the record `seq`, whose id is `id`. */
export type KeptMonitor = KeptBasis & {readonly seq: number; readonly id: string; readonly followed: Followed};

/** The number of records after which the monitor is stored again. A question reads fewer than these, and those without a digest. */
export const keptEvery = 1000;

/** @param revisions The known revisions, oldest first. */
export const basisOf = ({seq}: Pick<Validation, 'seq'>, revisions: readonly Pick<Revision, 'seq'>[]): KeptBasis =>
	({form, validation: seq, revision: revisions.at(-1)?.seq ?? 0});

/** @returns null if none is kept, or it does not fit this basis and the journal's records up to `to` */
export const readKeptMonitor = async (journal: DigestedJournal, basis: KeptBasis, to: number): Promise<KeptMonitor | null> => {
	const kept = await journal.digests?.kept() as KeptMonitor | null | undefined;
	if (kept?.form !== basis.form || kept.validation !== basis.validation || kept.revision !== basis.revision || kept.seq > to) {
		return null;
	}

	const [entry] = await journal.read(kept.seq, 1);
	return entry?.seq === kept.seq && entry.record.id === kept.id ? kept : null;
};

/** The state from which a drift since a validation resumes, and the stretch that is left; null if all of it must be read. */
export const resumeDrift = async (
	journal: DigestedJournal, {seq}: Pick<Validation, 'seq'>, found: FoundStretch,
): Promise<{readonly followed: Followed; readonly stretch: FoundStretch} | null> => {
	const kept = await readKeptMonitor(journal, basisOf({seq}, found.revisions), found.to.seq);
	const [first] = kept ? await journal.read(seq + 1, 1) : [];
	// If records after the validation were compacted, the drift is measured from there, so the kept monitor does not fit.
	return kept && first!.record.kind !== 'snapshot'
		? {followed: kept.followed, stretch: {...found, from: {...found.from, seq: kept.seq}}}
		: null;
};

/** The place where the history since a validation begins. */
export const anchorOf = ({seq, stateId, anchor: {timestamp, thirdness}}: Validation, initial: StateTensor): Place =>
	({seq, state: initial.withThirdness(stateId, timestamp, thirdness), cumulativeDrift: 0});

/** The job of a watch: it reads the records after the kept monitor, or else after the validation, up to `to`. */
export const watchJobOf = (
	validation: Validation, kept: KeptMonitor | null, revisions: readonly Revision[], to: number,
	{authority, initial, reference}: Pick<Job, 'authority' | 'initial' | 'reference'>, asksStrangers = false,
): Job<'watch'> => {
	const from = {seq: kept?.seq ?? validation.seq, state: initial, cumulativeDrift: 0};
	return {
		name: 'watch', question: {ordinary: talkOf(validation), resumed: kept && kept.followed, asksStrangers}, authority, initial,
		reference, from,
		reading: readingOver(revisions, from.seq, to),
	};
};
