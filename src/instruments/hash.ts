/** FNV-1a of 32 bits (Fowler, Noll and Vo): hashes of ids, and checksums of vectors. It does not need Node. */
const [first, factor] = [0x81_1C_9D_C5, 0x01_00_01_93];

/** The hash of an id; two ids may have the same. */
export const hashOf = (id: string): number => {
	let hash = first;
	for (let i = 0; i < id.length; i++) {
		hash = Math.imul(hash ^ id.charCodeAt(i), factor);
	}

	return hash >>> 0;
};

/** A checksum over the bits of consecutive vectors. It differs if exactly one float differs. */
export const hashFloats = (vectors: readonly Float32Array[]): number => {
	let hash = first;
	for (const {buffer, byteOffset, length} of vectors) {
		const bits = new Uint32Array(buffer, byteOffset, length);
		for (let i = 0; i < length; i++) {
			hash = Math.imul(hash ^ bits[i]!, factor);
		}
	}

	return hash >>> 0;
};
