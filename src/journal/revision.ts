/** What was decided of texts: which weigh nothing, which wait, and who decided it; and the row of its table, which compaction keeps. */
import {toExactJson, type Field} from './json.ts';

/** Texts by what they have in common; each list adds texts. */
export type TextChoice = {
	readonly sources?: readonly string[];
	readonly conversations?: readonly string[];
	readonly triggers?: readonly string[];
	/** Of cycles. */
	readonly ids?: readonly string[];
};

/** Whose further texts are held back. */
export type Holds = Pick<TextChoice, 'sources' | 'conversations'>;

/** What weighs nothing: of the records `from` to `to` the texts that are chosen; where `texts` is null, all records. */
export type Exclusion = {readonly from: number; readonly to: number; readonly texts: TextChoice | null};

/** What every decision says. */
export type DecisionFacts = {
	readonly id: string;
	/** ISO 8601, UTC. */
	readonly timestamp: string;
	/** Why it was made. It is stored as it is, whatever else is hashed. */
	readonly note: string;
	/** Who made it, as the caller says; null where nothing was said. */
	readonly by: string | null;
	/** Ids of the states before and after it, and the angle between them in milliradians. */
	readonly stateIdBefore: number;
	readonly stateId: number;
	readonly turnMrad: number;
};

/** When a decision was made, why and by whom. */
export type DecidedBy = Pick<DecisionFacts, 'timestamp' | 'note' | 'by'>;

/** What a revision says: which texts weigh nothing from then on, who decided it, and what it did. */
export type RevisionFacts = DecisionFacts & {
	/** Absent in one of an older version, as `holds` is. */
	readonly kind?: 'revision';
	/** Whose further texts are held back from then on; null for no one's. */
	readonly holds?: Holds | null;
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
	/** Which decision is the reason that texts weigh nothing, and which that others wait, where that is an earlier one. */
	readonly excludedBy?: DecidedBy;
	readonly heldBy?: DecidedBy;
	/** How many texts were forgotten, and the SHA-256 over their tombstones; absent where none were. */
	readonly forgotten?: {readonly texts: number; readonly digest: string};
};

/** What a release or a drop of held texts says. */
export type SettlementFacts = DecisionFacts & {readonly kind: 'release' | 'drop'; /** The texts. */ readonly ids: readonly string[]};

/** What tells of a settlement. */
export const settledEvents = {release: 'held.released', drop: 'held.dropped'} as const;

/** What a revision says, and the number of its record. */
export type Revision = RevisionFacts & {readonly seq: number};

/** Any decision about texts, and the number of its record. */
export type TextsDecision = Revision | SettlementFacts & {readonly seq: number};

/** Whether texts were left out or taken back, and not only held ones settled. */
export const isRevision = (decision: TextsDecision): decision is Revision => decision.kind === undefined || decision.kind === 'revision';

/** The number of a decision and its columns but `checksum`. */
export type RevisionRow = {
	seq: number;
	/** JSON: {@link RevisionFacts} or {@link SettlementFacts}. */
	facts: string;
};

/** What the checksum covers. */
export const revisionFields = ({seq, facts}: RevisionRow): Field[] => [seq, facts];

/** @throws {JournalError} when it could not be read back as it is. */
export const encodeDecision = (facts: RevisionFacts | SettlementFacts): string =>
	toExactJson({...facts, id: facts.id.toWellFormed()});

/** @throws {JournalError} when it could not be read back as it is. */
export const encodeNumbered = ({seq, ...facts}: TextsDecision): RevisionRow => ({seq, facts: encodeDecision(facts)});

export const decodeDecision = ({seq, facts}: RevisionRow): TextsDecision =>
	({...JSON.parse(facts) as RevisionFacts | SettlementFacts, seq});
