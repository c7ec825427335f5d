/** Writes files as a whole. */
import {existsSync, fsyncSync, renameSync, rmSync, writeFileSync, writeSync} from 'node:fs';
import path from 'node:path';
import {fileMode, syncFolder, withFile} from './folders.ts';
import {open, rename, rm} from 'node:fs/promises';
import {pipeline} from 'node:stream/promises';
import {ConfigurationError, orUndo, orUndoNow, reasonOf, withErrors} from '../errors.ts';

/**
 * Replaces a small file atomically: writes a draft beside it, syncs it, and renames it. A kill, a full disk or a
 * power cut leaves the old file or the new one, never an empty or a torn one. Only the owner may read the file.
 *
 * @throws the file system's error; then the old file is unchanged
 */
export const writeFileAtomically = (file: string, content: string | Uint8Array): void => {
	const draft = `${file}.new`;
	orUndoNow(() => {
		withFile(draft, 'w', descriptor => {
			writeFileSync(descriptor, content);
			fsyncSync(descriptor);
		});
		renameSync(draft, file);
	}, () => rmSync(draft, {force: true}));
	syncFolder(path.dirname(file));
};

/**
 * Writes all bytes to an open file: one call of `writeSync` may write fewer.
 *
 * @param bytes Never a string: some runtimes ignore its position.
 * @throws the file system's error; then a part may be written
 */
export const writeFully = (descriptor: number, bytes: Uint8Array, position: number): void => {
	for (let written = 0; written < bytes.length;) {
		written += writeSync(descriptor, bytes, written, bytes.length - written, position + written);
	}
};

/**
 * Writes lines to a draft, which gets the name of the new file once it is whole: a kill leaves no part that looks like
 * all of it. A draft that was left is overwritten.
 *
 * @throws {ConfigurationError} when the file exists or cannot be written; errors of `lines` as they are.
 */
export const writeNewFile = async (
	file: string, lines: Iterable<string> | AsyncIterable<string>, draft = `${file}~new`,
): Promise<void> => {
	if (existsSync(file)) {
		throw new ConfigurationError(`${file} already exists. Name a new file, or move that one away.`);
	}

	await withErrors(async () => {
		const handle = await open(draft, 'w', fileMode);
		await orUndo(async () => {
			await pipeline(lines, handle.createWriteStream({flush: true}));
			await rename(draft, file);
		}, async () => rm(draft, {force: true}));
	}, error => toConfigurationError(error as NodeJS.ErrnoException, file));
	syncFolder(path.dirname(file));
};

/** An error without `syscall` comes from the lines and stays as it is. */
const toConfigurationError = (error: NodeJS.ErrnoException, file: string): Error => error.syscall === undefined
	? error
	: new ConfigurationError(`${file} cannot be written: ${reasonOf(error)}. `
		+ 'Name a file in an existing folder that this process may write to and that has space.', {cause: error});
