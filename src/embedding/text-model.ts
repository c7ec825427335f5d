import type {TokenReport} from './encoder.ts';

/** A vector as the model gives it, before it is brought to the state's width and to length 1. */
export type RawEmbedding<Vector extends ArrayLike<number> = ArrayLike<number>> = {vector: Vector; report: TokenReport};

/** A model as its adapter knows it: text in, the model's own vector out. */
export interface TextModel {
	/**
	 * @throws {EmbeddingError} when the model fails.
	 * @throws the signal's reason when it aborts first.
	 */
	embed(text: string, signal?: AbortSignal): Promise<RawEmbedding>;

	dispose(): Promise<void>;
}

/** How far one file's download is, in bytes. */
export type DownloadProgress = {file: string; loaded: number; total: number};

/** What an adapter loads in a worker: texts to their vectors, in order. The caller owns the vectors, memory included. */
export type Inference = (texts: readonly string[]) => Promise<Array<RawEmbedding<Float32Array<ArrayBuffer>>>>;
