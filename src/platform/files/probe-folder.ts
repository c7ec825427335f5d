/** Finds out whether a folder can be written, by writing in it. */
import {existsSync, rmdirSync, rmSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {makeFolder} from './folders.ts';

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

/** A folder and its parents, as far as they are missing, the deepest first. */
const listMissing = (folder: string): string[] => existsSync(folder) ? [] : [folder, ...listMissing(path.dirname(folder))];

/** Ignores a folder that was never made, or that a starting service has begun to use. */
const removeIfEmpty = (folder: string): void => {
	try {
		rmdirSync(folder);
	} catch {}
};
