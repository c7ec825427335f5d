/** The events of `GET /events` by type: the identity's own, and the frames of its machines. */
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
	/** What triggered it. */
	trigger: string;
	/** Who requested it. */
	origin: 'caller' | 'daemon' | 'import';
};

type Drift = Pick<Vigilance, 'level' | 'cumulativeDrift'>;

/** Of an actor, an event or a snapshot, in the format of XState's inspectors. */
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
	/** The kind of error, to branch on. It and `retryable` are absent for an error that was not raised on purpose. */
	code?: string;
	/** Whether another try can help. */
	retryable?: boolean;
};

/** Milliseconds that each step of a cycle took, of those that it left. */
type Steps = Readonly<CycleSteps>;

/** The end of a cycle whose text was read. */
export type CycleEndData = Origin & CycleResponse & Drift & {
	/** The dissonance of each dimension. */
	scores: Record<Dimension, number>;
	/** Tokens that the embedding model read. Absent where its encoder does not report them, as the next three. */
	tokens?: number;
	/** Characters of the text without white space: few for each token are no words of the model's vocabulary. */
	characters?: number;
	/** Whether the text was truncated. */
	truncated?: boolean;
	/** The share of the text that is not in the model's vocabulary, 0 to 1. */
	unknownShare?: number;
	/**
	 * The text's language as a BCP 47 tag; null where it is not known, as of short texts. Absent where the encoder
	 * does not say what it reads.
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
	/** The identity is disposed of. */
	stopped: Record<never, never>;
	'cycle.done': CycleEndData;
	/** The text waits, and moved nothing: `held` says why. */
	'cycle.held': CycleEndData;
	'cycle.failed': Origin & Failure & {steps?: Steps};
	'cycle.cancelled': {id: string};
	'reset.done': {id: string; stateId: number};
	'reset.failed': {id: string} & Failure;
	'identity.validated': ValidateResponse;
	'validation.failed': {id: string} & Failure;
	/** Some texts weigh nothing from now on, or weigh something again: `GET /revisions` says which. */
	'identity.revised': {id: string; stateId: number};
	'revision.failed': {id: string} & Failure;
	/** A replay of more than 5,000 records is on its way. */
	'replay.progress': Omit<ReplayProgress, 'type'>;
	/** Texts that waited were applied: a `cycle.done` of each comes before. */
	'held.released': {id: string; stateId: number; texts: number};
	/** Texts that waited never will be. */
	'held.dropped': {id: string; stateId: number; texts: number};
	'settlement.failed': {id: string} & Failure;
	'mode.changed': Pick<DaemonStatus, 'mode' | 'isRuminating' | 'daemonRunning'>;
	'daemon.started': Record<never, never>;
	'daemon.stopped': Record<never, never>;
	/** When the level has changed. */
	'vigilance.level': Drift;
	/** Every published state, and the present one first of all. */
	state: Drift & {
		stateId: number;
		/** ISO 8601, UTC. */
		timestamp: string;
		/** 1 − cosine to the reference, of each dimension. */
		distances: Record<Dimension, number>;
	};
	'journal.failed': Failure;
	'journal.recovered': Record<never, never>;
	/** Another node has the identity now: connect again. */
	moved: Record<never, never>;
	/** The translation itself is there only where texts are included. */
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
	/** For resuming the stream: `<seq>.<run>-<n>`, where `seq` is the number of the newest record, and the run is the service's. */
	id: string;
	type: Type;
	data: EventData[Type];
}}[ServiceEventType];

/** A type of event, or the beginning of several with `*` for any ending. */
export type EventTypePattern = ServiceEventType | '*' | `${string}*`;
