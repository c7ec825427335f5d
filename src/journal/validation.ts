/** A validation: the anchor, the texts before it, and what it found about chance. */

import type {ValidateResponse} from '../generated/types.ts';

/** A text as a baseline stores it and as drift reads it. */
export type BaselineText = {
	/** The id of its cycle. */
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

/** The length of a text's conversation, averaged over all texts, and how alike two texts of one conversation are, 0 to 1. */
export type OrdinaryClusters = {readonly length: number; readonly likeness: number};

/** How far chance leads a state that hears only ordinary talk; computed once, at the validation. */
export type PathChance = {
	/** The median of the twins' distances, at each look. */
	readonly medians: readonly number[];
	/** Each twin's largest distance over all looks, in medians; ascending. */
	readonly largest: readonly number[];
	/** The conversations that twins are drawn from. Absent in validations of older versions. */
	readonly clusters?: OrdinaryClusters;
	/** The limits of the conversation chart, in the order of its spans. */
	readonly limits: readonly number[];
};

/** What a validation found about chance. */
export type Chance = {
	/** Seeds all random draws. */
	readonly seed: number;
	/** The number of texts after the validation for which p holds. */
	readonly horizon: number;
	/** w: the weight of the newest text in a moving mean, chosen so that the mean forgets as the state does. */
	readonly weight: number;
	/** Whether conversations' ids count; false if they divide no conversations. */
	readonly usesIds: boolean;
	/**
	 * The unit of random draws: whole conversations, or pieces of them if there are too few. Absent in validations of older
	 * versions, which cut all.
	 */
	readonly units?: 'whole' | 'cut';
	/** Whether neighbouring conversations continue each other: their correlation, and how likely chance makes it this large. */
	readonly alike: {readonly r: number; readonly p: number};
	/** How likely chance makes the two halves of the baseline this different; null with too few conversations. */
	readonly stationaryP: number | null;
	readonly heard: PathChance;
	/** Null if the identity said too little. */
	readonly said: PathChance | null;
};

/** A validation in short. Its note is never hashed. */
export type ValidationFacts = ValidateResponse;

/** The present state, approved as the reference for drift: the anchor, and the texts before it. It changes neither state nor checkpoint. */
export type ValidationRecord = ValidationFacts & {
	kind: 'validation';
	/** The anchor's time and thirdness, 1024 floats. The other rows are those of the initial state. */
	anchor: {timestamp: string; thirdness: Float32Array};
	/** The baseline, oldest first. */
	texts: readonly BaselineText[];
	/** Null if an older version made it: chance is then computed again from its texts. */
	chance: Chance | null;
};

/** A validation among the records: only its facts. The newest one is also stored whole ({@link Journal.validation}). */
export type StoredValidation = ValidationFacts & {kind: 'validation'};

/** What has already been reported of the history since a validation. */
export type Noticed = {
	/** Conversations that a pause ended before this time are reported; in milliseconds since 1970. */
	readonly endsBefore: number;
	/** Sources of a drift, with their p. */
	readonly sources: ReadonlyArray<{readonly source: string; readonly p: number}>;
};

/** The newest validation as a whole, and its number in the journal's order. */
export type Validation = ValidationRecord & {seq: number};

/** A validation in short, as in a record, an event or an answer. */
export const factsOf = ({id, timestamp, note, stateId, baseline}: ValidationFacts): ValidationFacts =>
	({id, timestamp, note, stateId, baseline});
