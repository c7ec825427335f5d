/**
 * A pool of worker threads that hold a model each, so that inference never blocks the event loop.
 *
 * A worker has at most one batch of texts; other texts wait in the pool's queue, where an abort
 * removes them. A batch is what the queue has gathered while the workers were busy, so a single
 * user never waits for a batch to fill. Workers start on demand: the first with the first text,
 * another while all are busy and the limit allows it, and a new one after an exit.
 *
 * Pools from npm were rejected: on an abort they terminate the worker, and with it a model that
 * took seconds to load; one of them never settles the task of a worker that exits without an error.
 */
import {extname} from 'node:path';
import {Worker} from 'node:worker_threads';
import {EmbeddingError, ModelLoadError} from '../errors.ts';
import type {DownloadProgress, RawEmbedding, TextModel} from './text-model.ts';
import type {WorkerMessage, WorkerModel} from './worker.ts';

/** The same file unbuilt (.ts) and built (.js). */
const entry = new URL(`./worker${extname(import.meta.url)}`, import.meta.url);

type Task = {
	text: string;
	resolve: (embedding: RawEmbedding) => void;
	reject: (reason: unknown) => void;
};

/** A worker that is loading (not ready), idle (ready without tasks) or busy. */
type PoolWorker = {thread: Worker; isReady: boolean; tasks: Task[]; error: unknown};

/** The most text of a batch in UTF-16 units, except for a single longer text: later texts wait until it ends. */
const maxBatchLength = 4096;

export class WorkerPool implements TextModel {
	readonly #model: WorkerModel;
	readonly #maxWorkers: number;
	readonly #maxBatch: number;
	readonly #onProgress: ((progress: DownloadProgress) => void) | undefined;
	readonly #workers = new Set<PoolWorker>();
	readonly #queue = new Set<Task>();
	#isDisposed = false;

	/**
	 * @param workers the most workers
	 * @param batch the most texts in a batch
	 */
	constructor(model: WorkerModel, {workers, batch}: {workers: number; batch: number}, onProgress?: (progress: DownloadProgress) => void) {
		this.#model = model;
		this.#maxWorkers = workers;
		this.#maxBatch = batch;
		this.#onProgress = onProgress;
	}

	async embed(text: string, signal?: AbortSignal): Promise<RawEmbedding> {
		signal?.throwIfAborted();
		if (this.#isDisposed) {
			throw disposedError();
		}

		const {promise, resolve, reject} = Promise.withResolvers<RawEmbedding>();
		const task: Task = {text, resolve, reject};
		// The result of a text in a worker is dropped: terminating the worker would lose the model.
		const abort = () => {
			this.#queue.delete(task);
			reject(signal!.reason);
		};

		signal?.addEventListener('abort', abort, {once: true});
		this.#queue.add(task);
		this.#dispatch();
		try {
			return await promise;
		} finally {
			signal?.removeEventListener('abort', abort);
		}
	}

	async dispose(): Promise<void> {
		this.#isDisposed = true;
		this.#failQueue(disposedError());
		await Promise.all([...this.#workers].map(async ({thread, tasks}) => {
			for (const {reject} of tasks) {
				reject(disposedError());
			}

			await thread.terminate();
		}));
	}

	/** Gives queued texts to idle workers, and starts a worker if all are busy and the limit allows it. */
	#dispatch(): void {
		for (const worker of this.#workers) {
			if (this.#queue.size > 0 && worker.isReady && worker.tasks.length === 0) {
				worker.tasks = this.#takeBatch();
				worker.thread.postMessage(worker.tasks.map(({text}) => text));
			}
		}

		const isLoading = [...this.#workers].some(({isReady}) => !isReady);
		if (this.#queue.size > 0 && !isLoading && this.#workers.size < this.#maxWorkers) {
			this.#start();
		}
	}

	/** Removes the next batch from the queue. */
	#takeBatch(): Task[] {
		const tasks: Task[] = [];
		let length = 0;
		for (const task of this.#queue) {
			length += task.text.length;
			if (tasks.length === this.#maxBatch || (tasks.length > 0 && length > maxBatchLength)) {
				break;
			}

			tasks.push(task);
			this.#queue.delete(task);
		}

		return tasks;
	}

	#start(): void {
		const worker: PoolWorker = {thread: new Worker(entry, {workerData: this.#model}), isReady: false, tasks: [], error: null};
		this.#workers.add(worker);
		worker.thread
			.on('message', (message: WorkerMessage) => {
				this.#onMessage(worker, message);
			})
			.on('error', error => {
				worker.error = error;
			})
			.on('exit', code => {
				this.#onExit(worker, code);
			});
	}

	#onMessage(worker: PoolWorker, message: WorkerMessage): void {
		switch (message.type) {
			case 'progress': {
				this.#onProgress?.(message.progress);
				return;
			}

			case 'loadFailed': {
				worker.error = new ModelLoadError(message.reason);
				void worker.thread.terminate();
				return;
			}

			case 'ready': {
				worker.isReady = true;
				break;
			}

			case 'embedded': {
				for (const [i, {resolve, reject}] of worker.tasks.splice(0).entries()) {
					const result = message.results[i]!;
					if ('vector' in result) {
						resolve(result);
					} else {
						reject(new EmbeddingError(`The model failed on a text: ${result.failure}`));
					}
				}

				break;
			}
		}

		this.#dispatch();
	}

	/** Fails the texts of a worker that has exited, and the queue too if no worker could load the model. */
	#onExit(worker: PoolWorker, code: number): void {
		this.#workers.delete(worker);
		if (this.#isDisposed) {
			return;
		}

		const cause = worker.error ?? new Error(`exit code ${code}`);
		for (const {reject} of worker.tasks) {
			reject(new EmbeddingError('The embedding worker exited while it embedded this text. Try again.', {cause, retryable: true}));
		}

		if (!worker.isReady && this.#workers.size === 0) {
			this.#failQueue(worker.error instanceof ModelLoadError
				? worker.error
				: new EmbeddingError('The embedding worker exited while it loaded the model. Try again.', {cause, retryable: true}));
		}

		this.#dispatch();
	}

	#failQueue(reason: unknown): void {
		for (const task of this.#queue) {
			task.reject(reason);
		}

		this.#queue.clear();
	}
}

const disposedError = () => new EmbeddingError('The encoder is disposed.');
