/** The messages between the main thread and the journal's thread. Every request gets one answer, in order. */
import type {RecordRow} from './codec.ts';
import type {Compaction} from './compaction.ts';
import type {GenesisRow} from './genesis-codec.ts';
import type {LogPosition} from './write-ahead-log.ts';
import type {RestoredRows} from './writer.ts';

/** Given to the thread at its start: it opens the journal and answers `opened`. `pendingCut`: where an earlier thread could not cut the log. */
export type WorkerTask = {folder: string; compaction: Compaction | null; pendingCut: LogPosition | null};

export type Request =
	| {type: 'begin'; genesis: GenesisRow}
	| {type: 'append'; rows: RecordRow[]}
	| {type: 'close'};

export type Answer =
	| {type: 'opened'; restored: RestoredRows | null}
	| {type: 'done'}
	/** The last answer: the thread has freed the files. `pendingCut`: where the next thread must cut the log. */
	| {type: 'failed'; message: string; retryable: boolean; cause: string | null; pendingCut: LogPosition | null};

/** A warning without a request: something failed that costs no record. */
export type Notice = {type: 'notice'; message: string};
