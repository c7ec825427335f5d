/**
 * A journal over a database: the order of the calls, group commit, and what follows a failure.
 *
 * Group commit: records that arrive during a commit form the next group, which costs one commit
 * whatever its size. `append` resolves when its group is durable.
 *
 * When a group cannot be written, it and every later record is rejected, since each builds on the
 * state that its predecessor left. `open` tries again, and restores the last durable state.
 */
import {JournalError, LostHistoryError, MovedError, orUndo, reasonOf, UnknownOutcomeError, withErrors} from '../platform/errors.ts';
import {takeTurns} from '../platform/waiting.ts';
import type {DigestStore} from './digest-store.ts';
import {
	decodeDecision, decodeEntry, decodeValidation, encodeGenesis, encodeNumbered, encodeRecords, encodeStored, encodeValidation,
} from './record-codec.ts';
import type {
	Genesis, HeldEntry, Journal, JournalEntry, JournalRecord, RestoredJournal, RevisionRecord, Rewriting, StoredCycle, StoredHeld,
} from './journal.ts';
import type {Validation} from './validation.ts';
import type {TextsDecision} from './revision.ts';
import {requireOption, type JournalOptions} from './journal-options.ts';
import type {ContentStorage, EncodedRecord} from './rows.ts';
import {decodeRestored, type RecordStorage, type RowRewriting} from './record-storage.ts';

type PendingRecord = {
	rows: EncodedRecord[];
	rewriting?: RowRewriting & Pick<Rewriting, 'onDone'>;
	resolve: () => void;
	reject: (reason: unknown) => void;
};

/** How many calls one commit has at most. Other journals may wait for it in the same thread. */
const maxGroup = 512;

export class DurableJournal implements Journal {
	readonly #storage: RecordStorage;
	readonly #details: object;
	readonly #options: JournalOptions & {content: ContentStorage};
	/** Why records are rejected; null while they are accepted. */
	#rejection: JournalError | null = new JournalError('The journal is not open.');
	#isConnected = false;
	#hasGenesis = false;
	#queue: PendingRecord[] = [];
	/** The commits in progress, one after another. */
	#committing: Promise<void> | null = null;
	/** `open`, `begin` and `close` run one after another. */
	readonly #inTurn = takeTurns();

	/**
	 * @param details Fields of the journal's log lines.
	 * @throws {ConfigurationError} for an option with a wrong value
	 */
	constructor(storage: RecordStorage, details: object, {content = 'text', ...options}: JournalOptions) {
		requireOption('content', content, content === 'text' || content === 'hash', '“text” or “hash”');
		this.#storage = storage;
		this.#details = details;
		this.#options = {content, ...options};
	}

	get digests(): DigestStore | undefined {
		return this.#storage.digests;
	}

