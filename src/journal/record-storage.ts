/** What a journal that lasts asks of the database under it: rows, which another thread or another machine can have. */
import type {JournalError} from '../platform/errors.ts';
import type {DigestStore} from './digest-store.ts';
import type {Checkpoint, RestoredJournal} from './journal.ts';
import {decodeGenesis, type GenesisRow} from './genesis-codec.ts';
import {decodeCheckpoint, decodeState, type EncodedRecord, type EncodedState, type NumberedRow} from './record-codec.ts';
import {decodeDecision, isRevision, type RevisionRow} from './revision.ts';
import {decodeFacts, type NumberedValidationRow} from './validation-codec.ts';

/** What a journal holds when it is opened. `validation`: the facts of the newest one, as JSON. */
export type RestoredRows = {
	genesis: GenesisRow; state: EncodedState; standing: string | null; records: number; validation: string | null; revisions: RevisionRow[];
	/** How many texts wait. */
	held: number;
};

/** What a storage calls of its journal. */
export type StorageUser = {
	/** It has failed by itself. */
	onFailure: (failure: JournalError) => void;
	close: () => Promise<void>;
};

export type RowRewriting = {
	changes: () => AsyncIterable<NumberedRow[]>;
	revisions: RevisionRow[];
	/** Undefined where it stays as it is. */
	validation: NumberedValidationRow | null | undefined;
	settled: readonly number[];
	/** The numbers of the texts that are forgotten. */
	forgotten: readonly number[];
	/** What takes the place of texts that wait and have no other record, after `changes`. @default none — they stay as they are */
	waiting?: () => AsyncIterable<NumberedRow[]>;
};

/** Where bytes of what a journal was may be left, in sentences: in its copies, and elsewhere. */
export type Unreached = {copies: string; elsewhere: string[]};

/** The rows of one journal. Its calls come one after another, but for the reading ones. All throw {@link JournalError}. */
export interface RecordStorage {
	/** @returns null for a new journal */
	open(user: StorageUser): Promise<RestoredRows | null>;
	begin(genesis: GenesisRow): Promise<void>;
	/** All of them, or none. */
	append(rows: EncodedRecord[]): Promise<void>;
	/** Makes the rows others and appends one: all of it, or nothing. */
	rewrite(row: EncodedRecord, rewriting: RowRewriting): Promise<Unreached>;
	/** Verified rows. */
	read(from: number, count: number): Promise<NumberedRow[]>;
	find(id: string): Promise<NumberedRow | null>;
	validation(): Promise<NumberedValidationRow | null>;
	/** Oldest first. */
	revisions(): Promise<RevisionRow[]>;
	/** Verified rows of texts that wait, behind a number, oldest first. */
	held(after: number, count: number): Promise<NumberedRow[]>;
	/** Frees what `open` took, also after a failure. */
	close(): Promise<void>;
	readonly digests?: DigestStore;
}

/** What stands in where no record has a checkpoint. */
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
