/** The main thread's side of the journal's thread (`worker.ts`): sends requests, and resolves answers in order. */
import {extname} from 'node:path';
import {Worker, type Transferable} from 'node:worker_threads';
import {JournalError} from '../../errors.ts';
import type {Answer, Notice, Request, WorkerTask} from './thread-messages.ts';
import type {LogPosition} from './write-ahead-log.ts';

/** The same file as source (.ts) and built (.js). */
const entry = new URL(`./worker${extname(import.meta.url)}`, import.meta.url);

type PendingAnswer = {resolve: (answer: Answer) => void; reject: (reason: unknown) => void};

export class WriterThread {
	/** Resolves with what the journal holds when it is open. */
	readonly opened: Promise<Extract<Answer, {type: 'opened'}>>;
	/** Resolves when the thread has ended: with the reason, or with null when it was asked to close. */
	readonly ended: Promise<JournalError | null>;
	readonly #worker: Worker;
	readonly #pending: PendingAnswer[] = [];
	#failure: JournalError | null = null;
	#pendingCut: LogPosition | null = null;
	#isClosing = false;

	constructor(task: WorkerTask, onNotice: (message: string) => void) {
		const {promise, resolve} = Promise.withResolvers<JournalError | null>();
		let thrown: unknown;
		this.ended = promise;
		this.#worker = new Worker(entry, {workerData: task});
		this.opened = this.#nextAnswer() as typeof this.opened;
		this.#worker
			.on('message', (message: Answer | Notice) => {
				if (message.type === 'notice') {
					onNotice(message.message);
				} else if (message.type === 'failed') {
					this.#pendingCut = message.pendingCut;
					this.#fail(new JournalError(message.message, {cause: message.cause ?? undefined, retryable: message.retryable}));
					void this.#worker.terminate();
				} else {
					this.#pending.shift()!.resolve(message);
				}
			})
			.on('error', error => {
				thrown = error;
			})
			.on('exit', code => {
				if (!this.#isClosing || this.#pending.length > 0) {
					this.#fail(new JournalError('The journal\'s thread ended by itself. What it had not acknowledged may be in the journal or not: open the journal again to find out.', {cause: thrown ?? `exit code ${code}`, retryable: true}));
				}

				resolve(this.#failure);
			});
	}

	/** Where the next thread must cut the log; null when it has nothing of a failed commit. */
	get pendingCut(): LogPosition | null {
		return this.#pendingCut;
	}

	/**
	 * Sends a request and waits for its answer. After `close` the thread is terminated from here,
	 * because not every runtime lets a thread end itself.
	 *
	 * @throws {JournalError} when the thread cannot do it, which ends the thread.
	 */
	async request(request: Request, transfer: Transferable[] = []): Promise<void> {
		if (this.#failure) {
			throw this.#failure;
		}

		this.#isClosing ||= request.type === 'close';
		this.#worker.postMessage(request, transfer);
		await this.#nextAnswer();
		if (request.type === 'close') {
			await this.#worker.terminate();
		}
	}

	async #nextAnswer(): Promise<Answer> {
		return new Promise((resolve, reject) => {
			this.#pending.push({resolve, reject});
		});
	}

	#fail(failure: JournalError): void {
		this.#failure ??= failure;
		for (const {reject} of this.#pending.splice(0)) {
			reject(this.#failure);
		}
	}
}
