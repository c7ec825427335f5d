/**
 * The main thread's side of the journals' thread (`worker.ts`), which serves any number of
 * journals. It starts with the first journal that is opened, unless it was started before. While no
 * call waits for an answer, it does not keep the program alive.
 */
import {JournalError, UnknownOutcomeError} from '../../platform/errors.ts';
import {adviceAtEnd, CalledThread} from '../../platform/thread-calls.ts';
import {buffersIn, type JournalAnswer, type JournalCall, type Notice} from './thread-messages.ts';

type RunningThread = CalledThread<JournalCall, JournalAnswer, Notice>;

/** A journal's side of its connection to the thread. */
type ConnectedJournal = {
	/** Handles a message that answers no call. */
	receive: (notice: Notice) => void;
	/** Called when the thread has ended. */
	fail: (failure: JournalError) => void;
	close: () => Promise<void>;
};

export class JournalThread {
	readonly #connected = new Map<string, ConnectedJournal>();
	#thread: RunningThread | null = null;
	#unanswered = 0;

	/** Starts the thread, unless it is running. */
	start(): void {
		this.#thread ??= this.#newThread();
	}

	/** @throws {JournalError} when a journal of this folder is connected. */
	connect(folder: string, journal: ConnectedJournal): void {
		if (this.isConnected(folder)) {
			throw new JournalError(`The journal in ${folder} is already open. `
				+ 'Close it first, or give each identity its own journal.', {retryable: true});
		}

		this.start();
		this.#connected.set(folder, journal);
	}

	isConnected(folder: string): boolean {
		return this.#connected.has(folder);
	}

	disconnect(folder: string): void {
		this.#connected.delete(folder);
	}

	async call(call: JournalCall): Promise<JournalAnswer> {
		const thread = this.#thread!;
		thread.hold(++this.#unanswered > 0);
		try {
			return await thread.call(call, buffersIn(call.given));
		} finally {
			thread.hold(--this.#unanswered > 0);
		}
	}

	/** Closes every journal that is connected, then ends the thread. A journal that is opened during this stays open. */
	async close(): Promise<void> {
		await Promise.all(Array.from(this.#connected.values(), async journal => journal.close()));
		await this.end();
	}

	/** Ends the thread, unless a journal is connected. Done from here, because not every runtime lets a thread end itself. */
	async end(): Promise<void> {
		if (this.#connected.size === 0) {
			const thread = this.#thread;
			this.#thread = null;
			await thread?.end();
		}
	}

	#newThread(): RunningThread {
		const thread: RunningThread = new CalledThread('journal/sqlite/worker', {
			failure: JournalError,
			onNotice: notice => this.#connected.get(notice.folder)?.receive(notice),
			onEnd: cause => {
				if (thread === this.#thread) {
					this.#thread = null;
					for (const journal of this.#connected.values()) {
						journal.fail(endError(cause));
					}
				}
			},
			endError,
		});
		return thread;
	}
}

const endError = (cause: unknown): JournalError => new UnknownOutcomeError(`The journal's thread ended unexpectedly.${adviceAtEnd(cause)} `
	+ 'Records that it had not acknowledged may or may not be in the journal: open it again to find out.', {cause});
