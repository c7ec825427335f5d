/** What a stored row is checked by, and JSON that loses nothing. */
import zlib from 'node:zlib';
import {JournalError} from '../platform/errors.ts';

export type Field = string | number | null | Uint8Array;

/**
 * The checksum of a row: CRC-32 of the fields in order, their types and lengths included. It finds a damaged page, a
 * lost overflow chain, and a row in another row's place. It protects against broken disks and files, not against people.
 */
export const checksumOf = (fields: readonly Field[]): number => {
	// A blob is represented by its length in an array, so that it differs from a number in the same place.
	const outline = JSON.stringify(fields.map(field => field instanceof Uint8Array ? [field.length] : field));
	return fields
		.filter(field => field instanceof Uint8Array)
		// An empty blob does not change the sum, but Node 22 restarts the sum at a blob without memory.
		.filter(({length}) => length > 0)
		.reduce((sum, blob) => zlib.crc32(blob, sum), zlib.crc32(outline));
};

/** JSON in which the order of keys does not count: the same value gives the same text. */
export const toCanonicalJson = (value: unknown): string => JSON.stringify(value, (_, inner: unknown) => {
	const isObject = typeof inner === 'object' && inner !== null && !Array.isArray(inner);
	return isObject ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => a < b ? -1 : 1)) : inner;
});

/** JSON that gives every number back: `JSON.stringify` alone writes NaN and the infinities as null. @throws {JournalError} for these */
export const toExactJson = (value: object): string => JSON.stringify(value, (name, inner: unknown) => {
	if (typeof inner === 'number' && !Number.isFinite(inner)) {
		throw new JournalError(`A record with ${name} = ${inner} cannot be stored: it must be finite.`);
	}

	return inner;
});
