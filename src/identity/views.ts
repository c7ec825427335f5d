/**
 * What a reader sees of the process: plain values, made by the selectors from one snapshot, and frozen, because one
 * value is handed to many readers. Answers to questions have the types of their schemas.
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

/** How many floats of each row the view of a state has. */
export const shownFloats = 10;

/** That it is alive, and with what. */
export type HealthView = Omit<Health, 'status' | 'version'>;

/** The published state as a whole. */
export type TensorView = {
	readonly stateId: number;
	readonly timestamp: string;
	/** The rows, 1024 floats of unit length each: a copy, which the caller owns. */
	readonly dimensions: Readonly<Record<Dimension, Float32Array>>;
};

/** What has happened since the start. */
export type MetricsView = Omit<Metrics, 'alerts'> & {readonly alerts: {readonly critical: number; readonly warning: number}};

/** The outcome of a cycle, with the id that its events and its record have. */
export type CycleAnswer = CycleResult & {
	readonly id: string;
	/**
	 * Only where the request was repeated under its id: this is the first one's answer. Found in the journal, it has a
	 * processing time of 0.
	 */
	readonly isReplayed?: true;
};

/** A text that is to move the state. */
export type CycleRequest = {
	/** Not blank. */
	content: string;
	/** Any string; `user` by default. */
	trigger?: string;
	/**
	 * Who says it, at most 200 characters: always the same name for the same person, and `self` for the agent's own.
	 * Kept as `metadata.source`, which wins where it is given too.
	 * @default the trigger stands for it
	 */
	source?: string | undefined;
	/** The conversation that it belongs to, at most 200 characters. Kept as `metadata.conversation`, which wins where it is given too. */
	conversation?: string | undefined;
	metadata?: Record<string, unknown>;
	/**
	 * The cycle's id, 1 to 255 visible ASCII characters. It makes the request safe to repeat, also after a restart: the
	 * text moves the state once, and every repetition has the first one's answer. A request that failed may be sent
	 * again under its id. An id is known while its record is not compacted; without a journal, among the newest 1,000.
	 * @default an id that nothing else has
	 */
	id?: string;
};

/** A text that was said before, and moves the state now. */
export type ImportRequest = CycleRequest & {
	/** When it was said; ISO 8601. Conversations, history and drift have it at this time; the state that it makes has the present one. */
	saidAt: string;
};

/** Whether the process can take on work, part by part. */
export type ReadinessView = {
	readonly ready: boolean;
	/** Whether it can become ready by itself: it boots, or its journal cannot be written now. */
	readonly isTemporary: boolean;
	/** Part → `ok`, or why it is not. A process works without its store, so a missing one is only reported. */
	readonly parts: Readonly<Record<'model' | 'state' | 'journal' | 'store', string>>;
	/** The languages that the embedding model was trained for, as BCP 47 tags; absent where they are not known. */
	readonly languages?: readonly string[];
	/**
	 * That more than a tenth of the last 100 texts are in other languages; absent where that is not so. After a start,
	 * the first question begins to look.
	 */
	readonly note?: string;
};
