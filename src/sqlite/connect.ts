/** What all connections to SQLite files have in common. */
import {DatabaseSync} from 'node:sqlite';

export type ConnectOptions = {
	/** Milliseconds to wait, on the thread that asks, while another connection has the file locked. */
	timeout?: number;
	readOnly?: boolean;
	/** Run before anything else. */
	pragmas?: string;
};

/** A file may be damaged: check each page's cells before they are used, and run nothing that its schema contains. */
const hardeningPragmas = 'pragma cell_size_check = on; pragma trusted_schema = off;';

/** @throws SQLite's errors, with `errcode`; nothing is open then. */
export const connect = (file: string | URL, {timeout = 500, readOnly = false, pragmas = ''}: ConnectOptions = {}): DatabaseSync => {
	const database = new DatabaseSync(file, {timeout, readOnly, defensive: true});
	try {
		database.exec(`${pragmas} ${hardeningPragmas}`);
	} catch (error) {
		database.close();
		throw error;
	}

	return database;
};
