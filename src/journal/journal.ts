/**
 * The journal port: an append-only log that begins with a genesis. Its records are cycles, held texts, their releases and drops,
 * resets, validations, revisions, and starts and stops of the daemon's loop.
 *
 * - Durable: `append` resolves only when the record survives a kill and a power cut.
 * - Ordered: records become durable in the order of the calls; after a failed one, none follows.
 * - Recovery: `open` restores the state after the last durable record, bit for bit.
 */
import type {ModelPassport, TokenReport} from '../embedding/encoder.ts';
import type {StateTensor} from '../kernel/state-tensor.ts';
import type {DigestStore} from './digest-store.ts';
import type {Noticed, StoredValidation, Validation, ValidationFacts, ValidationRecord} from './validation.ts';
import type {Revision, RevisionFacts, SettlementFacts, TextsDecision} from './revision.ts';

/** What an identity begins with; written once, to a new journal. */
export type Genesis = {
	initial: StateTensor;
	reference: StateTensor;
	passport: ModelPassport;
	/** Whether the initial state is random, because no starting state was found. */
	isRandom: boolean;
};

/** What a restart needs besides the state: counters and drift. Part of every record that changes the state. */
export type Checkpoint = {
	counters: Readonly<Record<string, number>>;
	/** ISO 8601, UTC; null before the first cycle. */
	lastTrigger: {type: string; timestamp: string} | null;
	cumulativeDrift: number;
};

/** A proposal: coefficient · (e − X_from). */
export type RecordedProposal = {readonly coefficient: number; readonly from: 'secondness' | 'thirdness' | 'valeurs'};

/** One cycle: its input, its measures, and the row that it changed. */
export type CycleRecord = {
	kind: 'cycle';
	id: string;
	/** ISO 8601, UTC; also the time of the new state. */
	timestamp: string;
	/** When the text was said, if that was before the cycle; ISO 8601, UTC. */
	saidAt?: string;
	trigger: string;
	/** `import`: the text was said earlier, and imported. */
	origin: 'caller' | 'daemon' | 'import';
	content: string;
	metadata: Readonly<Record<string, unknown>>;
	/** The input's embedding, 1024 floats. */
	vector: Float32Array;
	/** How the model read the text; never hashed. Empty in records of older versions. */
	tokenReport: TokenReport;
	/** One score per dimension, 8. */
	scores: readonly number[];
	total: number;
	choc: boolean;
	deltaMagnitude: number;
	/** Norm of each method's vector, unweighted. */
	contributions: {tenacity: number; authority: number; apriori: number; science: number};
	/** The proposals of authority and science. With them, a replay needs neither the article nor the store. */
	proposals: {authority: RecordedProposal; science: RecordedProposal};
	perCycleDrift: number;
	level: 'ok' | 'warning' | 'critical';
	/** Id of the state after the cycle, and its thirdness, 1024 floats. The other rows are always those of the initial state. */
	stateId: number;
	thirdness: Float32Array;
	checkpoint: Checkpoint;
};

/**
 * A held text: recorded, but not applied until it is released. It is stored as a cycle that moved nothing: its state is the one
 * that it found, and its scores are measured against that state.
 */
export type HeldRecord = Omit<CycleRecord, 'kind'> & {
	kind: 'held';
	/** Why it is held, in words. Never hashed. */
	reason: string;
	/** The time of its state; ISO 8601, UTC. */
	stateTimestamp: string;
};

/** A reset to the initial state. */
export type ResetRecord = {kind: 'reset'; id: string; timestamp: string; checkpoint: Checkpoint};

/** The daemon's loop was started or stopped. */
export type DaemonRecord = {kind: 'daemon.started' | 'daemon.stopped'; id: string; timestamp: string};

/** From here on, the state is what the earlier texts make without the excluded ones, as if those had never been heard. */
export type StoredRevision = {
	kind: 'revision';
	id: string;
	timestamp: string;
	/** Id of the resulting state, and its thirdness, 1024 floats. */
	stateId: number;
	thirdness: Float32Array;
	checkpoint: Checkpoint;
};

/** A revision to append. */
export type RevisionRecord = StoredRevision & {facts: RevisionFacts};

