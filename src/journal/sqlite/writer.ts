/**
 * The one writer of a journal file: it has the lock, brings the file up to date, verifies it,
 * and commits records in groups. Synchronous throughout, so it lives in a thread of its own.
 *
 * After an error in `begin`, `append` or `compact` nothing of that call is in the files, synced or
 * not: what the failed commit left in the write-ahead log is cut off first. The writer must then
 * be closed, and a new one made, which reads again what is there. Where the cut failed too,
 * `uncut` says what the next writer must cut.
 */
import {existsSync, statSync} from 'node:fs';
import type {DatabaseSync, SQLInputValue} from 'node:sqlite';
import {JournalError} from '../../errors.ts';
import {makeFolder} from '../../files/folders.ts';
import {checksumOf} from './checksum.ts';
import {compactBlock, dueBlock, giveBackSpace, hasSpareSpace, saveHead, type Compaction} from './compaction.ts';
import {VerifiedReader, type Head, type EncodedState} from './verified-reader.ts';
import {databasePath, openJournalToInspect, openJournalToWrite, describeJournal} from './database.ts';
import {HighWaterMark, highWaterMarkPath, readHighWaterMark} from './high-water-mark.ts';
import {createTables, hasTables, writeVersion} from './schema.ts';
import {columns, fieldsOf, genesisColumns, genesisFields, type GenesisRow, type Row} from './codec.ts';
import {lossError, withJournalErrors} from './journal-errors.ts';
import {CommitCounter, cutLog, findGoodPosition, logPath, rewriteLog, type LogPosition} from './write-ahead-log.ts';

/** What a journal that is not new holds, as plain data that can be sent to another thread. */
export type RestoredRows = {genesis: GenesisRow; state: EncodedState; standing: string | null; records: number};

/** Messages to callers do not tell where the journal is: they may reach clients. */
const itself = 'The journal';

export class JournalWriter {
	/** What was there; null in a new journal. */
	readonly kept: RestoredRows | null;
	readonly #folder: string;
	readonly #database: DatabaseSync;
	#contents: VerifiedReader | null = null;
	#insert: ((seq: number, row: Row) => void) | null = null;
	#mark: HighWaterMark | null = null;
	/** What the files are, whatever their names come to stand for. */
	#files: string | null = null;
	#head: Head = {last: 0, compacted: 0};
	readonly #commits: CommitCounter;
	#uncut: LogPosition | null = null;

	/**
	 * @param cutAt Where the log ends for certain, when an earlier writer could not cut it there.
	 * @throws {JournalError} when the journal cannot be read or written, is damaged, or another process has it.
	 */
	constructor(folder: string, cutAt: LogPosition | null = null) {
		this.#folder = folder;
		this.#commits = new CommitCounter(folder);
		const place = describeJournal(folder);
		[this.#database, this.kept] = withJournalErrors<[DatabaseSync, RestoredRows | null]>(place, () => {
			makeFolder(folder);
			if (cutAt) {
				cutLog(folder, cutAt);
			}

			lookFirst(folder, place);
			rewriteLog(folder);
			const database = openJournalToWrite(folder);
			try {
				return [database, this.#takeOver(database, place)];
			} catch (error) {
				this.#mark?.close();
				database.close();
				throw error;
			}
		});
	}

	/** Where the log must be cut before it is read again; null when nothing of a failed commit is in it. */
	get uncut(): LogPosition | null {
		return this.#uncut;
	}

