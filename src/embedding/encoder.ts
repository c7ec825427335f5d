/**
 * The embedding port: text in, unit vector of the state's width out.
 *
 * An encoder works off the event loop, takes concurrent calls, and answers them in any order.
 */
import {width} from '../kernel/dimensions.ts';
import type {TextTurn} from './turn-queue.ts';

export type {TextTurn} from './turn-queue.ts';

/** The model's identity: vectors of two runs are comparable only if their passports are equal. */
export type ModelPassport = {
	/** The configured identifier, as `GET /health` reports it. */
	model: string;
	/** The width of the model's vectors, before fitting to 1024. */
	width: number;
	pooling: string;
	prefix: string;
	dtype: string;
};

/** How the model read a text; a field is absent if the adapter does not know it. */
export type TokenReport = Readonly<{
	/** Tokens given to the model, including those that the model or a prefix adds. */
	tokens?: number;
	/**
	 * Characters without white space of the text, or of its tokenised part if it was truncated. Few per token mean that
	 * the vocabulary has only pieces of the text's words: with the bundled model, English has about 3.3 per token, JSON 1.4.
	 */
	characters?: number;
	/** Whether the end of the text was cut off. */
	isTruncated?: boolean;
	/** The share of the text outside the model's vocabulary, 0 to 1. */
	unknownShare?: number;
	/** The text's language as a BCP 47 tag, if the encoder says which languages its model reads; null if unknown, as for short texts. */
	language?: string | null;
}>;

/** A text's vector, with a report of how the model read the text. */
export type Embedding = {vector: Float32Array; report: TokenReport};

/** What an encoder declares about its model: at least its name. */
export type EncoderPassport = Pick<ModelPassport, 'model'> & Partial<ModelPassport>;

/** Text in, unit vector of 1024 floats out. */
export interface Encoder {
	/**
	 * The model's name, and everything else that its vectors depend on. The defaults are 1024 floats of an fp32 model
	 * without pooling and prefix.
	 */
	readonly passport: EncoderPassport;

	/** The languages of the model's training, as BCP 47 tags; absent if unknown. */
	readonly languages?: readonly string[] | undefined;

	/**
	 * Embeds one text: 1024 floats of unit length. The tokenizer truncates a text that is too long for the model.
	 * A cycle copies and normalises the vector, so its memory may be reused.
	 * Cycles are applied in order of acceptance, and each waits for the embeddings before it: set a timeout.
	 * An embedding that has blocked others for 10 minutes is aborted, and its cycle fails.
	 *
	 * @param turn Whose text it is, for encoders with a queue. The bundled model and those of transformers.js take turns
	 * by identity, then by source, with cycles before questions.
	 * @throws {EmbeddingError} if the model fails or gives a vector that is zero, not finite or of the wrong size.
	 * @throws the signal's reason if it aborts first.
	 */
	embed(text: string, signal?: AbortSignal, turn?: TextTurn): Promise<Float32Array>;

	/** Like `embed`, with a report of how the text was read. Optional. */
	embedWithReport?(text: string, signal?: AbortSignal, turn?: TextTurn): Promise<Embedding>;

	/** Drops what the encoder remembers of texts, such as a cache. Called when texts are forgotten. Optional. */
	forget?(): void;

	/** Terminates the workers and frees the model. Optional. */
	dispose?(): Promise<void>;
}

/** An encoder loaded by {@link loadEncoder}. Its passport is complete, and it must be disposed of. */
export interface LoadedEncoder extends Encoder {
	readonly passport: ModelPassport;
	embedWithReport(text: string, signal?: AbortSignal, turn?: TextTurn): Promise<Embedding>;
	dispose(): Promise<void>;
}

/** An encoder's passport, completed with the defaults. */
export const passportOf = ({passport}: Pick<Encoder, 'passport'>): ModelPassport => ({
	width, pooling: 'none', prefix: '', dtype: 'fp32', ...passport,
});

/** Embeds with a report, which is empty if the encoder makes none. */
export const embedWithReport = async (encoder: Encoder, text: string, signal?: AbortSignal, turn?: TextTurn): Promise<Embedding> =>
	encoder.embedWithReport?.(text, signal, turn) ?? {vector: await encoder.embed(text, signal, turn), report: {}};

/** An encoder that wraps another. @param said Returns its passport and the rest; asked at each access, so it may change. */
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
	 * @throws {EmbeddingError} if the model fails.
	 * @throws the signal's reason if it aborts first.
	 */
	embed(text: string, signal?: AbortSignal, turn?: TextTurn): Promise<RawEmbedding>;

	dispose(): Promise<void>;
}

/** The progress of one file's download, in bytes. */
export type DownloadProgress = {file: string; loaded: number; total: number};

/** A model inside a worker. The caller owns the vector and its buffer. */
export type Inference = (text: string) => Promise<RawEmbedding<Float32Array<ArrayBuffer>>>;
