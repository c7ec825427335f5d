/**
 * The journal in an embedded SQLite file. A thread owns the file (`worker.ts`), so that a sync never
 * blocks the event loop. Several journals can share one thread (`journals.ts`).
 */
import path from 'node:path';
import {JournalError, LostHistoryError, orUndo} from '../../platform/errors.ts';
import {listAside} from '../../platform/files/folders.ts';
import {requireKnownNames, type Names} from '../../platform/unknown-names.ts';
import {withSignal} from '../../platform/waiting.ts';
import type {DigestStore} from '../digest-store.ts';
import {DurableJournal} from '../durable-journal.ts';
import type {Journal} from '../journal.ts';
import {checkCompaction, journalOptionNames, requireOption, type Compaction, type JournalOptions} from '../journal-options.ts';
import {readStillHeld} from '../read-pages.ts';
import type {EncodedRecord} from '../rows.ts';
import type {RecordStorage, RestoredRows, RowRewriting, StorageUser, Unreached} from '../record-storage.ts';
import {noKeys, type Keys} from '../key-ring.ts';
import {SealedStorage} from '../sealed-storage.ts';
import {digestsIn} from './digest-file.ts';
import {keysInFile} from './key-file.ts';
import {JournalThread} from './journal-thread.ts';
import type {CallName, JournalAnswer, JournalCall, JournalCalls, Notice} from './thread-messages.ts';
import type {LogPosition} from './write-ahead-log.ts';

/** Where the journal is, and how much of it is stored. */
export type SqliteJournalOptions = JournalOptions & {
	/** Created if it is missing. Only one process can open it at a time. */
	folder: string;
	/** Keys, one per source, which a forgetting destroys. @default none: texts are not sealed, and sealed ones cannot be read */
	keys?: {
		/** Created if it is missing; best kept outside of what a backup of the journal includes. */
		file: string;
		/** Whether new records are sealed. If not, keys only open what they sealed earlier. @default true */
		seals?: boolean;
	};
};

/** The names of all these options. */
export const sqliteJournalNames: Names<SqliteJournalOptions> =
	{...journalOptionNames, folder: true, keys: true} as Names<SqliteJournalOptions>;

const keyNames: Names<NonNullable<SqliteJournalOptions['keys']>> = {file: true, seals: true};

/**
 * A journal in one SQLite file, written by a thread.
 *
 * @throws {ConfigurationError} for an option that is unknown or has a wrong value: its name, the value and what is allowed.
 *
 * @example
 * ```ts
 * import {createIdentity} from 'processual-state';
 * import {createSqliteJournal} from 'processual-state/journal';
 *
 * // The next process with this folder continues where this one ends.
 * const identity = createIdentity({journal: createSqliteJournal({folder: './identity'})});
 * await identity.ready();
 * await identity.cycle({content: 'This will be remembered.'});
 * await identity.dispose();
 * ```
 */
export const createSqliteJournal = (options: SqliteJournalOptions): Journal => {
	requireKnownNames('The journal', options, sqliteJournalNames);
	const thread = new JournalThread();
	return createInThread(options ?? {}, thread, async () => thread.end());
};

/** @param onFreed Called when the files are freed, by `close` or by a failed `open`. */
export const createInThread = (options: SqliteJournalOptions, thread: JournalThread, onFreed = async (): Promise<void> => {}): Journal => {
	const {folder: given, compaction, logger} = options;
	requireKnownNames('Keys', options.keys, keyNames);
	requireOption('folder', given, typeof given === 'string' && given !== '', 'the name of a folder');
	const folder = path.resolve(given);
	const onNotice = (message: string): void => logger?.warn({folder}, message);

	const storage = new SqliteStorage({folder, compaction: checkCompaction(compaction), thread, onNotice, onFreed});
	return new DurableJournal(new SealedStorage(storage, toKeys(options.keys)), {folder}, options);
};

const toKeys = ({file, seals = true}: Partial<NonNullable<SqliteJournalOptions['keys']>> = {}): Keys => {
	if (file === undefined) {
		return noKeys;
	}

	requireOption('keys.file', file, typeof file === 'string' && file !== '', 'the name of a file');
	requireOption('keys.seals', seals, typeof seals === 'boolean', 'true or false');
	return {store: keysInFile(path.resolve(file)), seals};
};

