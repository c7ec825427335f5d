/**
 * What a reader sees of the process: plain values, made by the selectors from one snapshot, and
 * frozen, because one value is handed to many readers.
 * The code uses camelCase; `http/routes/` gives them the names of the wire.
 */
import type {DeepReadonly} from '../deep-freeze.ts';
import type {Lens, ScaledDirection, ScaledProfile as ScaledProfileView} from '../instruments/scaled-profile.ts';
import type {Profile} from '../semiosis/profile.ts';
import type {Dimension} from '../tensor/dimensions.ts';
import type {CycleResult} from '../actors/cycle-events.ts';
import type {Translation} from '../actors/translation.ts';
import type {Counters, LastTrigger} from '../actors/trigger.ts';

export type {ScaleWord} from '../instruments/scale.ts';
export type {CycleResult, Lens, ScaledDirection, ScaledProfileView, Translation};

/** That it is alive, and with what. */
export type HealthView = {
	/** 0 until the process is ready. */
	readonly uptimeSeconds: number;
	/** −1 until there is a state. */
	readonly stateId: number;
	readonly embeddingModel: string;
};

/** The published state, in part. */
export type StateView = {
	readonly stateId: number;
	readonly timestamp: string;
	/** The first ten floats of each row. */
	readonly dimensions: Readonly<Record<Dimension, readonly number[]>>;
};

/** The published state as a whole. */
export type TensorView = {
	readonly stateId: number;
	readonly timestamp: string;
	/** The rows, 1024 floats of unit length each: a copy, which the caller owns. */
	readonly dimensions: Readonly<Record<Dimension, Float32Array>>;
};

/** How far the state is from the reference. */
export type VigilanceView = {
	readonly level: 'ok' | 'warning' | 'critical';
	readonly cumulativeDrift: number;
	/** The three that lie farthest from the reference, farthest first. */
	readonly topDriftingDimensions: readonly Dimension[];
	readonly message: string | null;
};

/** What has happened since the start. */
export type MetricsView = {
	readonly status: 'healthy' | 'warning' | 'critical';
	readonly uptimeHours: number;
	readonly totalCycles: number;
	readonly cyclesLastHour: number;
	/** Alerts of the last hour. */
	readonly alerts: {readonly critical: number; readonly warning: number};
};

/** The mode, the autonomous loop, and who spoke last. */
export type DaemonView = {
	readonly mode: 'idle' | 'conversation' | 'autonomous';
	readonly isRuminating: boolean;
	readonly daemonRunning: boolean;
	readonly lastTrigger: Readonly<Pick<LastTrigger, 'type' | 'timestamp'>> | null;
	readonly cyclesBreakdown: Counters;
	/** Despite its name, a total: the sum of all counters but the user's. Only a reset sets it back. */
	readonly cyclesSinceLastUser: number;
	/** Despite its name, the time since the last trigger of any kind. */
	readonly timeSinceLastUserSeconds: number | null;
};

/** State and reference, each projected on every direction. */
export type ProfileView = {
	readonly stateId: number;
	readonly directionsCount: number;
	readonly profile: DeepReadonly<Profile>;
	readonly referenceProfile: DeepReadonly<Profile>;
	/** Mean cosine of state and reference, rounded to 4 decimals. */
	readonly referenceSimilarity: number;
};

/** The outcome of a cycle, with the id that its events and its record have. */
export type CycleAnswer = CycleResult & {readonly id: string};

/** A text that is to move the state. */
export type CycleRequest = {
	/** Not blank. */
	content: string;
	/** Any string; `user` by default. */
	trigger?: string;
	metadata?: Record<string, unknown>;
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
};
