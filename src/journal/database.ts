/** The database file: where it is, and how it is opened to be written by one process, or to be read. */
import {DatabaseSync} from 'node:sqlite';
import path from 'node:path';

export const fileIn = (folder: string): string => path.join(folder, 'journal.sqlite');

/** How messages to an operator name the journal of a folder. */
export const placeOf = (folder: string): string => `The journal ${fileIn(folder)}`;

/**
 * Opens the file for its one writer, and makes it when it is not there.
 *
 * The exclusive lock is the operating system's, on the file itself: it ends with the process,
 * however that ends. Mind that such locks also end when the process closes any other descriptor
 * of the file: while a writer has it, nothing else in the process may open it but SQLite.
 */
export const openToWrite = (folder: string): DatabaseSync => {
	const database = new DatabaseSync(fileIn(folder), options);
	try {
		database.exec(`
			pragma locking_mode = exclusive;
			pragma auto_vacuum = incremental;
			pragma journal_mode = wal;
			pragma synchronous = full;
			${suspicion}
		`);
	} catch (error) {
		database.close();
		throw error;
	}

	return database;
};

/** Opens the file without ever writing it: what a kill left in the write-ahead log stays there. Fails while a writer has it. */
export const openToRead = (folder: string): DatabaseSync => {
	const database = new DatabaseSync(fileIn(folder), {...options, readOnly: true});
	database.exec(suspicion);
	return database;
};

/** The timeout outlasts the look that another process takes before it is refused. */
const options = {timeout: 500, defensive: true};

/** A file may be damaged: look at each page's cells before using them, and run nothing that its schema contains. */
const suspicion = 'pragma cell_size_check = on; pragma trusted_schema = off;';
