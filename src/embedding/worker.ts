/**
 * The worker thread: loads one model, says so, then answers one batch of texts after another.
 * Its other end is `model-workers.ts`.
 */
import {parentPort, workerData} from 'node:worker_threads';
import {reasonOf} from '../errors.ts';
import type {TransformersChoice} from './model-choice.ts';
import type {DownloadProgress, Inference, RawEmbedding} from './text-model.ts';

/** Which model a worker loads. */
export type WorkerModel = {adapter: 'bundled'} | TransformersChoice;

/** A text's embedding, or why it has none. */
export type Embedded = RawEmbedding<Float32Array<ArrayBuffer>> | {failure: string};

/** What a worker says. */
export type WorkerMessage =
	| {type: 'progress'; progress: DownloadProgress}
	| {type: 'ready'}
	| {type: 'unloadable'; reason: string}
	/** Answers the texts that were sent last, in their order. */
	| {type: 'embedded'; results: Embedded[]};

const port = parentPort!;
const say = (message: WorkerMessage, transfer: ArrayBuffer[] = []): void => {
	port.postMessage(message, transfer);
};

/** Adapters are imported when chosen: neither pays for the other, and transformers.js may not be installed. */
const load = async (model: WorkerModel): Promise<Inference> => {
	if (model.adapter === 'bundled') {
		const {loadBundled} = await import('./use-lite/load-bundled.ts');
		return loadBundled();
	}

	const {loadTransformers} = await import('./adapters/transformers.ts');
	return loadTransformers(model, progress => {
		say({type: 'progress', progress});
	});
};

/** Together; and when that fails each alone, so that a text which the model cannot take fails nobody else's. */
const embed = async (infer: Inference, texts: readonly string[]): Promise<Embedded[]> => {
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
		say({type: 'embedded', results}, results.flatMap(result => 'vector' in result ? [result.vector.buffer] : []));
	});
	say({type: 'ready'});
} catch (error) {
	say({type: 'unloadable', reason: reasonOf(error)});
}
