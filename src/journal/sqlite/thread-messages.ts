/** What the main thread and the journals' thread say. Every call gets one answer, and those of one journal come in order. */
import type {EncodedRecord, NumberedRow} from '../record-codec.ts';
import type {Compaction} from '../journal-options.ts';
import type {GenesisRow} from '../genesis-codec.ts';
import type {LogPosition} from './write-ahead-log.ts';
import type {RestoredRows, RowRewriting} from '../record-storage.ts';
import type {VerifiedReader} from './verified-reader.ts';

/** What a rewriting says beside its pages. */
export type DraftEnd = Pick<RowRewriting, 'revisions' | 'validation' | 'settled'>;

/** What a journal is asked, by the names of its reader's methods. */
export type ReadName = 'read' | 'vectors' | 'find' | 'validation' | 'revisions' | 'held';

export type JournalReads = Pick<VerifiedReader, ReadName>;

export type JournalCalls = JournalReads & {
	/** @param pendingCut Where an earlier writer could not cut the log. */
	open: (compaction: Compaction | null, pendingCut: LogPosition | null) => RestoredRows | null;
	begin: (genesis: GenesisRow) => void;
	append: (rows: EncodedRecord[]) => void;
	/** Begins the journal that takes the place of this one, if it is not begun, and writes records that take the place of others. */
	draft: (changes: NumberedRow[]) => void;
	/** Writes what is left and one record more, and puts the draft in the journal's place. */
	finishDraft: (row: EncodedRecord, rewriting: DraftEnd) => void;
	/** Writes texts that wait, after all changes; with it, those of the original stay behind. */
	draftWaiting: (rows: NumberedRow[]) => void;
	cancelDraft: () => void;
	/** Copies the open journal into a new file, beside the appends. */
	backup: (file: string) => Promise<void>;
	close: () => void;
};

export type CallName = keyof JournalCalls;

/** A call, and the folder of the journal that it is about. */
export type JournalCall<Name extends CallName = CallName> = {
	[Each in Name]: {folder: string; name: Each; given: Parameters<JournalCalls[Each]>};
}[Name];

export type JournalAnswer<Name extends CallName = CallName> = ReturnType<JournalCalls[Name]>;

/** What is said without a call. */
export type Notice = {
	folder: string;
	message: string;
	/** The journal has failed: its files are freed. `pendingCut`: where the next writer must cut the log. Null for what costs no record. */
	failure: {
		retryable: boolean; isLoss: boolean; cause: {message: string; errcode?: number} | null; pendingCut: LogPosition | null;
	} | null;
};

/** The memory of all bytes in a message, which is sent instead of copied. */
export const buffersIn = (message: unknown): ArrayBuffer[] => {
	if (ArrayBuffer.isView(message)) {
		return [message.buffer as ArrayBuffer];
	}

	return typeof message === 'object' && message !== null ? Object.values(message).flatMap(buffersIn) : [];
};
