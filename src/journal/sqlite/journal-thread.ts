/**
 * The main thread's side of the journals' thread (`worker.ts`), which serves any number of
 * journals. It starts with the first journal that is opened, unless it was started before. While no
 * request waits for an answer, it does not keep the program alive.
 */
import {Worker} from 'node:worker_threads';
import {JournalError, UnknownOutcomeError} from '../../platform/errors.ts';
import {threadModule} from '../../platform/package-file.ts';
import {JournalConnection, type ThreadUser} from './journal-connection.ts';
import type {About, Answer, Notice, Request} from './thread-messages.ts';

export class JournalThread {
	readonly #connections = new Map<string, JournalConnection>();
	#worker: Worker | null = null;
	#unanswered = 0;

	/** Starts the thread, unless it runs. */
	start(): void {
		this.#worker ??= this.#newWorker();
	}

	/** @throws {JournalError} when a journal of this folder is connected. */
	connect(folder: string, user: ThreadUser): JournalConnection {
		if (this.#connections.has(folder)) {
			throw new JournalError(`The journal in ${folder} is open already. Close it first, or give each identity its own journal.`, {retryable: true});
		}

		this.start();
		const connection = new JournalConnection(user, {
			send: (message, transfer) => {
				this.#worker!.postMessage({folder, message} satisfies About<Request>, transfer);
			},
			count: change => {
				this.#unanswered += change;
				this.#worker?.[this.#unanswered === 0 ? 'unref' : 'ref']();
			},
			disconnect: () => {
				this.#connections.delete(folder);
			},
		});
		this.#connections.set(folder, connection);
		return connection;
	}

	isConnected(folder: string): boolean {
		return this.#connections.has(folder);
	}

	/** Closes every journal that is connected, then ends the thread. A journal that is opened during this stays open. */
	async close(): Promise<void> {
		await Promise.all(Array.from(this.#connections.values(), async ({user}) => user.close()));
		await this.end();
	}

	/** Ends the thread, unless a journal is connected. From here, because not every runtime lets a thread end itself. */
	async end(): Promise<void> {
		if (this.#connections.size === 0) {
			const worker = this.#worker;
			this.#worker = null;
			await worker?.terminate();
		}
	}

	#newWorker(): Worker {
		const worker = new Worker(threadModule('journal/sqlite/worker'));
		worker.unref();
		let thrown: unknown;
		return worker
			.on('message', ({folder, message}: About<Answer | Notice>) => {
				this.#connections.get(folder)?.receive(message);
			})
			.on('error', error => {
				thrown = error;
			})
			.on('exit', code => {
				if (worker === this.#worker) {
					this.#worker = null;
					const failure = new UnknownOutcomeError('The journal\'s thread ended by itself. What it had not acknowledged may be in the journal or not: open the journal again to find out.', {cause: thrown ?? `exit code ${code}`});
					for (const connection of this.#connections.values()) {
						connection.fail(failure);
					}
				}
			});
	}
}
