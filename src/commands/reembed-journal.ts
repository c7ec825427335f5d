/**
 * Rebuilds a journal in files under another model, as a new journal (`reembed-records.ts`) that takes the
 * old one's place. The old one is kept beside it.
 */
import {existsSync, statSync} from 'node:fs';
import {copyFile, link, mkdir, rename, rm} from 'node:fs/promises';
import {JournalError} from '../platform/errors.ts';
import {findFreeName, folderMode} from '../platform/files/folders.ts';
import {databasePath} from '../journal/sqlite/database.ts';
import {highWaterMarkPath} from '../journal/sqlite/high-water-mark.ts';
import {JournalReader} from '../journal/sqlite/journal-reader.ts';
import {createSqliteJournal} from '../journal/sqlite/sqlite-journal.ts';
import {logPath} from '../journal/sqlite/write-ahead-log.ts';
import {reembedRecords, type Reembedded, type ReembedOptions} from './reembed-records.ts';

type Options = ReembedOptions & {
	/** The journal's folder, which no other process may have open. */
	folder: string;
};

/**
 * @throws {ConfigurationError} if the journal already belongs to this model, or texts are missing.
 * @throws {JournalError} if the old journal cannot be read or the new one cannot be written; the old one is then unchanged.
 */
export const reembedJournal = async ({folder, ...options}: Options): Promise<Reembedded & {oldFolder: string}> => {
	await checkpointLog(folder);
	const fresh = `${folder}~new`;
	// An earlier attempt that was killed may have left it.
	await rm(fresh, {recursive: true, force: true});

	const journal = createSqliteJournal({folder: fresh});
	// While it is open, no service can open the old journal: records that it acknowledged would be lost.
	const reader = new JournalReader(folder);
	try {
		requireEmptyLog(folder);
		const outcome = await reembedRecords(reader, journal, options);
		if (hasLog(fresh)) {
			throw new JournalError(`The new journal ${fresh} could not be written completely. `
				+ 'Check the disk and its free space, then try again.', {retryable: true});
		}

		const oldFolder = findFreeName(folder);
		await linkOld(folder, oldFolder);
		// One rename replaces the journal: a kill before it leaves the old one, after it the new one.
		await rename(databasePath(fresh), databasePath(folder));
		await rm(fresh, {recursive: true, force: true});
		return {...outcome, oldFolder};
	} finally {
		reader.close();
	}
};

/**
 * Gives the old journal a second name, by a hard link: closing a copied file would release the
 * reader's lock on it. Only file systems without hard links get a copy.
 */
const linkOld = async (folder: string, oldFolder: string): Promise<void> => {
	await mkdir(oldFolder, folderMode);
	try {
		await link(databasePath(folder), databasePath(oldFolder));
	} catch {
		await copyFile(databasePath(folder), databasePath(oldFolder));
	}

	if (existsSync(highWaterMarkPath(folder))) {
		await copyFile(highWaterMarkPath(folder), highWaterMarkPath(oldFolder));
	}
};

/**
 * Moves what a kill left in the write-ahead log into the database. After the rename, SQLite would
 * apply the old log to the new file.
 */
const checkpointLog = async (folder: string): Promise<void> => {
	// Throws if there is no journal; opening it for writing would make one.
	new JournalReader(folder).close();
	const journal = createSqliteJournal({folder});
	await journal.open();
	await journal.close();
};

/** @throws {JournalError} if a service was started and killed since, which leaves records in the log. */
const requireEmptyLog = (folder: string): void => {
	if (hasLog(folder)) {
		throw new JournalError(`The journal in ${folder} has records in its write-ahead log. `
			+ 'Start the service on it once, stop it, and try again.');
	}
};

/** Whether a closed journal has records in its write-ahead log. */
const hasLog = (folder: string): boolean => Boolean(statSync(logPath(folder), {throwIfNoEntry: false})?.size);
