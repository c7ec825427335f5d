/** Projections → words: the port, a language model, and a template that needs none. */
export {openLanguageModel} from '../language/model-client.ts';
export {templateTranslator} from '../language/template.ts';
export type {Translator} from '../language/translator.ts';
