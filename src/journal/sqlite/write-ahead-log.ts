/**
 * The write-ahead log of a journal, as far as SQLite leaves it to its owner: how many commits of
 * it are known good, and the removal of one that failed.
 *
 * A commit whose sync fails leaves its frames in the log. The next opening reads them back from
 * the page cache as if they were good, although they may never have reached the disk. So a commit
 * that failed is cut off before its failure is reported.
 *
 * The format: https://sqlite.org/fileformat2.html#the_write_ahead_log
 */
import {closeSync, fsyncSync, ftruncateSync, openSync, readFileSync, readSync, writeSync} from 'node:fs';
import {JournalError} from '../../errors.ts';
import {databasePath} from './database.ts';

const headerSize = 32;
const frameHeaderSize = 24;

/** The salts, which change whenever SQLite begins the log again. */
const saltsAt = 16;

/** How many commits are good of the log that began with these salts; null stands for a log that nothing was written to. */
export type LogPosition = {salts: string | null; commits: number};

export const logPath = (folder: string): string => `${databasePath(folder)}-wal`;

/** Counts the commits of one connection, from an empty log on. */
export class CommitCounter {
	readonly #folder: string;
	readonly #header = Buffer.alloc(headerSize);
	#descriptor: number | null = null;
	#position: LogPosition = {salts: null, commits: 0};

	constructor(folder: string) {
		this.#folder = folder;
	}

	/** The commits that succeeded. */
	get position(): LogPosition {
		return this.#position;
	}

	/** Call it after every commit that has written something, and after no other. */
	increment(): void {
		this.#descriptor ??= openSync(logPath(this.#folder), 'r');
		readSync(this.#descriptor, this.#header, 0, headerSize, 0);
		const salts = saltsOf(this.#header);
		this.#position = {salts, commits: salts === this.#position.salts ? this.#position.commits + 1 : 1};
	}

	close(): void {
		if (this.#descriptor !== null) {
			closeSync(this.#descriptor);
			this.#descriptor = null;
		}
	}
}

/**
 * What is good of the log after a commit that failed. SQLite begins a log again only when all of it
 * is in the database file: where the failed commit has done so, nothing of the new log is good.
 */
export const findGoodPosition = (folder: string, known: LogPosition): LogPosition => {
	const descriptor = openExisting(logPath(folder));
	if (descriptor === null) {
		return known;
	}

	try {
		const header = Buffer.alloc(headerSize);
		readSync(descriptor, header, 0, headerSize, 0);
		const salts = saltsOf(header);
		return salts === known.salts ? known : {salts, commits: 0};
	} finally {
		closeSync(descriptor);
	}
};

/**
 * Cuts off everything after a position, and makes that durable. A log with other salts is a later
 * one, and stays. SQLite must not have a transaction open; what it reads of the log ends at the
 * position already.
 *
 * @throws {JournalError} when the log does not reach to the position; else what the file system says.
 */
export const cutLog = (folder: string, position: LogPosition): void => {
	const descriptor = openExisting(logPath(folder));
	if (descriptor === null) {
		return;
	}

	try {
		const log = readFileSync(descriptor);
		if (log.length < headerSize || saltsOf(log) !== position.salts) {
			return;
		}

		const end = endOf(log, position.commits);
		ftruncateSync(descriptor, end);
		// Zeros in place of the next frame: also after a sync that failed there is something to write, and no older frame can follow.
		writeSync(descriptor, new Uint8Array(frameHeaderSize), 0, frameHeaderSize, end);
		fsyncSync(descriptor);
	} finally {
		closeSync(descriptor);
	}
};

/**
 * Writes the log again as it is, and syncs it. After a kill it is unknown whether a sync had failed:
 * the page cache then has frames that the disk has not, and takes them for written.
 */
export const rewriteLog = (folder: string): void => {
	const descriptor = openExisting(logPath(folder));
	if (descriptor === null) {
		return;
	}

	try {
		const bytes = readFileSync(descriptor);
		for (let written = 0; written < bytes.length;) {
			written += writeSync(descriptor, bytes, written, bytes.length - written, written);
		}

		fsyncSync(descriptor);
	} finally {
		closeSync(descriptor);
	}
};

const openExisting = (file: string): number | null => {
	try {
		return openSync(file, 'r+');
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
			return null;
		}

		throw error;
	}
};

const saltsOf = (log: Buffer): string => log.toString('hex', saltsAt, saltsAt + 8);

/** Where so many commits end, in bytes. */
const endOf = (log: Buffer, commits: number): number => {
	if (commits === 0 || !hasWholeHeader(log)) {
		return 0;
	}

	const ends = commitEnds(log);
	if (ends.length < commits) {
		throw new JournalError(`The journal's write-ahead log has ${ends.length} whole commits, and ${commits} were written.`);
	}

	return ends[commits - 1]!;
};

/** SQLite does not read a log whose header is torn. */
const hasWholeHeader = (log: Buffer): boolean => isSum(log, 24, headerSum(log));

/** Where each commit ends that SQLite would read back. */
const commitEnds = (log: Buffer): number[] => {
	const frameSize = frameHeaderSize + log.readUInt32BE(8);
	const ends: number[] = [];
	let running = headerSum(log);
	for (let at = headerSize; at + frameSize <= log.length; at += frameSize) {
		running = checksum(log, at + frameHeaderSize, at + frameSize, checksum(log, at, at + 8, running));
		if (log.compare(log, saltsAt, saltsAt + 8, at + 8, at + 16) !== 0 || !isSum(log, at + 16, running)) {
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

const headerSum = (log: Buffer): Sum => checksum(log, 0, 24, [0, 0]);

/** SQLite's running checksum over pairs of 32-bit words; the last bit of the log's first word tells their byte order. */
const checksum = (log: Buffer, from: number, to: number, [first, second]: Sum): Sum => {
	const isBigEndian = (log[3]! & 1) === 1;
	for (let at = from; at < to; at += 8) {
		first = (first + wordAt(log, at, isBigEndian) + second) >>> 0;
		second = (second + wordAt(log, at + 4, isBigEndian) + first) >>> 0;
	}

	return [first, second];
};

const wordAt = (log: Buffer, at: number, isBigEndian: boolean): number => isBigEndian ? log.readUInt32BE(at) : log.readUInt32LE(at);

const isSum = (log: Buffer, at: number, [first, second]: Sum): boolean => log.readUInt32BE(at) === first && log.readUInt32BE(at + 4) === second;
