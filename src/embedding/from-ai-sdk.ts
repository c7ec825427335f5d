/** An encoder for an embedding model of the AI SDK. The application brings the SDK, which is not imported here. */
import {EmbeddingError, wrapError} from '../platform/errors.ts';
import {requireKnownNames, type Names} from '../platform/unknown-names.ts';
import {encoderBy, type Embedding, type Encoder} from './encoder.ts';
import {fitWidth} from './fit-width.ts';

/** An embedding model of the SDK, in any version of its interface, such as `openai.embedding('…')`: the parts that are used here. */
export type AiSdkEmbeddingModel = {
	readonly modelId: string;
	readonly provider?: string;
	/** Embeds the values, one vector each. */
	doEmbed(options: {
		values: string[]; abortSignal?: AbortSignal;
	}): PromiseLike<{embeddings: ReadonlyArray<readonly number[]>; usage?: {tokens: number} | undefined}>;
};

/** How to fit the model's vectors to the state. */
export type AiSdkOptions = {
	/** Whether to truncate vectors wider than 1024. Only valid for Matryoshka models. @default false */
	truncate?: boolean;
};

const names: Names<AiSdkOptions> = {truncate: true};

/**
 * Makes an encoder from an embedding model of the AI SDK. Vectors are fitted to 1024 floats of unit length. Texts are
 * embedded one by one, so that a text always has the same vector. The passport names the provider and the model.
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
