/** Folders and files for the data that is kept. It is a person's diary: other users may not read it. */
import {closeSync, existsSync, mkdirSync, openSync, statSync} from 'node:fs';
import path from 'node:path';

/** Permissions of a file that is made: its owner's alone. */
export const fileMode = 0o600;

/** Permissions of a folder that is made. */
export const folderMode = 0o700;

/**
 * Makes an empty file where none is. For libraries that make files which every user may read:
 * SQLite takes an empty one for a database, and gives its permissions to the files beside it.
 *
 * @throws what the file system says
 */
export const makeFile = (file: string): void => {
	// A file that is there is not opened: closing it would release the lock that SQLite has on it in this process.
	if (!existsSync(file)) {
		closeSync(openSync(file, 'a', fileMode));
	}
};

/**
 * Makes a folder, and before it those that it lies in. Node's own way with `recursive` never
 * returns where none can be made and the file system says that it is not there, as under /proc.
 *
 * @throws what the file system says, as of one folder: ENOENT, EACCES, EEXIST where a file is in the way …
 */
export const makeFolder = (folder: string): void => {
	const parent = path.dirname(folder);
	if (parent !== folder && !existsSync(parent)) {
		makeFolder(parent);
	}

	try {
		mkdirSync(folder, folderMode);
	} catch (error) {
		// It may be there already, or made by another process in the meantime.
		if (!statSync(folder, {throwIfNoEntry: false})?.isDirectory()) {
			throw error;
		}
	}
};
