/** The identifiers of the bundled model, Universal Sentence Encoder lite: 512 wide, English. This module loads nothing. */

/** The default: weights of 8 bits, which come with the package. */
export const bundledModel = 'bundled:universal-sentence-encoder-lite-q8';

/** The original's float32 weights, which older versions could use. */
export const originalModel = 'bundled:universal-sentence-encoder-lite';

/** The default model behind a table of glosses that turns French into English words. */
export const frenchModel = `${bundledModel}-fr`;

/** What a bundled model reads, as BCP 47 tags; undefined for another model. */
export const languagesOf = (model: string): readonly string[] | undefined =>
	({[bundledModel]: ['en'], [frenchModel]: ['en', 'fr']})[model];

/** The model that has the same vectors of English sentences. */
export const englishModelOf = (model: string): string => model === frenchModel ? bundledModel : model;

/** A model to propose for texts that the default does not read: what comes with the package, else one that reads a hundred languages. */
export const proposeModel = (language: string): string =>
	languagesOf(frenchModel)!.includes(language) ? `${frenchModel}, which comes with the package` : 'Xenova/bge-m3';
