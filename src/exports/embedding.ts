/**
 * Text → unit vector: the port, and the adapters behind one function. Models load when they are asked for.
 *
 * @module processual-state/embedding
 */
export type {Embedding, Encoder, ModelPassport, TokenReport} from '../embedding/encoder.ts';
export {loadEncoder, type EmbeddingOptions, type LoadHooks} from '../embedding/load.ts';
export type {DownloadProgress} from '../embedding/text-model.ts';
export type {Pooling} from '../embedding/model-choice.ts';
export {bundledModel} from '../embedding/bundled-model.ts';
export {remembering} from '../embedding/remembering.ts';
