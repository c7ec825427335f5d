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

/** Text in, unit vector of 1024 floats out. */
export interface Encoder {
	readonly passport: ModelPassport;

	/**
	 * Embeds one text: 1024 floats of unit length. A text longer than the model reads is cut by its tokenizer.
	 * A cycle copies the vector, so its memory may be used again, and brings another length to 1.
	 *
	 * @throws {EmbeddingError} when the model fails or gives a vector that is zero, not finite or of the wrong size.
	 * @throws the signal's reason when it aborts first.
	 */
	embed(text: string, signal?: AbortSignal): Promise<Float32Array>;

	/** Ends the workers and frees the model. */
	dispose(): Promise<void>;
}
