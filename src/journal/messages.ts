/** What the two sides of the journal's thread say to each other. Every request gets one answer, in order. */
import type {Compaction} from './compaction.ts';
import type {GenesisRow, Row} from './rows.ts';
import type {KeptJournal} from './writer.ts';

/** Given to the thread when it starts; it opens the journal and answers `opened`. */
export type WorkerTask = {folder: string; compaction: Compaction | null};

export type Request =
	| {type: 'begin'; genesis: GenesisRow}
	| {type: 'append'; rows: Row[]}
	| {type: 'close'};

export type Answer =
	| {type: 'opened'; kept: KeptJournal | null; foundVersion: number}
	| {type: 'done'}
	/** The last word: the thread has freed the file, and is ended. */
	| {type: 'failed'; message: string; retryable: boolean; cause: string | null};

/** Said unasked, and needs no answer: trouble that costs no record. */
export type Notice = {type: 'notice'; message: string};
