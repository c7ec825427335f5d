/**
 * The embedding port: text in, unit vector of the state's width out.
 *
 * An encoder does its work off the event loop, may be called any number of times at once,
 * and answers in whatever order it finishes.
 */

/** What must stay the same for vectors of two runs to be comparable. */
export type ModelPassport = {
	/** The configured identifier, as `GET /health` reports it. */
	model: string;
	/** How many floats the model itself gives, before lifting to 1024. */
	width: number;
	pooling: string;
	prefix: string;
	dtype: string;
};

/** How a model read a text, as far as its adapter knows. */
export type TokenReport = Readonly<{
	/** Tokens that the model was given, those included that a model or a prefix adds. */
	tokens?: number;
	/** Whether the end of the text was cut off. */
	isTruncated?: boolean;
	/** The share of the text that is not in the model's vocabulary, 0 to 1. */
	unknownShare?: number;
}>;

/** A text's vector, and how the text was read. */
export type Embedding = {vector: Float32Array; report: TokenReport};

/** Text in, unit vector of 1024 floats out. */
export interface Encoder {
	readonly passport: ModelPassport;

	/** The languages that the model was trained for, as BCP 47 tags; absent where they are not known. */
	readonly languages?: readonly string[] | undefined;

	/**
	 * Embeds one text: 1024 floats of unit length. A text longer than the model reads is cut by its tokenizer.
	 * A cycle copies the vector, so its memory may be used again, and brings another length to 1.
	 * Cycles are applied in the order of their acceptance, so one waits for the embeddings of those before it: set a
	 * timeout. An embedding that others have waited for during 10 minutes is aborted, and its cycle fails.
	 *
	 * @throws {EmbeddingError} when the model fails or gives a vector that is zero, not finite or of the wrong size.
	 * @throws the signal's reason when it aborts first.
	 */
	embed(text: string, signal?: AbortSignal): Promise<Float32Array>;

	/** Does what `embed` does, and reports how the text was read. An encoder may do without. */
	embedWithReport?(text: string, signal?: AbortSignal): Promise<Embedding>;

	/** Ends the workers and frees the model. */
	dispose(): Promise<void>;
}

/** Embeds with a report, which is empty where the encoder makes none. */
export const embedWithReport = async (encoder: Encoder, text: string, signal?: AbortSignal): Promise<Embedding> =>
	encoder.embedWithReport?.(text, signal) ?? {vector: await encoder.embed(text, signal), report: {}};
