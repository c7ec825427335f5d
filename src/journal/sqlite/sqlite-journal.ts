/**
 * The journal in an embedded SQLite file, as the process sees it. A thread of its own owns the
 * file (`worker.ts`), so that a sync never holds up the event loop.
 *
 * Group commit: records that are appended while a commit is under way form the next group, which
 * costs one sync however many they are. A record is acknowledged when its group is durable.
 *
 * When a group cannot be written, it and everything appended after it is rejected, and so is
 * every further record: each builds on the state that its predecessor left. `open()` tries
 * again, and gives back what is really there.
 */
import path from 'node:path';
import {ConfigurationError, JournalError, reasonOf} from '../../errors.ts';
import type {Compaction} from './compaction.ts';
import type {Genesis, Journal, JournalRecord, RestoredJournal} from '../journal.ts';
import type {WorkerTask} from './thread-messages.ts';
import {assemble, standingOf} from './journal-reader.ts';
import {decodeGenesis, encodeGenesis, encodeRecord, type ContentStorage, type Row} from './codec.ts';
import {JournalThread} from './writer-thread.ts';
import type {LogPosition} from './write-ahead-log.ts';
import type {RestoredRows} from './writer.ts';

/** Where it is kept, and how much of it. */
export type SqliteJournalOptions = {
	/** Made when it is not there. One process at a time. */
	folder: string;
	/**
	 * What is kept of texts: `hash` keeps the SHA-256 of a text and of its metadata instead of
	 * both. The vector is kept either way, and something of a text can be guessed from it.
	 */
	content?: ContentStorage;
	/** Without it nothing is ever compacted. Defaults: 10 000 records, no age, a snapshot per 100 records. */
	compaction?: Partial<Compaction>;
	logger?: JournalLogger;
	/** Hears how long each group took to become durable, in milliseconds. */
	onCommit?: (milliseconds: number) => void;
};

/** Where the journal's own lines go, as Pino takes them. */
export type JournalLogger = Record<'info' | 'warn' | 'error', (details: object, message: string) => void>;

/**
 * A journal in one SQLite file, which a thread of its own writes.
 *
 * @throws {ConfigurationError} for an option that is none, with its name, its value and what is allowed.
 *
 * @example
 * ```ts
 * import {createProcess} from 'processual-state';
 * import {createSqliteJournal} from 'processual-state/journal';
 *
 * // The next process with this folder goes on where this one ends.
 * const identity = createProcess({journal: createSqliteJournal({folder: './identity'})});
 * await identity.ready();
 * await identity.cycle({content: 'This will be remembered.'});
 * await identity.dispose();
 * ```
 */
export const createSqliteJournal = (options: SqliteJournalOptions): SqliteJournal => new SqliteJournal(options);

type Waiting = {row: Row; resolve: () => void; reject: (reason: unknown) => void};

/** What `createSqliteJournal` makes. */
export class SqliteJournal implements Journal {
	readonly #task: Omit<WorkerTask, 'cutAt'>;
	readonly #content: ContentStorage;
	readonly #logger: JournalLogger | undefined;
	readonly #onCommit: ((milliseconds: number) => void) | undefined;
	#thread: JournalThread | null = null;
	/** Why nothing can be appended; null when something can. */
	#refusal: JournalError | null = new JournalError('The journal is not open.');
	#begun = false;
	#queue: Waiting[] = [];
	/** The groups under way, one after another. */
	#committing: Promise<void> | null = null;
	#commits = 0;
	/** What a failed commit left in the log, which could not be cut off yet. */
	#cutAt: LogPosition | null = null;
	/** Opening, beginning and closing come one after another, however they are called. */
	#turn: Promise<unknown> = Promise.resolve();

	constructor({folder, content = 'text', compaction, logger, onCommit}: SqliteJournalOptions) {
		const {keepRecords = 10_000, keepDays = 0, snapshotEvery = 100} = compaction ?? {};
		allow('folder', folder, typeof folder === 'string' && folder !== '', 'the name of a folder');
		allow('content', content, content === 'text' || content === 'hash', '“text” or “hash”');
		allow('compaction.keepRecords', keepRecords, Number.isInteger(keepRecords) && keepRecords >= 0, 'a whole number from 0 on');
		allow('compaction.keepDays', keepDays, typeof keepDays === 'number' && keepDays >= 0, 'a number from 0 on');
		allow('compaction.snapshotEvery', snapshotEvery, Number.isInteger(snapshotEvery) && snapshotEvery > 0, 'a whole number from 1 on');
		this.#task = {folder: path.resolve(folder), compaction: compaction ? {keepRecords, keepDays, snapshotEvery} : null};
		this.#content = content;
		this.#logger = logger;
		this.#onCommit = onCommit;
	}

	/** How many groups were committed through this object. */
	get commits(): number {
		return this.#commits;
	}

