/**
 * Durable commits. With `synchronous = full` SQLite syncs the write-ahead log in each commit, so committed data survives a kill
 * and a power cut. One thing SQLite leaves to its owner: removing a commit that failed.
 *
 * A commit whose sync fails leaves its frames in the log. The next connection reads them from the
 * page cache as if they were durable, although the disk may not have them. So a failed commit is
 * cut off before its failure is reported. If the cut fails too, `pendingCut` says where to cut before the log is read again.
 *
 * The format: https://sqlite.org/fileformat2.html#the_write_ahead_log
 */
import {closeSync, fsyncSync, ftruncateSync, openSync, readFileSync, readSync} from 'node:fs';
import type {DatabaseSync} from 'node:sqlite';
import {JournalError, orUndoNow} from '../../platform/errors.ts';
import {ifExists, withFile} from '../../platform/files/folders.ts';
import {writeFully} from '../../platform/files/write.ts';
import {runTransaction} from '../../platform/sqlite/open-database.ts';
import {databasePath, hasBytes} from './database.ts';

const headerSize = 32;
const frameHeaderSize = 24;

/** The salts, which change whenever SQLite restarts the log. */
const saltsAt = 16;

/** A position in the log: after this many commits since the restart with these salts. `salts` is null for a log without any. */
export type LogPosition = {salts: string | null; commits: number};

export const logPath = (folder: string): string => `${databasePath(folder)}-wal`;

export class DurableCommits {
	readonly #folder: string;
	readonly #database: DatabaseSync;
	readonly #descriptor: number;
	/** The end of the last commit that succeeded and is counted. */
	#position: LogPosition = {salts: null, commits: 0};
	/** Whether the last commit is not counted yet. */
	#isBehind = false;
	#pendingCut: LogPosition | null = null;

	/** @param database Its write-ahead log must be empty. */
	constructor(folder: string, database: DatabaseSync) {
		this.#folder = folder;
		this.#database = database;
		this.#descriptor = openSync(logPath(folder), 'r');
	}

	/** Where the log must be cut before it is read again; null when it has nothing of a failed commit. */
	get pendingCut(): LogPosition | null {
		return this.#pendingCut;
	}

	/** Runs `work`, which must write something, in a transaction. When this returns, its writes are durable. */
	commit<Result>(work: () => Result): Result {
		// With its position unknown, a commit that fails could not be cut off.
		this.#catchUp();
		const result = orUndoNow(() => runTransaction(this.#database, work), () => this.#cut());
		this.#isBehind = true;
		try {
			this.#catchUp();
		} catch {
			// The commit is durable, whatever a later read of the log says.
		}

		return result;
	}

	close(): void {
		closeSync(this.#descriptor);
	}

	#catchUp(): void {
		if (this.#isBehind) {
			this.#position = this.#count(1);
			this.#isBehind = false;
		}
	}

	/** SQLite restarts the log only when all of it is in the database file: then only what was written since is in the log. */
	#count(more: 0 | 1): LogPosition {
		const header = Buffer.alloc(headerSize);
		readSync(this.#descriptor, header, 0, headerSize, 0);
		const salts = readSalts(header, saltsAt);
		return {salts, commits: (salts === this.#position.salts ? this.#position.commits : 0) + more};
	}

	/** Tries twice: a disk that failed once may not fail again. */
	#cut(): void {
		for (let tries = 2; tries > 0; tries--) {
			try {
				this.#pendingCut ??= this.#count(0);
				cutLog(this.#folder, this.#pendingCut);
				this.#pendingCut = null;
				return;
			} catch {
				// The next writer cuts at `pendingCut`.
			}
		}
	}
}

/**
 * Cuts off everything after a position, durably. A log with other salts is a later one and is not
 * changed. SQLite must have no transaction open, and must have read nothing after the position.
 *
 * @throws {JournalError} when the log ends before the position; otherwise the file system's error.
 */
export const cutLog = (folder: string, {salts, commits}: LogPosition): void => {
	withLog(folder, descriptor => {
		const log = readFileSync(descriptor);
		if (log.length < headerSize || readSalts(log, saltsAt) !== salts) {
			return;
		}

		const size = commits === 0 ? 0 : findEnd(log, commits);
		ftruncateSync(descriptor, size);
		// Zeros in place of the next frame: no older frame can follow, and a sync that failed before has new data to write.
		writeFully(descriptor, new Uint8Array(frameHeaderSize), size);
		fsyncSync(descriptor);
	});
};

/**
 * Writes the log's bytes to it again, and syncs it. A sync may have failed before a kill:
 * then the page cache has frames that the disk lacks, marked as written.
 */
export const rewriteLog = (folder: string): void => {
	withLog(folder, descriptor => {
		const log = readFileSync(descriptor);
		if (log.length > 0) {
			writeFully(descriptor, log, 0);
			fsyncSync(descriptor);
		}
	});
};

/**
 * Rejects a closed journal whose file is incomplete. SQLite empties the log when it closes the file, and reports nothing if it
 * cannot, as on a full disk.
 *
 * @param what Begins the message. @throws {JournalError}
 */
export const requireEmptyLog = (folder: string, what: string): void => {
	if (hasBytes(logPath(folder))) {
		throw new JournalError(`${what} could not be written completely. Check the disk and its free space, then try again.`, {
			retryable: true,
		});
	}
};

/** Runs with the log open to read and write. @returns null if there is no log */
const withLog = <Result>(folder: string, run: (descriptor: number) => Result): Result | null =>
	ifExists(() => withFile(logPath(folder), 'r+', run));

const readSalts = (log: Buffer, at: number): string => log.toString('hex', at, at + 8);

/** Where the log's first commits end. Each frame repeats the salts; the last one of a commit has the database's size. */
const findEnd = (log: Buffer, commits: number): number => {
	const frameSize = frameHeaderSize + log.readUInt32BE(8);
	let at = headerSize;
	for (let found = 0; found < commits; at += frameSize) {
		if (at + frameSize > log.length || readSalts(log, at + 8) !== readSalts(log, saltsAt)) {
			throw new JournalError(`The journal's write-ahead log has ${found} whole commits, but ${commits} were written.`);
		}

		found += Number(log.readUInt32BE(at + 4) !== 0);
	}

	return at;
};
