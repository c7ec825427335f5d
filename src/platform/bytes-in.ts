/** Estimates how much memory plain data takes, to bound caches. */

/** The mean size of an object's header and fields. */
const objectBytes = 64;

/** The values that an object holds; for a view, only its buffer. */
const partsOf = (value: object): Iterable<unknown> => {
	if (ArrayBuffer.isView(value)) {
		return [value.buffer];
	}

	return value instanceof Map || value instanceof Set ? [...value].flat() : Object.values(value);
};

/** The bytes of all objects, buffers and texts within data, each counted once. A vector counts with its whole buffer. */
export const bytesIn = (data: unknown): number => {
	const seen = new Set<unknown>();
	const open = [data];
	let bytes = 0;
	while (open.length > 0) {
		const value = open.pop();
		if (typeof value === 'string') {
			bytes += 2 * value.length;
		} else if (typeof value === 'object' && value !== null && !seen.has(value)) {
			seen.add(value);
			const isBuffer = value instanceof ArrayBuffer || value instanceof SharedArrayBuffer;
			bytes += objectBytes + (isBuffer ? value.byteLength : 0);
			for (const part of isBuffer ? [] : partsOf(value)) {
				open.push(part);
			}
		}
	}

	return bytes;
};
