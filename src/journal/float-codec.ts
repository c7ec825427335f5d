/** Float32 vectors as bytes and back, bit for bit. Little-endian, as every platform of Node is. */
import {JournalError} from '../platform/errors.ts';
import {width} from '../kernel/dimensions.ts';

export const bytesPerRow = width * Float32Array.BYTES_PER_ELEMENT;

/** A copy, which can be transferred to another thread. Its buffer has one extra byte: Node 22 binds an empty buffer as null. */
export const encodeFloats = (floats: Float32Array): Uint8Array => {
	const bytes = new Uint8Array(floats.byteLength + 1).subarray(0, -1);
	bytes.set(viewBytes(floats));
	return bytes;
};

/** Drops trailing zeros: half of a vector that was widened from 512 floats. Minus zero is kept. */
export const encodeVector = (vector: Float32Array): Uint8Array => encodeFloats(vector.subarray(0, usedWidth(vector)));

/** The number of floats before the trailing zeros. */
export const usedWidth = (vector: Float32Array): number => {
	let used = vector.length;
	while (used > 0 && Object.is(vector[used - 1], 0)) {
		used--;
	}

	return used;
};

/** Restores the trailing zeros. */
export const decodeVector = (bytes: Uint8Array): Float32Array => {
	const floats = new Float32Array(width);
	viewBytes(floats).set(bytes);
	return floats;
};

/** Concatenates vectors and restores their trailing zeros; null if one has more than `used` floats. */
export const decodeVectors = (vectors: readonly Uint8Array[], used: number): Float32Array | null => {
	const floats = new Float32Array(vectors.length * width);
	const bytes = viewBytes(floats);
	for (const [i, vector] of vectors.entries()) {
		if (vector.length > used * Float32Array.BYTES_PER_ELEMENT) {
			return null;
		}

		bytes.set(vector, i * bytesPerRow);
	}

	return floats;
};

/** One row of a tensor. @throws {RangeError} for another width */
export const decodeRow = (bytes: Uint8Array): Float32Array => {
	if (bytes.length !== bytesPerRow) {
		throw new RangeError(`a row of a state is ${bytes.length} bytes long, not ${bytesPerRow}`);
	}

	return decodeVector(bytes);
};

export const encodeRows = (rows: readonly Float32Array[]): Uint8Array => Buffer.concat(rows.map(viewBytes));

/**
 * The rows of a tensor as views of one buffer: that of `bytes`, if they fill it. So the many tensors
 * of many identities are not copied.
 *
 * @throws {RangeError} for another length
 */
export const decodeRows = (bytes: Uint8Array, count: number): Float32Array[] => {
	if (bytes.length !== count * bytesPerRow) {
		throw new RangeError(`${count} rows of a state are ${bytes.length} bytes long, not ${count * bytesPerRow}`);
	}

	const {buffer} = bytes.length === bytes.buffer.byteLength ? bytes : Uint8Array.from(bytes);
	return Array.from({length: count}, (_, i) => new Float32Array(buffer, i * bytesPerRow, width));
};

/** @throws {JournalError} for another width */
export const requireWidth = (floats: Float32Array, name: string): Float32Array => {
	if (floats.length !== width) {
		throw new JournalError(`A record with a ${name} of ${floats.length} floats cannot be stored: it must have ${width}.`);
	}

	return floats;
};

const viewBytes = (floats: Float32Array): Uint8Array => new Uint8Array(floats.buffer, floats.byteOffset, floats.byteLength);
