/**
 * The journal port: an append-only log of records. It begins with a genesis; each cycle, each text that is held back, each
 * release and drop of such texts, each reset, validation and revision, and each start and stop of the daemon's loop is a record.
 *
 * - Durable: a record is acknowledged, when `append` resolves, only after it survives a kill and a power cut.
 * - Ordered: records become durable in the order of the calls; after one that failed none follows.
 * - Recovery: `open` gives back the state after the last durable record, bit for bit.
 */
import type {ModelPassport, TokenReport} from '../embedding/encoder.ts';
import type {StateTensor} from '../kernel/state-tensor.ts';
import type {DigestStore} from './digest-store.ts';
import type {Noticed, StoredValidation, Validation, ValidationFacts, ValidationRecord} from './validation.ts';
import type {Revision, RevisionFacts, SettlementFacts, TextsDecision} from './revision.ts';

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

/** A proposal: coefficient · (e − X_from). */
export type RecordedProposal = {readonly coefficient: number; readonly from: 'secondness' | 'thirdness' | 'valeurs'};

/** One cycle: its input, its measures, and the row that it changed. */
export type CycleRecord = {
	kind: 'cycle';
	id: string;
	/** ISO 8601, UTC; the new state's own. */
	timestamp: string;
	/** When the text was said, where that was before the cycle; ISO 8601, UTC. */
	saidAt?: string;
	trigger: string;
	/** Imported was what was said before. */
	origin: 'caller' | 'daemon' | 'import';
	content: string;
	metadata: Readonly<Record<string, unknown>>;
	/** The input's embedding, 1024 floats. */
	vector: Float32Array;
	/** How the model read the text; it is kept as it is where the text is hashed. Empty in a record of an older version. */
	tokenReport: TokenReport;
	/** One score per dimension, 8. */
	scores: readonly number[];
	total: number;
	choc: boolean;
	deltaMagnitude: number;
	/** Norm of each method's vector, unweighted. */
	contributions: {tenacity: number; authority: number; apriori: number; science: number};
	/** What authority and science proposed: coefficient · (e − X_from). With them, a replay needs no article and no store. */
	proposals: {authority: RecordedProposal; science: RecordedProposal};
	perCycleDrift: number;
	level: 'ok' | 'warning' | 'critical';
	/** Id of the state after the cycle, and its thirdness, 1024 floats. The other rows stay those of the initial state. */
	stateId: number;
	thirdness: Float32Array;
	checkpoint: Checkpoint;
};

/**
 * A text that is held back: recorded, and not applied until it is released. It is a cycle that moved nothing: its state is the
 * one that it found, and its scores are against that.
 */
export type HeldRecord = Omit<CycleRecord, 'kind'> & {
	kind: 'held';
	/** Why, in words. It is stored as it is, whatever else is hashed. */
	reason: string;
	/** The time of its state; ISO 8601, UTC. */
	stateTimestamp: string;
};

/** A reset to the initial state. */
export type ResetRecord = {kind: 'reset'; id: string; timestamp: string; checkpoint: Checkpoint};

/** The daemon's loop was started or stopped. */
export type DaemonRecord = {kind: 'daemon.started' | 'daemon.stopped'; id: string; timestamp: string};

/** The state from then on is that of the texts before it which are not excluded, as if the others had never been heard. */
export type StoredRevision = {
	kind: 'revision';
	id: string;
	timestamp: string;
	/** Id of the state that it made, and its thirdness, 1024 floats. */
	stateId: number;
	thirdness: Float32Array;
	checkpoint: Checkpoint;
};

/** A revision to append. */
export type RevisionRecord = StoredRevision & {facts: RevisionFacts};

/** Held texts were released, and the records behind it are their cycles; or they were dropped, and wait no more. */
export type StoredSettlement = {
	kind: 'release' | 'drop';
	id: string;
	timestamp: string;
	/** Id of the state behind it and its cycles. */
	stateId: number;
	/** How many they are. */
	texts: number;
};

