/** Whether the records of this node reach the database. A full disk refuses those of all identities. */
import {forwardedJournal, type Journal} from '../../journal/journal.ts';
import type {Time} from '../../platform/clock.ts';
import {JournalError, MovedError, UnknownOutcomeError} from '../../platform/errors.ts';

/**
 * How long a node is not ready after the database has refused a record. An identity whose journal has failed opens it again at
 * least every 5 s, so this lasts as long as the database fails. Afterwards a balancer that has passed the node over sends it
 * requests again, and the first record shows how it is.
 */
const doubtMs = 10_000;

/** How long the connections of its records may be without an answer before a node leaves its identities to others. */
const maxSilenceMs = 3000;

export class WriteHealth {
	readonly #time: Pick<Time, 'elapsed'>;
	readonly #ask: () => Promise<unknown>;
	#isAsking = false;
	/** When the first failure after the last answer was; null without one. */
	#silentSince: number | null = null;
	#cutOff: unknown = null;
	/** `isRefusal`: the database answered, and did not take the record. */
	#failure: {readonly reason: string; readonly at: number; readonly isRefusal: boolean} | null = null;

	/** @param ask Sends the database a query that costs nothing, on the connections of records. */
	constructor(time: Pick<Time, 'elapsed'>, ask: () => Promise<unknown>) {
		this.#time = time;
		this.#ask = ask;
	}

	/** `ok`, or why the newest record was not written. */
	get standing(): string {
		return this.#failure && this.#time.elapsed() - this.#failure.at < doubtMs ? this.#failure.reason : 'ok';
	}

	/**
	 * Notes an answer of the database, so that requests can come again: if all nodes waited for a record to be written, a balancer
	 * would let none come. A refusal stays noted, since the database may refuse again.
	 */
	noteAnswer(): void {
		this.#silentSince = null;
		this.#failure = this.#failure?.isRefusal ? this.#failure : null;
	}

	/**
	 * A node may keep its session while the connections of its records, which take another route, are broken. Then none of its
	 * identities is written, and no other node takes one over. This is called at each poll, and does not wait. High load is not
	 * silence: some record or query is answered.
	 *
	 * @throws the reason, if the database answers nothing
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

	/** The same journal; its failures and records are noted here. */
	watch(journal: Journal): Journal {
		return {
			...forwardedJournal(() => journal),
			digests: journal.digests,
			open: async () => this.noteRead(journal.open()),
			// A cycle with a key first looks for it, and if that fails, nothing is written.
			find: async id => this.noteRead(journal.find(id)),
			append: async record => {
				await this.#note(journal.append(record), isRefusal);
				this.noteAnswer();
				this.#failure = null;
			},
		};
	}

	/** Notes whether a query was answered, too. */
	async noteRead<Result>(asked: Promise<Result>): Promise<Result> {
		const answer = await this.#note(asked, () => false);
		this.noteAnswer();
		return answer;
	}

	/** Asks the database. One that only refuses records answers this. */
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

	/** A retryable failure is the database's; a lasting one, or a move to another node, concerns one identity only. */
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

/** The errors of records after one with an unknown outcome have that one as their cause. */
const isRefusal = (error: JournalError): boolean => ![error, error.cause].some(each => each instanceof UnknownOutcomeError);
