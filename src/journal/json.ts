/** The JSON of stored fields. Browsers load it too, so it is separate from the rows, whose checksums need Node. */
import {JournalError} from '../platform/errors.ts';

/** JSON with sorted keys: equal values give the same text. */
export const toCanonicalJson = (value: unknown): string => JSON.stringify(value, (_, inner: unknown) => {
	const isObject = typeof inner === 'object' && inner !== null && !Array.isArray(inner);
	return isObject ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => a < b ? -1 : 1)) : inner;
});

/** JSON that preserves every number: `JSON.stringify` alone writes NaN and the infinities as null. @throws {JournalError} for these */
export const toExactJson = (value: object): string => JSON.stringify(value, (name, inner: unknown) => {
	if (typeof inner === 'number' && !Number.isFinite(inner)) {
		throw new JournalError(`A record with ${name} = ${inner} cannot be stored: it must be finite.`);
	}

	return inner;
});
