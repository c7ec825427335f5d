/**
 * What went wrong with a journal, in words that say what to do. SQLite and the file system
 * speak in codes; an operator reads these sentences.
 */
import {JournalError, reasonOf} from '../errors.ts';

/** Trouble with the place, not with the data: it may pass, and nothing that was acknowledged is lost. */
const passing = (message: string, cause: unknown) =>
	new JournalError(`${message} Nothing that was acknowledged is lost.`, {cause, retryable: true});

/**
 * Data that is not what was written.
 *
 * @param place `The journal` and where it is.
 */
export const damaged = (place: string, what: string, cause?: unknown): JournalError =>
	new JournalError(`${place} is damaged: ${what}. Keep its folder as it is for a rescue, and restore a copy of it.`, {cause});

/** A journal that ends before the newest acknowledged record. */
export const lost = (place: string, last: number | null, mark: number): JournalError => {
	const found = last === null ? 'is missing or empty' : `ends with record ${last}`;
	const rest = last === null ? 'begin a new one' : `go on from record ${last}`;
	return new JournalError(`${place} ${found}, but records up to ${mark} were acknowledged: it or its write-ahead log (…-wal) was removed, damaged, or replaced by an older copy. Restore the whole folder from a copy; or, to accept the loss and ${rest}, remove journal.mark in it.`);
};

const full = (place: string, cause: unknown) =>
	passing(`${place} cannot be written: the disk is full. Free space on it, then try again.`, cause);

const forbidden = (place: string, cause: unknown) =>
	passing(`${place} cannot be opened for writing. Give this process the permission to write the folder and every file in it, or configure another folder (DATA_DIR).`, cause);

/** Result codes, https://sqlite.org/rescode.html: primary ones, and extended ones that tell more. */
const bySqlite: Record<number, (place: string, cause: unknown) => JournalError> = {
	1: (place, cause) => damaged(place, `its tables are not those of a journal (${reasonOf(cause)})`, cause),
	3: forbidden,
	5: (place, cause) => passing(`${place} is in use by another process. Stop that process, or configure another folder (DATA_DIR).`, cause),
	8: forbidden,
	10: (place, cause) => passing(`${place} could not be read or written: the disk answered with an error (SQLite code ${(cause as SqliteError).errcode}). Check the disk, its limits and quotas, then try again.`, cause),
	11: (place, cause) => damaged(place, `SQLite found "${reasonOf(cause)}"`, cause),
	13: full,
	14: forbidden,
	26: (place, cause) => damaged(place, 'it is no SQLite database any more', cause),
	// Reading a write-ahead log needs a small index file beside it, which did not fit.
	4874: full,
};

/** Error codes of the file system and of Node. */
const byCode: Record<string, (place: string, cause: unknown) => JournalError> = {
	ENOSPC: full,
	EDQUOT: full,
	EACCES: forbidden,
	EPERM: forbidden,
	EROFS: forbidden,
	// What Node says of a folder that cannot be made on a read-only file system.
	ENOENT: forbidden,
	ERR_OUT_OF_RANGE: (place, cause) => damaged(place, `it has a number that nobody wrote (${reasonOf(cause)})`, cause),
	EEXIST: (place, cause) => passing(`${place} has no folder: a file of that name is in the way. Remove it, or configure another folder (DATA_DIR).`, cause),
	ENOTDIR: (place, cause) => passing(`${place} has no folder: part of its path is a file. Configure another folder (DATA_DIR).`, cause),
};

type SqliteError = Error & {errcode: number};

/** Whatever was thrown, as a JournalError. */
export const explain = (error: unknown, place: string): JournalError => {
	if (error instanceof JournalError) {
		return error;
	}

	const {errcode, code} = error as {errcode?: number; code?: string};
	const known = errcode === undefined ? byCode[code ?? ''] : bySqlite[errcode] ?? bySqlite[errcode & 0xff];
	return known?.(place, error) ?? new JournalError(`${place} could not be read or written: ${reasonOf(error)}`, {cause: error});
};

/** Runs, and lets nothing but JournalErrors out. */
export const explaining = <Result>(place: string, run: () => Result): Result => {
	try {
		return run();
	} catch (error) {
		throw explain(error, place);
	}
};
