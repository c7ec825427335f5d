/** A model behind its adapter, before its vectors are fitted to the state. */
import type {TokenReport} from './encoder.ts';
import type {TextTurn} from './turn-queue.ts';

/** A vector of the model's width and norm. */
export type RawEmbedding<Vector extends ArrayLike<number> = ArrayLike<number>> = {vector: Vector; report: TokenReport};

/** Text in, the model's vector out. */
export interface TextModel {
	/**
	 * @throws {EmbeddingError} when the model fails.
	 * @throws the signal's reason when it aborts first.
	 */
	embed(text: string, signal?: AbortSignal, turn?: TextTurn): Promise<RawEmbedding>;

	dispose(): Promise<void>;
}

/** The progress of one file's download, in bytes. */
export type DownloadProgress = {file: string; loaded: number; total: number};

/** A model inside a worker. The caller owns the vector and its buffer. */
export type Inference = (text: string) => Promise<RawEmbedding<Float32Array<ArrayBuffer>>>;
