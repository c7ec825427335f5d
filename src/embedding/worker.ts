/**
 * The worker thread: loads one model, then embeds one batch of texts after another. Its other end
 * is `worker-pool.ts`.
 */
import {parentPort, workerData} from 'node:worker_threads';
import {reasonOf} from '../errors.ts';
import type {TransformersChoice} from './model-choice.ts';
import type {DownloadProgress, Inference, RawEmbedding} from './text-model.ts';

/** Which model a worker loads. */
export type WorkerModel = {adapter: 'bundled'} | TransformersChoice;

/** The embedding of a text, or the reason of its failure. */
export type EmbedResult = RawEmbedding<Float32Array<ArrayBuffer>> | {failure: string};

/** A message of the worker to the pool. */
export type WorkerMessage =
	| {type: 'progress'; progress: DownloadProgress}
	| {type: 'ready'}
	| {type: 'loadFailed'; reason: string}
	/** The results of the last batch, in its order. */
	| {type: 'embedded'; results: EmbedResult[]};

const port = parentPort!;
const send = (message: WorkerMessage, transfer: ArrayBuffer[] = []): void => {
	port.postMessage(message, transfer);
};

/** Imports the chosen adapter alone: transformers.js is large, and may be absent. */
const load = async (model: WorkerModel): Promise<Inference> => {
	if (model.adapter === 'bundled') {
		const {loadBundled} = await import('./use-lite/load-bundled.ts');
		return loadBundled();
	}

	const {loadTransformers} = await import('./adapters/transformers.ts');
	return loadTransformers(model, progress => {
		send({type: 'progress', progress});
	});
};

/** Embeds a batch together. If it fails, embeds each text alone, so that one bad text does not fail the others. */
const embed = async (infer: Inference, texts: readonly string[]): Promise<EmbedResult[]> => {
	try {
		return await infer(texts);
	} catch (error) {
		return texts.length === 1
			? [{failure: reasonOf(error)}]
			: (await Promise.all(texts.map(async text => embed(infer, [text])))).flat();
	}
};

try {
	const infer = await load(workerData as WorkerModel);

	port.on('message', async (texts: readonly string[]) => {
		const results = await embed(infer, texts);
		send({type: 'embedded', results}, results.flatMap(result => 'vector' in result ? [result.vector.buffer] : []));
	});
	send({type: 'ready'});
} catch (error) {
	send({type: 'loadFailed', reason: reasonOf(error)});
}
