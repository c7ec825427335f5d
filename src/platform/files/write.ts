/** Writes files as a whole. */
import {closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync, writeSync} from 'node:fs';
import path from 'node:path';
import {fileMode, syncFolder} from './folders.ts';

/**
 * Replaces a small file atomically: writes a draft beside it, syncs it, and renames it. A kill, a full disk or a
 * power cut leaves the old file or the new one, never an empty or a torn one. Only the owner may read the file.
 *
 * @throws the file system's error; the old file is unchanged then
 */
export const writeFileAtomically = (file: string, content: string | Uint8Array): void => {
	const draft = `${file}.new`;
	try {
		const descriptor = openSync(draft, 'w', fileMode);
		try {
			writeFileSync(descriptor, content);
			fsyncSync(descriptor);
		} finally {
			closeSync(descriptor);
		}

		renameSync(draft, file);
	} catch (error) {
		rmSync(draft, {force: true});
		throw error;
	}

	syncFolder(path.dirname(file));
};

/**
 * Writes bytes into an open file, all of them: one call of `writeSync` may write fewer.
 *
 * @param bytes Never a string: some runtimes ignore its position.
 * @throws the file system's error; a part may be written then
 */
export const writeFully = (descriptor: number, bytes: Uint8Array, position: number): void => {
	for (let written = 0; written < bytes.length;) {
		written += writeSync(descriptor, bytes, written, bytes.length - written, position + written);
	}
};
