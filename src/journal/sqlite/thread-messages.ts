/** The messages between the main thread and the journals' thread. Every call gets one answer; those of one journal come in order. */
import type {EncodedRecord, GenesisRow, NumberedRow} from '../rows.ts';
import type {Compaction} from '../journal-options.ts';
import type {LogPosition} from './write-ahead-log.ts';
import type {RestoredRows, RowRewriting} from '../record-storage.ts';
import type {VerifiedReader} from './verified-reader.ts';

/** The parts of a rewriting besides its pages. */
export type DraftEnd = Pick<RowRewriting, 'revisions' | 'validation'>;

/** The reads of a journal, by the names of its reader's methods. */
export type ReadName = 'read' | 'vectors' | 'find' | 'validation' | 'revisions' | 'held';

export type JournalReads = Pick<VerifiedReader, ReadName>;

export type JournalCalls = JournalReads & {
	/** @param pendingCut Where the log must be cut, because an earlier writer could not. */
	open: (compaction: Compaction | null, pendingCut: LogPosition | null) => RestoredRows | null;
	begin: (genesis: GenesisRow) => void;
	append: (rows: EncodedRecord[]) => void;
	/** Writes replacing records to a draft of the new journal. The first call for a draft begins it. */
	draft: (changes: NumberedRow[]) => void;
	/** Writes the held texts, after all changes. */
	draftWaiting: (rows: NumberedRow[]) => void;
	/** Writes the remaining records and one more, and puts the draft in the journal's place. */
	finishDraft: (row: EncodedRecord, rewriting: DraftEnd) => void;
	cancelDraft: () => void;
	/** Copies the open journal into a new file, while appends continue. */
	backup: (file: string) => Promise<void>;
	close: () => void;
};

export type CallName = keyof JournalCalls;

/** A call, and the folder of the journal that it is about. */
export type JournalCall<Name extends CallName = CallName> = {
	[Each in Name]: {folder: string; name: Each; given: Parameters<JournalCalls[Each]>};
}[Name];

export type JournalAnswer<Name extends CallName = CallName> = ReturnType<JournalCalls[Name]>;

/** A message of the thread that answers no call. */
export type Notice = {
	folder: string;
	message: string;
	/** Set if the journal failed and freed its files; null for a fault that costs no record. `pendingCut`: where to cut the log next. */
	failure: {
		retryable: boolean; isLoss: boolean; cause: {message: string; errcode?: number} | null; pendingCut: LogPosition | null;
	} | null;
};

/** The buffers of all bytes in a message, which are transferred instead of copied. */
export const buffersIn = (message: unknown): ArrayBuffer[] => {
	if (ArrayBuffer.isView(message)) {
		return [message.buffer as ArrayBuffer];
	}

	return typeof message === 'object' && message !== null ? Object.values(message).flatMap(buffersIn) : [];
};
