/** One journal's requests to the journals' thread, and their answers in order. */
import type {Transferable} from 'node:worker_threads';
import {JournalError} from '../../platform/errors.ts';
import type {Answer, Notice, Request} from './thread-messages.ts';
import type {LogPosition} from './write-ahead-log.ts';

/** A journal, as the thread calls it back. */
export type ThreadUser = {
	/** Something failed that costs no record. */
	onNotice: (message: string) => void;
	/** The journal's connection has ended, and not because it was asked to. */
	onFailure: (failure: JournalError) => void;
	close: () => Promise<void>;
};

type PendingAnswer = {resolve: (answer: Answer) => void; reject: (reason: unknown) => void};

/** What a connection asks of its thread. */
type ThreadPort = {
	send: (request: Request, transfer: Transferable[]) => void;
	/** Counts the requests that wait for an answer. */
	count: (change: number) => void;
	disconnect: () => void;
};

/** One journal's requests to the thread, and their answers in order. */
export class JournalConnection {
	readonly user: ThreadUser;
	readonly #port: ThreadPort;
	readonly #pending: PendingAnswer[] = [];
	#failure: JournalError | null = null;
	#pendingCut: LogPosition | null = null;

	constructor(user: ThreadUser, port: ThreadPort) {
		this.user = user;
		this.#port = port;
	}

	/** Where the next writer must cut the log; null when it has nothing of a failed commit. */
	get pendingCut(): LogPosition | null {
		return this.#pendingCut;
	}

	/** @throws {JournalError} when the thread cannot do it, which ends the connection. */
	async request(request: Request, transfer: Transferable[] = []): Promise<Answer> {
		if (this.#failure) {
			throw this.#failure;
		}

		const {promise, resolve, reject} = Promise.withResolvers<Answer>();
		this.#pending.push({resolve, reject});
		this.#port.count(1);
		this.#port.send(request, transfer);
		const answer = await promise;
		if (request.type === 'close') {
			this.#port.disconnect();
		}

		return answer;
	}

	/** Takes a message of the thread. */
	receive(message: Answer | Notice): void {
		switch (message.type) {
			case 'notice': {
				this.user.onNotice(message.message);
				break;
			}

			case 'failed': {
				this.#pendingCut = message.pendingCut;
				this.fail(new JournalError(message.message, {cause: message.cause ?? undefined, retryable: message.retryable}));
				break;
			}

			default: {
				this.#port.count(-1);
				this.#pending.shift()!.resolve(message);
			}
		}
	}

	/** Ends the connection: every request is rejected from now on. */
	fail(failure: JournalError): void {
		this.#failure = failure;
		this.#port.disconnect();
		this.#port.count(-this.#pending.length);
		this.user.onFailure(failure);
		for (const {reject} of this.#pending.splice(0)) {
			reject(failure);
		}
	}
}
