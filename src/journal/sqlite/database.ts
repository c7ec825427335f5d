/** The journal's database file: its path, and how it is opened and verified. */
import {accessSync, constants, existsSync, rmSync, statSync} from 'node:fs';
import path from 'node:path';
import type {DatabaseSync} from 'node:sqlite';
import {JournalError, orUndoNow} from '../../platform/errors.ts';
import {syncFolder} from '../../platform/files/folders.ts';
import {openToRead, openToWrite} from '../../platform/sqlite/open-database.ts';
import {readHighWaterMark} from './high-water-mark.ts';
import {lossError} from './journal-errors.ts';
import {requireNotMoving} from './moving.ts';
import {hasTables} from './schema.ts';
import {VerifiedReader} from './verified-reader.ts';

export const databasePath = (folder: string): string => path.join(folder, 'journal.sqlite');

/** How messages to an operator name the journal of a folder. */
export const describeJournal = (folder: string): string => `The journal ${databasePath(folder)}`;

/** Where a new journal is written until it takes the place of the old one. */
export const draftFolder = (folder: string): string => path.join(folder, '.draft');

/** Removes a draft that a kill left. */
export const removeDraft = (folder: string): void => {
	if (existsSync(draftFolder(folder))) {
		rmSync(draftFolder(folder), {recursive: true});
		syncFolder(folder);
	}
};

/**
 * Opens the file for its one writer, and makes it if it is missing. Each commit is synced. Fails at
 * once while another connection has the file: the waiting thread may serve many journals.
 *
 * The page cache is small, because records are written once and hardly read. With SQLite's 2 MiB
 * a journal in use takes 2270 KiB, with 128 KiB it takes 303 KiB, and commits are as fast.
 *
 * The exclusive lock is the operating system's, on the file itself: it ends with the process,
 * however that ends. It also ends when the process closes any other descriptor of the file. So
 * nothing but SQLite may open the file in a process that writes it.
 */
export const openJournalToWrite = (folder: string): DatabaseSync => openToWrite(databasePath(folder), {
	pragmas: `
		pragma locking_mode = exclusive;
		${hasBytes(databasePath(folder)) ? '' : 'pragma auto_vacuum = incremental;'}
		pragma journal_mode = wal;
		pragma synchronous = full;
		pragma cache_size = -128;
	`,
	busyTimeoutMs: 0,
});

/** Whether a file has data. `auto_vacuum` is set only in a file without any: setting it again is a commit with three syncs. */
export const hasBytes = (file: string): boolean => Boolean(statSync(file, {throwIfNoEntry: false})?.size);

/** Verifies an open file. If no journal was begun in it, or it is damaged, it is closed. @returns null if none was begun */
export const verifyOpened = (database: DatabaseSync, folder: string, place: string) => {
	const opened = orUndoNow(() => {
		const reader = hasTables(database, place) ? new VerifiedReader(database, place) : null;
		return reader && {database, reader, ...reader.verify(readHighWaterMark(folder))};
	}, () => database.close());
	if (!opened) {
		database.close();
	}

	return opened;
};

/**
 * Verifies a journal before it is opened for writing, through a connection that cannot write. A writer's connection empties the
 * write-ahead log when it closes, even a log whose end it could not read. The inspection leaves every file as a kill left it, for
 * a rescue; only a rollback journal is rolled back, which can exist before the first record. It does not wait for a lock.
 *
 * @throws {JournalError} when the journal is damaged, or records that were acknowledged are missing.
 */
export const inspectJournal = (folder: string, place: string): void => {
	const highWaterMark = readHighWaterMark(folder);
	const isBegun = hasBytes(databasePath(folder)) && inspectFile(folder, place);
	if (!isBegun && highWaterMark !== null) {
		throw lossError(place, null, highWaterMark);
	}
};

const inspectFile = (folder: string, place: string): boolean => {
	requireNotMoving(folder);
	const opened = verifyOpened(openToRead(databasePath(folder), {busyTimeoutMs: 0}), folder, place);
	opened?.database.close();
	return opened !== null;
};

/**
 * Opens the file to read it, even if nothing can be written.
 *
 * SQLite needs an index file beside a write-ahead log. If none can be made, a journal whose log
 * is missing or empty is opened as an immutable file.
 *
 * @param options `isMoving`: whether to open it even while it is being moved to or from a database.
 * @throws {JournalError} when the log has data and the folder cannot be written
 */
export const openJournalToRead = (folder: string, {isMoving = false} = {}): DatabaseSync => {
	if (!isMoving) {
		requireNotMoving(folder);
	}

	if (isWritable(folder)) {
		return openToRead(databasePath(folder));
	}

	if (hasBytes(`${databasePath(folder)}-wal`)) {
		throw new JournalError(`${describeJournal(folder)} was not closed properly, and reading its write-ahead log needs a writable `
			+ 'folder. Copy the whole folder to a writable place, and read it there.');
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
