/**
 * The journal in an embedded SQLite file. A thread owns the file (`worker.ts`), so that a sync never
 * blocks the event loop. Several journals can share one thread (`journals.ts`).
 */
import path from 'node:path';
import {orUndo} from '../../platform/errors.ts';
import {listAside} from '../../platform/files/folders.ts';
import {requireKnownNames, type Names} from '../../platform/unknown-names.ts';
import type {DigestStore} from '../digest-store.ts';
import {DurableJournal} from '../durable-journal.ts';
import type {Journal} from '../journal.ts';
import {checkCompaction, journalOptionNames, requireOption, type Compaction, type JournalOptions} from '../journal-options.ts';
import type {EncodedRecord} from '../record-codec.ts';
import type {RecordStorage, RestoredRows, RowRewriting, StorageUser, Unreached} from '../record-storage.ts';
import {noKeys, type Keys} from '../key-ring.ts';
import {SealedStorage} from '../sealed-storage.ts';
import {digestsIn} from './digest-file.ts';
import {keysInFile} from './key-file.ts';
import {JournalThread, type JournalConnection} from './journal-thread.ts';
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

/** A folder's rows, which a thread writes and reads. */
class SqliteStorage implements RecordStorage {
	readonly digests: DigestStore;
	readonly #parts: StorageParts;
	#connection: JournalConnection | null = null;
	/** Where the last writer could not cut a failed commit off the log. */
	#pendingCut: LogPosition | null = null;

	constructor(parts: StorageParts) {
		this.#parts = parts;
		this.digests = {
			...digestsIn(parts.folder),
			vectors: async (...asked) => this.#connection?.call('vectors', ...asked) ?? null,
		};
	}

	async open(user: StorageUser): Promise<RestoredRows | null> {
		const {folder, compaction, thread, onNotice} = this.#parts;
		return orUndo(async () => {
			this.#connection = thread.connect(folder, {onNotice, ...user});
			const restored = await this.#connection.call('open', compaction, this.#pendingCut);
			this.#pendingCut = null;
			return restored;
		}, async () => this.#forget());
	}

	begin: RecordStorage['begin'] = async genesis => this.#connection!.call('begin', genesis);
	append: RecordStorage['append'] = async rows => this.#connection!.call('append', rows);

	async rewrite(row: EncodedRecord, {changes, waiting, revisions, validation, settled}: RowRewriting): Promise<Unreached> {
		const connection = this.#connection!;
		await orUndo(async () => {
			for await (const page of changes()) {
				await connection.call('draft', page);
			}

			for await (const page of waiting?.() ?? []) {
				await connection.call('draftWaiting', page);
			}
		}, async () => connection.call('cancelDraft').catch(() => {}));

		await connection.call('finishDraft', row, {revisions, validation, settled});
		return unreachedBeside(this.#parts.folder);
	}

	read: RecordStorage['read'] = async (...asked) => this.#connection!.call('read', ...asked);
	find: RecordStorage['find'] = async id => this.#connection!.call('find', id);
	validation: RecordStorage['validation'] = async () => this.#connection!.call('validation');
	revisions: RecordStorage['revisions'] = async () => this.#connection!.call('revisions');
	held: RecordStorage['held'] = async (...asked) => this.#connection!.call('held', ...asked);

	async close(): Promise<void> {
		try {
			await this.#connection?.call('close');
		} catch {
			// The journal has failed, and the callers who waited for it have its error.
		}

		await this.#forget();
	}

	/** Drops the connection, except for what the next writer must know. */
	async #forget(): Promise<void> {
		this.#pendingCut = this.#connection?.pendingCut ?? this.#pendingCut;
		this.#connection = null;
		await this.#parts.onFreed();
	}
}
