/**
 * Opens a SQLite file to read it, whatever a kill left beside it.
 *
 * A kill in the middle of a write leaves a rollback journal. Only a connection that may write can
 * roll it back; a read-only one fails with SQLITE_READONLY_ROLLBACK, at every start.
 */
import {existsSync, statSync} from 'node:fs';
import type {DatabaseSync} from 'node:sqlite';
import {pathToFileURL} from 'node:url';
import {connect, type ConnectOptions} from './connect.ts';

/**
 * @param options `isImmutable` for a file that nothing changes, in a folder where nothing can be written.
 * @throws SQLite's errors, with `errcode`.
 */
export const openToRead = (file: string, {isImmutable = false, ...options}: Pick<ConnectOptions, 'timeout'> & {isImmutable?: boolean} = {}): DatabaseSync => {
	if (!isImmutable) {
		rollBack(file, options);
	}

	const url = pathToFileURL(file);
	url.search = isImmutable ? 'immutable=1' : '';
	return connect(url, {...options, readOnly: true});
};

/** The first read of a connection that may write rolls back what was not committed. It leaves a journal alone that a running writer has. */
const rollBack = (file: string, options: ConnectOptions): void => {
	if (!existsSync(file) || !statSync(`${file}-journal`, {throwIfNoEntry: false})?.size) {
		return;
	}

	const database = connect(file, options);
	try {
		database.exec('select count(*) from sqlite_schema');
	} finally {
		database.close();
	}
};
