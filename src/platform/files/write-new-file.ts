/** Writes a new file of text lines. On any failure no part of it is left. */
import {open, rm} from 'node:fs/promises';
import {pipeline} from 'node:stream/promises';
import {ConfigurationError, reasonOf} from '../errors.ts';
import {fileMode} from './folders.ts';

/** @throws {ConfigurationError} when the file exists or cannot be written; errors of `lines` as they are. */
export const writeNewFile = async (file: string, lines: Iterable<string> | AsyncIterable<string>): Promise<void> => {
	try {
		const handle = await open(file, 'wx', fileMode);
		try {
			await pipeline(lines, handle.createWriteStream());
		} catch (error) {
			await rm(file, {force: true});
			throw error;
		}
	} catch (error) {
		throw toConfigurationError(error as NodeJS.ErrnoException, file);
	}
};

/** An error without `syscall` comes from the lines and stays as it is. */
const toConfigurationError = (error: NodeJS.ErrnoException, file: string): Error => {
	if (error.code === 'EEXIST') {
		return new ConfigurationError(`${file} exists already. Name a new file, or move that one away.`, {cause: error});
	}

	return error.syscall === undefined
		? error
		: new ConfigurationError(`${file} cannot be written: ${reasonOf(error)}. `
			+ 'Name a file in an existing folder that this process may write and that has space.', {cause: error});
};
