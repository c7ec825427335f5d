/**
 * The journal in an embedded SQLite file, as an identity sees it. A thread owns the file
 * (`worker.ts`), so that a sync never blocks the event loop. Several journals can share one thread
 * (`journals.ts`).
 *
 * Group commit: records that arrive during a commit form the next group, which costs one sync
 * however many they are. `append` resolves when its group is durable (`durable-commits.ts`).
 *
 * When a group cannot be written, it and every later record is rejected, since each builds on the
 * state that its predecessor left. `open` tries again, and restores the last durable state.
 */
import path from 'node:path';
import {ConfigurationError, JournalError, reasonOf} from '../../errors.ts';
import type {Genesis, Journal, JournalEntry, JournalRecord, RestoredJournal, StoredCycle, Validation} from '../journal.ts';
import {buffersOf, decodeCheckpoint, decodeEntry, decodeState, encodeRecord, type ContentStorage, type EncodedRecord} from '../record-codec.ts';
import type {Compaction} from './compaction.ts';
import {decodeGenesis, encodeGenesis} from '../genesis-codec.ts';
import type {JournalConnection} from './journal-connection.ts';
import {withJournalErrors} from './journal-errors.ts';
import {JournalThread} from './journal-thread.ts';
import type {Answer, Request} from './thread-messages.ts';
import {decodeFacts, decodeValidation} from '../validation-codec.ts';
import type {LogPosition} from './write-ahead-log.ts';
import type {RestoredRows} from './writer.ts';

/** Where the journal is, and how much of it is stored. */
export type SqliteJournalOptions = {
	/** Made if it is missing. One process at a time can open it. */
	folder: string;
	/**
	 * How texts are stored: `hash` stores the SHA-256 of a text and of its metadata instead of
	 * both. The vector is stored either way, and parts of a text can be guessed from it.
	 *
	 * @default 'text'
	 */
	content?: ContentStorage;
	/**
	 * Which records stay complete; of those that are absent: 10 000 records, no age, a snapshot per 100 records.
	 *
	 * @default undefined — no record is compacted
	 */
	compaction?: Partial<Compaction>;
	/** Hears of compactions and of faults. @default undefined */
	logger?: JournalLogger;
	/** Called after each commit with the milliseconds that it took to become durable. @default undefined */
	onCommit?: (durationMs: number) => void;
};

/** A logger such as Pino. */
export type JournalLogger = Record<'info' | 'warn' | 'error', (details: object, message: string) => void>;

/**
 * A journal in one SQLite file, written by a thread.
 *
 * @throws {ConfigurationError} for an option with a wrong value: its name, the value and what is allowed.
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
	const thread = new JournalThread();
	return new SqliteJournal(options, thread, async () => thread.end());
};

type PendingRecord = {row: EncodedRecord; resolve: () => void; reject: (reason: unknown) => void};

/** How many records one commit has at most. Another journal's commit waits for it in the same thread. */
const maxGroup = 512;

/** A journal in a file, written by a thread that it may share with others. */
export class SqliteJournal implements Journal {
	readonly folder: string;
	readonly #compaction: Compaction | null;
	readonly #content: ContentStorage;
	readonly #thread: JournalThread;
	readonly #onFreed: () => Promise<void>;
	readonly #logger: JournalLogger | undefined;
	readonly #onCommit: ((durationMs: number) => void) | undefined;
	#connection: JournalConnection | null = null;
	/** Why records are rejected; null while they are accepted. */
	#rejection: JournalError | null = new JournalError('The journal is not open.');
	#hasGenesis = false;
	#queue: PendingRecord[] = [];
	/** The commits in progress, one after another. */
	#committing: Promise<void> | null = null;
	/** Where the last writer could not cut a failed commit off the log. */
	#pendingCut: LogPosition | null = null;
	/** The last call of `open`, `begin` or `close`: they run one after another. */
	#lastCall: Promise<unknown> = Promise.resolve();

	/** @param onFreed Called when the files are freed, by `close` or by an `open` that failed. */
	constructor({folder, content = 'text', compaction, logger, onCommit}: SqliteJournalOptions, thread: JournalThread, onFreed = async (): Promise<void> => {}) {
		const {keepRecords = 10_000, keepDays = 0, snapshotEvery = 100} = compaction ?? {};
		requireOption('folder', folder, typeof folder === 'string' && folder !== '', 'the name of a folder');
		requireOption('content', content, content === 'text' || content === 'hash', '“text” or “hash”');
		requireOption('compaction.keepRecords', keepRecords, Number.isInteger(keepRecords) && keepRecords >= 0, 'a whole number from 0 on');
		requireOption('compaction.keepDays', keepDays, typeof keepDays === 'number' && keepDays >= 0, 'a number from 0 on');
		requireOption('compaction.snapshotEvery', snapshotEvery, Number.isInteger(snapshotEvery) && snapshotEvery > 0, 'a whole number from 1 on');
		this.folder = path.resolve(folder);
		this.#compaction = compaction ? {keepRecords, keepDays, snapshotEvery} : null;
		this.#thread = thread;
		this.#onFreed = onFreed;
		this.#content = content;
		this.#logger = logger;
		this.#onCommit = onCommit;
	}