/** Held texts were released, and the next records are their cycles; or they were dropped. */
export type StoredSettlement = {
	kind: 'release' | 'drop';
	id: string;
	timestamp: string;
	/** Id of the state after it and its cycles. */
	stateId: number;
	/** How many texts were released or dropped. */
	texts: number;
};

/** A release or a drop to append, atomically with its cycles. */
export type SettlementRecord<Text = StoredCycle> = Pick<StoredSettlement, 'kind' | 'id' | 'timestamp'> & {
	facts: SettlementFacts;
	/** The record numbers of the texts that are no longer held. */
	settled: readonly number[];
	/** The cycles of the released texts, with their ids and in their order. Each is a separate record. */
	cycles: readonly Text[];
};

/** A record to append. */
export type JournalRecord = CycleRecord | HeldRecord | ResetRecord | DaemonRecord | ValidationRecord | RevisionRecord | ForgottenRecord
	| SettlementRecord<StoredCycle | ForgottenRecord>;

/** A record with a text, as it is stored. */
export type WithStoredText<Text extends {metadata: unknown}> =
	| Text & {isHashed: false}
	| Omit<Text, 'metadata'> & {isHashed: true; metadata: string};

/**
 * A cycle as it is stored. If it is hashed, `content` and `metadata` are the hexadecimal SHA-256 of the text and of
 * the metadata's JSON with sorted keys.
 */
export type StoredCycle = WithStoredText<CycleRecord>;

/** A held text as it is stored, hashed like a {@link StoredCycle}. */
export type StoredHeld = WithStoredText<HeldRecord>;

/** Replaces the compacted records from `first` to its number. */
export type SnapshotRecord = {
	kind: 'snapshot';
	/** Id and time of the last record that it replaces. */
	id: string;
	timestamp: string;
	first: number;
	/** How the state after the last of them differs from the initial state; null if it is the initial state. */
	state: {stateId: number; timestamp: string; thirdness: Float32Array} | null;
	/** Null if none of the records up to the last had one. */
	checkpoint: Checkpoint | null;
};

/** The tombstone of a forgotten text: its place and its time, with the id of the forgetting. */
export type ForgottenRecord = {kind: 'forgotten'; id: string; timestamp: string};

/** A record as it is stored: a cycle's content may be a hash, and old records may be compacted to snapshots. */
export type StoredRecord =
	| StoredCycle | StoredHeld | ResetRecord | DaemonRecord | StoredValidation | StoredRevision | StoredSettlement | SnapshotRecord
	| ForgottenRecord;

/** A record and its number in the journal's order, from 1. */
export type JournalEntry = {seq: number; record: StoredRecord};

/** A held text, and the number of its record. */
export type HeldEntry = {seq: number; record: StoredHeld};

/** How a rewriting changes a journal. */
export type Rewriting = {
	/** The replacing records, in their order. Called once. */
	readonly changes: () => AsyncIterable<readonly JournalEntry[]>;
	/** All earlier decisions, in their new form. */
	readonly decisions: readonly TextsDecision[];
	/** The newest validation; absent if unchanged, null if it is no longer valid. */
	readonly validation?: Validation | null | undefined;
	/** The record numbers of texts that are no longer held. */
	readonly settled: readonly number[];
	/** The record numbers of the forgotten texts. */
	readonly forgotten: readonly number[];
	/** Called when it is durable, with sentences that say where bytes of the earlier contents may be left. */
	readonly onDone?: (unreached: readonly string[]) => void;
};

/** What a journal holds when it is opened. */
export type RestoredJournal = {
	genesis: Genesis;
	current: StateTensor;
	checkpoint: Checkpoint;
	/** How many records there are, compacted ones included. */
	records: number;
	/** The newest validation; null without one. */
	validation: ValidationFacts | null;
	/** The newest revision; null without one. */
	revision: Revision | null;
	/** How many texts are held. */
	held: number;
	/** Absent if no host knows it. */
	noticed?: Noticed;
};

/** The durable log of one identity. */
export interface Journal {
	/**
	 * Opens the journal, or reopens it after a failed append.
	 *
	 * @returns what it holds; null when it is new
	 * @throws {JournalError} when it is open already, cannot be read or written, is damaged, or another process has it;
	 * the message says what to do.
	 */
	open(): Promise<RestoredJournal | null>;

