/** The messages between the main thread and the journals' thread. Every request gets one answer, and those of one journal come in order. */
import type {EncodedRecord, NumberedRow} from '../record-codec.ts';
import type {Compaction} from '../journal-options.ts';
import type {GenesisRow} from '../genesis-codec.ts';
import type {NumberedValidationRow} from '../validation-codec.ts';
import type {LogPosition} from './write-ahead-log.ts';
import type {RestoredRows} from '../record-storage.ts';

export type Request =
	/** `pendingCut`: where an earlier writer could not cut the log. */
	| {type: 'open'; compaction: Compaction | null; pendingCut: LogPosition | null}
	| {type: 'begin'; genesis: GenesisRow}
	| {type: 'append'; rows: EncodedRecord[]}
	| {type: 'read'; from: number; count: number}
	| {type: 'find'; id: string}
	| {type: 'validation'}
	| {type: 'close'};

export type Answer =
	| {type: 'opened'; restored: RestoredRows | null}
	| {type: 'done'}
	| {type: 'rows'; rows: NumberedRow[]}
	| {type: 'validation'; row: NumberedValidationRow | null};

/** What is said without a request. */
export type Notice =
	/** Something failed that costs no record. */
	| {type: 'notice'; message: string}
	/** A journal has failed: its files are freed. `pendingCut`: where the next writer must cut the log. */
	| {type: 'failed'; message: string; retryable: boolean; cause: string | null; pendingCut: LogPosition | null};

/** A message and the folder of the journal that it is about. */
export type About<Message> = {folder: string; message: Message};
