/** A file that an export makes: a new one, which is there as a whole or not at all. */
import {open, rm} from 'node:fs/promises';
import {pipeline} from 'node:stream/promises';
import {ConfigurationError, reasonOf} from '../errors.ts';
import {fileMode} from './folders.ts';

/** @throws {ConfigurationError} when the file is there already, or cannot be written; and whatever the lines throw. */
export const writeNewFile = async (file: string, lines: Iterable<string>): Promise<void> => {
	try {
		const handle = await open(file, 'wx', fileMode);
		try {
			await pipeline(lines, handle.createWriteStream());
		} catch (error) {
			await rm(file, {force: true});
			throw error;
		}
	} catch (error) {
		throw explain(error as NodeJS.ErrnoException, file);
	}
};

/** What comes of the lines themselves stays as it is. */
const explain = (error: NodeJS.ErrnoException, file: string): Error => {
	if (error.code === 'EEXIST') {
		return new ConfigurationError(`${file} is there already: name a new file, or move that one away.`, {cause: error});
	}

	return error.syscall === undefined
		? error
		: new ConfigurationError(`${file} cannot be written: ${reasonOf(error)}. Name a file in a folder that is there, that this process may write, and that has room.`, {cause: error});
};
