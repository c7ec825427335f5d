/**
 * The checksum of what is stored: CRC-32 over every field, so that a damaged page, a lost
 * overflow chain or a row that slid into another one's place is noticed when it is read.
 *
 * It guards against broken disks and files, not against people.
 */
import {crc32} from 'node:zlib';

export type Field = string | number | null | Uint8Array;

/** CRC-32 of the fields in order, their types and lengths included. */
export const checksumOf = (fields: readonly Field[]): number => {
	// Numbers stand for the blobs' lengths here: a blob and a number in the same place differ by the array.
	const outline = JSON.stringify(fields.map(field => field instanceof Uint8Array ? [field.length] : field));
	return fields
		.filter(field => field instanceof Uint8Array)
		// Nothing changes no sum; but Node 22 begins a new one where there is no memory behind it.
		.filter(({length}) => length > 0)
		.reduce((sum, blob) => crc32(blob, sum), crc32(outline));
};
