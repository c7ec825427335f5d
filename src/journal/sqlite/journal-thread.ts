/**
 * The main thread's side of the journals' thread (`worker.ts`), which serves any number of
 * journals. It starts with the first journal that is opened, unless it was started before. While no
 * call waits for an answer, it does not keep the program alive.
 */
import {JournalError, LostHistoryError, UnknownOutcomeError} from '../../platform/errors.ts';
import {adviceAtEnd, CalledThread} from '../../platform/thread-calls.ts';
import {withSignal} from '../../platform/waiting.ts';
import type {StorageUser} from '../record-storage.ts';
import {buffersIn, type CallName, type JournalAnswer, type JournalCall, type JournalCalls, type Notice} from './thread-messages.ts';
import type {LogPosition} from './write-ahead-log.ts';

type RunningThread = CalledThread<JournalCall, JournalAnswer, Notice>;

/** The callbacks from the thread to a journal. */
type ThreadUser = StorageUser & {
	/** Called when something failed that costs no record. */
	onNotice: (message: string) => void;
};

export class JournalThread {
	readonly #connections = new Map<string, JournalConnection>();
	#thread: RunningThread | null = null;
	#unanswered = 0;

	/** Starts the thread, unless it is running. */
	start(): void {
		this.#thread ??= this.#newThread();
	}

	/** @throws {JournalError} when a journal of this folder is connected. */
	connect(folder: string, user: ThreadUser): JournalConnection {
		if (this.#connections.has(folder)) {
			throw new JournalError(`The journal in ${folder} is already open. `
				+ 'Close it first, or give each identity its own journal.', {retryable: true});
		}

		this.start();
		const connection = new JournalConnection(this, folder, user);
		this.#connections.set(folder, connection);
		return connection;
	}

	isConnected(folder: string): boolean {
		return this.#connections.has(folder);
	}

	disconnect(folder: string): void {
		this.#connections.delete(folder);
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
		await Promise.all(Array.from(this.#connections.values(), async ({user}) => user.close()));
		await this.end();
	}

	/** Ends the thread, unless a journal is connected. Done from here, because not every runtime lets a thread end itself. */
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
			onNotice: notice => this.#connections.get(notice.folder)?.receive(notice),
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

const endError = (cause: unknown): JournalError => new UnknownOutcomeError(`The journal's thread ended unexpectedly.${adviceAtEnd(cause)} `
	+ 'Records that it had not acknowledged may or may not be in the journal: open it again to find out.', {cause});

/** One journal's calls to the thread, and their answers in order. */
export class JournalConnection {
	/** Where the next writer must cut the log; null when it has nothing of a failed commit. */
	pendingCut: LogPosition | null = null;
	readonly user: ThreadUser;
	readonly #thread: JournalThread;
	readonly #folder: string;
	/** Aborts with the failure that ended the connection. */
	readonly #end = new AbortController();

	constructor(thread: JournalThread, folder: string, user: ThreadUser) {
		this.#thread = thread;
		this.#folder = folder;
		this.user = user;
	}

	/** @throws {JournalError} when the call fails, which ends the connection, unless it only reads. */
	async call<Name extends CallName>(name: Name, ...given: Parameters<JournalCalls[Name]>): Promise<JournalAnswer<Name>> {
		this.#end.signal.throwIfAborted();
		const answer = await withSignal(this.#thread.call({folder: this.#folder, name, given} as unknown as JournalCall), this.#end.signal);
		if (name === 'close') {
			this.#thread.disconnect(this.#folder);
		}

		return answer as JournalAnswer<Name>;
	}

	/** Handles a message of the thread that answers no call. */
	receive({message, failure}: Notice): void {
		if (failure) {
			this.pendingCut = failure.pendingCut;
			const {cause, retryable, isLoss} = failure;
			const Failure = isLoss ? LostHistoryError : JournalError;
			this.fail(new Failure(message, {cause: cause ? Object.assign(new Error(cause.message), cause) : undefined, retryable}));
		} else {
			this.user.onNotice(message);
		}
	}

	/** Ends the connection: every call is rejected from now on. */
	fail(failure: JournalError): void {
		this.#thread.disconnect(this.#folder);
		this.user.onFailure(failure);
		this.#end.abort(failure);
	}
}
