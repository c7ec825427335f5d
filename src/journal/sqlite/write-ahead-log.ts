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

/** Counts the commits of one connection, beginning with an empty log. */
export class CommitCounter {
	readonly #header = Buffer.alloc(headerSize);
	readonly #descriptor: number;
	#position: LogPosition = {salts: null, commits: 0};
	/** Whether the last commit is not counted yet. */
	#isBehind = false;

	/** Opens the log now, because opening it can fail, and a commit that is durable must not. */
	constructor(folder: string) {
		this.#descriptor = openSync(logPath(folder), 'r');
	}

	/** The end of the last commit that succeeded. */
	get position(): LogPosition {
		return this.#position;
	}

	/** Must be called after every commit that wrote something, and after no other. What cannot be read now is read before the next commit. */
	increment(): void {
		this.#isBehind = true;
		try {
			this.catchUp();
		} catch {
			// The commit is durable, whatever a later read of the log says.
		}
	}

	/** Must be called before every commit: with its position unknown, a commit that fails could not be cut off. */
	catchUp(): void {
		if (this.#isBehind) {
			readSync(this.#descriptor, this.#header, 0, headerSize, 0);
			const salts = readSalts(this.#header);
			this.#position = {salts, commits: salts === this.#position.salts ? this.#position.commits + 1 : 1};
			this.#isBehind = false;
		}
	}

	close(): void {
		closeSync(this.#descriptor);
	}
}

export class DurableCommits {
	readonly #folder: string;
	readonly #database: DatabaseSync;
	readonly #counter: CommitCounter;
	#pendingCut: LogPosition | null = null;

	/** @param database Its write-ahead log must be empty. */
	constructor(folder: string, database: DatabaseSync) {
		this.#folder = folder;
		this.#database = database;
		this.#counter = new CommitCounter(folder);
	}

	/** Where the log must be cut before it is read again; null when it has nothing of a failed commit. */
	get pendingCut(): LogPosition | null {
		return this.#pendingCut;
	}

	/** Runs `work`, which must write something, in a transaction. When this returns, its writes are durable. */
	commit<Result>(work: () => Result): Result {
		this.#counter.catchUp();
		const result = orUndoNow(() => runTransaction(this.#database, work), () => this.#cut());
		this.#counter.increment();
		return result;
	}

	close(): void {
		this.#counter.close();
	}

	/** Tries twice: a disk that failed once may not fail again. */
	#cut(): void {
		for (let tries = 2; tries > 0; tries--) {
			try {
				this.#pendingCut ??= findGoodPosition(this.#folder, this.#counter.position);
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
 * The end of the durable commits after one that failed. SQLite restarts the log only when all of
 * it is in the database file. If the failed commit restarted it, no commit in the log is durable.
 */
export const findGoodPosition = (folder: string, known: LogPosition): LogPosition => withLog(folder, descriptor => {
	const header = Buffer.alloc(headerSize);
	readSync(descriptor, header, 0, headerSize, 0);
	const salts = readSalts(header);
	return salts === known.salts ? known : {salts, commits: 0};
}) ?? known;

/**
 * Cuts off everything after a position, durably. A log with other salts is a later one and is not
 * changed. SQLite must have no transaction open, and must have read nothing after the position.
 *
 * @throws {JournalError} when the log ends before the position; otherwise the file system's error.
 */
export const cutLog = (folder: string, position: LogPosition): void => {
	withLog(folder, descriptor => {
		const log = readFileSync(descriptor);
		if (log.length < headerSize || readSalts(log) !== position.salts) {
			return;
		}

		const size = sizeOf(log, position.commits);
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

const readSalts = (log: Buffer): string => log.toString('hex', saltsAt, saltsAt + 8);

/** The size of the log with its first `commits` commits. */
const sizeOf = (log: Buffer, commits: number): number => {
	if (commits === 0 || !hasWholeHeader(log)) {
		return 0;
	}

	const ends = findCommitEnds(log);
	if (ends.length < commits) {
		throw new JournalError(`The journal's write-ahead log has ${ends.length} whole commits, but ${commits} were written.`);
	}

	return ends[commits - 1]!;
};

/** SQLite ignores a log with a torn header. */
const hasWholeHeader = (log: Buffer): boolean => hasSumAt(log, 24, sumOfHeader(log));

/** The end of each commit that SQLite would read back. */
const findCommitEnds = (log: Buffer): number[] => {
	const frameSize = frameHeaderSize + log.readUInt32BE(8);
	const ends: number[] = [];
	let running = sumOfHeader(log);
	for (let at = headerSize; at + frameSize <= log.length; at += frameSize) {
		running = addToSum(log, at + frameHeaderSize, at + frameSize, addToSum(log, at, at + 8, running));
		if (log.compare(log, saltsAt, saltsAt + 8, at + 8, at + 16) !== 0 || !hasSumAt(log, at + 16, running)) {
			break;
		}

		const isCommit = log.readUInt32BE(at + 4) !== 0;
		if (isCommit) {
			ends.push(at + frameSize);
		}
	}

	return ends;
};

type Sum = readonly [number, number];

const sumOfHeader = (log: Buffer): Sum => addToSum(log, 0, 24, [0, 0]);

/** SQLite's running checksum over pairs of 32-bit words. The last bit of the log's first word gives their byte order. */
const addToSum = (log: Buffer, from: number, to: number, [first, second]: Sum): Sum => {
	const isBigEndian = (log[3]! & 1) === 1;
	for (let at = from; at < to; at += 8) {
		first = (first + wordAt(log, at, isBigEndian) + second) >>> 0;
		second = (second + wordAt(log, at + 4, isBigEndian) + first) >>> 0;
	}

	return [first, second];
};

const wordAt = (log: Buffer, at: number, isBigEndian: boolean): number => isBigEndian ? log.readUInt32BE(at) : log.readUInt32LE(at);

const hasSumAt = (log: Buffer, at: number, [first, second]: Sum): boolean =>
	log.readUInt32BE(at) === first && log.readUInt32BE(at + 4) === second;
