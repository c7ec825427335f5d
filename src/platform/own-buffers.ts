/**
 * Copies plain data so that no view keeps more than its bytes in memory. A view into a large buffer, such as a file that was read,
 * keeps all of it, and a copy for another thread has all of it too.
 */

/** What is one object in the data is one in the copy. */
export const withOwnBuffers = <Data>(data: Data): Data => copyOf(data, new Map()) as Data;

const copyOf = (value: unknown, copies: Map<object, object>): unknown => {
	if (typeof value !== 'object' || value === null) {
		return value;
	}

	return copies.get(value) ?? copyObject(value, copies);
};

const copyObject = (value: object, copies: Map<object, object>): object => {
	const keep = <Copy extends object>(copy: Copy): Copy => {
		copies.set(value, copy);
		return copy;
	};
	if (ArrayBuffer.isView(value)) {
		return keep((value as Float32Array).slice());
	}

	if (value instanceof Map) {
		const copy = keep(new Map<unknown, unknown>());
		for (const [key, part] of value as Map<unknown, unknown>) {
			copy.set(key, copyOf(part, copies));
		}

		return copy;
	}

	const copy = keep(Array.isArray(value) ? [] : {}) as Record<string, unknown>;
	for (const [key, part] of Object.entries(value)) {
		copy[key] = copyOf(part, copies);
	}

	return copy;
};
