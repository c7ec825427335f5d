/**
 * From a model's own vector to the state's space: 1024 floats of unit length.
 *
 * A narrower vector is lifted by zero padding, which keeps every dot product and norm exactly
 * (`docs/spec/behaviour.md#embeddings-of-other-sizes`). A wider one fits only if its model was
 * trained so that a vector's beginning is an embedding too (Matryoshka).
 */
import {EmbeddingError} from '../errors.ts';
import {width} from '../tensor/dimensions.ts';

/**
 * @param raw what the model gave, of any length and norm
 * @param truncate whether a wider vector may be cut
 * @returns 1024 floats, ‖·‖ = 1 within float32; the norm is taken in float64
 * @throws {EmbeddingError} when the vector is zero, not finite, or wider and may not be cut.
 */
export const fitWidth = (raw: ArrayLike<number>, truncate = false): Float32Array => {
	if (raw.length > width && !truncate) {
		throw new EmbeddingError(`The model gives ${raw.length} floats and the state is ${width} wide. `
			+ 'Choose a narrower model; or, if this one is a Matryoshka model, allow its vectors to be cut (EMBEDDING_TRUNCATE=true).');
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

	// Scaled by the largest component first, so that squares of tiny or huge ones neither vanish nor overflow.
	let squares = 0;
	for (let i = 0; i < kept; i++) {
		squares += (raw[i]! / largest) ** 2;
	}

	const norm = Math.sqrt(squares);
	const lifted = new Float32Array(width);
	for (let i = 0; i < kept; i++) {
		lifted[i] = raw[i]! / largest / norm;
	}

	return lifted;
};
