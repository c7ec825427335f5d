/** The names of identities: each is a folder, a part of an address, and a key in a database. */
import {InputError} from './errors.ts';

/** The name of the identity that a service has by default. */
export const defaultIdentityName = 'default';

const maxNameLength = 100;

/** Whether it is a valid name, which no file system takes for another name or for a device. */
export const isIdentityName = (name: unknown): name is string => typeof name === 'string'
	&& name.length <= maxNameLength
	&& /^[a-z\d](?:[a-z\d._-]*[a-z\d])?$/.test(name)
	&& !/^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/.test(name);

/** @throws {InputError} if it is not a valid name */
export const requireIdentityName = (name: unknown): string => {
	if (!isIdentityName(name)) {
		const shown = typeof name === 'string' && name.length > maxNameLength ? `${name.slice(0, maxNameLength)}…` : String(name);
		throw new InputError(`An identity cannot be named “${shown}”. Give 1 to ${maxNameLength} lower-case letters, digits, “-”, `
			+ '“_” and “.”; the first and the last are a letter or a digit, and names of devices, such as “con”, are excluded. '
			+ 'In place of another name, give its SHA-256 in hexadecimal.');
	}

	return name;
};