/** A release or a drop to append: it is written as a whole, with its cycles, or not at all. */
export type SettlementRecord<Text = StoredCycle> = Pick<StoredSettlement, 'kind' | 'id' | 'timestamp'> & {
	facts: SettlementFacts;
	/** The numbers of the texts that wait no more. */
	settled: readonly number[];
	/** Of the texts that are released, under their ids and in their order. Each is a separate record. */
	cycles: readonly Text[];
};

/** A record to append. */
export type JournalRecord = CycleRecord | HeldRecord | ResetRecord | DaemonRecord | ValidationRecord | RevisionRecord | ForgottenRecord
	| SettlementRecord<StoredCycle | ForgottenRecord>;

/** What a record with a text is when it is stored. */
export type WithStoredText<Text extends {metadata: unknown}> =
	| Text & {isHashed: false}
	| Omit<Text, 'metadata'> & {isHashed: true; metadata: string};

/**
 * A cycle as it is stored. Where it is hashed, `content` and `metadata` are the hexadecimal SHA-256 of the text and of
 * the metadata's JSON with sorted keys.
 */
export type StoredCycle = WithStoredText<CycleRecord>;

/** A text that is held back, as it is stored: as a {@link StoredCycle} is. */
export type StoredHeld = WithStoredText<HeldRecord>;

/** What stands in the place of the compacted records `first` … its own number. */
export type SnapshotRecord = {
	kind: 'snapshot';
	/** Id and time of the last record that it replaces. */
	id: string;
	timestamp: string;
	first: number;
	/** What differs from the initial state after the last of them; null where that is the initial state. */
	state: {stateId: number; timestamp: string; thirdness: Float32Array} | null;
	/** Null when no record before it had any. */
	checkpoint: Checkpoint | null;
};

/** What is left of a text that was forgotten: its place and its time, under the id of the forgetting. */
export type ForgottenRecord = {kind: 'forgotten'; id: string; timestamp: string};

/** A record as it is stored: a cycle's content may be a hash, and old records may be compacted to snapshots. */
export type StoredRecord =
	| StoredCycle | StoredHeld | ResetRecord | DaemonRecord | StoredValidation | StoredRevision | StoredSettlement | SnapshotRecord
	| ForgottenRecord;

/** A record and its number in the journal's order, from 1. */
export type JournalEntry = {seq: number; record: StoredRecord};

/** A text that waits, and the number of its record. */
export type HeldEntry = {seq: number; record: StoredHeld};

/** What a journal is from then on. */
export type Rewriting = {
	/** The records that take the place of others, in their order. It is called once. */
	readonly changes: () => AsyncIterable<readonly JournalEntry[]>;
	/** What the decisions before say, all of them. */
	readonly decisions: readonly TextsDecision[];
	/** The newest validation; absent where it stays as it is, null where it holds no more. */
	readonly validation?: Validation | null | undefined;
	/** The numbers of texts that waited, and wait no more. */
	readonly settled: readonly number[];
	/** The numbers of the texts that are forgotten. */
	readonly forgotten: readonly number[];
	/** Called when it is durable: where bytes of what was may be left, in sentences. */
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
	/** How many texts wait to be released or dropped. */
	held: number;
	/** Absent where no host knows it. */
	noticed?: Noticed;
};

/** The durable log of one identity. */
export interface Journal {
	/**
	 * Opens the journal, and reopens it after an append failed.
	 *
	 * @returns what it holds; null when it is new
	 * @throws {JournalError} when it is open already, cannot be read or written, is damaged, or another process has it;
	 * the message says what to do.
	 */
	open(): Promise<RestoredJournal | null>;

	/** Writes the genesis of a new journal. Resolves when it is durable. */
	begin(genesis: Genesis): Promise<void>;

