/** What is asked of others about a text before it meets the state: its vector, and what corroborates it. */
import {embedWithReport, type Embedding, type Encoder, type TextTurn, type TokenReport} from '../embedding/encoder.ts';
import {recogniseLanguage} from '../embedding/recognise-language.ts';
import {width} from '../kernel/dimensions.ts';
import {toUnitLength} from '../kernel/normalise.ts';
import {EmbeddingError, reasonOf, StoreError, wrapError} from '../platform/errors.ts';
import type {Corroborate} from './deps.ts';

/** @throws {EmbeddingError} for a vector that is not 1024 finite floats with some length. */
export const embed = async (content: string, encoder: Encoder, signal?: AbortSignal, turn?: TextTurn): Promise<Embedding> => {
	let embedding: Embedding;
	let language: string | null | undefined;
	try {
		embedding = await embedWithReport(encoder, content, signal, turn);
		// To recognise one takes a tenth of the model's time: it is left out where the model says which.
		language = embedding.report.language ?? (encoder.languages && await recogniseLanguage(content, encoder.languages));
	} catch (error) {
		throw wrapError(error, EmbeddingError, 'The encoder failed', signal);
	}

	return {
		vector: requireVector(embedding.vector),
		report: knownOf({...embedding.report, ...(language !== undefined && {language})}),
	};
};

/** What is known of how a text was read: an encoder of an application may say anything, and a record keeps it. */
const knownOf = ({tokens, characters, isTruncated, unknownShare, language}: TokenReport): TokenReport => ({
	...(Number.isFinite(tokens) && {tokens: tokens!}),
	...(Number.isFinite(characters) && {characters: characters!}),
	...(typeof isTruncated === 'boolean' && {isTruncated}),
	...(Number.isFinite(unknownShare) && {unknownShare: unknownShare!}),
	...((typeof language === 'string' || language === null) && {language}),
});

/** Asks what corroborates a text. @throws {StoreError} for what an application's function throws */
export const corroborate = async (ask: Corroborate, vector: Float32Array, signal: AbortSignal): ReturnType<Corroborate> => {
	try {
		return await ask(vector, signal);
	} catch (error) {
		throw wrapError(error, StoreError, 'What corroborates the text could not be found', signal);
	}
};

/**
 * A vector must be usable before it meets the state: an encoder of an application may give anything,
 * and may write its next vector into the same memory.
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
