/** Whether the records of this node reach the database. A disk that is full refuses those of all identities. */
import {forwardedJournal, type Journal} from '../../journal/journal.ts';
import type {Time} from '../../platform/clock.ts';
import {JournalError, MovedError} from '../../platform/errors.ts';

/**
 * A node is not ready for so long after a failure. An identity whose journal has failed opens it again every 5 s at most, so
 * this lasts as long as the database fails; and a node that a balancer passes over is asked again, whose first record shows
 * how it is.
 */
const doubtMs = 10_000;

export class WriteHealth {
	readonly #time: Pick<Time, 'elapsed'>;
	#failure: {readonly reason: string; readonly at: number} | null = null;

	constructor(time: Pick<Time, 'elapsed'>) {
		this.#time = time;
	}

	/** `ok`, or why the newest record was not written. */
	get standing(): string {
		return this.#failure && this.#time.elapsed() - this.#failure.at < doubtMs ? this.#failure.reason : 'ok';
	}

	/** The same journal, whose failures and records are noted. */
	watch(journal: Journal): Journal {
		return {
			...forwardedJournal(() => journal),
			digests: journal.digests,
			open: async () => this.#note(journal.open()),
			append: async record => {
				await this.#note(journal.append(record));
				this.#failure = null;
			},
		};
	}

	/** What can pass by itself is the database's; what stays, and what another node has, is one identity's. */
	async #note<Result>(work: Promise<Result>): Promise<Result> {
		try {
			return await work;
		} catch (error) {
			if (error instanceof JournalError && error.retryable && !(error instanceof MovedError)) {
				this.#failure = {reason: error.message, at: this.#time.elapsed()};
			}

			throw error;
		}
	}
}
