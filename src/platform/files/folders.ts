/** Makes files and folders that only their owner may read: the data is a person's diary. */
import {closeSync, existsSync, fsyncSync, mkdirSync, openSync, readdirSync, rmdirSync, rmSync, statSync, writeFileSync} from 'node:fs';
import path from 'node:path';

export const fileMode = 0o600;

export const folderMode = 0o700;

/**
 * Makes an empty file if there is none, for libraries that would make it readable for every user. SQLite
 * accepts an empty file as a database, and gives its permissions to the files beside it.
 *
 * @throws the file system's error
 */
export const makeFile = (file: string): void => {
	// An existing file stays closed: closing it would release the lock that SQLite has on it in this process.
	if (!existsSync(file)) {
		closeSync(openSync(file, 'a', fileMode));
	}
};

/**
 * Makes a folder and its missing parents, and makes their names durable. Node's `recursive` option never returns if the file
 * system answers ENOENT to every attempt, as /proc does.
 *
 * @throws the file system's error for one folder: ENOENT, EACCES, EEXIST if a file has its name …
 */
export const makeFolder = (folder: string): void => {
	const parent = path.dirname(folder);
	if (parent !== folder && !existsSync(parent)) {
		makeFolder(parent);
	}

	try {
		mkdirSync(folder, folderMode);
		syncFolder(parent);
	} catch (error) {
		// It may exist already, or another process may just have made it.
		if (!statSync(folder, {throwIfNoEntry: false})?.isDirectory()) {
			throw error;
		}
	}
};

/** The result of `open`; null if its file or folder does not exist. @throws the file system's error for any other reason */
export const ifExists = <Result>(open: () => Result): Result | null => {
	try {
		return open();
	} catch (error) {
		return nullIfMissing(error);
	}
};

/** Like {@link ifExists}, for a promise: catches the error of a missing file or folder. */
export const nullIfMissing = (error: unknown): null => {
	if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
		return null;
	}

	throw error;
};

/** Runs with a file open, and closes it. @throws the file system's error */
export const withFile = <Result>(file: string | URL, flags: string, run: (descriptor: number) => Result): Result => {
	const descriptor = openSync(file, flags, fileMode);
	try {
		return run(descriptor);
	} finally {
		closeSync(descriptor);
	}
};

/** Makes durable what another program or library wrote to a file. @throws the file system's error */
export const syncFile = (file: string): void => withFile(file, 'r+', fsyncSync);

/** Makes the names in a folder durable. Not every file system or runtime can sync a folder; the content is durable without it. */
export const syncFolder = (folder: string): void => {
	try {
		withFile(folder, 'r', fsyncSync);
	} catch {}
};

/**
 * A free name for a file or folder that is moved aside: `journal~1` beside `journal`, or the next free number. No
 * identity can have such a name.
 */
export const findFreeName = (file: string): string => {
	let number = 1;
	while (existsSync(`${file}~${number}`)) {
		number++;
	}

	return `${file}~${number}`;
};

/** The files and folders that were moved aside under such names, lowest number first; none if their folder cannot be read. */
export const listAside = (file: string): string[] => {
	const name = path.basename(file);
	try {
		return readdirSync(path.dirname(file))
			.flatMap(each => each.startsWith(name) && /^~\d+$/.test(each.slice(name.length)) ? [Number(each.slice(name.length + 1))] : [])
			.toSorted((a, b) => a - b)
			.map(number => `${file}~${number}`);
	} catch {
		return [];
	}
};

/** One block of most file systems: a full disk has no space for it. */
const sample = new Uint8Array(4096);

/** Makes the folder if it is missing, writes and syncs a file in it, and removes what it made. @throws the file system's error */
export const probeFolder = (folder: string): void => {
	const made = listMissing(path.resolve(folder));
	const file = path.join(folder, `.written-by-doctor-${process.pid}`);
	try {
		makeFolder(folder);
		writeFileSync(file, sample, {flag: 'wx', flush: true});
	} finally {
		rmSync(file, {force: true});
		for (const each of made) {
			removeIfEmpty(each);
		}
	}
};

/** A folder and its parents that are missing, the deepest first. */
const listMissing = (folder: string): string[] => existsSync(folder) ? [] : [folder, ...listMissing(path.dirname(folder))];

/** Ignores a folder that was never made, or that a starting service has begun to use. */
const removeIfEmpty = (folder: string): void => {
	try {
		rmdirSync(folder);
	} catch {}
};