	/**
	 * Appends a record, and a release with its cycles. Resolves when it is durable; records become durable in the order of the
	 * calls. A cycle whose id another cycle has, that is not compacted, could not be found again: it is not written.
	 *
	 * @throws {JournalError} when it could not be written: neither it nor a later record is in the journal, and every
	 * record is rejected until `open` succeeds.
	 * @throws {UnknownOutcomeError} when the record may be in the journal: `open` and `find` show it.
	 */
	append(record: JournalRecord): Promise<void>;

	/**
	 * Makes the journal another one, for good, and appends the revision that says so: all of it, or nothing. Of what it
	 * was, no byte is left in what the journal keeps. Else as `append`.
	 */
	rewrite(record: RevisionRecord, rewriting: Rewriting): Promise<void>;

	/**
	 * Reads durable records in their order, each verified. Of compacted records only a snapshot is
	 * left: the first entry may be one that stands for `from` and others before and after it.
	 *
	 * @param from The number of the first record, from 1.
	 * @returns At most `count` entries; fewer at the journal's end and where texts are long, none behind it. The caller owns them.
	 * @throws {JournalError} when the journal is not open, or a record is damaged. Records can be appended after it.
	 */
	read(from: number, count: number): Promise<JournalEntry[]>;

	/**
	 * Reads the durable cycle with this id; where its text was held back, as it was then. A compacted cycle is forgotten.
	 *
	 * @returns null without one. The caller owns it.
	 * @throws {JournalError} when the journal is not open, or the record is damaged. Records can be appended after it.
	 */
	find(id: string): Promise<StoredCycle | StoredHeld | null>;

	/**
	 * Reads the newest durable validation with its vectors, which no compaction takes. The caller owns it.
	 *
	 * @returns null without one
	 * @throws {JournalError} when the journal is not open, or the validation is damaged. Records can be appended after it.
	 */
	validation(): Promise<Validation | null>;

	/**
	 * Reads what the durable revisions, releases and drops say, which no compaction takes, oldest first. The caller owns it.
	 *
	 * @throws {JournalError} when the journal is not open, or a revision is damaged. Records can be appended after it.
	 */
	decisions(): Promise<TextsDecision[]>;

	/**
	 * Reads the texts that wait, oldest first, which no compaction takes. The caller owns them.
	 *
	 * @param after The number behind which they are, 0 for all.
	 * @returns at most `count` of them
	 * @throws {JournalError} when the journal is not open, or one of them is damaged. Records can be appended after it.
	 */
	held(after: number, count: number): Promise<HeldEntry[]>;

	/** Writes the records in progress and frees the file. The journal can be opened again. */
	close(): Promise<void>;

	/** Where digests of its records are kept; absent where each question makes them again. */
	readonly digests?: DigestStore | undefined;
}

/** What a held text did: nothing. @param report The check of the state that it found */
export const unmoved = ({level}: Pick<CycleRecord, 'level'>): Pick<CycleRecord, 'deltaMagnitude' | 'perCycleDrift' | 'level'> =>
	({deltaMagnitude: 0, perCycleDrift: 0, level});

/** How many records a record is when it is written. */
export const countRecords = (record: JournalRecord): number => 'cycles' in record ? 1 + record.cycles.length : 1;

/** What every journal has. */
export const journalMethods = [
	'open', 'begin', 'append', 'rewrite', 'read', 'find', 'validation', 'decisions', 'held', 'close',
] as const satisfies Array<Exclude<keyof Journal, 'digests'>>;

/**
 * A journal in front of another: passes every call on to the one that there is at the call. A wrapper spreads it, and puts its own
 * methods over it.
 */
export const forwardedJournal = (getJournal: () => Journal): Journal => Object.fromEntries(journalMethods.map(method => [
	method,
	async (...parameters: unknown[]) => {
		const journal = getJournal();
		return Reflect.apply(journal[method], journal, parameters) as unknown;
	},
])) as unknown as Journal;
