/**
 * The one writer of a journal file. It locks the file, verifies it, and commits records in
 * groups; `write-ahead-log.ts` makes them durable. Every call blocks, so it runs in a thread.
 *
 * After an error in `begin`, `append` or `compact` nothing of that call is in the files. The
 * writer must then be closed. A new one reads the files again.
 */
import {statSync} from 'node:fs';
import type {DatabaseSync} from 'node:sqlite';
import {JournalError, orUndoNow, reasonOf, withErrors} from '../../platform/errors.ts';
import {makeFolder} from '../../platform/files/folders.ts';
import {copyDatabase, preparing, runTransaction} from '../../platform/sqlite/open-database.ts';
import type {EncodedRecord, GenesisRow, NumberedRow} from '../rows.ts';
import type {Compaction} from '../journal-options.ts';
import type {JournalRows} from '../journal-rows.ts';
import type {RestoredRows} from '../record-storage.ts';
import {compactBlock, findDueBlock, giveBackSpace, hasSpareSpace} from './compaction.ts';
import {databasePath, describeJournal, inspectJournal, openJournalToWrite, removeDraft} from './database.ts';
import {highWaterMarkPath, openHighWaterMark, readHighWaterMark, type HighWaterMark} from './high-water-mark.ts';
import {withJournalErrors} from './journal-errors.ts';
import {RowWriter} from './row-writer.ts';
import {bringUpToDate, createTables, hasTables} from './schema.ts';
import {VerifiedReader, type Head} from './verified-reader.ts';
import type {JournalReads, ReadName} from './thread-messages.ts';
import {cutLog, DurableCommits, logPath, rewriteLog, type LogPosition} from './write-ahead-log.ts';

/** Rows of another journal, and the head after them. */
type CopiedRows = Partial<Pick<JournalRows, 'validation' | 'revisions'>> & {
	records?: readonly NumberedRow[];
	held?: readonly NumberedRow[];
	head?: Head;
};

/** The results of reads from a journal that has not begun. */
export const nothing: {[Name in ReadName]: ReturnType<JournalReads[Name]>} = {
	read: [], vectors: null, find: null, validation: null, revisions: [], held: [],
};

/** How errors of `begin`, `append` and `compact` name the journal: they may reach clients, who need not know its folder. */
const anonymous = 'The journal';

export class JournalWriter {
	/** What the journal held when it was opened; null for a new journal. */
	readonly restored: RestoredRows | null;
	readonly #folder: string;
	readonly #database: DatabaseSync;
	readonly #commits: DurableCommits;
	#reader: VerifiedReader | null = null;
	#rows: RowWriter | null = null;
	#highWaterMark: HighWaterMark | null = null;
	#head: Head = {last: 0, compacted: 0, validation: 0};
	/** The inodes of the journal's files when they were opened. */
	#inodes: string | null = null;
	#isClosed = false;

