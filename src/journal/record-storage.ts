/** The port between a persistent journal and its database: rows, which another thread or another machine may have. */
import type {JournalError} from '../platform/errors.ts';
import type {DigestStore} from './digest-store.ts';
import type {Checkpoint, RestoredJournal} from './journal.ts';
import {decodeCheckpoint, decodeDecision, decodeFacts, decodeGenesis, decodeState} from './record-codec.ts';
import type {EncodedRecord, EncodedState, GenesisRow, NumberedRow, NumberedValidationRow, RevisionRow} from './rows.ts';
import {isRevision} from './revision.ts';

/** What a journal contains when it is opened. `validation`: the facts of the newest one, as JSON. */
export type RestoredRows = {
	genesis: GenesisRow; state: EncodedState; standing: string | null; records: number; validation: string | null; revisions: RevisionRow[];
	/** How many texts are held. */
	held: number;
};

/** The callbacks from a storage to its journal. */
export type StorageUser = {
	/** Called when the storage failed outside of a call. */
	onFailure: (failure: JournalError) => void;
	close: () => Promise<void>;
};

export type RowRewriting = {
	changes: () => AsyncIterable<NumberedRow[]>;
	revisions: RevisionRow[];
	/** Undefined if unchanged. */
	validation: NumberedValidationRow | null | undefined;
	settled: readonly number[];
	/** The record numbers of the forgotten texts. */
	forgotten: readonly number[];
	/** After `changes`, replacements for held texts whose other record was compacted. @default none — they stay as they are */
	waiting?: () => AsyncIterable<NumberedRow[]>;
};

/** Where bytes of a journal's earlier contents may be left, in sentences: in its copies, and elsewhere. */
export type Unreached = {copies: string; elsewhere: string[]};

/** The rows of one journal. Calls come one after another, except for reads. All throw {@link JournalError}. */
export interface RecordStorage {
	/** @returns null for a new journal */
	open(user: StorageUser): Promise<RestoredRows | null>;
	begin(genesis: GenesisRow): Promise<void>;
	/** Writes all rows or none. */
	append(rows: EncodedRecord[]): Promise<void>;
	/** Replaces rows and appends one, atomically. */
	rewrite(row: EncodedRecord, rewriting: RowRewriting): Promise<Unreached>;
	/** Verified rows. */
	read(from: number, count: number): Promise<NumberedRow[]>;
	find(id: string): Promise<NumberedRow | null>;
	validation(): Promise<NumberedValidationRow | null>;
	/** Oldest first. */
	revisions(): Promise<RevisionRow[]>;
	/** Verified rows of held texts after a record number, oldest first. */
	held(after: number, count: number): Promise<NumberedRow[]>;
	/** Frees what `open` took, also after a failure. */
	close(): Promise<void>;
	readonly digests?: DigestStore;
}

/** The checkpoint of a journal in which no record has one. */
export const noCheckpoint: Checkpoint = {counters: {}, lastTrigger: null, cumulativeDrift: 0};

export const decodeRestored = ({genesis: row, state, standing, records, validation, revisions, held}: RestoredRows): RestoredJournal => {
	const genesis = decodeGenesis(row);
	return {
		genesis,
		current: decodeState(genesis.initial, state),
		checkpoint: decodeCheckpoint(standing) ?? noCheckpoint,
		records,
		validation: validation === null ? null : decodeFacts({facts: validation}),
		revision: revisions.map(decodeDecision).findLast(isRevision) ?? null,
		held,
	};
};
