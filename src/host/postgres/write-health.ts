/** Whether the records of this node reach the database. A disk that is full refuses those of all identities. */
import {forwardedJournal, type Journal} from '../../journal/journal.ts';
import type {Time} from '../../platform/clock.ts';
import {JournalError, MovedError, UnknownOutcomeError} from '../../platform/errors.ts';

/**
 * A node is not ready for so long after the database has refused a record. An identity whose journal has failed opens it again
 * every 5 s at most, so this lasts as long as the database fails; and a node that a balancer passes over is asked again, whose
 * first record shows how it is.
 */
const doubtMs = 10_000;

/** A node leaves what it has to others when nothing was answered on the connections of its records for so long. */
const maxSilenceMs = 3000;

export class WriteHealth {
	readonly #time: Pick<Time, 'elapsed'>;
	readonly #ask: () => Promise<unknown>;
	#isAsking = false;
	/** When something failed, since which nothing is answered. */
	#silentSince: number | null = null;
	#cutOff: unknown = null;
	/** `isRefusal`: the database answered, and did not take it. */
	#failure: {readonly reason: string; readonly at: number; readonly isRefusal: boolean} | null = null;

	/** @param ask asks the database what costs nothing, on the connections of records */
	constructor(time: Pick<Time, 'elapsed'>, ask: () => Promise<unknown>) {
		this.#time = time;
		this.#ask = ask;
	}

	/** `ok`, or why the newest record was not written. */
	get standing(): string {
		return this.#failure && this.#time.elapsed() - this.#failure.at < doubtMs ? this.#failure.reason : 'ok';
	}

	/**
	 * The database has taken something of this node: it can be asked again. What it has refused, it may refuse again. Where all nodes
	 * waited for a record, a balancer would let none come.
	 */
	noteAnswer(): void {
		this.#silentSince = null;
		this.#failure = this.#failure?.isRefusal ? this.#failure : null;
	}

	/**
	 * A node may have its session while the connections of its records are broken, which go another way: none of its identities
	 * is written then, and no other node takes one over. It is called at each poll, and waits for nothing. A load is no silence:
	 * some record or question is answered.
	 *
	 * @throws why the database answers nothing
	 */
	requireAnswer(): void {
		if (this.#silentSince !== null && !this.#isAsking) {
			this.#isAsking = true;
			void this.#probe(this.#silentSince);
		}

		if (this.#cutOff) {
			throw this.#cutOff;
		}
	}

	/** The same journal, whose failures and records are noted. */
	watch(journal: Journal): Journal {
		return {
			...forwardedJournal(() => journal),
			digests: journal.digests,
			open: async () => {
				const restored = await this.#note(journal.open(), () => false);
				this.noteAnswer();
				return restored;
			},
			// A cycle with a key asks for it first, and where that fails, nothing is written.
			find: async id => {
				const found = await this.#note(journal.find(id), () => false);
				this.noteAnswer();
				return found;
			},
			append: async record => {
				await this.#note(journal.append(record), isRefusal);
				this.noteAnswer();
				this.#failure = null;
			},
		};
	}

	/** What it refuses, it has answered. */
	async #probe(since: number): Promise<void> {
		try {
			await this.#ask();
			this.#silentSince = null;
			this.#cutOff = null;
		} catch (error) {
			this.#cutOff = this.#silentSince === since && this.#time.elapsed() - since >= maxSilenceMs ? error : null;
		} finally {
			this.#isAsking = false;
		}
	}

	/** What can pass by itself is the database's; what stays, and what another node has, is one identity's. */
	async #note<Result>(work: Promise<Result>, isRefused: (error: JournalError) => boolean): Promise<Result> {
		try {
			return await work;
		} catch (error) {
			this.#silentSince ??= this.#time.elapsed();
			if (error instanceof JournalError && error.retryable && !(error instanceof MovedError)) {
				const isOfRefusal = isRefused(error) || (this.standing !== 'ok' && this.#failure!.isRefusal);
				this.#failure = {reason: error.message, at: this.#time.elapsed(), isRefusal: isOfRefusal};
			}

			throw error;
		}
	}
}

/** Records behind one whose outcome is not known have it as their cause. */
const isRefusal = (error: JournalError): boolean => ![error, error.cause].some(each => each instanceof UnknownOutcomeError);
