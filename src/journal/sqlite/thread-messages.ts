/** What the two sides of the journal's thread say to each other. Every request gets one answer, in order. */
import type {Compaction} from './compaction.ts';
import type {GenesisRow, Row} from './codec.ts';
import type {LogPosition} from './write-ahead-log.ts';
import type {RestoredRows} from './writer.ts';

/** Given to the thread when it starts; it opens the journal and answers `opened`. `cutAt`: where the log must be cut before. */
export type WorkerTask = {folder: string; compaction: Compaction | null; cutAt: LogPosition | null};

export type Request =
	| {type: 'begin'; genesis: GenesisRow}
	| {type: 'append'; rows: Row[]}
	| {type: 'close'};

export type Answer =
	| {type: 'opened'; kept: RestoredRows | null}
	| {type: 'done'}
	/** The last answer: the thread has freed the file, and is ended. `uncut`: what a failed commit left is still in the log after this position. */
	| {type: 'failed'; message: string; retryable: boolean; cause: string | null; uncut: LogPosition | null};

/** Said unasked, and needs no answer: trouble that costs no record. */
export type Notice = {type: 'notice'; message: string};
