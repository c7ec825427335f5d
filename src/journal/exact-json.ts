/** JSON that gives every number back. `JSON.stringify` alone writes NaN and the infinities as null. */
import {JournalError} from '../platform/errors.ts';

/** @throws {JournalError} for a number that is not finite */
export const toExactJson = (value: object): string => JSON.stringify(value, (name, inner: unknown) => {
	if (typeof inner === 'number' && !Number.isFinite(inner)) {
		throw new JournalError(`A record with ${name} = ${inner} cannot be stored: it must be finite.`);
	}

	return inner;
});
