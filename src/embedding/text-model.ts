/** A model as its adapter knows it: text in, the model's own vector out, of its own width and norm. */
export interface TextModel {
	/**
	 * @throws {EmbeddingError} when the model fails.
	 * @throws the signal's reason when it aborts first.
	 */
	embed(text: string, signal?: AbortSignal): Promise<ArrayLike<number>>;

	dispose(): Promise<void>;
}

/** How far one file's download is, in bytes. */
export type DownloadProgress = {file: string; loaded: number; total: number};

/** What an adapter loads in a worker: texts to their vectors, in order, which the caller owns, memory and all. */
export type Inference = (texts: readonly string[]) => Promise<Array<Float32Array<ArrayBuffer>>>;
