/** The files that settings name: a service that began without one would be measured on something else than its operator meant. */
import {accessSync, constants, statSync} from 'node:fs';
import path from 'node:path';
import type {Settings} from './settings.ts';
import {ConfigurationError} from '../errors.ts';

type FileSetting = 'MESSAGES_FILE' | 'PROFILE_FILE' | 'DIRECTIONS_FILE' | 'AUTHORITY_FILE';

const fileSettings: readonly FileSetting[] = ['MESSAGES_FILE', 'PROFILE_FILE', 'DIRECTIONS_FILE', 'AUTHORITY_FILE'];

/** @throws {ConfigurationError} naming each setting whose file does not exist or cannot be read. */
export const requireReadableFiles = (settings: Settings, names: readonly FileSetting[] = fileSettings): void => {
	const faults = names.flatMap(name => {
		const file = settings[name];
		const fault = file === undefined ? null : faultOf(file);
		return fault === null ? [] : [`${name} names the file ${path.resolve(file!)}, which ${fault}. Correct ${name}, or unset it.`];
	});
	if (faults.length > 0) {
		throw new ConfigurationError(faults.join(' '));
	}
};

const faultOf = (file: string): string | null => {
	try {
		accessSync(file, constants.R_OK);
		return statSync(file).isDirectory() ? 'is a folder' : null;
	} catch (error) {
		const {code} = error as NodeJS.ErrnoException;
		return code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`;
	}
};
