/**
 * The worker thread: loads one model, then embeds the texts of a message one after another. Its other end is
 * `worker-pool.ts`.
 */
import {parentPort, workerData} from 'node:worker_threads';
import {reasonOf} from '../platform/errors.ts';
import type {TransformersChoice} from './model-choice.ts';
import type {DownloadProgress, Inference, RawEmbedding} from './text-model.ts';
import type {SharedWeights} from './use-lite/weights.ts';

/** Which model a worker loads. */
export type WorkerModel = {adapter: 'bundled'; weights: SharedWeights} | TransformersChoice;

/** What a worker begins with. */
export type WorkerData = {
	model: WorkerModel;
	/** The worker's number among those that live, from 0. */
	slot: number;
};

/** The embedding of a text, or the reason of its failure. */
export type EmbedResult = RawEmbedding<Float32Array<ArrayBuffer>> | {failure: string};

/** A message of the worker to the pool. */
export type WorkerMessage =
	| {type: 'progress'; progress: DownloadProgress}
	| {type: 'ready'}
	| {type: 'loadFailed'; reason: string}
	| {type: 'embedded'; results: EmbedResult[]};

const port = parentPort!;
const send = (message: WorkerMessage, transfer: ArrayBuffer[] = []): void => {
	port.postMessage(message, transfer);
};

/** Imports the chosen adapter alone: transformers.js is large, and may be absent. */
const load = async ({model, slot}: WorkerData): Promise<Inference> => {
	if (model.adapter === 'bundled') {
		const {loadBundled} = await import('./use-lite/load-bundled.ts');
		return loadBundled(model.weights, slot);
	}

	const {loadTransformers} = await import('./adapters/transformers.ts');
	return loadTransformers(model, progress => {
		send({type: 'progress', progress});
	});
};

const embed = async (infer: Inference, text: string): Promise<EmbedResult> => {
	try {
		return await infer(text);
	} catch (error) {
		return {failure: reasonOf(error)};
	}
};

try {
	const infer = await load(workerData as WorkerData);

	port.on('message', async (texts: string[]) => {
		const results: EmbedResult[] = [];
		for (const text of texts) {
			results.push(await embed(infer, text));
		}

		send({type: 'embedded', results}, results.flatMap(result => 'vector' in result ? [result.vector.buffer] : []));
	});
	send({type: 'ready'});
} catch (error) {
	send({type: 'loadFailed', reason: reasonOf(error)});
}
