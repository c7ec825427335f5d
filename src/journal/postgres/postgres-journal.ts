/**
 * The journal of one identity in PostgreSQL. Its owner is the last one to take it over: each opening
 * draws a new fence for its head, and an earlier owner can write no record (`append.ts`).
 *
 * An append whose outcome is unknown, because the connection broke, either lands before the journal
 * is opened again or never.
 */
import {JournalError, orUndo, reasonOf, UnknownOutcomeError, withErrors} from '../../platform/errors.ts';
import type {Database} from '../../platform/postgres/database.ts';
import {requireSchema} from '../../platform/postgres/migrate.ts';
import type {DigestStore} from '../digest-store.ts';
import {DurableJournal} from '../durable-journal.ts';
import {checkCompaction, type Compaction, type JournalOptions} from '../journal-options.ts';
import type {Journal} from '../journal.ts';
import type {EncodedRecord} from '../rows.ts';
import type {RecordStorage, RestoredRows, RowRewriting, Unreached} from '../record-storage.ts';
import {appendStatement, type OwnedHead} from './append.ts';
import {SealedStorage} from '../sealed-storage.ts';
import {keysInTable} from './key-table.ts';
import {replaceBlock, findBlock, nextDue} from './compaction.ts';
import {digestsOf} from './digest-rows.ts';
import {findLosses} from './lost-history.ts';
import {findNewOwner, letGo, takeOver, writeGenesis, type Taker} from './identity-rows.ts';
import {isUnswept, rewriteRows, sweep} from './rewriting.ts';
import {RowReader} from './row-reader.ts';

/** Which identity's journal it is, and how much of it is stored. */
export type PostgresJournalOptions = JournalOptions & {
	database: Database;
	/** The name of the identity. Its row must exist. */
	name: string;
	/** The node that takes it over. @default a program that is no node */
	taker?: Taker | undefined;
	/** Whether texts are sealed with keys in the database. @default false — keys only open what they sealed earlier */
	seals?: boolean;
	/** The name whose keys it uses. @default name */
	keysOf?: string;
};

/** @throws {ConfigurationError} for an option with a wrong value */
export const createPostgresJournal = ({
	database, name, taker, seals = false, keysOf = name, ...options
}: PostgresJournalOptions): Journal => {
	const {logger, compaction} = options;
	const storage = new PostgresStorage({database, name, taker, logger, compaction: checkCompaction(compaction)});
	return new DurableJournal(new SealedStorage(storage, {store: keysInTable(database, keysOf), seals}), {identity: name}, options);
};

type StorageParts = Pick<PostgresJournalOptions, 'database' | 'name' | 'taker'> & {
	compaction: Compaction | null;
	logger: JournalOptions['logger'];
};

class PostgresStorage implements RecordStorage {
	readonly digests: DigestStore;
	readonly #parts: StorageParts;
	#head: OwnedHead | null = null;
	#reader: RowReader | null = null;
	#compacting: Promise<void> | null = null;
	/** The record from which on a block may be due. */
	#nextDue = 0;

