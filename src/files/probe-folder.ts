/** Whether a folder can be written, found out by writing in it. */
import {existsSync, rmdirSync, rmSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {makeFolder} from './folders.ts';

/** A block of most file systems: a full disk has no room for it. */
const sample = new Uint8Array(4096);

/**
 * Makes a folder if it is not there, writes a file in it to the disk, and removes what it made.
 *
 * @throws what the file system says
 */
export const probeFolder = (folder: string): void => {
	const made = missingFrom(path.resolve(folder));
	const file = path.join(folder, `.written-by-doctor-${process.pid}`);
	try {
		makeFolder(folder);
		writeFileSync(file, sample, {flag: 'wx', flush: true});
	} finally {
		rmSync(file, {force: true});
		for (const each of made) {
			removeEmpty(each);
		}
	}
};

/** A folder and those above it, as far as they are not there, the deepest first. */
const missingFrom = (folder: string): string[] => existsSync(folder) ? [] : [folder, ...missingFrom(path.dirname(folder))];

/** One that was never made, or that a starting service has taken into use, is left as it is. */
const removeEmpty = (folder: string): void => {
	try {
		rmdirSync(folder);
	} catch {}
};
