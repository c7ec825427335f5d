/**
 * Text → unit vector: the encoder port, and one function that loads any model.
 *
 * @module processual-state/embedding
 */
import '../platform/require-node.ts';
export type {Embedding, Encoder, EncoderPassport, LoadedEncoder, ModelPassport, TextTurn, TokenReport} from './encoder.ts';
export {loadEncoder, type EmbeddingOptions, type LoadHooks} from './load-encoder.ts';
export type {DownloadProgress} from './encoder.ts';
export type {Pooling} from './model-choice.ts';
export {fromAiSdk, type AiSdkEmbeddingModel, type AiSdkOptions} from './from-ai-sdk.ts';
