/** The identifiers of the bundled model, Universal Sentence Encoder lite: 512 wide, English. This module loads nothing. */

/** The default: 8-bit weights, which come with the package. */
export const bundledModel = 'bundled:universal-sentence-encoder-lite-q8';

/** The original's float32 weights, which older versions could use. */
export const originalModel = 'bundled:universal-sentence-encoder-lite';

/** The default model, with a table of glosses that turns French into English words first. */
export const frenchModel = `${bundledModel}-fr`;

/** The languages that a bundled model reads, as BCP 47 tags; undefined for any other model. */
export const languagesOf = (model: string): readonly string[] | undefined =>
	({[bundledModel]: ['en'], [frenchModel]: ['en', 'fr']})[model];

/** The English model that gives the same vectors for English sentences. */
export const englishModelOf = (model: string): string => model === frenchModel ? bundledModel : model;

/** The model to propose for a language that the default does not read: one from the package, else one that reads a hundred languages. */
export const proposeModel = (language: string): string =>
	languagesOf(frenchModel)!.includes(language) ? `${frenchModel}, which comes with the package` : 'Xenova/bge-m3';
