/** One journal's requests to the journals' thread, and their answers in order. */
import type {Transferable} from 'node:worker_threads';
import {JournalError} from '../../platform/errors.ts';
import {withSignal} from '../../platform/waiting.ts';
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

/** What a connection asks of its thread. */
type ThreadPort = {
	call: (request: Request, transfer: Transferable[]) => Promise<Answer>;
	disconnect: () => void;
};

/** One journal's requests to the thread, and their answers in order. */
export class JournalConnection {
	readonly user: ThreadUser;
	readonly #port: ThreadPort;
	/** Aborts with the failure that ended it. */
	readonly #end = new AbortController();
	#pendingCut: LogPosition | null = null;

	constructor(user: ThreadUser, port: ThreadPort) {
		this.user = user;
		this.#port = port;
	}

	/** Where the next writer must cut the log; null when it has nothing of a failed commit. */
	get pendingCut(): LogPosition | null {
		return this.#pendingCut;
	}

	/** @throws {JournalError} when the thread cannot do it, which ends the connection, or cannot read what is asked for. */
	async request(request: Request, transfer: Transferable[] = []): Promise<Answer> {
		this.#end.signal.throwIfAborted();
		const answer = await withSignal(this.#port.call(request, transfer), this.#end.signal);
		if (request.type === 'close') {
			this.#port.disconnect();
		}

		return answer;
	}

	/** Takes a message of the thread. */
	receive(message: Notice): void {
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
		}
	}

	/** Ends the connection: every request is rejected from now on. */
	fail(failure: JournalError): void {
		this.#port.disconnect();
		this.user.onFailure(failure);
		this.#end.abort(failure);
	}
}
