/** The main side's hold on the journal's thread: questions go in, answers come back in order. */
import {extname} from 'node:path';
import {Worker, type Transferable} from 'node:worker_threads';
import {JournalError} from '../../errors.ts';
import type {Answer, Notice, Request, WorkerTask} from './thread-messages.ts';
import type {LogPosition} from './write-ahead-log.ts';

/** The same file unbuilt (.ts) and built (.js). */
const entry = new URL(`./worker${extname(import.meta.url)}`, import.meta.url);

type Asked = {resolve: (answer: Answer) => void; reject: (reason: unknown) => void};

export class JournalThread {
	/** What the journal holds, as soon as it is open. */
	readonly opened: Promise<Extract<Answer, {type: 'opened'}>>;
	/** Settled when the thread has ended; why, if not because it was asked to. */
	readonly gone: Promise<JournalError | null>;
	readonly #worker: Worker;
	readonly #asked: Asked[] = [];
	#failure: JournalError | null = null;
	#uncut: LogPosition | null = null;
	#ending = false;

	constructor(task: WorkerTask, onNotice: (message: string) => void) {
		const {promise, resolve} = Promise.withResolvers<JournalError | null>();
		let trouble: unknown;
		this.gone = promise;
		this.#worker = new Worker(entry, {workerData: task});
		this.opened = this.#expect() as typeof this.opened;
		this.#worker
			.on('message', (message: Answer | Notice) => {
				if (message.type === 'notice') {
					onNotice(message.message);
				} else if (message.type === 'failed') {
					this.#uncut = message.uncut;
					this.#fail(new JournalError(message.message, {cause: message.cause ?? undefined, retryable: message.retryable}));
					void this.#worker.terminate();
				} else {
					this.#asked.shift()!.resolve(message);
				}
			})
			.on('error', error => {
				trouble = error;
			})
			.on('exit', code => {
				if (!this.#ending || this.#asked.length > 0) {
					this.#fail(new JournalError('The journal\'s thread ended by itself. What it had not acknowledged may be kept or not; opening the journal again tells.', {cause: trouble ?? `exit code ${code}`, retryable: true}));
				}

				resolve(this.#failure);
			});
	}

	/** Where the log must be cut before it is read again; null when nothing of a failed commit is in it. */
	get uncut(): LogPosition | null {
		return this.#uncut;
	}

	/**
	 * A thread that was asked to close ends. It is ended from here, because not every runtime lets it end itself.
	 *
	 * @throws {JournalError} when the thread cannot do it, which ends the thread.
	 */
	async ask(request: Request, transfer: Transferable[] = []): Promise<void> {
		if (this.#failure) {
			throw this.#failure;
		}

		this.#ending ||= request.type === 'close';
		this.#worker.postMessage(request, transfer);
		await this.#expect();
		if (request.type === 'close') {
			await this.#worker.terminate();
		}
	}

	async #expect(): Promise<Answer> {
		return new Promise((resolve, reject) => {
			this.#asked.push({resolve, reject});
		});
	}

	#fail(failure: JournalError): void {
		this.#failure ??= failure;
		for (const {reject} of this.#asked.splice(0)) {
			reject(this.#failure);
		}
	}
}
