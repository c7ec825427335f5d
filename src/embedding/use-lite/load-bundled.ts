/** The bundled encoder inside a worker: text in, vector out, on the weights that the pool has loaded. */
import type {Inference, RawEmbedding} from '../encoder.ts';
import {maxTokens, modelWidth} from './scratch.ts';
import {createTokenizer, viewVocabulary, type Vocabulary} from './tokenizer.ts';
import type {SharedWeights} from './weights.ts';
import {byteDense, createForward, wordDense, type Forward} from './graph.ts';
import {createJsEncoderKernel} from './js-kernel.ts';
import {plainModule, relaxedModule} from './kernel.ts';

/** A long text is read in windows of 128 tokens, up to this many. */
const maxWindows = 8;

/** No token of the vocabulary has more characters. */
const charactersPerToken = 16;

/**
 * The vocabulary has most words of English whole, and of others only pieces. Of 200 English sentences 81 in 100 have as many
 * characters for a token; of 3,500 in 29 other languages of Latin letters, 9.
 */
const minCharactersPerToken = 2.8;

type Prepared = {text: string; isCut: boolean};

/**
 * Prepares a text as in the model's training.
 *
 * @param maxLength in UTF-16 units: more could not be read
 */
const prepare = (given: string, maxLength: number): Prepared => {
	const whole = given.trimStart();
	// Cut twice: normalisation needs a bounded input, and it may turn one character into eighteen.
	const text = whole.slice(0, maxLength).toWellFormed().normalize('NFKC').replaceAll(/\s+/gu, ' ').trim();
	return {text: text.slice(0, maxLength).toWellFormed(), isCut: text.length > maxLength || whole.slice(maxLength).trim() !== ''};
};

/** @param slot the part of the memory that is this worker's */
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

/** An unknown token covers a run of characters, so characters are counted instead of tokens. */
const unknownShareOf = (all: number, tokens: readonly number[], {characters}: Vocabulary): number => {
	const known = tokens.reduce((sum, id) => sum + characters[id]!, 0);
	return all === 0 ? 0 : Math.max(0, all - known) / all;
};

// The fastest way to compute the model on this host. All ways give the same bits, so the choice may rest on timing.

const chooseForward = (weights: SharedWeights, slot: number): Forward => {
	const {memory, buffer} = weights;
	if (memory === null) {
		const kernel = createJsEncoderKernel(buffer);
		return createForward(weights, slot, kernel, wordDense(weights, slot, kernel));
	}

	if (!relaxedModule.isSupported) {
		const kernel = plainModule.instantiate(memory);
		return createForward(weights, slot, kernel, wordDense(weights, slot, kernel));
	}

	const kernel = relaxedModule.instantiate(memory);
	return faster(
		createForward(weights, slot, kernel, byteDense(weights, slot, kernel)),
		createForward(weights, slot, kernel, wordDense(weights, slot, kernel)),
	);
};

/** How often each is timed, after as many texts that compile it. */
const rounds = 16;

/** Takes turns until the times show which is faster; the least time of each counts, as it is the least disturbed. */
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