	constructor(parts: StorageParts) {
		this.#parts = parts;
		this.digests = digestsOf(parts.database.query, () => this.#head);
	}

	async open(): Promise<RestoredRows | null> {
		const {database, name, taker} = this.#parts;
		const {query} = database;
		const head = await takeOver(database, name, taker);
		this.#head = head;
		this.#nextDue = 0;
		return orUndo(async () => {
			const reader = new RowReader(query, head, name);
			const [genesis, {state, standing}, validation, revisions, held] = await Promise.all([
				reader.genesis(), reader.standingAfter(head.seq), reader.validation(), reader.revisions(), reader.countHeld(),
				reader.requireNoneBehind(), requireSchema(database),
			]);
			this.#reader = reader;
			this.#compact();
			if (await isUnswept(database, head.no)) {
				void this.#sweep(head);
			}

			return genesis && {genesis, state, standing, records: head.seq, validation: validation && validation.facts, revisions, held};
		}, async () => this.close());
	}

	begin: RecordStorage['begin'] = async row => writeGenesis(this.#parts.database.query, this.#head!, row);

	async append(rows: EncodedRecord[]): Promise<void> {
		const head = this.#head!;
		const {name, text, values, tip} = appendStatement(head, rows);
		const {database} = this.#parts;
		const written = await this.#known(database.queryPlanned(name, text, values));
		const validated = rows.findLastIndex(({validation}) => validation);
		await this.#acknowledge(written.length === 0 ? null : tip, rows, validated < 0 ? head.validation : head.seq + 1 + validated);
		this.#compact();
	}

	/** @param tip The checksum of the newest record; null if nothing was written. @throws {JournalError} if it is null */
	async #acknowledge(tip: number | null, rows: readonly EncodedRecord[], validation: number): Promise<void> {
		const head = this.#head!;
		const {database, name} = this.#parts;
		if (tip === null) {
			const [lost] = await findLosses(database, head);
			throw lost ?? await findNewOwner(database.query, head.no);
		}

		Object.assign(head, {seq: head.seq + rows.length, tip, validation});
		const {fence, seq, life} = head;
		database.acknowledged.remember(life, {name, seq, fence, timestamp: rows.at(-1)!.timestamp});
	}

	async rewrite(row: EncodedRecord, rewriting: RowRewriting): Promise<Unreached> {
		const head = this.#head!;
		await this.#compacting;
		const tip = await this.#known(rewriteRows(this.#parts.database, head, row, rewriting));
		await this.#acknowledge(tip, [row], rewriting.validation === null ? 0 : head.validation);
		return {copies: unreachedCopies, elsewhere: await this.#sweep(head)};
	}

	/** @returns what it could not reach */
	async #sweep({no}: OwnedHead): Promise<string[]> {
		const {database, logger, name} = this.#parts;
		try {
			const left = await sweep(database, no);
			return left === null ? [] : [left];
		} catch (error) {
			logger?.warn({identity: name}, `Dead rows of forgotten texts are left until the journal is opened again. ${reasonOf(error)}`);
			return [`Dead rows, until the journal is opened again: ${reasonOf(error)}`];
		}
	}

	/** @throws {UnknownOutcomeError} if the database did not say whether it was written */
	async #known<Result>(written: Promise<Result>): Promise<Result> {
		return withErrors(async () => written, error => hasRefused(error) ? error : new UnknownOutcomeError(reasonOf(error), {cause: error}));
	}

	read: RecordStorage['read'] = async (...asked) => this.#reader!.read(...asked);
	find: RecordStorage['find'] = async id => this.#reader!.find(id);
	validation: RecordStorage['validation'] = async () => this.#reader!.validation();
	revisions: RecordStorage['revisions'] = async () => this.#reader!.revisions();
	held: RecordStorage['held'] = async (...asked) => this.#reader!.held(...asked);

	/** Releases the identity. If that fails, its next owner waits until this node ends. */
	async close(): Promise<void> {
		const head = this.#head;
		this.#head = null;
		await this.#compacting;
		try {
			await (head && letGo(this.#parts.database.query, head));
		} catch (error) {
			this.#parts.logger?.warn({identity: this.#parts.name}, `The identity could not be released. ${reasonOf(error)}`);
		}
	}

	/** Compacts due blocks one after another, while appends continue. */
	#compact(): void {
		if (this.#parts.compaction && this.#head!.seq >= this.#nextDue) {
			this.#compacting ??= this.#compactBlocks(this.#head!, this.#parts.compaction);
		}
	}

	async #compactBlocks(head: OwnedHead, policy: Compaction): Promise<void> {
		const {query} = this.#parts.database;
		try {
			for (let end; this.#head === head && (end = await findBlock(query, head, policy)) !== null;) {
				if (!await replaceBlock(query, this.#reader!, head, end)) {
					break;
				}
			}

			this.#nextDue = nextDue(head, policy);
		} catch (error) {
			this.#nextDue = Infinity;
			this.#parts.logger?.warn({identity: this.#parts.name}, `Compaction stopped until the journal is opened again: ${reasonOf(error)}`);
		}

		this.#compacting = null;
	}
}

/** The copies that a forgetting in a database cannot reach. */
const unreachedCopies = 'Backups and exports of the database, its standbys until they have replayed this, and its write-ahead log and the '
	+ 'archive of it, backups in files (also FILE~new, which one that was killed has left), and identities that were put aside, here and in '
	+ 'the folder that one was moved from: they have the texts until they are deleted.';

/** Whether the server answered that it wrote nothing. One that loses its connection (class 08) or stops (57P) may have written. */
const hasRefused = (error: unknown): boolean => /^(?!08|57P)\w{5}: /.test(String((error as JournalError).cause));
