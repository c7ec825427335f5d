/**
 * Opens a SQLite file to read it, whatever a kill left beside it.
 *
 * A kill in the middle of a write leaves a rollback journal. Only a connection that may write can
 * roll it back; a read-only one fails with SQLITE_READONLY_ROLLBACK, at every start.
 */
import {existsSync, statSync} from 'node:fs';
import {DatabaseSync, type DatabaseSyncOptions} from 'node:sqlite';
import {pathToFileURL} from 'node:url';

/** A file may be damaged: check each page's cells before they are used, and run nothing that its schema contains. */
export const hardeningPragmas = 'pragma cell_size_check = on; pragma trusted_schema = off;';

/** @throws SQLite's errors, with `errcode`. */
export const openToRead = (file: string, options: DatabaseSyncOptions & {isImmutable?: boolean} = {}): DatabaseSync => {
	const {isImmutable = false, ...rest} = options;
	if (!isImmutable) {
		rollBack(file, rest);
	}

	const url = pathToFileURL(file);
	url.search = isImmutable ? 'immutable=1' : '';
	const database = new DatabaseSync(url, {...rest, readOnly: true});
	try {
		database.exec(hardeningPragmas);
	} catch (error) {
		database.close();
		throw error;
	}

	return database;
};

/** The first read of a connection that may write rolls back what was not committed. It leaves a journal alone that a running writer has. */
const rollBack = (file: string, options: DatabaseSyncOptions): void => {
	if (!existsSync(file) || !statSync(`${file}-journal`, {throwIfNoEntry: false})?.size) {
		return;
	}

	const database = new DatabaseSync(file, options);
	try {
		database.exec(`${hardeningPragmas} select count(*) from sqlite_schema`);
	} finally {
		database.close();
	}
};
