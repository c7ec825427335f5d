/**
 * Projections → words: the port, a language model, and a template that needs none.
 *
 * @module processual-state/language
 */
export type {LanguageModelOptions} from './model-choice.ts';
export {openLanguageModel, type ModelTranslator} from './model-client.ts';
export {templateTranslator} from './template.ts';
export type {Translator} from './translator.ts';
