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

/** What an adapter loads in a worker: one text to one vector that the caller owns, memory and all. */
export type Inference = (text: string) => Promise<Float32Array<ArrayBuffer>>;
