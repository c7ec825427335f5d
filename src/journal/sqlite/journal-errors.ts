/** What a failure means for a journal, and what an operator can do about it. */
import {JournalError, LostHistoryError, reasonOf, withErrors} from '../../platform/errors.ts';
import {classifyFailure, type SqliteFailure} from '../../platform/sqlite/failure.ts';
import {givenNames, nameOf} from '../../platform/option-names.ts';

/** A fault of the environment, not of the data: it may pass, and no acknowledged record is lost. */
const retryableError = (message: string, cause: unknown): JournalError =>
	new JournalError(`${message} Nothing that was acknowledged is lost.`, {cause, retryable: true});

/**
 * Data that is not what was written.
 *
 * @param place How the message names the journal: `The journal` and its file.
 */
export const damageError = (place: string, what: string, cause?: unknown): JournalError =>
	new JournalError(`${place} is damaged: ${what}. Keep its folder as it is for a rescue, and restore a copy of it.`, {cause});

/** A journal that ends before the newest acknowledged record. @param last Its newest record; null when it has no genesis. */
export const lossError = (place: string, last: number | null, highWaterMark: number): LostHistoryError => {
	const found = last === null ? 'is missing or empty' : `ends with record ${last}`;
	const rest = last === null ? 'begin a new one' : `continue from record ${last}`;
	return new LostHistoryError(`${place} ${found}, but records up to ${highWaterMark} were acknowledged: `
		+ 'it or its write-ahead log (…-wal) was removed, damaged, or replaced by an older copy. Restore the whole folder from a copy; '
		+ `or, to accept the loss and ${rest}, remove journal.mark in it.`);
};

const byFailure: Record<SqliteFailure, (place: string, cause: unknown) => JournalError> = {
	// A program that uses the library can open a journal twice, also if its host reloads a module. The command cannot.
	'busy': (place, cause) => retryableError(`${place} is in use by another process`
		+ (givenNames() === null ? ', or by another identity of this program. Dispose of that identity, stop' : '. Stop')
		+ ` that process, or configure another folder (${nameOf('journal.folder')}).`, cause),
	'forbidden': (place, cause) => retryableError(`${place} cannot be opened for writing. `
		+ 'Give this process the permission to write the folder and every file in it, or configure another folder '
		+ `(${nameOf('journal.folder')}).`, cause),
	'full': (place, cause) => retryableError(`${place} cannot be written: the disk is full. Free space on it, then try again.`, cause),
	'disk': (place, cause) => retryableError(`${place} could not be read or written: `
		+ 'the disk answered with an error '
		+ `(SQLite code ${(cause as {errcode: number}).errcode}). Check the disk, its limits and quotas, then try again.`, cause),
	'too many files': (place, cause) => retryableError(`${place} cannot be opened: too many files are open. `
		+ 'Close journals that are not in use (an open one takes four files), or raise the limit of open files.', cause),
	'other tables': (place, cause) => damageError(place, `its tables are not those of a journal (${reasonOf(cause)})`, cause),
	'damaged': (place, cause) => damageError(place, `SQLite found "${reasonOf(cause)}"`, cause),
	'not a database': (place, cause) => damageError(place, 'it is no longer a SQLite database', cause),
	'out of range': (place, cause) => damageError(place, `it has a number out of range (${reasonOf(cause)})`, cause),
	'file in the way': (place, cause) => retryableError(`${place} has no folder: a file of that name is in the way. `
		+ `Remove it, or configure another folder (${nameOf('journal.folder')}).`, cause),
	'path through a file': (place, cause) => retryableError(`${place} has no folder: part of its path is a file. `
		+ `Configure another folder (${nameOf('journal.folder')}).`, cause),
};

/** Any error as a JournalError. */
export const toJournalError = (error: unknown, place: string): JournalError => {
	if (error instanceof JournalError) {
		return error;
	}

	const failure = classifyFailure(error);
	return failure === null
		? new JournalError(`${place} could not be read or written: ${reasonOf(error)}`, {cause: error})
		: byFailure[failure](place, error);
};

/** Runs, and throws every error as a JournalError. */
export const withJournalErrors = <Result>(place: string, run: () => Result): Result =>
	withErrors(run, error => toJournalError(error, place));
