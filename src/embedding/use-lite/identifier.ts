/** The identifier of the default model, Universal Sentence Encoder lite: 512 wide, English. This module loads nothing. */
export const bundledModel = 'bundled:universal-sentence-encoder-lite';

/** The languages of its training, as BCP 47 tags. */
export const bundledLanguages: readonly string[] = ['en'];
