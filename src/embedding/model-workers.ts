/**
 * A model on worker threads, so that inference never holds up the event loop.
 *
 * Each worker holds the model and one text; what waits, waits here, where it can be withdrawn.
 * Workers start when there is work for them: the first with the first text, another while all
 * are busy and more are allowed, and a new one after one died.
 *
 * Pools from npm were weighed: they answer an abort by ending the worker, and the model that
 * took seconds to load ends with it; and one of them never settles what a worker held that
 * exits without an error.
 */
import {extname} from 'node:path';
import {Worker} from 'node:worker_threads';
import {EmbeddingError, ModelLoadError} from '../errors.ts';
import type {DownloadProgress, TextModel} from './text-model.ts';
import type {WorkerMessage, WorkerModel} from './worker.ts';

/** The same file unbuilt (.ts) and built (.js). */
const entry = new URL(`./worker${extname(import.meta.url)}`, import.meta.url);

type Task = {
	text: string;
	resolve: (vector: Float32Array) => void;
	reject: (reason: unknown) => void;
};

/** A worker that is loading (not ready), idle (ready without a task) or busy. */
type Hand = {worker: Worker; ready: boolean; task: Task | null; trouble: unknown};

export class ModelWorkers implements TextModel {
	readonly #model: WorkerModel;
	readonly #limit: number;
	readonly #onProgress: ((progress: DownloadProgress) => void) | undefined;
	readonly #hands = new Set<Hand>();
	readonly #waiting = new Set<Task>();
	#disposed = false;

	constructor(model: WorkerModel, limit: number, onProgress?: (progress: DownloadProgress) => void) {
		this.#model = model;
		this.#limit = limit;
		this.#onProgress = onProgress;
	}

	async embed(text: string, signal?: AbortSignal): Promise<Float32Array> {
		signal?.throwIfAborted();
		if (this.#disposed) {
			throw disposal();
		}

		const {promise, resolve, reject} = Promise.withResolvers<Float32Array>();
		const task: Task = {text, resolve, reject};
		// A text already in a worker is answered to nobody: no worker is ended for it.
		const withdraw = () => {
			this.#waiting.delete(task);
			reject(signal!.reason);
		};

		signal?.addEventListener('abort', withdraw, {once: true});
		this.#waiting.add(task);
		this.#deal();
		try {
			return await promise;
		} finally {
			signal?.removeEventListener('abort', withdraw);
		}
	}

	async dispose(): Promise<void> {
		this.#disposed = true;
		this.#failWaiting(disposal());
		await Promise.all([...this.#hands].map(async ({worker, task}) => {
			task?.reject(disposal());
			await worker.terminate();
		}));
	}

	/** Gives what waits to idle workers, and starts one where all are busy and another may be. */
	#deal(): void {
		for (const hand of this.#hands) {
			const [task] = this.#waiting;
			if (task && hand.ready && !hand.task) {
				this.#waiting.delete(task);
				hand.task = task;
				hand.worker.postMessage(task.text);
			}
		}

		const loading = [...this.#hands].some(({ready}) => !ready);
		if (this.#waiting.size > 0 && !loading && this.#hands.size < this.#limit) {
			this.#start();
		}
	}

	#start(): void {
		const hand: Hand = {worker: new Worker(entry, {workerData: this.#model}), ready: false, task: null, trouble: null};
		this.#hands.add(hand);
		hand.worker
			.on('message', (message: WorkerMessage) => {
				this.#hear(hand, message);
			})
			.on('error', error => {
				hand.trouble = error;
			})
			.on('exit', code => {
				this.#bury(hand, code);
			});
	}

	#hear(hand: Hand, message: WorkerMessage): void {
		const {task} = hand;
		switch (message.type) {
			case 'progress': {
				this.#onProgress?.(message.progress);
				return;
			}

			case 'unloadable': {
				hand.trouble = new ModelLoadError(message.reason);
				void hand.worker.terminate();
				return;
			}

			case 'ready': {
				hand.ready = true;
				break;
			}

			case 'vector': {
				hand.task = null;
				task?.resolve(message.vector);
				break;
			}

			case 'failure': {
				hand.task = null;
				task?.reject(new EmbeddingError(`The model failed on a text: ${message.reason}`));
				break;
			}
		}

		this.#deal();
	}

	/** A worker is gone. The text it held fails; so does what waits, if no worker could be loaded for it. */
	#bury(hand: Hand, code: number): void {
		this.#hands.delete(hand);
		if (this.#disposed) {
			return;
		}

		const cause = hand.trouble ?? new Error(`exit code ${code}`);
		hand.task?.reject(new EmbeddingError('The embedding worker died while it held this text; try again.', {cause, retryable: true}));
		if (!hand.ready && this.#hands.size === 0) {
			this.#failWaiting(hand.trouble instanceof ModelLoadError
				? hand.trouble
				: new EmbeddingError('The embedding worker died while it loaded the model.', {cause, retryable: true}));
		}

		this.#deal();
	}

	#failWaiting(reason: unknown): void {
		for (const task of this.#waiting) {
			task.reject(reason);
		}

		this.#waiting.clear();
	}
}

const disposal = () => new EmbeddingError('The encoder is disposed.');
