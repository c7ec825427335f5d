/**
 * The journal port: what lasts. Every cycle that was acknowledged is in it, in order, and
 * the state can be made again from it, bit for bit.
 */
import type {ModelPassport} from '../embedding/encoder.ts';
import type {StateTensor} from '../tensor/state-tensor.ts';

/** How it all began: written once, when the journal is new. */
export type Genesis = {
	initial: StateTensor;
	reference: StateTensor;
	passport: ModelPassport;
	/** Whether nothing was there to begin from, so that the initial state is random. */
	isRandom: boolean;
};

/** What of the daemon and of vigilance must survive a restart; noted with every record that changes the state. */
export type Standing = {
	counters: Readonly<Record<string, number>>;
	/** ISO 8601, UTC; null when no cycle has run. */
	lastTrigger: {type: string; timestamp: string} | null;
	cumulativeDrift: number;
};

/** One cycle, whole: what came in, what was measured, and the row it left. */
export type CycleRecord = {
	kind: 'cycle';
	id: string;
	/** ISO 8601, UTC; the new state's own. */
	timestamp: string;
	trigger: string;
	origin: 'caller' | 'daemon';
	content: string;
	metadata: Readonly<Record<string, unknown>>;
	/** The input's embedding, 1024 floats. */
	vector: Float32Array;
	/** Per dimension, 8. */
	scores: readonly number[];
	total: number;
	choc: boolean;
	deltaMagnitude: number;
	/** Norm of each method's vector, unweighted. */
	contributions: {tenacity: number; authority: number; apriori: number; science: number};
	perCycleDrift: number;
	level: 'ok' | 'warning' | 'critical';
	/** Id of the state that the cycle made, and its new thirdness, 1024 floats; the other rows are its predecessor's. */
	stateId: number;
	thirdness: Float32Array;
	standing: Standing;
};

/** A reset: the state is the initial one again. */
export type ResetRecord = {kind: 'reset'; id: string; timestamp: string; standing: Standing};

/** The daemon's loop was started or stopped. */
export type DaemonRecord = {kind: 'daemon.started' | 'daemon.stopped'; id: string; timestamp: string};

/** One thing that happened, as it is kept. */
export type JournalRecord = CycleRecord | ResetRecord | DaemonRecord;

/** What a journal that is not new gives back when it is opened. */
export type RestoredJournal = {
	genesis: Genesis;
	current: StateTensor;
	standing: Standing;
	/** Records so far, compacted ones included. */
	records: number;
};

/** Where the process keeps what must outlast it. */
export interface Journal {
	/**
	 * Opens the journal: null when it is new, else what it holds. After an append failed it is
	 * the way to try again, and to learn what is really there.
	 *
	 * @throws {JournalError} when it is open, cannot be read or written, is damaged, or another process has it; the message says what to do.
	 */
	open(): Promise<RestoredJournal | null>;

	/** Writes the beginning of a new journal. Resolves when it is durable. */
	begin(genesis: Genesis): Promise<void>;

	/**
	 * Appends a record. Resolves when it is durable; records become durable in the order of the calls.
	 *
	 * @throws {JournalError} when it could not be written: it is not in the journal, nothing appended after it is, and
	 * nothing more is taken until `open` succeeds. Only when the journal's own thread died may it have been kept: `open` tells.
	 */
	append(record: JournalRecord): Promise<void>;

	/** Writes what is under way and frees the file. After it the journal can be opened again. */
	close(): Promise<void>;
}
