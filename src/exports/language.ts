/**
 * Projections → words: the port, a language model, and a template that needs none.
 *
 * @module processual-state/language
 */
export type {LanguageModelOptions} from '../language/model-choice.ts';
export {openLanguageModel, type ModelTranslator} from '../language/model-client.ts';
export {templateTranslator} from '../language/template.ts';
export type {Translator} from '../language/translator.ts';
