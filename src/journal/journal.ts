/**
 * The journal port: an append-only log of records. It begins with a genesis; each cycle, each reset,
 * and each start and stop of the daemon's loop is a record.
 *
 * - Durable: a record is acknowledged, when `append` resolves, only after it survives a kill and a power cut.
 * - Ordered: records become durable in the order of the calls; after one that failed none follows.
 * - Recovery: `open` gives back the state after the last durable record, bit for bit.
 */
import type {ModelPassport} from '../embedding/encoder.ts';
import type {StateTensor} from '../tensor/state-tensor.ts';

/** What an identity begins with: written once, when the journal is new. */
export type Genesis = {
	initial: StateTensor;
	reference: StateTensor;
	passport: ModelPassport;
	/** Whether the initial state is random, because no starting state was found. */
	isRandom: boolean;
};

/** What a restart needs beside the state: counters and drift. Part of every record that changes the state. */
export type Checkpoint = {
	counters: Readonly<Record<string, number>>;
	/** ISO 8601, UTC; null when no cycle has run. */
	lastTrigger: {type: string; timestamp: string} | null;
	cumulativeDrift: number;
};

/** One cycle: its input, its measures, and the row that it changed. */
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
	/** One score per dimension, 8. */
	scores: readonly number[];
	total: number;
	choc: boolean;
	deltaMagnitude: number;
	/** Norm of each method's vector, unweighted. */
	contributions: {tenacity: number; authority: number; apriori: number; science: number};
	perCycleDrift: number;
	level: 'ok' | 'warning' | 'critical';
	/** Id of the state after the cycle, and its thirdness, 1024 floats. The other rows stay those of the initial state. */
	stateId: number;
	thirdness: Float32Array;
	checkpoint: Checkpoint;
};

/** A reset to the initial state. */
export type ResetRecord = {kind: 'reset'; id: string; timestamp: string; checkpoint: Checkpoint};

/** The daemon's loop was started or stopped. */
export type DaemonRecord = {kind: 'daemon.started' | 'daemon.stopped'; id: string; timestamp: string};

/** A record to append. */
export type JournalRecord = CycleRecord | ResetRecord | DaemonRecord;

/** What a journal holds when it is opened. */
export type RestoredJournal = {
	genesis: Genesis;
	current: StateTensor;
	checkpoint: Checkpoint;
	/** How many records there are, compacted ones included. */
	records: number;
};

/** The durable log of one identity. */
export interface Journal {
	/**
	 * Opens the journal, and reopens it after an append failed.
	 *
	 * @returns what it holds; null when it is new
	 * @throws {JournalError} when it is open already, cannot be read or written, is damaged, or another process has it; the message says what to do.
	 */
	open(): Promise<RestoredJournal | null>;

	/** Writes the genesis of a new journal. Resolves when it is durable. */
	begin(genesis: Genesis): Promise<void>;

	/**
	 * Appends a record. Resolves when it is durable; records become durable in the order of the calls.
	 *
	 * @throws {JournalError} when it could not be written: neither it nor a later record is in the journal, and every
	 * record is rejected until `open` succeeds. If the journal's thread died, the record may be in the journal: `open` shows it.
	 */
	append(record: JournalRecord): Promise<void>;

	/** Writes the records in progress and frees the file. The journal can be opened again. */
	close(): Promise<void>;
}
