/**
 * The main thread's side of the journals' thread (`worker.ts`), which serves any number of
 * journals. It starts with the first journal that is opened, unless it was started before. While no
 * request waits for an answer, it does not keep the program alive.
 */
import {JournalError, UnknownOutcomeError} from '../../platform/errors.ts';
import {CalledThread} from '../../platform/thread-calls.ts';
import {JournalConnection, type ThreadUser} from './journal-connection.ts';
import type {About, Answer, Notice, Request} from './thread-messages.ts';

type RunningThread = CalledThread<About<Request>, Answer, About<Notice>>;

export class JournalThread {
	readonly #connections = new Map<string, JournalConnection>();
	#thread: RunningThread | null = null;
	#unanswered = 0;

	/** Starts the thread, unless it runs. */
	start(): void {
		this.#thread ??= this.#newThread();
	}

	/** @throws {JournalError} when a journal of this folder is connected. */
	connect(folder: string, user: ThreadUser): JournalConnection {
		if (this.#connections.has(folder)) {
			throw new JournalError(`The journal in ${folder} is open already. `
				+ 'Close it first, or give each identity its own journal.', {retryable: true});
		}

		this.start();
		const connection = new JournalConnection(user, {
			call: async (message, transfer) => {
				const thread = this.#thread!;
				thread.hold(++this.#unanswered > 0);
				try {
					return await thread.call({folder, message}, transfer);
				} finally {
					thread.hold(--this.#unanswered > 0);
				}
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
			const thread = this.#thread;
			this.#thread = null;
			await thread?.end();
		}
	}

	#newThread(): RunningThread {
		const thread: RunningThread = new CalledThread('journal/sqlite/worker', {
			failure: JournalError,
			onNotice: ({folder, message}) => {
				this.#connections.get(folder)?.receive(message);
			},
			onEnd: cause => {
				if (thread === this.#thread) {
					this.#thread = null;
					for (const connection of this.#connections.values()) {
						connection.fail(endError(cause));
					}
				}
			},
			endError,
		});
		return thread;
	}
}

const endError = (cause: unknown): JournalError => new UnknownOutcomeError('The journal\'s thread ended by itself. '
	+ 'What it had not acknowledged may be in the journal or not: open the journal again to find out.', {cause});
