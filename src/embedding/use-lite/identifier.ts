/** The name of the built-in default: real weights that come through npm, 512 wide, English. It needs nothing of Node, as the model does. */
export const bundledModel = 'bundled:universal-sentence-encoder-lite';

/** The languages that it was trained for, as BCP 47 tags. */
export const bundledLanguages: readonly string[] = ['en'];
