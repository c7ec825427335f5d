/**
 * The journals' thread: opens files, answers the requests of each journal in order, and compacts
 * in small steps between requests. The main thread's side is `journal-thread.ts`.
 *
 * - A journal that fails frees its files; the others continue.
 * - No journal keeps the others waiting for long: opening verifies a bounded number of records, a
 *   locked file is tried again later, and the journals compact in turn, one step each time the thread
 *   has answered the requests that had arrived.
 */
import {setTimeout} from 'node:timers/promises';
import {JournalError, LostHistoryError, reasonOf} from '../../platform/errors.ts';
import {classifyFailure} from '../../platform/sqlite/failure.ts';
import {answerCalls, notify} from '../../platform/thread-calls.ts';
import type {Compaction} from '../journal-options.ts';
import type {RestoredRows} from '../record-storage.ts';
import {
	buffersIn, type CallName, type JournalAnswer, type JournalCall, type JournalCalls, type Notice, type ReadName,
} from './thread-messages.ts';
import type {LogPosition} from './write-ahead-log.ts';
import {JournalDraft} from './journal-draft.ts';
import {JournalWriter, nothing} from './writer.ts';

type OpenJournal = {folder: string; writer: JournalWriter; draft: JournalDraft | null; compaction: Compaction | null};

const journals = new Map<string, OpenJournal>();

/** The journals that may have something to compact, or cached pages to free, in the order of their turns. */
const toMaintain = new Set<string>();
let nextStep: NodeJS.Immediate | undefined;

/** How long a file may stay locked while it is opened: longer than an inspection of it takes. */
const maxLockedMs = 500;
const lockRetryMs = 20;

const sendNotice = (folder: string, what: string, error: unknown): void => {
	notify({folder, message: `${what}: ${reasonOf(error)}`, failure: null} satisfies Notice);
};

/** SQLite's code, which an error loses when it is sent to another thread. */
const codeOf = (cause: unknown): {errcode?: number} => cause instanceof Error && 'errcode' in cause ? {errcode: Number(cause.errcode)} : {};

const sendFailure = (folder: string, error: unknown, pendingCut: LogPosition | null): void => {
	const {retryable} = error instanceof JournalError ? error : {retryable: false};
	const {cause} = error as Error;
	const isLoss = error instanceof LostHistoryError;
	const failure = {retryable, isLoss, cause: cause === undefined ? null : {message: reasonOf(cause), ...codeOf(cause)}, pendingCut};
	notify({folder, message: reasonOf(error), failure} satisfies Notice);
};

/** Opens a file for writing. SQLite's own wait for a lock would block the whole thread. */
const openWriter = async (folder: string, pendingCut: LogPosition | null): Promise<JournalWriter> => {
	const deadline = performance.now() + maxLockedMs;
	for (;;) {
		try {
			return new JournalWriter(folder, pendingCut);
		} catch (error) {
			if (classifyFailure((error as Error).cause) !== 'busy' || performance.now() > deadline) {
				throw error;
			}

			await setTimeout(lockRetryMs);
		}
	}
};

const open = async (folder: string, compaction: Compaction | null, pendingCut: LogPosition | null): Promise<RestoredRows | null> => {
	try {
		const writer = await openWriter(folder, pendingCut);
		journals.set(folder, {folder, writer, draft: null, compaction});
		scheduleMaintenance(folder);
		return writer.restored;
	} catch (error) {
		sendFailure(folder, error, pendingCut);
		throw error;
	}
};

const close = ({folder, writer, draft}: OpenJournal): void => {
	journals.delete(folder);
	toMaintain.delete(folder);
	try {
		draft?.cancel();
		writer.close();
	} catch (error) {
		sendNotice(folder, 'The journal\'s file was not closed properly; the next start repairs that', error);
	}
};

const fail = (journal: OpenJournal, error: unknown): void => {
	close(journal);
	sendFailure(journal.folder, error, journal.writer.pendingCut);
};

/** The next step runs after the requests that have arrived by then. */
const scheduleMaintenance = (folder: string): void => {
	if (journals.has(folder)) {
		toMaintain.add(folder);
		nextStep ??= setImmediate(maintainNext);
	}
};

const maintainNext = (): void => {
	nextStep = undefined;
	const [folder] = toMaintain;
	if (folder !== undefined) {
		toMaintain.delete(folder);
		maintain(journals.get(folder)!);
	}

	if (toMaintain.size > 0) {
		nextStep ??= setImmediate(maintainNext);
	}
};

/** Runs one step of compaction; after the last one, frees the cached pages. */
const maintain = (journal: OpenJournal): void => {
	try {
		// Not during a rewriting: the draft copies the records as they are.
		if (journal.compaction && !journal.draft && journal.writer.compact(journal.compaction)) {
			scheduleMaintenance(journal.folder);
		} else {
			journal.writer.shrink();
		}
	} catch (error) {
		if (journal.writer.pendingCut) {
			fail(journal, error);
			return;
		}

		journal.compaction = null;
		sendNotice(journal.folder, 'Compaction stopped until the journal is opened again', error);
	}
};

const draftOf = (journal: OpenJournal): JournalDraft => journal.draft ??= new JournalDraft(journal.folder, journal.writer);

type Handler<Name extends CallName> = (journal: OpenJournal, ...given: Parameters<JournalCalls[Name]>) => JournalAnswer<Name>;

const handlers: {[Name in Exclude<CallName, ReadName | 'open'>]: Handler<Name>} = {
	begin: ({writer}, genesis) => writer.begin(genesis),
	append({folder, writer}, rows) {
		writer.append(rows);
		try {
			writer.raiseHighWaterMark();
		} catch (error) {
			sendNotice(folder, 'The newest record is durable, but journal.mark could not be written', error);
		}
	},
	draft: (journal, changes) => draftOf(journal).write(changes),
	draftWaiting: (journal, rows) => draftOf(journal).writeWaiting(rows),
	finishDraft(journal, row, rewriting) {
		draftOf(journal).finish(row, rewriting);
		journal.draft = null;
		try {
			journal.writer = new JournalWriter(journal.folder);
		} catch (error) {
			// The new journal is in place. The call is answered first: a failure from here on does not concern its record.
			setImmediate(() => fail(journal, error));
		}
	},
	cancelDraft(journal) {
		journal.draft?.cancel();
		journal.draft = null;
	},
	backup: async ({writer}, file) => writer.backup(file),
	close,
};

answerCalls((call: JournalCall): JournalAnswer | Promise<JournalAnswer> => {
	const {folder, name, given} = call;
	if (name === 'open') {
		return open(folder, ...given);
	}

	const journal = journals.get(folder);
	if (!journal) {
		throw new JournalError('The journal is closed, or it has failed.');
	}

	try {
		return name in nothing
			? journal.writer.read(name as ReadName, ...given as never)
			: (handlers[name as keyof typeof handlers] as (journal: OpenJournal, ...given: unknown[]) => JournalAnswer)(journal, ...given);
	} catch (error) {
		// A failed read does not stop records from being written.
		if (!(name in nothing)) {
			fail(journal, error);
		}

		throw error;
	} finally {
		scheduleMaintenance(folder);
	}
}, buffersIn);
