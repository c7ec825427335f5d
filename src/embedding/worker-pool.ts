/**
 * A model on worker threads, so that inference never holds up the event loop.
 *
 * Each worker holds the model and one batch of texts; what waits, waits here, where it can be
 * withdrawn. A batch is what has gathered while the workers were busy, so one user alone never
 * waits for others.
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
import type {DownloadProgress, RawEmbedding, TextModel} from './text-model.ts';
import type {WorkerMessage, WorkerModel} from './worker.ts';

/** The same file unbuilt (.ts) and built (.js). */
const entry = new URL(`./worker${extname(import.meta.url)}`, import.meta.url);

type Task = {
	text: string;
	resolve: (embedding: RawEmbedding) => void;
	reject: (reason: unknown) => void;
};

/** A worker that is loading (not ready), idle (ready without a task) or busy. */
type Hand = {worker: Worker; ready: boolean; tasks: Task[]; trouble: unknown};

/** How much text one batch takes, in UTF-16 units, unless a single one is longer: what comes in the midst of it must wait. */
const batchLength = 4096;

export class ModelWorkers implements TextModel {
	readonly #model: WorkerModel;
	readonly #limit: number;
	readonly #batch: number;
	readonly #onProgress: ((progress: DownloadProgress) => void) | undefined;
	readonly #hands = new Set<Hand>();
	readonly #waiting = new Set<Task>();
	#disposed = false;

	/**
	 * @param workers at most
	 * @param batch how many texts a worker is given at once, at most
	 */
	constructor(model: WorkerModel, {workers, batch}: {workers: number; batch: number}, onProgress?: (progress: DownloadProgress) => void) {
		this.#model = model;
		this.#limit = workers;
		this.#batch = batch;
		this.#onProgress = onProgress;
	}

	async embed(text: string, signal?: AbortSignal): Promise<RawEmbedding> {
		signal?.throwIfAborted();
		if (this.#disposed) {
			throw disposal();
		}

		const {promise, resolve, reject} = Promise.withResolvers<RawEmbedding>();
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
		await Promise.all([...this.#hands].map(async ({worker, tasks}) => {
			for (const {reject} of tasks) {
				reject(disposal());
			}

			await worker.terminate();
		}));
	}

	/** Gives what waits to idle workers, and starts one where all are busy and another may be. */
	#deal(): void {
		for (const hand of this.#hands) {
			if (this.#waiting.size > 0 && hand.ready && hand.tasks.length === 0) {
				hand.tasks = this.#take();
				hand.worker.postMessage(hand.tasks.map(({text}) => text));
			}
		}

		const loading = [...this.#hands].some(({ready}) => !ready);
		if (this.#waiting.size > 0 && !loading && this.#hands.size < this.#limit) {
			this.#start();
		}
	}

	/** The next batch of what waits, in its order. */
	#take(): Task[] {
		const tasks: Task[] = [];
		let length = 0;
		for (const task of this.#waiting) {
			length += task.text.length;
			if (tasks.length === this.#batch || (tasks.length > 0 && length > batchLength)) {
				break;
			}

			tasks.push(task);
			this.#waiting.delete(task);
		}

		return tasks;
	}

	#start(): void {
		const hand: Hand = {worker: new Worker(entry, {workerData: this.#model}), ready: false, tasks: [], trouble: null};
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

			case 'embedded': {
				for (const [i, {resolve, reject}] of hand.tasks.splice(0).entries()) {
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

		this.#deal();
	}

	/** A worker is gone. The text it held fails; so does what waits, if no worker could be loaded for it. */
	#bury(hand: Hand, code: number): void {
		this.#hands.delete(hand);
		if (this.#disposed) {
			return;
		}

		const cause = hand.trouble ?? new Error(`exit code ${code}`);
		for (const {reject} of hand.tasks) {
			reject(new EmbeddingError('The embedding worker died while it held this text; try again.', {cause, retryable: true}));
		}

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