	/** Opens the journal, also again after a failure. Throws as {@link Journal.open} does. */
	async open(): Promise<RestoredJournal | null> {
		return this.#serialize(async () => {
			if (!this.#rejection) {
				throw new JournalError('The journal is open already. Give each identity its own journal.');
			}

			await this.#disconnect();
			const restored = await this.#connect();
			this.#pendingCut = null;
			this.#logger?.info({folder: this.folder, records: restored?.records ?? 0}, restored ? 'journal opened' : 'new journal');
			this.#hasGenesis = restored !== null;
			this.#rejection = null;
			return restored && decodeRestored(restored);
		});
	}

	async begin(genesis: Genesis): Promise<void> {
		return this.#serialize(async () => {
			const rejection = this.#rejection ?? (this.#hasGenesis ? new JournalError('The journal has a genesis already.') : null);
			if (rejection) {
				throw rejection;
			}

			try {
				await this.#connection!.request({type: 'begin', genesis: encodeGenesis(genesis)});
				this.#hasGenesis = true;
			} catch (error) {
				throw this.#rejectFromNow(error);
			}
		});
	}

	async append(record: JournalRecord): Promise<void> {
		if (this.#rejection) {
			throw this.#rejection;
		}

		if (!this.#hasGenesis) {
			throw new JournalError('The journal has no genesis yet.');
		}

		const {promise, resolve, reject} = Promise.withResolvers<void>();
		try {
			// Encoded now: the record's objects may change after the call.
			this.#queue.push({row: encodeRecord(record, this.#content), resolve, reject});
		} catch (error) {
			throw this.#rejectFromNow(error);
		}

		// One microtask later, so that records of the same moment share the first group.
		this.#committing ??= Promise.resolve().then(async () => this.#commitGroups());
		return promise;
	}

	async read(from: number, count: number): Promise<JournalEntry[]> {
		const {rows} = await this.#ask<'rows'>({type: 'read', from, count});
		return withJournalErrors('The journal', () => rows.map(decodeEntry));
	}

	async find(id: string): Promise<StoredCycle | null> {
		const {rows: [row]} = await this.#ask<'rows'>({type: 'find', id});
		return row ? withJournalErrors('The journal', () => decodeEntry(row).record as StoredCycle) : null;
	}

	async validation(): Promise<Validation | null> {
		const {row} = await this.#ask<'validation'>({type: 'validation'});
		return row && withJournalErrors('The journal', () => decodeValidation(row));
	}

	async close(): Promise<void> {
		return this.#serialize(async () => {
			this.#rejection = new JournalError('The journal is closed.');
			await this.#disconnect();
			await this.#onFreed();
		});
	}

	/** Asks for what is stored. @throws {JournalError} also where it cannot be read */
	async #ask<Type extends Answer['type']>(request: Request): Promise<Extract<Answer, {type: Type}>> {
		if (this.#rejection) {
			throw this.#rejection;
		}

		const answer = await this.#connection!.request(request);
		if (answer.type === 'unreadable') {
			throw new JournalError(answer.message);
		}

		return answer as Extract<Answer, {type: Type}>;
	}

	async #commitGroups(): Promise<void> {
		while (this.#queue.length > 0) {
			const group = this.#queue.splice(0, maxGroup);
			const rows = group.map(({row}) => row);
			const buffers = rows.flatMap(buffersOf);
			const start = performance.now();
			try {
				await this.#connection!.request({type: 'append', rows}, buffers);
				this.#onCommit?.(performance.now() - start);
				for (const {resolve} of group) {
					resolve();
				}
			} catch (error) {
				const rejection = this.#rejectFromNow(error);
				for (const {reject} of [...group, ...this.#queue.splice(0)]) {
					reject(rejection);
				}
			}
		}

		this.#committing = null;
	}

	/** Rejects every record from now on. Records in an earlier group may still become durable. */
	#rejectFromNow(error: unknown): JournalError {
		const {retryable} = error instanceof JournalError ? error : {retryable: false};
		const rejection = new JournalError(`The journal takes no records until it is opened again. ${reasonOf(error)}`, {cause: error, retryable});
		if (!this.#rejection) {
			this.#rejection = rejection;
			this.#logger?.error({folder: this.folder, err: error}, rejection.message);
		}

		return rejection;
	}

	async #connect(): Promise<RestoredRows | null> {
		try {
			const connection = this.#thread.connect(this.folder, {
				onNotice: message => {
					this.#logger?.warn({folder: this.folder}, message);
				},
				onFailure: failure => {
					this.#rejectFromNow(failure);
				},
				close: async () => this.close(),
			});
			this.#connection = connection;
			const answer = await connection.request({type: 'open', compaction: this.#compaction, pendingCut: this.#pendingCut});
			return (answer as Extract<Answer, {type: 'opened'}>).restored;
		} catch (error) {
			await this.#onFreed();
			throw error;
		}
	}

	/** Waits for the commits in progress, and frees the files if they are open. */
	async #disconnect(): Promise<void> {
		await this.#committing;
		try {
			await this.#connection?.request({type: 'close'});
		} catch {
			// The journal has failed, and the callers who waited for it have its error.
		}

		this.#pendingCut = this.#connection?.pendingCut ?? this.#pendingCut;
		this.#connection = null;
	}

	async #serialize<Result>(call: () => Promise<Result>): Promise<Result> {
		const result = this.#lastCall.then(call);
		this.#lastCall = result.catch(() => {});
		return result;
	}
}

/** JavaScript callers may give anything, and with a limit that is no number records would be compacted that must stay. */
const requireOption = (name: string, value: unknown, isAllowed: boolean, expected: string): void => {
	if (!isAllowed) {
		throw new ConfigurationError(`The journal's option ${name} is ${typeof value === 'string' ? `“${value}”` : String(value)}. Give ${expected}.`);
	}
};

const decodeRestored = ({genesis: row, state, standing, records, validation}: RestoredRows): RestoredJournal => {
	const genesis = decodeGenesis(row);
	return {
		genesis,
		current: decodeState(genesis.initial, state),
		checkpoint: decodeCheckpoint(standing) ?? {counters: {}, lastTrigger: null, cumulativeDrift: 0},
		records,
		validation: validation === null ? null : decodeFacts({facts: validation}),
	};
};
