/**
 * The worker thread: loads one model, says so, then answers one text after another.
 * Its other end is `model-workers.ts`.
 */
import {parentPort, workerData} from 'node:worker_threads';
import {reasonOf} from '../errors.ts';
import type {TransformersChoice} from './model-choice.ts';
import type {DownloadProgress, Inference} from './text-model.ts';

/** Which model a worker loads. */
export type WorkerModel = {adapter: 'bundled'} | TransformersChoice;

/** What a worker says. Vectors and failures answer the text that was sent last. */
export type WorkerMessage =
	| {type: 'progress'; progress: DownloadProgress}
	| {type: 'ready'}
	| {type: 'unloadable'; reason: string}
	| {type: 'vector'; vector: Float32Array}
	| {type: 'failure'; reason: string};

const port = parentPort!;
const say = (message: WorkerMessage, transfer: ArrayBuffer[] = []): void => {
	port.postMessage(message, transfer);
};

/** Adapters are imported when chosen: neither pays for the other, and transformers.js may not be installed. */
const load = async (model: WorkerModel): Promise<Inference> => {
	if (model.adapter === 'bundled') {
		const {loadBundled} = await import('./bundled.ts');
		return loadBundled();
	}

	const {loadTransformers} = await import('./transformers.ts');
	return loadTransformers(model, progress => {
		say({type: 'progress', progress});
	});
};

try {
	const infer = await load(workerData as WorkerModel);

	port.on('message', async (text: string) => {
		try {
			const vector = await infer(text);
			say({type: 'vector', vector}, [vector.buffer]);
		} catch (error) {
			say({type: 'failure', reason: reasonOf(error)});
		}
	});
	say({type: 'ready'});
} catch (error) {
	say({type: 'unloadable', reason: reasonOf(error)});
}
