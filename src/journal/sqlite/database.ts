/** The database file: where it is, and how it is opened to be written by one process, or to be read. */
import {accessSync, constants, statSync} from 'node:fs';
import path from 'node:path';
import type {DatabaseSync} from 'node:sqlite';
import {JournalError} from '../../errors.ts';
import {openToRead, openToWrite} from '../../sqlite/open-database.ts';

export const databasePath = (folder: string): string => path.join(folder, 'journal.sqlite');

/** How messages to an operator name the journal of a folder. */
export const describeJournal = (folder: string): string => `The journal ${databasePath(folder)}`;

/**
 * Opens the file for its one writer, and makes it when it is not there.
 *
 * The exclusive lock is the operating system's, on the file itself: it ends with the process,
 * however that ends. Mind that such locks also end when the process closes any other descriptor
 * of the file: while a writer has it, nothing else in the process may open it but SQLite.
 */
export const openJournalToWrite = (folder: string): DatabaseSync => openToWrite(databasePath(folder), {
	pragmas: `
		pragma locking_mode = exclusive;
		pragma auto_vacuum = incremental;
		pragma journal_mode = wal;
		pragma synchronous = full;
	`,
});

/**
 * Opens the file for a look before it is written: what a kill left in the write-ahead log stays
 * there. Only a rollback journal is rolled back: one is there before the first record. Fails
 * while a writer has the file.
 */
export const openJournalToInspect = (folder: string): DatabaseSync => openToRead(databasePath(folder));

/**
 * Opens the file for a reader, also where nothing can be written.
 *
 * SQLite reads a file in this mode only with an index of the write-ahead log beside it. Where
 * none can be made, a file without a log, or with an empty one, is taken as one that nobody changes.
 *
 * @throws {JournalError} when something is in the log on a file system that cannot be written
 */
export const openJournalToRead = (folder: string): DatabaseSync => {
	if (isWritable(folder)) {
		return openJournalToInspect(folder);
	}

	if (statSync(`${databasePath(folder)}-wal`, {throwIfNoEntry: false})?.size) {
		throw new JournalError(`${describeJournal(folder)} was not closed, and its folder cannot be written, as reading its write-ahead log would need. Copy the whole folder to where it can, and read it there.`);
	}

	return openToRead(databasePath(folder), {isImmutable: true});
};

const isWritable = (folder: string): boolean => {
	try {
		accessSync(folder, constants.W_OK);
		return true;
	} catch {
		return false;
	}
};
