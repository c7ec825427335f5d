/** A validation: the anchor, the texts before it, and what it found about chance. */

import type {ValidateResponse} from '../generated/types.ts';

/** A text as a baseline keeps it, and as drift takes it. */
export type BaselineText = {
	/** Its cycle's. */
	readonly id: string;
	/** Who said it: its metadata's `source`, else its trigger. */
	readonly source: string;
	/** Milliseconds since 1970. */
	readonly time: number;
	/** Its metadata's `conversation`; null for a text without one. */
	readonly conversation: string | null;
	/** Whether the identity said it itself. */
	readonly isOwn: boolean;
	/** Whether the model read it badly: cut off, in pieces, or too short. */
	readonly isUnread: boolean;
	/** The text's embedding, 1024 floats. */
	readonly vector: Float32Array;
};

/** How long the conversation of a text is, in the mean of all texts, and how alike two texts of one are, 0 to 1. */
export type OrdinaryClusters = {readonly length: number; readonly likeness: number};

/** How far chance leads a history of ordinary talk: measured once, when it is validated. */
export type PathChance = {
	/** The median of the twins' distances, at each look. */
	readonly medians: readonly number[];
	/** Of each twin the largest distance of all looks, in medians; ascending. */
	readonly largest: readonly number[];
	/** The conversations that are drawn from. Absent where an older version found it. */
	readonly clusters?: OrdinaryClusters;
	/** Of the conversation chart, in the order of its spans. */
	readonly limits: readonly number[];
};

/** What a validation found about chance. */
export type Chance = {
	/** It seeds all that is drawn. */
	readonly seed: number;
	/** Up to how many texts p holds. */
	readonly horizon: number;
	/** w: how much of a moving mean the newest text is, so that it forgets as the state does. */
	readonly weight: number;
	/** Whether conversations' ids count: false where they divide no conversations. */
	readonly usesIds: boolean;
	/**
	 * What is dealt and drawn: whole conversations, or, where these are too few, what they are cut into. Absent where an older
	 * version found it, which cut all.
	 */
	readonly units?: 'whole' | 'cut';
	/** Whether neighbouring conversations continue each other: their correlation, and how likely chance makes it as large. */
	readonly alike: {readonly r: number; readonly p: number};
	/** How likely chance makes the two halves of the baseline as different; null with too few conversations. */
	readonly stationaryP: number | null;
	readonly heard: PathChance;
	/** Null where the identity said too little. */
	readonly said: PathChance | null;
};

/** What a validation says in short. Its note is stored as it is, whatever else is hashed. */
export type ValidationFacts = ValidateResponse;

/** The present state, approved as the reference for drift: the anchor, and the texts before it. It changes neither state nor checkpoint. */
export type ValidationRecord = ValidationFacts & {
	kind: 'validation';
	/** The anchor's time and thirdness, 1024 floats. The other rows are those of the initial state. */
	anchor: {timestamp: string; thirdness: Float32Array};
	/** The baseline, oldest first. */
	texts: readonly BaselineText[];
	/** Null where an older version made it: chance is found again from its texts. */
	chance: Chance | null;
};

/** A validation among the records: its facts alone. The newest one is kept whole beside them ({@link Journal.validation}). */
export type StoredValidation = ValidationFacts & {kind: 'validation'};

/** What has been noticed of the history since a validation, and is no news. */
export type Noticed = {
	/** Pauses that ended conversations before that moment, in milliseconds since the epoch. */
	readonly endsBefore: number;
	/** Sources of a drift, with their p. */
	readonly sources: ReadonlyArray<{readonly source: string; readonly p: number}>;
};

/** The newest validation as a whole, and its number in the journal's order. */
export type Validation = ValidationRecord & {seq: number};

/** A validation in short: as a record, an event and an answer say it. */
export const factsOf = ({id, timestamp, note, stateId, baseline}: ValidationFacts): ValidationFacts =>
	({id, timestamp, note, stateId, baseline});
