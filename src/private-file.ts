/** Makes an empty file that only its owner may read, where none is; SQLite gives its permissions to the files beside it. */
import {closeSync, existsSync, openSync} from 'node:fs';

/** @throws what the file system says. */
export const makePrivateFile = (file: string): void => {
	// A file that is there must not be opened: closing it would release SQLite's lock on it.
	if (!existsSync(file)) {
		closeSync(openSync(file, 'a', 0o600));
	}
};
