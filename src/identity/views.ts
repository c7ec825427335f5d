/**
 * What a reader sees of the process: plain values, made by the selectors from one snapshot, and
 * frozen, because one value is handed to many readers.
 * The code uses camelCase; `http/routes/` gives them the names of the wire.
 */
import type {DeepReadonly} from '../platform/deep-freeze.ts';
import type {ChartReading, Drift} from '../instruments/drift.ts';
import type {DirectionMove} from '../instruments/dry-run.ts';
import type {PastState} from '../instruments/stretch.ts';
import type {LeftOut} from '../instruments/what-if.ts';
import type {ValidationFacts} from '../journal/journal.ts';
import type {Moment} from '../instruments/past/find-moment.ts';
import type {NearText} from '../instruments/past/recent-texts.ts';
import type {Method} from '../semiosis/fixation.ts';
import type {Lens, ScaledDirection, ScaledProfile as ScaledProfileView} from '../instruments/scaled-profile.ts';
import type {Profile} from '../semiosis/profile.ts';
import type {Dimension} from '../kernel/dimensions.ts';
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
	/** The reason of the level, and what the drift is made of: the path, the cycles that made it, and the net distance from the beginning. Null at ok. */
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
export type CycleAnswer = CycleResult & {
	readonly id: string;
	/** Only where the request was repeated under its id: this is the first one's answer. Found in the journal, it has a processing time of 0. */
	readonly isReplayed?: true;
};

/** What a cycle would answer, and what it would do. Nothing has changed. */
export type DryRunView = CycleResult & {
	/** The share of the last 500 texts with a lower dissonance, 0 … 1; null with fewer than 50 in a journal. */
	readonly dissonancePercentile: number | null;
	/** How far the state would turn: the angle of thirdness, in milliradians. */
	readonly turnMrad: number;
	/** The ten directions that would move most, on thirdness. */
	readonly moves: readonly DirectionMove[];
	/** The norm of each method's vector, unweighted. */
	readonly byMethod: Readonly<Record<Method, number>>;
	/** The five nearest of the last 500 texts; none without a journal. */
	readonly nearest: readonly NearText[];
};

/** What is to be otherwise. A text is left out by its source, its trigger or its id. */
export type WhatIfRequest = {
	/** Where the other self begins; the beginning by default. */
	from?: Moment;
	/** A source is that of the request or its metadata, else the trigger. */
	without?: LeftOut;
	/** Texts to say now, in their order. */
	add?: string[];
};

/** The other self, beside the present one. */
export type WhatIfView = {
	readonly from: PastState;
	/** How many texts there are since then. */
	readonly cycles: number;
	readonly leftOut: number;
	readonly added: number;
	/** The angle between the two, on thirdness, in milliradians. */
	readonly angleMrad: number;
	/** The ten directions that differ most, on thirdness. */
	readonly directions: ReadonlyArray<{
		/** `<category>.<name>` */
		readonly key: string;
		readonly polePositive: string;
		readonly poleNegative: string;
		readonly present: number;
		readonly other: number;
		readonly difference: number;
		/** In standard deviations of the example sentences; null without a scale. */
		readonly zDifference: number | null;
	}>;
	/** The difference in sentences. */
	readonly words: readonly string[];
	/** How likely ordinary talk since the validation leads as far from its mean as the other self is, 0 … 1; null until one is made, and where nothing was said since. */
	readonly p: number | null;
};

/** A validation: the state that it validates, and the texts that later ones are compared with. */
export type ValidationView = DeepReadonly<ValidationFacts>;

/** How the watch on drift stands. */
export type WatchView = {
	/** The chart of visits, by span; none for a baseline that says too little. */
	readonly readings: readonly ChartReading[];
	/** Whether a reading is above its limit. */
	readonly isAlarm: boolean;
	/** The drift since the validation when it was last computed; null until it is asked for. */
	readonly drift: Pick<Drift, 'p' | 'netMrad' | 'expectedMrad'> | null;
};

/** A text that is to move the state. */
export type CycleRequest = {
	/** Not blank. */
	content: string;
	/** Any string; `user` by default. */
	trigger?: string;
	/** Who says it, at most 200 characters: always the same name for the same person, and `self` for the agent's own. Kept as `metadata.source`, which wins where it is given too. @default the trigger stands for it */
	source?: string | undefined;
	/** The conversation that it belongs to, at most 200 characters. Kept as `metadata.conversation`, which wins where it is given too. */
	conversation?: string | undefined;
	metadata?: Record<string, unknown>;
	/**
	 * The cycle's id, 1 to 255 visible ASCII characters. It makes the request safe to repeat, also after a restart: the
	 * text moves the state once, and every repetition has the first one's answer. A request that failed may be sent
	 * again under its id. An id is known while its record is not compacted; without a journal, among the newest 1,000.
	 *
	 * @default an id that nothing else has
	 */
	id?: string;
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
	/** That more than a tenth of the last 100 texts are in other languages; absent where that is not so. After a start, the first question begins to look. */
	readonly note?: string;
};
