/** The bundled encoder inside a worker: text in, vector out, with the weights that the pool has loaded. */
import type {Inference, RawEmbedding} from '../encoder.ts';
import {maxTokens, modelWidth} from './scratch.ts';
import {createTokenizer, viewVocabulary, type Vocabulary} from './tokenizer.ts';
import type {SharedWeights} from './weights.ts';
import {byteDense, createForward, wordDense, type Forward} from './graph.ts';
import {createJsEncoderKernel} from './js-kernel.ts';
import {plainModule, relaxedModule, type EncoderKernel} from './kernel.ts';

/** The maximum windows, of 128 tokens each, in which a long text is read. */
const maxWindows = 8;

/** No token of the vocabulary has more characters. */
const charactersPerToken = 16;

/**
 * The vocabulary has most English words whole, but only pieces of others. 81 % of 200 English sentences have this many characters
 * per token; so do 9 % of 3,500 sentences in 29 other languages in Latin script.
 */
const minCharactersPerToken = 2.8;

type Prepared = {text: string; isCut: boolean};

/**
 * Prepares a text as in the model's training.
 *
 * @param maxLength In UTF-16 units. More could not be read.
 */
const prepare = (given: string, maxLength: number): Prepared => {
	const whole = given.trimStart();
	// Cut before and after: normalisation needs a bounded input, and may turn one character into eighteen.
	const text = whole.slice(0, maxLength).toWellFormed().normalize('NFKC').replaceAll(/\s+/gu, ' ').trim();
	return {text: text.slice(0, maxLength).toWellFormed(), isCut: text.length > maxLength || whole.slice(maxLength).trim() !== ''};
};

/** @param slot This worker's part of the memory. */
export const loadBundled = (weights: SharedWeights, slot: number): Inference => {
	const forward = chooseForward(weights, slot);
	const vocabulary = viewVocabulary(weights);
	const tokenize = createTokenizer(vocabulary);
	const limit = maxTokens * maxWindows;

	return async given => {
		const {text, isCut} = prepare(given, limit * charactersPerToken);
		const tokens = tokenize(text);
		const read = tokens.slice(0, limit);
		const characters = Array.from(text.replaceAll(/[ ▁]/gu, '')).length;
		const unknownShare = unknownShareOf(characters, tokens, vocabulary);
		const isEnglish = unknownShare === 0 && characters >= minCharactersPerToken * tokens.length && /[a-z]/i.test(text);
		return {
			vector: embedWindows(forward, read),
			report: {
				tokens: read.length,
				characters,
				isTruncated: isCut || tokens.length > limit,
				unknownShare,
				...(isEnglish && {language: 'en'}),
			},
		} satisfies RawEmbedding;
	};
};

/** The mean of the windows' unit vectors, weighted by their tokens. */
const embedWindows = (forward: ReturnType<typeof chooseForward>, tokens: readonly number[]): Float32Array<ArrayBuffer> => {
	if (tokens.length <= maxTokens) {
		return forward(tokens);
	}

	const sum = new Float64Array(modelWidth);
	for (let at = 0; at < tokens.length; at += maxTokens) {
		const window = tokens.slice(at, at + maxTokens);
		const vector = forward(window);
		const weight = window.length / Math.sqrt(vector.reduce((squares, value) => squares + value * value, 0));
		for (const [i, value] of vector.entries()) {
			sum[i]! += weight * value;
		}
	}

	return Float32Array.from(sum);
};

/** Counts characters instead of tokens, because an unknown token covers a run of characters. */
const unknownShareOf = (all: number, tokens: readonly number[], {characters}: Vocabulary): number => {
	const known = tokens.reduce((sum, id) => sum + characters[id]!, 0);
	return all === 0 ? 0 : Math.max(0, all - known) / all;
};

// Chooses the fastest way to compute the model on this host. All give the same bits, so the choice may depend on timing.

const chooseForward = (weights: SharedWeights, slot: number): Forward => {
	const {memory, buffer} = weights;
	const throughWords = (kernel: EncoderKernel): Forward => createForward(weights, slot, kernel, wordDense(weights, slot, kernel));
	if (memory === null || !relaxedModule.isSupported) {
		return throughWords(memory === null ? createJsEncoderKernel(buffer) : plainModule.instantiate(memory));
	}

	const kernel = relaxedModule.instantiate(memory);
	return faster(createForward(weights, slot, kernel, byteDense(weights, slot, kernel)), throughWords(kernel));
};

/** How often each way is timed, after as many warm-up calls that compile it. */
const rounds = 16;

/** Alternates the ways until the faster one is known. The minimum time of each counts, because it is the least disturbed. */
const faster = (...ways: [Forward, Forward]): Forward => {
	let calls = 0;
	const least = [Infinity, Infinity] as [number, number];
	return tokens => {
		if (calls >= 4 * rounds) {
			return ways[least[0] <= least[1] ? 0 : 1](tokens);
		}

		const way = calls % 2 as 0 | 1;
		const began = performance.now();
		const vector = ways[way](tokens);
		if (calls >= 2 * rounds && tokens.length > 0) {
			least[way] = Math.min(least[way], (performance.now() - began) / tokens.length);
		}

		calls++;
		return vector;
	};
};
