/** What a revision says: which texts weigh nothing, and who decided it; and the row of its table, which compaction keeps. */
import {toExactJson, type Field} from './checksum.ts';

/** Texts by what they have in common; each list adds texts. */
export type TextChoice = {
	readonly sources?: readonly string[];
	readonly conversations?: readonly string[];
	readonly triggers?: readonly string[];
	/** Of cycles. */
	readonly ids?: readonly string[];
};

/** What weighs nothing: of the records `from` to `to` the texts that are chosen; where `texts` is null, all records. */
export type Exclusion = {readonly from: number; readonly to: number; readonly texts: TextChoice | null};

/** What a revision says: which texts weigh nothing from then on, who decided it, and what it did. */
export type RevisionFacts = {
	readonly id: string;
	/** ISO 8601, UTC. */
	readonly timestamp: string;
	/** Why it was made. It is stored as it is, whatever else is hashed. */
	readonly note: string;
	/** Who made it, as the caller says; null where nothing was said. */
	readonly by: string | null;
	/** The texts that were to be left out; null where the state of a moment was to be present again. */
	readonly without: TextChoice | null;
	/** That moment's state; else null. */
	readonly at: {readonly stateId: number; readonly timestamp: string} | null;
	/** All that weighs nothing from then on, of the records before it. */
	readonly exclusions: readonly Exclusion[];
	/** How many texts that is, since the beginning or the last reset. */
	readonly excluded: number;
	/** The number of the first record from which the history that it makes differs from what the records before it say. */
	readonly differsFrom: number;
	/** Ids of the states before and after it, and the angle between them in milliradians. */
	readonly stateIdBefore: number;
	readonly stateId: number;
	readonly turnMrad: number;
};

/** What a revision says, and the number of its record. */
export type Revision = RevisionFacts & {readonly seq: number};

/** A revision's number and its columns but `checksum`. */
export type RevisionRow = {
	seq: number;
	/** JSON: a {@link RevisionFacts}. */
	facts: string;
};

/** What the checksum covers. */
export const revisionFields = ({seq, facts}: RevisionRow): Field[] => [seq, facts];

/** @throws {JournalError} when the revision could not be read back as it is. */
export const encodeRevision = (facts: RevisionFacts): string => toExactJson({...facts, id: facts.id.toWellFormed()});

export const decodeRevision = ({seq, facts}: RevisionRow): Revision => ({...JSON.parse(facts) as RevisionFacts, seq});
