/** Text → unit vector: the port, and the adapters behind one function. Models load when they are asked for. */
export type {Encoder, ModelPassport} from '../embedding/encoder.ts';
export {loadEncoder, type EmbeddingOptions} from '../embedding/load.ts';
export {bundledModel} from '../embedding/model-choice.ts';
export {remembering} from '../embedding/remembering.ts';