	/** Writes the beginning of a new journal. */
	begin(genesis: GenesisRow): void {
		withJournalErrors(itself, () => {
			this.#commit(() => {
				createTables(this.#database);
				this.#database
					.prepare(`insert into genesis (id, ${genesisColumns.join(', ')}, checksum) values (1, ${genesisColumns.map(() => '?').join(', ')}, ?)`)
					.run(...genesisFields(genesis) as SQLInputValue[], checksumOf(genesisFields(genesis)));
			});
			this.#prepare(this.#database, itself);
			this.#mark = new HighWaterMark(this.#folder, 0);
			this.#files = identityOf(this.#folder);
		});
	}

	/** Writes a group of records in one transaction: when it returns they are durable. */
	append(rows: readonly Row[]): void {
		withJournalErrors(itself, () => {
			this.#requireFiles();
			const {compacted} = this.#head;
			let {last} = this.#head;
			this.#commit(() => {
				for (const row of rows) {
					this.#insert!(++last, row);
				}

				saveHead(this.#database, {last, compacted});
			});
			this.#head = {last, compacted};
		});
	}

	/** Notes the newest record as acknowledged. The records are durable without it; a missing note only means that a later loss might not be noticed. */
	note(): void {
		withJournalErrors(itself, () => {
			this.#mark!.write(this.#head.last);
		});
	}

	/** One small step of compaction; says whether there may be more to do. */
	compact(policy: Compaction): boolean {
		if (!this.#contents) {
			return false;
		}

		return withJournalErrors(itself, () => {
			const end = dueBlock(this.#database, this.#head, policy);
			if (end !== null) {
				this.#head = this.#commit(() => compactBlock(this.#database, this.#contents!, this.#head, end, this.#insert!));
				return true;
			}

			if (hasSpareSpace(this.#database)) {
				this.#commit(() => {
					giveBackSpace(this.#database);
				});
				return true;
			}

			return false;
		});
	}

	/** Moves what is in the write-ahead log into the file, as far as there is room, and frees both. */
	close(): void {
		this.#mark?.close();
		this.#commits.close();
		this.#database.close();
	}

	[Symbol.dispose](): void {
		this.close();
	}

	/**
	 * A file that was removed, or has another in its place, goes on to be written as if nothing were
	 * wrong, and is gone when it is closed.
	 */
	#requireFiles(): void {
		if (identityOf(this.#folder) !== this.#files) {
			throw new JournalError(`${itself}'s files were removed or replaced while they were open. Put them back where they were.`);
		}
	}

	/** A transaction that writes something. */
	#commit<Result>(work: () => Result): Result {
		let result: Result;
		try {
			result = transaction(this.#database, work);
		} catch (error) {
			this.#cut();
			throw error;
		}

		this.#commits.increment();
		return result;
	}

	/** Twice, because a disk that failed once may not fail again, and what is reported as failed must be gone. */
	#cut(): void {
		for (let tries = 2; tries > 0; tries--) {
			try {
				this.#uncut ??= findGoodPosition(this.#folder, this.#commits.position);
				cutLog(this.#folder, this.#uncut);
				this.#uncut = null;
				return;
			} catch {
				// The next writer tries again.
			}
		}
	}

	#takeOver(database: DatabaseSync, place: string): RestoredRows | null {
		if (!hasTables(database, place)) {
			// To open a file that has no tables yet writes to the log, too: commits are counted from an empty one.
			emptyLog(database);
			return null;
		}

		transaction(database, () => {
			// A file that cannot be written fails here and not in the first cycle.
			writeVersion(database);
		});
		const contents = this.#prepare(database, place);
		const head = contents.check(readHighWaterMark(this.#folder));
		emptyLog(database);
		this.#head = head;
		this.#mark = new HighWaterMark(this.#folder, head.last);
		this.#files = identityOf(this.#folder);
		return {genesis: contents.genesis(), ...contents.after(head.last), records: head.last};
	}

	#prepare(database: DatabaseSync, place: string): VerifiedReader {
		const insertion = database.prepare(`insert into records (seq, ${columns.join(', ')}, checksum) values (?, ${columns.map(() => '?').join(', ')}, ?)`);
		this.#insert = (seq, row) => {
			const fields = fieldsOf(seq, row);
			insertion.run(...fields as SQLInputValue[], checksumOf(fields));
		};

		this.#contents = new VerifiedReader(database, place);
		return this.#contents;
	}
}

/** Moves everything in the write-ahead log into the file. @throws {JournalError} when something else reads the file. */
const emptyLog = (database: DatabaseSync): void => {
	const {busy} = database.prepare('pragma wal_checkpoint(truncate)').get() as {busy: number};
	if (busy !== 0) {
		throw new JournalError(`${itself} is being read by another process. Stop that process, then try again.`, {retryable: true});
	}
};

/** Which files have the names of the journal, its log and its mark. */
const identityOf = (folder: string): string =>
	[databasePath(folder), logPath(folder), highWaterMarkPath(folder)].map(file => statSync(file, {throwIfNoEntry: false})?.ino ?? 'none').join(' ');

/**
 * Checks a file that is there through a connection that cannot write. A writer's connection
 * empties the write-ahead log when it closes, even one whose end it could not read; this
 * leaves everything in place for a rescue.
 */
const lookFirst = (folder: string, place: string): void => {
	const mark = readHighWaterMark(folder);
	const file = databasePath(folder);
	const isThere = existsSync(file) && statSync(file).size > 0;
	if (!(isThere && lookInto(folder, place, mark)) && mark !== null) {
		throw lossError(place, null, mark);
	}
};

const lookInto = (folder: string, place: string, mark: number | null): boolean => {
	const database = openJournalToInspect(folder);
	try {
		const isBegun = hasTables(database, place);
		if (isBegun) {
			new VerifiedReader(database, place).check(mark);
		}

		return isBegun;
	} finally {
		database.close();
	}
};

const transaction = <Result>(database: DatabaseSync, work: () => Result): Result => {
	database.exec('begin immediate');
	try {
		const result = work();
		database.exec('commit');
		return result;
	} catch (error) {
		// SQLite has already rolled back after some errors, a full disk among them.
		if (database.isTransaction) {
			database.exec('rollback');
		}

		throw error;
	}
};