	/**
	 * @param pendingCut Where the log must be cut, because an earlier writer could not.
	 * @throws {JournalError} when the journal cannot be read or written, is damaged, or another process has it.
	 */
	constructor(folder: string, pendingCut: LogPosition | null = null) {
		this.#folder = folder;
		const place = describeJournal(folder);
		[this.#database, this.restored, this.#commits] = withJournalErrors<[DatabaseSync, RestoredRows | null, DurableCommits]>(place, () => {
			makeFolder(folder);
			removeDraft(folder);
			if (pendingCut) {
				cutLog(folder, pendingCut);
			}

			inspectJournal(folder, place);
			rewriteLog(folder);
			const database = openJournalToWrite(folder);
			return orUndoNow(() => [database, this.#restore(database, place), new DurableCommits(folder, database)], () => {
				this.#highWaterMark?.close();
				database.close();
			});
		});
	}

	/** Where the next writer must cut the log; null when it has nothing of a failed commit. */
	get pendingCut(): LogPosition | null {
		return this.#commits.pendingCut;
	}

	/** Writes the genesis of a new journal. When this returns, it is durable. */
	begin(genesis: GenesisRow): void {
		withJournalErrors(anonymous, () => {
			this.#commits.commit(() => {
				createTables(this.#database);
				new RowWriter(preparing(this.#database)).insertGenesis(genesis);
			});
			this.#prepare(this.#database, anonymous);
			this.#highWaterMark = openHighWaterMark(this.#folder, 0);
			this.#inodes = inodesOf(this.#folder);
		});
	}

	/** Writes a group of records in one transaction. When this returns, they are durable. */
	append(rows: readonly EncodedRecord[]): void {
		withJournalErrors(anonymous, () => {
			this.#requireFiles();
			const head = {...this.#head};
			this.#commits.commit(() => {
				for (const row of rows) {
					requireNewId(row, this.#reader!);
					this.#rows!.append(++head.last, row);
					head.validation = row.validation ? head.last : head.validation;
				}

				this.#rows!.saveHead(head);
			});
			this.#head = head;
		});
	}

	/** Writes rows of another journal as they are. When this returns, they are durable. */
	copy({records = [], held = [], validation, revisions = [], head = this.#head}: CopiedRows): void {
		withJournalErrors(anonymous, () => {
			this.#commits.commit(() => {
				const rows = this.#rows!;
				records.forEach(row => rows.insert(row.seq, row));
				held.forEach(row => rows.insert(row.seq, row, 'held'));
				revisions.forEach(row => rows.keepRevision(row));
				if (validation) {
					rows.keepValidation(validation.seq, validation);
				}

				rows.saveHead(head);
			});
			this.#head = head;
		});
		this.raiseHighWaterMark();
	}

	describe(): {genesis: GenesisRow; head: Readonly<Head>} {
		return {genesis: withJournalErrors(anonymous, () => this.#reader!.readGenesis()), head: this.#head};
	}

	/** Raises the high-water mark to the newest record. The record is durable without it; only its later loss might not be noticed. */
	raiseHighWaterMark(): void {
		withJournalErrors(anonymous, () => this.#highWaterMark!.write(this.#head.last));
	}

	/** Reads what is durable, verified. A journal that has not begun has nothing. */
	read<Name extends ReadName>(name: Name, ...given: Parameters<JournalReads[Name]>): ReturnType<JournalReads[Name]> {
		const reads = this.#reader as unknown as Readonly<Record<ReadName, (...given: unknown[]) => unknown>> | null;
		return withJournalErrors(anonymous, () => reads ? reads[name](...given) : nothing[name]) as ReturnType<JournalReads[Name]>;
	}

	/** Makes one small step of compaction. @returns whether there may be more to do */
	compact(policy: Compaction): boolean {
		if (!this.#reader) {
			return false;
		}

		return withJournalErrors(anonymous, () => {
			const end = findDueBlock(this.#database, this.#head, policy);
			if (end !== null) {
				this.#head = this.#commits.commit(() => compactBlock(this.#database, this.#reader!, this.#head, end, this.#rows!));
				return true;
			}

			if (hasSpareSpace(this.#database)) {
				this.#commits.commit(() => giveBackSpace(this.#database));
				return true;
			}

			return false;
		});
	}

	/** Frees the cached pages: 80 to 128 KiB that each of many journals in one program would keep and not need. */
	shrink(): void {
		withJournalErrors(anonymous, () => this.#database.exec('pragma shrink_memory'));
	}

	/** Copies the durable records into a new file, some pages at a time, including those that are written before it ends. */
	async backup(file: string): Promise<void> {
		await withErrors(async () => copyDatabase(this.#database, file), cause =>
			new JournalError(`The backup could not be written: ${reasonOf(cause)}`, {cause}));
	}

	/** Frees the files, once. SQLite first moves the write-ahead log into the database file, as far as there is space. */
	close(): void {
		if (!this.#isClosed) {
			this.#isClosed = true;
			this.#highWaterMark?.close();
			this.#commits.close();
			this.#database.close();
		}
	}

	[Symbol.dispose](): void {
		this.close();
	}

	/** SQLite keeps writing to a file that was removed or replaced, without an error, and the data is lost when it is closed. */
	#requireFiles(): void {
		if (inodesOf(this.#folder) !== this.#inodes) {
			throw new JournalError(`${anonymous}'s files were removed or replaced while they were open. Put them back where they were.`);
		}
	}

	/** Reads what the journal holds, and leaves its write-ahead log empty. */
	#restore(database: DatabaseSync, place: string): RestoredRows | null {
		if (!hasTables(database, place)) {
			// Opening a file without tables writes to the log, too.
			emptyLog(database);
			return null;
		}

		// A file that cannot be written fails here and not in the first cycle. The log is synced when it is emptied.
		database.exec('pragma synchronous = off');
		runTransaction(database, () => bringUpToDate(database));
		database.exec('pragma synchronous = full');
		const reader = this.#prepare(database, place);
		const {head, genesis, validation} = reader.verify(readHighWaterMark(this.#folder));
		this.#head = head;
		emptyLog(database);
		const {last} = head;
		this.#highWaterMark = openHighWaterMark(this.#folder, last);
		this.#inodes = inodesOf(this.#folder);
		return {
			genesis, ...reader.readAfter(last), records: last, validation: validation && validation.facts,
			revisions: reader.revisions(), held: reader.countHeld(),
		};
	}

	#prepare(database: DatabaseSync, place: string): VerifiedReader {
		const prepare = preparing(database);
		this.#rows = new RowWriter(prepare);
		this.#reader = new VerifiedReader(database, place, prepare);
		return this.#reader;
	}
}

/** A repeated request is recognised by the id of its cycle. @throws {JournalError} for an id that another cycle has */
const requireNewId = ({kind, id, isReleased}: EncodedRecord, reader: VerifiedReader): void => {
	if ((kind === 'cycle' || kind === 'held') && !isReleased && reader.find(id)) {
		throw new JournalError(`${anonymous} already has a cycle with the id “${id}”. Every id must be new.`);
	}
};

/** Moves everything in the write-ahead log into the database file. @throws {JournalError} when another connection reads the file. */
const emptyLog = (database: DatabaseSync): void => {
	const {busy} = database.prepare('pragma wal_checkpoint(truncate)').get() as {busy: number};
	if (busy !== 0) {
		throw new JournalError(`${anonymous} is being read by another process. Stop that process, then try again.`, {retryable: true});
	}
};

/** The inodes of the database file, its log and its high-water mark. */
const inodesOf = (folder: string): string =>
	[databasePath(folder), logPath(folder), highWaterMarkPath(folder)]
		.map(file => statSync(file, {throwIfNoEntry: false})?.ino ?? 'none')
		.join(' ');
