/**
 * The lock that a service holds on its folder, with the service's address beside it, by which commands find the service. The
 * operating system releases the lock when the process ends, however it ends. An address without a lock is stale.
 */
import {existsSync, readFileSync, rmSync} from 'node:fs';
import path from 'node:path';
import {orUndoNow} from '../platform/errors.ts';
import {ifExists, makeFolder} from '../platform/files/folders.ts';
import {writeFileAtomically} from '../platform/files/write.ts';
import {classifyFailure} from '../platform/sqlite/failure.ts';
import {openToRead, openToWrite} from '../platform/sqlite/open-database.ts';

type Folder = {DATA_DIR: string};

const lockIn = ({DATA_DIR}: Folder): string => path.join(DATA_DIR, 'service.lock');

const addressIn = ({DATA_DIR}: Folder): string => path.join(DATA_DIR, 'service.url');

/** Locks the folder for a service. @returns a function that unlocks it @throws SQLite's error if it is held; the file system's errors */
export const holdFolder = (folder: Folder, url: string): () => void => {
	makeFolder(folder.DATA_DIR);
	const lock = openToWrite(lockIn(folder));
	orUndoNow(() => {
		lock.exec('begin exclusive');
		writeFileAtomically(addressIn(folder), url);
	}, () => lock.close());
	return () => {
		rmSync(addressIn(folder), {force: true});
		lock.close();
	};
};

/** The address of the service that holds the folder; null if none does, or if it does not serve yet or any more. */
export const findService = (folder: Folder): string | null => {
	if (!existsSync(lockIn(folder))) {
		return null;
	}

	try {
		using lock = openToRead(lockIn(folder), {busyTimeoutMs: 0});
		lock.exec('select count(*) from sqlite_schema');
	} catch (error) {
		return classifyFailure(error) === 'busy' ? ifExists(() => readFileSync(addressIn(folder), 'utf8')) : null;
	}

	return null;
};