/** What a forgetting in a file cannot reach. */
const unreachedHere: Unreached = {
	copies: 'Backups, copies and exports of the journal’s folder, what a backup or an export that was killed has left '
		+ 'beside its file (FILE~new), and identities that were put aside, in folders and in a database that one was moved from: they have '
		+ 'the texts until they are deleted.',
	elsewhere: ['Blocks of the disk that the file system has freed and not written again.'],
};

/** Adds the old journals that `reembed` and `begin` keep beside this one, which a mention of backups does not bring to mind. */
const unreachedBeside = (folder: string): Unreached => {
	const aside = listAside(folder);
	return aside.length === 0
		? unreachedHere
		: {...unreachedHere, copies: `${aside.join(', ')}: kept here when this journal took its place. ${unreachedHere.copies}`};
};

type StorageParts = {
	folder: string;
	compaction: Compaction | null;
	thread: JournalThread;
	onNotice: (message: string) => void;
	onFreed: () => Promise<void>;
};

/** A folder's rows, which a thread writes and reads. Its answers come in order. */
class SqliteStorage implements RecordStorage {
	readonly digests: DigestStore;
	readonly #parts: StorageParts;
	/** Aborts with the failure that ended the connection to the thread; null without a connection. */
	#end: AbortController | null = null;
	/** Where the last writer could not cut a failed commit off the log. */
	#pendingCut: LogPosition | null = null;

	constructor(parts: StorageParts) {
		this.#parts = parts;
		this.digests = {
			...digestsIn(parts.folder),
			vectors: async (...asked) => this.#end && this.#call('vectors', ...asked),
		};
	}

	async open({onFailure, close}: StorageUser): Promise<RestoredRows | null> {
		const {folder, compaction, thread} = this.#parts;
		return orUndo(async () => {
			const end = new AbortController();
			const fail = (failure: JournalError): void => {
				thread.disconnect(folder);
				onFailure(failure);
				end.abort(failure);
			};

			thread.connect(folder, {receive: notice => this.#receive(notice, fail), fail, close});
			this.#end = end;
			const restored = await this.#call('open', compaction, this.#pendingCut);
			this.#pendingCut = null;
			return restored;
		}, async () => this.#forget());
	}

	begin: RecordStorage['begin'] = async genesis => this.#call('begin', genesis);
	append: RecordStorage['append'] = async rows => this.#call('append', rows);

	async rewrite(row: EncodedRecord, {changes, waiting, revisions, validation, settled}: RowRewriting): Promise<Unreached> {
		await orUndo(async () => {
			for await (const page of changes()) {
				await this.#call('draft', page);
			}

			for await (const page of waiting?.() ?? readStillHeld(this, settled)) {
				await this.#call('draftWaiting', page);
			}
		}, async () => this.#call('cancelDraft').catch(() => {}));

		await this.#call('finishDraft', row, {revisions, validation});
		return unreachedBeside(this.#parts.folder);
	}

	read: RecordStorage['read'] = async (...asked) => this.#call('read', ...asked);
	find: RecordStorage['find'] = async id => this.#call('find', id);
	validation: RecordStorage['validation'] = async () => this.#call('validation');
	revisions: RecordStorage['revisions'] = async () => this.#call('revisions');
	held: RecordStorage['held'] = async (...asked) => this.#call('held', ...asked);

	async close(): Promise<void> {
		const {folder, thread} = this.#parts;
		try {
			await this.#call('close');
			thread.disconnect(folder);
		} catch {
			// The journal has failed, and the callers who waited for it have its error.
		}

		await this.#forget();
	}

	/** @throws {JournalError} when the call fails, which ends the connection, unless it only reads. */
	async #call<Name extends CallName>(name: Name, ...given: Parameters<JournalCalls[Name]>): Promise<JournalAnswer<Name>> {
		const {folder, thread} = this.#parts;
		const {signal} = this.#end!;
		signal.throwIfAborted();
		return await withSignal(thread.call({folder, name, given} as unknown as JournalCall), signal) as JournalAnswer<Name>;
	}

	#receive({message, failure}: Notice, fail: (failure: JournalError) => void): void {
		if (!failure) {
			this.#parts.onNotice(message);
			return;
		}

		const {cause, retryable, isLoss, pendingCut} = failure;
		this.#pendingCut = pendingCut;
		const Failure = isLoss ? LostHistoryError : JournalError;
		fail(new Failure(message, {cause: cause ? Object.assign(new Error(cause.message), cause) : undefined, retryable}));
	}

	async #forget(): Promise<void> {
		this.#end = null;
		await this.#parts.onFreed();
	}
}
