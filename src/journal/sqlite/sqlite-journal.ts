/**
 * The journal in an embedded SQLite file. A thread owns the file (`worker.ts`), so that a sync never
 * blocks the event loop. Several journals can share one thread (`journals.ts`).
 */
import path from 'node:path';
import {requireKnownNames, type Names} from '../../platform/unknown-names.ts';
import {DurableJournal} from '../durable-journal.ts';
import type {GenesisRow} from '../genesis-codec.ts';
import type {Journal} from '../journal.ts';
import {checkCompaction, journalOptionNames, requireOption, type Compaction, type JournalOptions} from '../journal-options.ts';
import {buffersOf, type EncodedRecord, type NumberedRow} from '../record-codec.ts';
import type {RecordStorage, RestoredRows, StorageUser} from '../record-storage.ts';
import type {NumberedValidationRow} from '../validation-codec.ts';
import type {JournalConnection} from './journal-connection.ts';
import {JournalThread} from './journal-thread.ts';
import type {Answer, Request} from './thread-messages.ts';
import type {LogPosition} from './write-ahead-log.ts';

/** Where the journal is, and how much of it is stored. */
export type SqliteJournalOptions = JournalOptions & {
	/** Made if it is missing. One process at a time can open it. */
	folder: string;
};

/** Every name of these options. */
export const sqliteJournalNames: Names<SqliteJournalOptions> = {...journalOptionNames, folder: true} as Names<SqliteJournalOptions>;

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
	return createInThread(options, thread, async () => thread.end());
};

/** @param onFreed Called when the files are freed, by `close` or by an `open` that failed. */
export const createInThread = (options: SqliteJournalOptions, thread: JournalThread, onFreed = async (): Promise<void> => {}): Journal => {
	const {folder, compaction, logger} = options;
	requireOption('folder', folder, typeof folder === 'string' && folder !== '', 'the name of a folder');
	const details = {folder: path.resolve(folder)};
	const onNotice = (message: string): void => {
		logger?.warn(details, message);
	};

	return new DurableJournal(new SqliteStorage(details.folder, checkCompaction(compaction), thread, onNotice, onFreed), details, options);
};

/** A folder's rows, which a thread writes and reads. */
class SqliteStorage implements RecordStorage {
	readonly #folder: string;
	readonly #compaction: Compaction | null;
	readonly #thread: JournalThread;
	readonly #onNotice: (message: string) => void;
	readonly #onFreed: () => Promise<void>;
	#connection: JournalConnection | null = null;
	/** Where the last writer could not cut a failed commit off the log. */
	#pendingCut: LogPosition | null = null;

	constructor(
		folder: string, compaction: Compaction | null, thread: JournalThread, onNotice: (message: string) => void,
		onFreed: () => Promise<void>,
	) {
		this.#folder = folder;
		this.#compaction = compaction;
		this.#thread = thread;
		this.#onNotice = onNotice;
		this.#onFreed = onFreed;
	}

	async open({onFailure, close}: StorageUser): Promise<RestoredRows | null> {
		try {
			this.#connection = this.#thread.connect(this.#folder, {onNotice: this.#onNotice, onFailure, close});
			const {restored} = await this.#ask<'opened'>({type: 'open', compaction: this.#compaction, pendingCut: this.#pendingCut});
			this.#pendingCut = null;
			return restored;
		} catch (error) {
			this.#forget();
			await this.#onFreed();
			throw error;
		}
	}

	async begin(genesis: GenesisRow): Promise<void> {
		await this.#ask({type: 'begin', genesis});
	}

	async append(rows: EncodedRecord[]): Promise<void> {
		await this.#connection!.request({type: 'append', rows}, rows.flatMap(buffersOf));
	}

	async read(from: number, count: number): Promise<NumberedRow[]> {
		return (await this.#ask<'rows'>({type: 'read', from, count})).rows;
	}

	async find(id: string): Promise<NumberedRow | null> {
		return (await this.#ask<'rows'>({type: 'find', id})).rows[0] ?? null;
	}

	async validation(): Promise<NumberedValidationRow | null> {
		return (await this.#ask<'validation'>({type: 'validation'})).row;
	}

	async close(): Promise<void> {
		try {
			await this.#connection?.request({type: 'close'});
		} catch {
			// The journal has failed, and the callers who waited for it have its error.
		}

		this.#forget();
		await this.#onFreed();
	}

	async #ask<Type extends Answer['type']>(request: Request): Promise<Extract<Answer, {type: Type}>> {
		return await this.#connection!.request(request) as Extract<Answer, {type: Type}>;
	}

	/** Keeps of the connection only what the next writer must know. */
	#forget(): void {
		this.#pendingCut = this.#connection?.pendingCut ?? this.#pendingCut;
		this.#connection = null;
	}
}
