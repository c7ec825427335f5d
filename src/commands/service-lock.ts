/**
 * The lock of a folder that a service holds, and the service's address beside it: so a command finds whom to ask. The lock is
 * the operating system's: it ends with the process, however that ends. An address without a lock is of a service that is gone.
 */
import {existsSync, readFileSync, rmSync} from 'node:fs';
import path from 'node:path';
import {ifExists, makeFolder} from '../platform/files/folders.ts';
import {writeFileAtomically} from '../platform/files/write.ts';
import {classifyFailure} from '../platform/sqlite/failure.ts';
import {openToRead, openToWrite} from '../platform/sqlite/open-database.ts';

type Folder = {DATA_DIR: string};

const lockIn = ({DATA_DIR}: Folder): string => path.join(DATA_DIR, 'service.lock');

const addressIn = ({DATA_DIR}: Folder): string => path.join(DATA_DIR, 'service.url');

/** Holds the folder for a service. @returns what lets it go @throws SQLite's error where another service holds it, and the file system's */
export const holdFolder = (folder: Folder, url: string): () => void => {
	makeFolder(folder.DATA_DIR);
	const lock = openToWrite(lockIn(folder));
	try {
		lock.exec('begin exclusive');
		writeFileAtomically(addressIn(folder), url);
	} catch (error) {
		lock.close();
		throw error;
	}

	return () => {
		rmSync(addressIn(folder), {force: true});
		lock.close();
	};
};

/** The address of the service that holds the folder; null where none does, or one that has not begun to serve, or serves no more. */
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
