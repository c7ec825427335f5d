/** Decisions about texts: which are excluded or held, and who decided it. */

/** Selects texts by what they have in common; each list adds texts. */
export type TextChoice = {
	readonly sources?: readonly string[];
	readonly conversations?: readonly string[];
	readonly triggers?: readonly string[];
	/** Ids of cycles. */
	readonly ids?: readonly string[];
};

/** Whose further texts are held back. */
export type Holds = Pick<TextChoice, 'sources' | 'conversations'>;

/** What weighs nothing: the chosen texts among the records `from` to `to`; all of these records if `texts` is null. */
export type Exclusion = {readonly from: number; readonly to: number; readonly texts: TextChoice | null};

/** The facts of every decision. */
export type DecisionFacts = {
	readonly id: string;
	/** ISO 8601, UTC. */
	readonly timestamp: string;
	/** Why it was made. Never hashed. */
	readonly note: string;
	/** Who made it, as given by the caller; null if not given. */
	readonly by: string | null;
	/** Ids of the states before and after it, and the angle between them in milliradians. */
	readonly stateIdBefore: number;
	readonly stateId: number;
	readonly turnMrad: number;
};

/** When a decision was made, why and by whom. */
export type DecidedBy = Pick<DecisionFacts, 'timestamp' | 'note' | 'by'>;

/** The facts of a revision: which texts weigh nothing from then on, who decided it, and its effect. */
export type RevisionFacts = DecisionFacts & {
	/** Absent in revisions of older versions, like `holds`. */
	readonly kind?: 'revision';
	/** Whose further texts are held back from then on; null for none. */
	readonly holds?: Holds | null;
	/** The texts to leave out; null if the revision restored the state of an earlier moment. */
	readonly without: TextChoice | null;
	/** That moment's state; else null. */
	readonly at: {readonly stateId: number; readonly timestamp: string} | null;
	/** All exclusions in force from then on, for the records before it. */
	readonly exclusions: readonly Exclusion[];
	/** How many texts they exclude, counted since the beginning or the last reset. */
	readonly excluded: number;
	/** The number of the first record from which the revised history differs from the recorded one. */
	readonly differsFrom: number;
	/** The decision that excluded texts, and the one that holds others, if it is an earlier one. */
	readonly excludedBy?: DecidedBy;
	readonly heldBy?: DecidedBy;
	/** How many texts were forgotten, and the SHA-256 over their tombstones; absent if none were. */
	readonly forgotten?: {readonly texts: number; readonly digest: string};
};

/** The facts of a release or a drop of held texts. */
export type SettlementFacts = DecisionFacts & {readonly kind: 'release' | 'drop'; /** The texts. */ readonly ids: readonly string[]};

/** The events that report a settlement. */
export const settledEvents = {release: 'held.released', drop: 'held.dropped'} as const;

/** The facts of a revision, and the number of its record. */
export type Revision = RevisionFacts & {readonly seq: number};

/** Any decision about texts, and the number of its record. */
export type TextsDecision = Revision | SettlementFacts & {readonly seq: number};

/** Whether it is a revision, and not a settlement of held texts. */
export const isRevision = (decision: TextsDecision): decision is Revision => decision.kind === undefined || decision.kind === 'revision';
