/** What a revision says, as a row of its table, and back. Compaction takes its record; what it says stays. */
import type {Revision, RevisionFacts} from './revision.ts';
import type {Field} from './checksum.ts';
import {toExactJson} from './json.ts';

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
