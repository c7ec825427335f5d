/** JSON that gives every number back. `JSON.stringify` alone writes NaN and the infinities as null. */
import {JournalError} from '../errors.ts';

/** @throws {JournalError} for a number that is not finite */
export const toExactJson = (value: object): string => {
	const json = JSON.stringify(value);
	// Without a null there is no such number. With a function for each value, writing takes twice as long.
	return json.includes('null') ? JSON.stringify(value, requireFinite) : json;
};

const requireFinite = (name: string, value: unknown): unknown => {
	if (typeof value === 'number' && !Number.isFinite(value)) {
		throw new JournalError(`A record with ${name} = ${value} cannot be stored: it must be finite.`);
	}

	return value;
};
