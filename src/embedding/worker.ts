/**
 * The worker thread. The first call loads a model, and each later one embeds texts one after another. The caller is
 * `worker-pool.ts`.
 */
import {reasonOf} from '../platform/errors.ts';
import {answerCalls, notify} from '../platform/thread-calls.ts';
import type {TransformersChoice} from './model-choice.ts';
import type {Inference, RawEmbedding} from './encoder.ts';
import type {SharedWeights} from './use-lite/weights.ts';

export type WorkerModel = {adapter: 'bundled'; weights: SharedWeights} | TransformersChoice;

export type WorkerData = {
	model: WorkerModel;
	/** The worker's number among the live ones, from 0. */
	slot: number;
};

/** The embedding of a text, or the reason of its failure. */
export type EmbedResult = RawEmbedding<Float32Array<ArrayBuffer>> | {failure: string};

/** A call: the model to load, or texts. */
export type WorkerCall = WorkerData | string[];

/** Imports only the chosen adapter: transformers.js is large, and may not be installed. */
const load = async ({model, slot}: WorkerData): Promise<Inference> => {
	if (model.adapter === 'bundled') {
		const {loadBundled} = await import('./use-lite/load-bundled.ts');
		return loadBundled(model.weights, slot);
	}

	const {loadTransformers} = await import('./adapters/transformers.ts');
	return loadTransformers(model, notify);
};

const embed = async (text: string): Promise<EmbedResult> => {
	try {
		return await infer(text);
	} catch (error) {
		return {failure: reasonOf(error)};
	}
};

let infer: Inference;

answerCalls(async (call: WorkerCall): Promise<EmbedResult[]> => {
	if (!Array.isArray(call)) {
		infer = await load(call);
		return [];
	}

	const results: EmbedResult[] = [];
	for (const text of call) {
		results.push(await embed(text));
	}

	return results;
}, results => results.flatMap(result => 'vector' in result ? [result.vector.buffer] : []));
