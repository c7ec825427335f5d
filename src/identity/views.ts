/**
 * The views of a process: plain values that the selectors make from one snapshot, frozen because many readers share one
 * value. Answers to questions have the types of their schemas.
 */
import type {Health, Metrics} from '../generated/types.ts';
import type {Lens, ScaleWord} from '../instruments/scaled-profile.ts';
import type {Dimension} from '../kernel/dimensions.ts';
import type {CycleResult} from '../actors/cycle.ts';
import type {Translation} from '../actors/translation.ts';

export type {FleetRow, FleetWatch, FleetStanding} from '../instruments/fleet.ts';
export type {CycleResult, Lens, ScaleWord, Translation};
export type {
	DaemonStatus as DaemonView, DryRunResponse as DryRunView, ForgetRequest, ForgetResponse as ForgetView, PastRevision,
	Profile as ProfileView, RevisionRequest,
	RevisionResponse as RevisionView, Revisions as RevisionsView, ScaledDirection, ScaledProfile as ScaledProfileView,
	State as StateView, ValidateResponse as ValidationView, Vigilance as VigilanceView, WhatIfRequest, WhatIfResponse as WhatIfView,
} from '../generated/types.ts';

/** Floats of each row in the view of a state. */
export const shownFloats = 10;

/** The uptime, the newest state's id, and the embedding model. */
export type HealthView = Omit<Health, 'status' | 'version'>;

/** The whole published state. */
export type TensorView = {
	readonly stateId: number;
	readonly timestamp: string;
	/** The rows: 1024 floats each, of unit length. A copy, which the caller may change. */
	readonly dimensions: Readonly<Record<Dimension, Float32Array>>;
};

/** Counts since the start or the last reset, and of the last hour. */
export type MetricsView = Omit<Metrics, 'alerts'> & {readonly alerts: {readonly critical: number; readonly warning: number}};

/** The result of a cycle, with the id that its events and its record carry. */
export type CycleAnswer = CycleResult & {
	readonly id: string;
	/**
	 * Only set if the request was repeated under its id: this is the answer to the first request. If it comes from the
	 * journal, its processing time is 0.
	 */
	readonly isReplayed?: true;
};

/** A text that is to move the state. */
export type CycleRequest = {
	/** Not blank. */
	content: string;
	/** What caused the cycle: any string. @default 'user' */
	trigger?: string;
	/**
	 * Who says the text, at most 200 characters: always the same name for the same person, `self` for the agent's own texts.
	 * Kept as `metadata.source`, which takes precedence if it is given too.
	 * @default the trigger
	 */
	source?: string | undefined;
	/** The text's conversation, at most 200 characters. Kept as `metadata.conversation`, which takes precedence if it is given too. */
	conversation?: string | undefined;
	metadata?: Record<string, unknown>;
	/**
	 * The cycle's id, 1 to 255 visible ASCII characters. It makes the request safe to repeat, even after a restart: the
	 * text moves the state once, and every repetition gets the first answer. A failed request may be sent again under its
	 * id. An id is known until its record is compacted; without a journal, while it is among the newest 1,000.
	 * @default a new, unique id
	 */
	id?: string;
};

/** A text from the past that is to move the state now. */
export type ImportRequest = CycleRequest & {
	/** When the text was said; ISO 8601. Conversations, history and drift use this time; the resulting state has the present time. */
	saidAt: string;
};

/** Whether the process can take on work, part by part. */
export type ReadinessView = {
	readonly ready: boolean;
	/** Whether it may become ready without help: it is booting, or its journal cannot be written at present. */
	readonly isTemporary: boolean;
	/** For each part `ok`, or what is wrong with it. A process works without its store, so a missing one is only reported. */
	readonly parts: Readonly<Record<'model' | 'state' | 'journal' | 'store', string>>;
	/** The languages that the embedding model was trained for, as BCP 47 tags; absent if unknown. */
	readonly languages?: readonly string[];
	/**
	 * Set if more than a tenth of the last 100 texts are in other languages. After a start, the first question starts to
	 * read the journal, and later ones have the note.
	 */
	readonly note?: string;
};
