/** Vectors in the cache's file: little-endian float32 in base64. */
import {width} from '../../kernel/dimensions.ts';

/** A padded vector is zero past the model's width, so only that much is stored. */
export const encodeVector = (vector: Float32Array, modelWidth = vector.length): string =>
	Buffer.from(vector.buffer, vector.byteOffset, modelWidth * 4).toString('base64');

/** Undefined if it is not a vector of the model; it is then made again. */
export const decodeVector = (text: string, modelWidth: number): Float32Array | undefined => {
	const bytes = Buffer.from(text, 'base64');
	if (bytes.length !== modelWidth * 4) {
		return undefined;
	}

	const vector = new Float32Array(width);
	new Uint8Array(vector.buffer).set(bytes);
	return vector.every(Number.isFinite) ? vector : undefined;
};
