/**
 * Replaces a small file atomically: writes a draft beside it, syncs it, and renames it. A kill, a
 * full disk or a power cut leaves the old file or the new one, never an empty or a torn one.
 */
import {closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {fileMode, syncFolder} from './folders.ts';

/** Only the owner may read the file. @throws the file system's error; the old file is unchanged then. */
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