	/** Writes the genesis of a new journal. Resolves when it is durable. */
	begin(genesis: Genesis): Promise<void>;

	/**
	 * Appends a record; a release together with its cycles. Resolves when it is durable; records become durable in the order of
	 * the calls. A cycle is rejected if another one that is not compacted has its id: it could not be found again.
	 *
	 * @throws {JournalError} when it could not be written: neither it nor a later record is in the journal, and every
	 * record is rejected until `open` succeeds.
	 * @throws {UnknownOutcomeError} when the record may be in the journal: `open` and `find` show it.
	 */
	append(record: JournalRecord): Promise<void>;

	/**
	 * Rewrites the journal for good and appends the revision that records this, atomically. No byte of the earlier contents is
	 * left in what the journal keeps. Otherwise like `append`.
	 */
	rewrite(record: RevisionRecord, rewriting: Rewriting): Promise<void>;

	/**
	 * Reads durable records in order, each verified. Only a snapshot is left of compacted records:
	 * the first entry may be one that covers `from` and records before and after it.
	 *
	 * @param from The number of the first record, from 1.
	 * @returns at most `count` entries; fewer at the journal's end or if texts are long, none past the end. The caller owns them.
	 * @throws {JournalError} when the journal is not open, or a record is damaged. Records can still be appended.
	 */
	read(from: number, count: number): Promise<JournalEntry[]>;

	/**
	 * Reads the durable cycle with this id; the held record, if its text was held. A compacted cycle is not found.
	 *
	 * @returns null if there is none. The caller owns it.
	 * @throws {JournalError} when the journal is not open, or the record is damaged. Records can still be appended.
	 */
	find(id: string): Promise<StoredCycle | StoredHeld | null>;

	/**
	 * Reads the newest durable validation with its vectors, which compaction never removes. The caller owns it.
	 *
	 * @returns null if there is none
	 * @throws {JournalError} when the journal is not open, or the validation is damaged. Records can still be appended.
	 */
	validation(): Promise<Validation | null>;

	/**
	 * Reads the durable revisions, releases and drops, oldest first. Compaction never removes them. The caller owns them.
	 *
	 * @throws {JournalError} when the journal is not open, or a revision is damaged. Records can still be appended.
	 */
	decisions(): Promise<TextsDecision[]>;

	/**
	 * Reads the held texts, oldest first. Compaction never removes them. The caller owns them.
	 *
	 * @param after Only texts after this record number; 0 for all.
	 * @returns at most `count` of them
	 * @throws {JournalError} when the journal is not open, or one of them is damaged. Records can still be appended.
	 */
	held(after: number, count: number): Promise<HeldEntry[]>;

	/** Writes the records in progress and frees the file. The journal can be opened again. */
	close(): Promise<void>;

	/** Stores digests of its records; if absent, each question computes them again. */
	readonly digests?: DigestStore | undefined;
}

/** The measures of a held text, which moves nothing. @param report The check of the state that it found. */
export const unmoved = ({level}: Pick<CycleRecord, 'level'>): Pick<CycleRecord, 'deltaMagnitude' | 'perCycleDrift' | 'level'> =>
	({deltaMagnitude: 0, perCycleDrift: 0, level});

/** How many records an append writes: a release also writes its cycles. */
export const countRecords = (record: JournalRecord): number => 'cycles' in record ? 1 + record.cycles.length : 1;

/** The methods of every journal. */
export const journalMethods = [
	'open', 'begin', 'append', 'rewrite', 'read', 'find', 'validation', 'decisions', 'held', 'close',
] as const satisfies Array<Exclude<keyof Journal, 'digests'>>;

/**
 * A journal in front of another: passes each call to the journal that `getJournal` returns at that time. A wrapper spreads it and
 * overrides methods.
 */
export const forwardedJournal = (getJournal: () => Journal): Journal => Object.fromEntries(journalMethods.map(method => [
	method,
	async (...parameters: unknown[]) => {
		const journal = getJournal();
		return Reflect.apply(journal[method], journal, parameters) as unknown;
	},
])) as unknown as Journal;
