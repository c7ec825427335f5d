/** The identifiers of the bundled model, Universal Sentence Encoder lite: 512 wide, English. This module loads nothing. */

/** The default: weights of 8 bits, which come with the package. */
export const bundledModel = 'bundled:universal-sentence-encoder-lite-q8';

/** The original's float32 weights, which older versions could use. */
export const originalModel = 'bundled:universal-sentence-encoder-lite';

/** The languages of its training, as BCP 47 tags. */
export const bundledLanguages: readonly string[] = ['en'];
