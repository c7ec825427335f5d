/**
 * What went wrong with a journal, in words that say what to do. SQLite and the file system
 * speak in codes; an operator reads these sentences.
 */
import {JournalError, reasonOf} from '../../errors.ts';
import {classifyFailure, type SqliteFailure} from '../../sqlite/failure.ts';

/** Trouble with the place, not with the data: it may pass, and nothing that was acknowledged is lost. */
const passing = (message: string, cause: unknown) =>
	new JournalError(`${message} Nothing that was acknowledged is lost.`, {cause, retryable: true});

/**
 * Data that is not what was written.
 *
 * @param place `The journal` and where it is.
 */
export const damageError = (place: string, what: string, cause?: unknown): JournalError =>
	new JournalError(`${place} is damaged: ${what}. Keep its folder as it is for a rescue, and restore a copy of it.`, {cause});

/** A journal that ends before the newest acknowledged record. */
export const lossError = (place: string, last: number | null, mark: number): JournalError => {
	const found = last === null ? 'is missing or empty' : `ends with record ${last}`;
	const rest = last === null ? 'begin a new one' : `go on from record ${last}`;
	return new JournalError(`${place} ${found}, but records up to ${mark} were acknowledged: it or its write-ahead log (…-wal) was removed, damaged, or replaced by an older copy. Restore the whole folder from a copy; or, to accept the loss and ${rest}, remove journal.mark in it.`);
};

const full = (place: string, cause: unknown) =>
	passing(`${place} cannot be written: the disk is full. Free space on it, then try again.`, cause);

const forbidden = (place: string, cause: unknown) =>
	passing(`${place} cannot be opened for writing. Give this process the permission to write the folder and every file in it, or configure another folder (DATA_DIR).`, cause);

const byFailure: Record<SqliteFailure, (place: string, cause: unknown) => JournalError> = {
	'busy': (place, cause) => passing(`${place} is in use by another process. Stop that process, or configure another folder (DATA_DIR).`, cause),
	forbidden,
	full,
	'disk': (place, cause) => passing(`${place} could not be read or written: the disk answered with an error (SQLite code ${(cause as SqliteError).errcode}). Check the disk, its limits and quotas, then try again.`, cause),
	'other tables': (place, cause) => damageError(place, `its tables are not those of a journal (${reasonOf(cause)})`, cause),
	'damaged': (place, cause) => damageError(place, `SQLite found "${reasonOf(cause)}"`, cause),
	'not a database': (place, cause) => damageError(place, 'it is no SQLite database any more', cause),
	'out of range': (place, cause) => damageError(place, `it has a number out of range (${reasonOf(cause)})`, cause),
	'file in the way': (place, cause) => passing(`${place} has no folder: a file of that name is in the way. Remove it, or configure another folder (DATA_DIR).`, cause),
	'path through a file': (place, cause) => passing(`${place} has no folder: part of its path is a file. Configure another folder (DATA_DIR).`, cause),
};

type SqliteError = Error & {errcode: number};

/** Whatever was thrown, as a JournalError. */
export const toJournalError = (error: unknown, place: string): JournalError => {
	if (error instanceof JournalError) {
		return error;
	}

	const failure = classifyFailure(error);
	return failure === null
		? new JournalError(`${place} could not be read or written: ${reasonOf(error)}`, {cause: error})
		: byFailure[failure](place, error);
};

/** Runs, and lets nothing but JournalErrors out. */
export const withJournalErrors = <Result>(place: string, run: () => Result): Result => {
	try {
		return run();
	} catch (error) {
		throw toJournalError(error, place);
	}
};
