/** What a stored row is checked by. */
import zlib from 'node:zlib';

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
