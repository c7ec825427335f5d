/**
 * Writes a small file whole: beside its place, synced, then renamed into it. A kill, a full disk
 * or a power cut leaves the old file or the new one, never an empty or a torn one.
 */
import {closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {fileMode} from './folders.ts';

/** Replaces the file, or makes it. Only its owner may read it. @throws what the file system says; the file is then as it was. */
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

/** A name in a folder is durable when the folder is. Not every file system or runtime can sync one; then the file's content is durable all the same. */
const syncFolder = (folder: string): void => {
	try {
		const descriptor = openSync(folder, 'r');
		try {
			fsyncSync(descriptor);
		} finally {
			closeSync(descriptor);
		}
	} catch {}
};
