/** Folders for what lasts. */
import {existsSync, mkdirSync, statSync} from 'node:fs';
import path from 'node:path';

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
		mkdirSync(folder);
	} catch (error) {
		// It may be there already, or made by another process in the meantime.
		if (!statSync(folder, {throwIfNoEntry: false})?.isDirectory()) {
			throw error;
		}
	}
};
