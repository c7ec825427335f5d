/** An encoder of an embedding model of the AI SDK, which the application has: the SDK itself is not imported. */
import {EmbeddingError, wrapError} from '../platform/errors.ts';
import {requireKnownNames, type Names} from '../platform/unknown-names.ts';
import {encoderBy, type Embedding, type Encoder} from './encoder.ts';
import {fitWidth} from './fit-width.ts';

/** What is used of the SDK's embedding models, of any version of their interface: `openai.embedding('…')` gives one. */
export type AiSdkEmbeddingModel = {
	readonly modelId: string;
	readonly provider?: string;
	/** Embeds the values, one vector each. */
	doEmbed(options: {
		values: string[]; abortSignal?: AbortSignal;
	}): PromiseLike<{embeddings: ReadonlyArray<readonly number[]>; usage?: {tokens: number} | undefined}>;
};

/** How the model's vectors are fitted to the state. */
export type AiSdkOptions = {
	/** Whether vectors wider than 1024 are truncated: valid for Matryoshka models only. @default false */
	truncate?: boolean;
};

const names: Names<AiSdkOptions> = {truncate: true};

/**
 * Makes an encoder of an embedding model of the AI SDK. Its vectors are fitted to 1024 floats of unit length; texts are
 * embedded one by one, so that a text has the same vector always. Its passport names the provider and the model.
 *
 * @throws {ConfigurationError} for an unknown option
 *
 * @example
 * ```ts
 * import {fromAiSdk} from 'processual-state/embedding';
 *
 * // In place of this model: openai.embedding('text-embedding-3-small')
 * const model = {modelId: 'lengths', async doEmbed({values}: {values: string[]}) {
 * 	return {embeddings: values.map(text => [text.length, 1])};
 * }};
 * const vector = await fromAiSdk(model).embed('The sea is quiet today.');
 * console.log(vector.length, Math.hypot(...vector));
 * ```
 */
export const fromAiSdk = (model: AiSdkEmbeddingModel, options: AiSdkOptions = {}): Encoder => {
	requireKnownNames('The encoder', options, names);
	const {truncate = false} = options;
	const name = model.provider === undefined ? model.modelId : `${model.provider}:${model.modelId}`;
	const embedWithReport = async (text: string, signal?: AbortSignal): Promise<Embedding> => {
		signal?.throwIfAborted();
		try {
			const {embeddings: [vector = []], usage} = await model.doEmbed({values: [text], ...(signal && {abortSignal: signal})});
			return {vector: fitWidth(vector, truncate), report: Number.isInteger(usage?.tokens) ? {tokens: usage!.tokens} : {}};
		} catch (error) {
			signal?.throwIfAborted();
			throw wrapError(error, EmbeddingError, `The embedding model “${name}” failed`, signal);
		}
	};

	const passport = {model: name, dtype: 'served'};
	return encoderBy(embedWithReport, () => ({passport}));
};
