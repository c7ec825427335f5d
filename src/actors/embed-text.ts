/** Asks other parts for a text's vector and for vectors that corroborate it, before the text meets the state. */
import {embedWithReport, type Embedding, type Encoder, type TextTurn, type TokenReport} from '../embedding/encoder.ts';
import {recogniseLanguage} from '../embedding/recognise-language.ts';
import {width} from '../kernel/dimensions.ts';
import {toUnitLength} from '../kernel/normalise.ts';
import {EmbeddingError, reasonOf, StoreError, wrapError} from '../platform/errors.ts';
import type {Corroborate} from './deps.ts';

/** @throws {EmbeddingError} for a vector that is not 1024 finite floats of non-zero length, and for any error of the encoder */
export const embed = async (content: string, encoder: Encoder, signal?: AbortSignal, turn?: TextTurn): Promise<Embedding> => {
	let embedding: Embedding;
	let language: string | null | undefined;
	try {
		embedding = await embedWithReport(encoder, content, signal, turn);
		// Recognising the language takes a tenth of the model's time, so it is skipped if the model reports the language.
		language = embedding.report.language ?? (encoder.languages && await recogniseLanguage(content, encoder.languages));
	} catch (error) {
		throw wrapError(error, EmbeddingError, 'The encoder failed', signal);
	}

	return {
		vector: requireVector(embedding.vector),
		report: knownOf({...embedding.report, ...(language !== undefined && {language})}),
	};
};

/** Keeps only valid fields of a report: an application's encoder may return anything, and a record stores it. */
const knownOf = ({tokens, characters, isTruncated, unknownShare, language}: TokenReport): TokenReport => ({
	...(Number.isFinite(tokens) && {tokens: tokens!}),
	...(Number.isFinite(characters) && {characters: characters!}),
	...(typeof isTruncated === 'boolean' && {isTruncated}),
	...(Number.isFinite(unknownShare) && {unknownShare: unknownShare!}),
	...((typeof language === 'string' || language === null) && {language}),
});

/** Asks for vectors that corroborate a text. @throws {StoreError} for any error of the application's function */
export const corroborate = async (ask: Corroborate, vector: Float32Array, signal: AbortSignal): ReturnType<Corroborate> => {
	try {
		return await ask(vector, signal);
	} catch (error) {
		throw wrapError(error, StoreError, 'What corroborates the text could not be found', signal);
	}
};

/**
 * Checks, normalises and copies a vector: an application's encoder may return anything, and may reuse the memory for its
 * next vector.
 */
const requireVector = (vector: Float32Array): Float32Array => {
	try {
		if (vector.length !== width) {
			throw new RangeError(`It has ${vector.length} components.`);
		}

		return toUnitLength(new Float32Array(vector));
	} catch (error) {
		throw new EmbeddingError(
			`The encoder gave a vector that is not ${width} finite floats with some length; the cycle is dropped. ${reasonOf(error)}`,
			{cause: error},
		);
	}
};
