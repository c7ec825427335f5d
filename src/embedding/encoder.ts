/**
 * The embedding port: text in, unit vector of the state's width out.
 *
 * An encoder works off the event loop, takes concurrent calls, and answers them in any order.
 */
import {width} from '../kernel/dimensions.ts';
import type {TextTurn} from './turn-queue.ts';

export type {TextTurn} from './turn-queue.ts';

/** The model's identity: vectors of two runs are comparable if it is equal. */
export type ModelPassport = {
	/** The configured identifier, as `GET /health` reports it. */
	model: string;
	/** The width of the model's vectors, before fitting to 1024. */
	width: number;
	pooling: string;
	prefix: string;
	dtype: string;
};

/** How the model read a text; a field is absent when the adapter does not know it. */
export type TokenReport = Readonly<{
	/** Tokens given to the model, including those that the model or a prefix adds. */
	tokens?: number;
	/**
	 * Characters of the text without white space; of a truncated one, of the part that was tokenised. Where they are few
	 * for each token, the vocabulary has pieces of the text and not its words: English has about 3.3 for a token of the
	 * bundled model, JSON 1.4.
	 */
	characters?: number;
	/** Whether the end of the text was cut off. */
	isTruncated?: boolean;
	/** The share of the text outside the model's vocabulary, 0 to 1. */
	unknownShare?: number;
	/** The text's language as a BCP 47 tag, where the encoder says what its model reads; null where it is not known, as of short texts. */
	language?: string | null;
}>;

/** A text's vector, and how the model read the text. */
export type Embedding = {vector: Float32Array; report: TokenReport};

/** What an encoder says of its model: its name at least. */
export type EncoderPassport = Pick<ModelPassport, 'model'> & Partial<ModelPassport>;

/** Text in, unit vector of 1024 floats out. */
export interface Encoder {
	/**
	 * The model's name, and what else its vectors depend on: by default, vectors of 1024 floats of an fp32 model
	 * without pooling and prefix.
	 */
	readonly passport: EncoderPassport;

	/** The languages of the model's training, as BCP 47 tags; absent when unknown. */
	readonly languages?: readonly string[] | undefined;

	/**
	 * Embeds one text: 1024 floats of unit length. A text longer than the model reads is cut by its tokenizer.
	 * A cycle copies the vector, so its memory may be reused, and normalises it.
	 * Cycles are applied in the order of their acceptance, so each waits for the embeddings before it: set a timeout.
	 * An embedding that has blocked others for 10 minutes is aborted, and its cycle fails.
	 *
	 * @param turn Whose text it is, for an encoder in which texts wait: the bundled one and those of transformers.js
	 * take turns by identity, then by source, and cycles before questions.
	 * @throws {EmbeddingError} when the model fails or gives a vector that is zero, not finite or of the wrong size.
	 * @throws the signal's reason when it aborts first.
	 */
	embed(text: string, signal?: AbortSignal, turn?: TextTurn): Promise<Float32Array>;

	/** As `embed`, with a report of how the text was read. Optional. */
	embedWithReport?(text: string, signal?: AbortSignal, turn?: TextTurn): Promise<Embedding>;

	/** Drops what it remembers of texts, such as a cache: called when texts are forgotten. Optional. */
	forget?(): void;

	/** Terminates the workers and frees the model. Optional. */
	dispose?(): Promise<void>;
}

/** An encoder that {@link loadEncoder} has loaded: its passport is whole, and it must be disposed of. */
export interface LoadedEncoder extends Encoder {
	readonly passport: ModelPassport;
	embedWithReport(text: string, signal?: AbortSignal, turn?: TextTurn): Promise<Embedding>;
	dispose(): Promise<void>;
}

/** The whole passport of an encoder. */
export const passportOf = ({passport}: Pick<Encoder, 'passport'>): ModelPassport => ({
	width, pooling: 'none', prefix: '', dtype: 'fp32', ...passport,
});

/** Embeds with a report, which is empty if the encoder makes none. */
export const embedWithReport = async (encoder: Encoder, text: string, signal?: AbortSignal, turn?: TextTurn): Promise<Embedding> =>
	encoder.embedWithReport?.(text, signal, turn) ?? {vector: await encoder.embed(text, signal, turn), report: {}};

/** An encoder in front of another: it embeds by a function, and what else it says is asked for when it is wanted. */
export const encoderBy = <Passport extends EncoderPassport>(
	embed: LoadedEncoder['embedWithReport'],
	said: () => {readonly passport: Passport; readonly languages?: readonly string[] | undefined; forget?(): void},
) => ({
	get passport(): Passport {
		return said().passport;
	},
	get languages(): readonly string[] | undefined {
		return said().languages;
	},
	embed: async (text: string, signal?: AbortSignal, turn?: TextTurn): Promise<Float32Array> => (await embed(text, signal, turn)).vector,
	embedWithReport: embed,
	forget: (): void => said().forget?.(),
});

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
