/**
 * A pool of worker threads that embed, so that inference never blocks the event loop.
 *
 * A worker has at most a few texts. Others wait for their turn in the pool's queue, from which an abort removes
 * them. Workers start on demand: the first with the first text, another when all are busy and the limit allows it,
 * and a new one after an exit.
 *
 * Waiting texts go to a worker in batches, and their vectors come back in batches. Waking a sleeping
 * thread costs a fifth of an embedding, and the work after an embedding is cheaper for several at once.
 *
 * While no text waits for a vector, the workers do not keep the program alive.
 *
 * Pools from npm were rejected: on an abort they terminate the worker, with a model that took seconds to
 * load. One of them never settles the task of a worker that exits without an error.
 */
import {EmbeddingError, ModelLoadError} from '../platform/errors.ts';
import {adviceAtEnd, CalledThread} from '../platform/thread-calls.ts';
import type {DownloadProgress, RawEmbedding, TextModel} from './encoder.ts';
import {TurnQueue, type TextTurn} from './turn-queue.ts';
import type {EmbedResult, WorkerCall, WorkerModel} from './worker.ts';

type Task = {
	text: string;
	resolve: (embedding: RawEmbedding) => void;
	reject: (reason: unknown) => void;
};

type PoolWorker = {thread: CalledThread<WorkerCall, EmbedResult[], DownloadProgress>; slot: number; state: 'loading' | 'idle' | 'busy'};

/** The maximum batch of a worker. Its first text waits for its last. */
const maxTexts = 4;

/** The maximum total length of several texts, in UTF-16 units: a long text takes as long as a hundred short ones. */
const maxLength = 1000;

export class WorkerPool implements TextModel {
	readonly #model: WorkerModel;
	readonly #maxWorkers: number;
	readonly #onProgress: ((progress: DownloadProgress) => void) | undefined;
	readonly #workers = new Set<PoolWorker>();
	readonly #queue = new TurnQueue<Task>();
	#unanswered = 0;
	#isDisposed = false;

	/** @param workers The maximum number of workers. */
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
		// A worker finishes an aborted text, and the result is dropped: terminating the worker would lose the model.
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
		await Promise.all([...this.#workers].map(async ({thread}) => thread.end()));
	}

	/** Counts unanswered texts. Workers keep the program alive while there are any. */
	#count(change: number): void {
		this.#unanswered += change;
		for (const {thread} of this.#workers) {
			thread.hold(this.#unanswered > 0);
		}
	}

	/** Gives queued texts to idle workers, and starts a worker if all are busy and the limit allows it. */
	#dispatch(): void {
		const idle = [...this.#workers].filter(({state}) => state === 'idle');
		for (const [index, worker] of idle.entries()) {
			const count = Math.min(Math.ceil(this.#queue.size / (idle.length - index)), maxTexts);
			const tasks = this.#takeTasks(count);
			if (tasks.length > 0) {
				void this.#embed(worker, tasks);
			}
		}

		const isLoading = [...this.#workers].some(({state}) => state === 'loading');
		if (this.#queue.size > 0 && !isLoading && this.#workers.size < this.#maxWorkers) {
			void this.#start();
		}
	}

	/** Takes at most `count` tasks, whose texts together are short, or a single task. */
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

	/** Starts a worker. If no worker can load the model, the queue fails. */
	async #start(): Promise<void> {
		const taken = new Set([...this.#workers].map(({slot}) => slot));
		let slot = 0;
		while (taken.has(slot)) {
			slot++;
		}

		const thread: PoolWorker['thread'] = new CalledThread('embedding/worker', {
			failure: ModelLoadError,
			onNotice: this.#onProgress,
			onEnd: () => this.#workers.delete(worker),
			endError: cause => this.#isDisposed ? disposedError() : new EmbeddingError(
				`The embedding worker exited while it ${worker.state === 'loading' ? 'loaded the model' : 'embedded this text'}.`
				+ (adviceAtEnd(cause) || ' Try again.'),
				{cause, retryable: true},
			),
		});
		const worker: PoolWorker = {thread, slot, state: 'loading'};
		this.#workers.add(worker);
		thread.hold(true);
		try {
			await thread.call({model: this.#model, slot});
			worker.state = 'idle';
		} catch (error) {
			await thread.end();
			if (this.#workers.size === 0) {
				this.#failQueue(error);
			}
		}

		this.#dispatch();
	}

	async #embed(worker: PoolWorker, tasks: readonly Task[]): Promise<void> {
		worker.state = 'busy';
		try {
			const results = await worker.thread.call(tasks.map(({text}) => text));
			if (this.#isDisposed) {
				throw disposedError();
			}

			for (const [index, {resolve, reject}] of tasks.entries()) {
				const result = results[index]!;
				if ('vector' in result) {
					resolve(result);
				} else {
					reject(new EmbeddingError(`The model failed on a text: ${result.failure}`));
				}
			}
		} catch (error) {
			rejectAll(tasks, error);
		}

		worker.state = 'idle';
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
