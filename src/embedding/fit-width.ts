/**
 * Fits a model's vector to the state: 1024 floats of unit length
 * (`docs/spec/behaviour.md#embeddings-of-other-sizes`).
 *
 * A narrower vector is padded with zeros, which keeps dot products and norms exactly. A wider
 * one may be truncated only if its model was trained for that (Matryoshka).
 */
import {EmbeddingError} from '../platform/errors.ts';
import {width} from '../kernel/dimensions.ts';
import {nameOf} from '../platform/option-names.ts';

/**
 * @param raw The model's vector, of any length and norm.
 * @returns 1024 floats, ‖·‖ = 1 within float32; the norm is computed in float64
 * @throws {EmbeddingError} if the vector is zero or not finite, or if it is wider and `truncate` is false.
 */
export const fitWidth = (raw: ArrayLike<number>, truncate = false): Float32Array => {
	if (raw.length > width && !truncate) {
		throw new EmbeddingError(`The model gives ${raw.length} floats and the state is ${width} wide. `
			+ `Choose a narrower model; or, if this one is a Matryoshka model, allow truncation (${nameOf('encoder.truncate')}).`);
	}

	const kept = Math.min(raw.length, width);
	let largest = 0;
	for (let i = 0; i < kept; i++) {
		const size = Math.abs(raw[i]!);
		if (!Number.isFinite(size)) {
			throw new EmbeddingError(`The model gave a vector that is not finite: component ${i} is ${raw[i]}.`);
		}

		largest = Math.max(largest, size);
	}

	if (largest === 0) {
		throw new EmbeddingError(`The model gave ${kept === 0 ? 'an empty vector' : 'a zero vector'}, which has no direction.`);
	}

	// Scaling by the largest component keeps squares from underflow and overflow.
	let squares = 0;
	for (let i = 0; i < kept; i++) {
		squares += (raw[i]! / largest) ** 2;
	}

	const norm = Math.sqrt(squares);
	const fitted = new Float32Array(width);
	for (let i = 0; i < kept; i++) {
		fitted[i] = raw[i]! / largest / norm;
	}

	return fitted;
};