	/** Opens the journal; again, after it could not be written. Throws as the port says. */
	async open(): Promise<RestoredJournal | null> {
		return this.#inTurn(async () => {
			if (!this.#refusal) {
				throw new JournalError('The journal is open already. Two processes need a journal each.');
			}

			await this.#end();
			const thread = new JournalThread({...this.#task, cutAt: this.#cutAt}, message => {
				this.#logger?.warn({folder: this.#task.folder}, message);
			});
			const {kept} = await thread.opened;
			this.#cutAt = null;
			this.#logger?.info({folder: this.#task.folder, records: kept?.records ?? 0}, kept ? 'journal opened' : 'new journal');
			void this.#watch(thread);
			this.#thread = thread;
			this.#begun = kept !== null;
			this.#refusal = null;
			return kept && restore(kept);
		});
	}

	async begin(genesis: Genesis): Promise<void> {
		return this.#inTurn(async () => {
			const refusal = this.#refusal ?? (this.#begun ? new JournalError('The journal has a beginning already.') : null);
			if (refusal) {
				throw refusal;
			}

			try {
				await this.#thread!.ask({type: 'begin', genesis: encodeGenesis(genesis)});
				this.#begun = true;
			} catch (error) {
				throw this.#refuse(error);
			}
		});
	}

	async append(record: JournalRecord): Promise<void> {
		if (this.#refusal) {
			throw this.#refusal;
		}

		if (!this.#begun) {
			throw new JournalError('The journal has no beginning yet.');
		}

		const {promise, resolve, reject} = Promise.withResolvers<void>();
		try {
			// Now, and not when its turn comes: what it was made of may change after the call.
			this.#queue.push({row: encodeRecord(record, this.#content), resolve, reject});
		} catch (error) {
			throw this.#refuse(error);
		}

		// One microtask later, so that records of the same moment share the first group.
		this.#committing ??= Promise.resolve().then(async () => this.#commit());
		return promise;
	}

	async close(): Promise<void> {
		return this.#inTurn(async () => {
			this.#refusal = new JournalError('The journal is closed.');
			await this.#end();
		});
	}

	async #commit(): Promise<void> {
		while (this.#queue.length > 0) {
			const group = this.#queue.splice(0);
			const rows = group.map(({row}) => row);
			const memory = rows.flatMap(({vector, thirdness}) => [vector, thirdness]).flatMap(bytes => bytes ? [bytes.buffer as ArrayBuffer] : []);
			const began = performance.now();
			try {
				await this.#thread!.ask({type: 'append', rows}, memory);
				this.#commits++;
				this.#onCommit?.(performance.now() - began);
				for (const {resolve} of group) {
					resolve();
				}
			} catch (error) {
				const refusal = this.#refuse(error);
				for (const {reject} of [...group, ...this.#queue.splice(0)]) {
					reject(refusal);
				}
			}
		}

		this.#committing = null;
	}

	/** From now on every record is refused. What was appended before goes its way. */
	#refuse(error: unknown): JournalError {
		const {retryable} = error instanceof JournalError ? error : {retryable: false};
		const refusal = new JournalError(`The journal takes no records until it is opened again. ${reasonOf(error)}`, {cause: error, retryable});
		if (!this.#refusal) {
			this.#refusal = refusal;
			this.#logger?.error({folder: this.#task.folder, err: error}, refusal.message);
		}

		return refusal;
	}

	/** A thread that ends unasked while nobody waits for it must not go unnoticed. */
	async #watch(thread: JournalThread): Promise<void> {
		const failure = await thread.gone;
		if (failure) {
			this.#refuse(failure);
		}
	}

	/** Lets the groups under way finish, and ends the thread, if there is one. */
	async #end(): Promise<void> {
		await this.#committing;
		try {
			await this.#thread?.ask({type: 'close'});
		} catch {
			// It has failed, and whoever waited for it knows why.
		}

		await this.#thread?.gone;
		this.#cutAt = this.#thread?.uncut ?? this.#cutAt;
		this.#thread = null;
	}

	async #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
		const result = this.#turn.then(work);
		this.#turn = result.catch(() => {});
		return result;
	}
}

/** What comes from JavaScript may be anything; a limit that is no number would compact records that must stay. */
const allow = (name: string, value: unknown, isAllowed: boolean, what: string): void => {
	if (!isAllowed) {
		throw new ConfigurationError(`The journal's option ${name} is ${typeof value === 'string' ? `“${value}”` : String(value)}. Give ${what}.`);
	}
};

const restore = (kept: RestoredRows): RestoredJournal => {
	const genesis = decodeGenesis(kept.genesis);
	return {
		genesis,
		current: assemble(genesis, kept.state),
		standing: standingOf(kept.standing) ?? {counters: {}, lastTrigger: null, cumulativeDrift: 0},
		records: kept.records,
	};
};
