/**
 * Projections → words: the translator port, a translator with a language model, and one with a template.
 *
 * @module processual-state/language
 */
import '../platform/require-node.ts';
export type {LanguageModelOptions} from './model-choice.ts';
export {openLanguageModel, type ModelTranslator} from './model-translator.ts';
export {templateTranslator} from './template-translator.ts';
export type {TranslationRequest, Translator} from './translator.ts';
