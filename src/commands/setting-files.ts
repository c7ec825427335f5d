/** Checks the files named by settings: a service without one of them would measure something else than intended. */
import {accessSync, constants, statSync} from 'node:fs';
import path from 'node:path';
import type {Settings} from './settings.ts';
import {ConfigurationError} from '../platform/errors.ts';

const fileSettings = ['MESSAGES_FILE', 'PROFILE_FILE', 'DIRECTIONS_FILE', 'AUTHORITY_FILE'] as const satisfies Array<keyof Settings>;

/** @throws {ConfigurationError} naming each setting whose file cannot be read. */
export const requireReadableFiles = (settings: Settings, names: ReadonlyArray<(typeof fileSettings)[number]> = fileSettings): void => {
	const faults = names.flatMap(name => {
		const file = settings[name];
		const fault = file === undefined ? null : describeFault(file);
		return fault === null ? [] : [`${name} is the file ${path.resolve(file!)}, which ${fault}. Correct ${name}, or unset it.`];
	});
	if (faults.length > 0) {
		throw new ConfigurationError(faults.join(' '));
	}
};

const describeFault = (file: string): string | null => {
	try {
		accessSync(file, constants.R_OK);
		return statSync(file).isDirectory() ? 'is a folder' : null;
	} catch (error) {
		const {code} = error as NodeJS.ErrnoException;
		return code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`;
	}
};
