/**
 * A pool of worker threads that embed, so that inference never blocks the event loop.
 *
 * A worker has a few texts at most; other texts wait in the pool's queue for their turn, where an abort removes
 * them. Workers start on demand: the first with the first text, another while all are busy and
 * the limit allows it, and a new one after an exit.
 *
 * Texts that wait go to a worker together, and their vectors come back together: to wake a sleeping
 * thread costs as much as a fifth of an embedding, and what follows an embedding is cheaper for
 * several at once.
 *
 * While no text waits for a vector, the workers do not keep the program alive.
 *
 * Pools from npm were rejected: on an abort they terminate the worker, and with it a model that
 * took seconds to load; one of them never settles the task of a worker that exits without an error.
 */
import {Worker} from 'node:worker_threads';
import {EmbeddingError, ModelLoadError} from '../platform/errors.ts';
import {threadModule} from '../platform/package-file.ts';
import type {DownloadProgress, RawEmbedding, TextModel} from './text-model.ts';
import {TurnQueue, type TextTurn} from './turn-queue.ts';
import type {WorkerData, WorkerMessage, WorkerModel} from './worker.ts';

type Task = {
	text: string;
	resolve: (embedding: RawEmbedding) => void;
	reject: (reason: unknown) => void;
};

/** A worker that is loading (not ready), idle (ready without tasks) or busy. */
type PoolWorker = {thread: Worker; slot: number; isReady: boolean; tasks: Task[]; error: unknown};

/** Texts that a worker takes at once. The first of them waits for the last. */
const maxTexts = 4;

/** Their length in UTF-16 units, where they are several: to read a long text takes as long as a hundred short ones. */
const maxLength = 1000;

export class WorkerPool implements TextModel {
	readonly #model: WorkerModel;
	readonly #maxWorkers: number;
	readonly #onProgress: ((progress: DownloadProgress) => void) | undefined;
	readonly #workers = new Set<PoolWorker>();
	readonly #queue = new TurnQueue<Task>();
	#unanswered = 0;
	#isDisposed = false;

	/** @param workers the most workers */
	constructor(model: WorkerModel, workers: number, onProgress?: (progress: DownloadProgress) => void) {
		this.#model = model;
		this.#maxWorkers = workers;
		this.#onProgress = onProgress;
	}

	async embed(text: string, signal?: AbortSignal, turn?: TextTurn): Promise<RawEmbedding> {
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
		this.#queue.add(task, turn);
		this.#count(1);
		this.#dispatch();
		try {
			return await promise;
		} finally {
			signal?.removeEventListener('abort', abort);
			this.#count(-1);
		}
	}

	async dispose(): Promise<void> {
		this.#isDisposed = true;
		this.#failQueue(disposedError());
		await Promise.all([...this.#workers].map(async ({thread, tasks}) => {
			rejectAll(tasks, disposedError());
			await thread.terminate();
		}));
	}

	/** Counts the texts that wait for a vector. */
	#count(change: number): void {
		this.#unanswered += change;
		for (const {thread} of this.#workers) {
			thread[this.#unanswered === 0 ? 'unref' : 'ref']();
		}
	}

	/** Gives queued texts to idle workers, and starts a worker if all are busy and the limit allows it. */
	#dispatch(): void {
		const idle = [...this.#workers].filter(({isReady, tasks}) => isReady && tasks.length === 0);
		for (const [index, worker] of idle.entries()) {
			const count = Math.min(Math.ceil(this.#queue.size / (idle.length - index)), maxTexts);
			worker.tasks = this.#takeTasks(count);
			if (worker.tasks.length > 0) {
				worker.thread.postMessage(worker.tasks.map(({text}) => text));
			}
		}

		const isLoading = [...this.#workers].some(({isReady}) => !isReady);
		if (this.#queue.size > 0 && !isLoading && this.#workers.size < this.#maxWorkers) {
			this.#start();
		}
	}

	/** At most `count` tasks, whose texts are short where they are several. */
	#takeTasks(count: number): Task[] {
		const tasks: Task[] = [];
		let length = 0;
		while (tasks.length < count) {
			const task = this.#queue.take(({text}) => length === 0 || length + text.length <= maxLength);
			if (!task) {
				break;
			}

			tasks.push(task);
			length += task.text.length;
		}

		return tasks;
	}

	#start(): void {
		const taken = new Set([...this.#workers].map(({slot}) => slot));
		let slot = 0;
		while (taken.has(slot)) {
			slot++;
		}

		const workerData: WorkerData = {model: this.#model, slot};
		const worker: PoolWorker = {thread: new Worker(threadModule('embedding/worker'), {workerData}), slot, isReady: false, tasks: [], error: null};
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
				for (const [index, {resolve, reject}] of worker.tasks.splice(0).entries()) {
					const result = message.results[index]!;
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
		rejectAll(worker.tasks, new EmbeddingError('The embedding worker exited while it embedded this text. Try again.', {cause, retryable: true}));

		if (!worker.isReady && this.#workers.size === 0) {
			this.#failQueue(worker.error instanceof ModelLoadError
				? worker.error
				: new EmbeddingError('The embedding worker exited while it loaded the model. Try again.', {cause, retryable: true}));
		}

		this.#dispatch();
	}

	#failQueue(reason: unknown): void {
		rejectAll(this.#queue.clear(), reason);
	}
}

const rejectAll = (tasks: Iterable<Task>, reason: unknown): void => {
	for (const {reject} of tasks) {
		reject(reason);
	}
};

const disposedError = () => new EmbeddingError('The encoder is disposed.');