	/** Opens the journal, or reopens it after a failure. @throws the errors of {@link Journal.open} */
	async open(): Promise<RestoredJournal | null> {
		return this.#inTurn(async () => {
			if (!this.#rejection) {
				throw new JournalError('The journal is already open. Give each identity its own journal.');
			}

			await this.#disconnect();
			const restored = await this.#storage.open({
				onFailure: failure => this.#rejectFromNow(failure),
				close: async () => this.close(),
			});
			this.#isConnected = true;
			const opened = await orUndo(async () => this.#decoded(() => restored && decodeRestored(restored)), async () => this.#disconnect());
			this.#options.logger?.info({...this.#details, records: opened?.records ?? 0}, opened ? 'journal opened' : 'new journal');
			this.#hasGenesis = opened !== null;
			this.#rejection = null;
			return opened;
		});
	}

	async begin(genesis: Genesis): Promise<void> {
		return this.#inTurn(async () => {
			const rejection = this.#rejection ?? (this.#hasGenesis ? new JournalError('The journal already has a genesis.') : null);
			if (rejection) {
				throw rejection;
			}

			await withErrors(async () => this.#storage.begin(encodeGenesis(genesis)), error => this.#rejectFromNow(error));
			this.#hasGenesis = true;
		});
	}

	async append(record: JournalRecord): Promise<void> {
		return this.#enqueue(() => ({rows: encodeRecords(record, this.#options.content)}));
	}

	async rewrite(record: RevisionRecord, {changes, decisions, validation, settled, forgotten, onDone}: Rewriting): Promise<void> {
		return this.#enqueue(() => ({
			rows: encodeRecords(record, this.#options.content),
			rewriting: {
				async * changes() {
					for await (const page of changes()) {
						yield page.map(encodeStored);
					}
				},
				revisions: decisions.map(encodeNumbered),
				validation: validation && {...encodeValidation(validation), seq: validation.seq},
				settled,
				forgotten,
				...(onDone && {onDone}),
			},
		}));
	}

	async #enqueue(encode: () => Pick<PendingRecord, 'rows' | 'rewriting'>): Promise<void> {
		if (this.#rejection) {
			throw this.#rejection;
		}

		if (!this.#hasGenesis) {
			throw new JournalError('The journal has no genesis yet.');
		}

		const {promise, resolve, reject} = Promise.withResolvers<void>();
		// Encoded now: the record's objects may change after the call.
		const encoded = withErrors(encode, error => this.#rejectFromNow(error));
		this.#queue.push({...encoded, resolve, reject});
		// One microtask later, so that records of the same moment share the first group.
		this.#committing ??= Promise.resolve().then(async () => this.#commitGroups());
		return promise;
	}

	async read(from: number, count: number): Promise<JournalEntry[]> {
		return this.#decode(async storage => storage.read(from, count), rows => rows.map(decodeEntry));
	}

	async find(id: string): Promise<StoredCycle | StoredHeld | null> {
		return this.#decode(async storage => storage.find(id), row => row && decodeEntry(row).record as StoredCycle | StoredHeld);
	}

	async validation(): Promise<Validation | null> {
		return this.#decode(async storage => storage.validation(), row => row && decodeValidation(row));
	}

	async decisions(): Promise<TextsDecision[]> {
		return this.#decode(async storage => storage.revisions(), rows => rows.map(decodeDecision));
	}

	async held(after: number, count: number): Promise<HeldEntry[]> {
		return this.#decode(async storage => storage.held(after, count), rows => rows.map(row => decodeEntry(row) as HeldEntry));
	}

	async close(): Promise<void> {
		return this.#inTurn(async () => {
			this.#rejection = new JournalError('The journal is closed.');
			await this.#disconnect();
		});
	}

	/** Reads and decodes rows. */
	async #decode<Rows, Result>(read: (storage: RecordStorage) => Promise<Rows>, decode: (rows: Rows) => Result): Promise<Result> {
		if (this.#rejection) {
			throw this.#rejection;
		}

		const rows = await read(this.#storage);
		return this.#decoded(() => decode(rows));
	}

	/** The checksums of the rows were right, so rows that cannot be decoded were written by other software. */
	#decoded<Result>(decode: () => Result): Result {
		return withErrors(decode, cause => new JournalError(`The journal could not be read or written: ${reasonOf(cause)}`, {cause}));
	}

	async #commitGroups(): Promise<void> {
		while (this.#queue.length > 0) {
			const group = this.#queue.splice(0, this.#groupSize());
			const rows = group.flatMap(pending => pending.rows);
			const start = performance.now();
			try {
				await this.#write(group, rows);
				for (const {resolve} of group) {
					resolve();
				}

				this.#report(performance.now() - start, rows.length);
			} catch (error) {
				const rejection = this.#rejectFromNow(error);
				// Records still in the queue were not sent, so they are certainly not in the journal.
				const fate = error instanceof UnknownOutcomeError ? new UnknownOutcomeError(rejection.message, {cause: error}) : rejection;
				for (const {reject} of group) {
					reject(fate);
				}

				for (const {reject} of this.#queue.splice(0)) {
					reject(rejection);
				}
			}
		}

		this.#committing = null;
	}

	/** The records are durable, whatever the caller's function does. */
	#report(durationMs: number, records: number): void {
		try {
			this.#options.onCommit?.(durationMs, records);
		} catch (error) {
			this.#options.logger?.warn({...this.#details, err: error}, `The option onCommit failed: ${reasonOf(error)}`);
		}
	}

	async #write([{rewriting} = {}]: ReadonlyArray<Partial<PendingRecord>>, rows: EncodedRecord[]): Promise<void> {
		if (rewriting) {
			const {onDone, ...other} = rewriting;
			const {copies, elsewhere} = await this.#storage.rewrite(rows[0]!, other);
			onDone?.([copies, ...elsewhere]);
		} else {
			await this.#storage.append(rows);
		}
	}

	/** How many queued calls form the next commit: a rewriting has one to itself. */
	#groupSize(): number {
		const at = this.#queue.findIndex(({rewriting}) => rewriting);
		return at === 0 ? 1 : Math.min(at === -1 ? maxGroup : at, maxGroup);
	}

	/** Rejects every record from now on. Records in an earlier group may still become durable. */
	#rejectFromNow(error: unknown): JournalError {
		const {retryable} = error instanceof JournalError ? error : {retryable: false};
		const rejection = error instanceof MovedError || error instanceof LostHistoryError
			? error
			: new JournalError(`The journal accepts no records until it is opened again. ${reasonOf(error)}`, {cause: error, retryable});
		if (!this.#rejection) {
			this.#rejection = rejection;
			this.#options.logger?.[error instanceof MovedError ? 'warn' : 'error']({...this.#details, err: error}, rejection.message);
		}

		return rejection;
	}

	/** Waits for the commits in progress, and frees what the storage holds. */
	async #disconnect(): Promise<void> {
		await this.#committing;
		if (this.#isConnected) {
			this.#isConnected = false;
			await this.#storage.close();
		}
	}
}
