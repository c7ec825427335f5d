/** The events of `GET /events` by type: those of the identity, and the frames of its machines. */
import type {CycleSteps} from '../actors/cycle.ts';
import type {StepReport} from '../actors/boot.ts';
import type {MachineFrameType, IdentityEventType} from '../wire/event-types.ts';
import type {ReplayProgress} from '../actors/turn-machine.ts';
import type {WatchNotice} from '../instruments/watch-notices.ts';
import type {Dimension} from '../kernel/dimensions.ts';
import type {CycleResponse, DaemonStatus, TranslateResponse, ValidateResponse, Vigilance} from '../generated/types.ts';

type Origin = {
	/** The id of the cycle. */
	id: string;
	/** The trigger of the cycle. */
	trigger: string;
	/** Who requested it. */
	origin: 'caller' | 'daemon' | 'import';
};

type Drift = Pick<Vigilance, 'level' | 'cumulativeDrift'>;

/** A frame about an actor, an event or a snapshot, in the format of XState's inspectors. */
export type MachineFrame<Type extends MachineFrameType> = {
	type: Type;
	sessionId: string;
	rootId: string;
	/** Milliseconds since the epoch. */
	createdAt: string;
	[field: string]: unknown;
};

/** An error of the identity. */
export type Failure = {
	message: string;
	/** The kind of error, to branch on. An unexpected error has neither `code` nor `retryable`. */
	code?: string;
	/** Whether a retry can help. */
	retryable?: boolean;
};

/** The duration of each completed step of a cycle, in milliseconds. */
type Steps = Readonly<CycleSteps>;

/** The end of a cycle whose text was embedded. */
export type CycleEndData = Origin & CycleResponse & Drift & {
	/** The dissonance of each dimension. */
	scores: Record<Dimension, number>;
	/** Tokens that the embedding model read. Like the next three, absent if its encoder does not report them. */
	tokens?: number;
	/** Characters of the text without white space. Few per token: the words are not in the model's vocabulary. */
	characters?: number;
	/** Whether the text was truncated. */
	truncated?: boolean;
	/** The share of the text that is not in the model's vocabulary, 0 to 1. */
	unknownShare?: number;
	/**
	 * The text's language as a BCP 47 tag; null if it is unknown, as for short texts. Absent if the encoder does not
	 * say which languages it reads.
	 */
	language?: string | null;
	steps: Steps;
	/** ISO 8601, UTC. */
	timestamp: string;
};

/** The data of each event of the process itself. */
export type IdentityEventData = {
	'boot.step': StepReport;
	/** The boot is done. */
	ready: {report: StepReport[]};
	/** The boot failed, or the identity broke. */
	failed: Failure;
	/** The identity was disposed of. */
	stopped: Record<never, never>;
	'cycle.done': CycleEndData;
	/** The text is held and moved nothing: `held` says why. */
	'cycle.held': CycleEndData;
	'cycle.failed': Origin & Failure & {steps?: Steps};
	'cycle.cancelled': {id: string};
	'reset.done': {id: string; stateId: number};
	'reset.failed': {id: string} & Failure;
	'identity.validated': ValidateResponse;
	'validation.failed': {id: string} & Failure;
	/** Some texts no longer count, or count again: `GET /revisions` says which. */
	'identity.revised': {id: string; stateId: number};
	'revision.failed': {id: string} & Failure;
	/** A replay of more than 5,000 records is running. */
	'replay.progress': Omit<ReplayProgress, 'type'>;
	/** Held texts were applied; a `cycle.done` for each comes first. */
	'held.released': {id: string; stateId: number; texts: number};
	/** Held texts were dropped, and will never be applied. */
	'held.dropped': {id: string; stateId: number; texts: number};
	'settlement.failed': {id: string} & Failure;
	'mode.changed': Pick<DaemonStatus, 'mode' | 'isRuminating' | 'daemonRunning'>;
	'daemon.started': Record<never, never>;
	'daemon.stopped': Record<never, never>;
	/** The level changed. */
	'vigilance.level': Drift;
	/** Every published state, starting with the current one. */
	state: Drift & {
		stateId: number;
		/** ISO 8601, UTC. */
		timestamp: string;
		/** 1 − cosine to the reference, for each dimension. */
		distances: Record<Dimension, number>;
	};
	'journal.failed': Failure;
	'journal.recovered': Record<never, never>;
	/** Another node has the identity now: connect again. */
	moved: Record<never, never>;
	/** The translation itself is present only if texts are included. */
	'translation.done': {id: string} & Partial<TranslateResponse>;
	'translation.failed': {id: string} & Failure;
} & {[Notice in WatchNotice as Notice['type']]: Omit<Notice, 'type'>};

/** The data of each type of event. */
export type EventData = {[Type in IdentityEventType]: IdentityEventData[Type]} & {[Type in MachineFrameType]: MachineFrame<Type>} & {
	/** Events are missing before the next one; `missed` is their number, null if unknown. */
	'stream.dropped': {missed: number | null; reason: string};
};

/** A type of event. */
export type ServiceEventType = keyof EventData;

/** One event of the stream. Its `type` determines its `data`. */
export type ServiceEvent = {[Type in ServiceEventType]: {
	/** To resume the stream: `<seq>.<run>-<n>`, where `seq` is the number of the newest record and `run` identifies the service's run. */
	id: string;
	type: Type;
	data: EventData[Type];
}}[ServiceEventType];

/** A type of event, or a prefix of several followed by `*`. */
export type EventTypePattern = ServiceEventType | '*' | `${string}*`;
