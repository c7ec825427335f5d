/**
 * Projections → words: the translator port, a language model, and a template without one.
 *
 * @module processual-state/language
 */
import '../platform/require-node.ts';
export type {LanguageModelOptions} from './model-choice.ts';
export {openLanguageModel, type ModelTranslator} from './model-translator.ts';
export {templateTranslator} from './template-translator.ts';
export type {TranslationRequest, Translator} from './translator.ts';
