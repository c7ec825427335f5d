/**
 * Drops held texts that were not decided on within the guard's limit, as a decision with its reason. Texts that came due
 * while the identity was not in memory are dropped when it is opened.
 */
import type {MachineDeps} from '../actors/deps.ts';
import {readHeld} from '../journal/read-pages.ts';
import type {Timers} from '../platform/clock.ts';
import {reasonOf, type Warn} from '../platform/errors.ts';
import {countInEnglish} from '../platform/phrase.ts';
import type {LocalIdentity} from './identity.ts';
import type {ProcessActor} from './pending-requests.ts';

export type ExpiryDeps = Pick<MachineDeps, 'journal' | 'time' | 'expireDays'> & {
	readonly timers: Timers;
	readonly drop: LocalIdentity['dropHeld'];
	readonly warn: Warn;
};

const dayMs = 86_400_000;

const retryMs = 60_000;

const maxDropped = 1000;

export class HeldExpiry {
	readonly #deps: ExpiryDeps;
	readonly #waitMs: number;
	#timer: unknown = null;
	#hasFailed = false;
	#isClosed = false;

	constructor(deps: ExpiryDeps) {
		this.#deps = deps;
		this.#waitMs = dayMs * (deps.expireDays ?? Infinity);
	}

	/** Follows an identity that is ready, until it ends. */
	follow(actor: ProcessActor): void {
		if (!this.#deps.journal || this.#deps.expireDays === null) {
			return;
		}

		const close = () => {
			this.#isClosed = true;
			this.#deps.timers.clearTimeout(this.#timer);
		};

		actor.subscribe({complete: close, error: close});
		actor.on('cycle.held', () => {
			if (this.#timer === null) {
				this.#checkIn(this.#waitMs);
			}
		});
		void this.#check();
	}

	#checkIn(milliseconds: number): void {
		const {timers} = this.#deps;
		timers.clearTimeout(this.#timer);
		// A timer of more than 25 days would fire at once.
		this.#timer = this.#isClosed ? null : timers.setTimeout(() => {
			this.#timer = null;
			void this.#check();
		}, Math.min(dayMs, milliseconds));
	}

	async #check(): Promise<void> {
		const {drop, warn, expireDays} = this.#deps;
		try {
			const {due, dueIn} = await this.#findDue();
			if (due.length > 0 && !this.#isClosed) {
				await drop({ids: due, note: `Nothing was decided for ${countInEnglish(expireDays!, 'day')}.`, by: 'expiry'});
			}

			this.#hasFailed = false;
			if (dueIn !== null) {
				this.#checkIn(dueIn);
			}
		} catch (error) {
			if (!this.#hasFailed && !this.#isClosed) {
				warn(`Held texts could not be dropped in time; this will be retried every minute: ${reasonOf(error)}`, error);
			}

			this.#hasFailed = true;
			this.#checkIn(retryMs);
		}
	}

	/** The oldest texts that are due, and the time until the next is, in milliseconds; null if no others are held. */
	async #findDue(): Promise<{due: string[]; dueIn: number | null}> {
		const {journal, time} = this.#deps;
		const due: string[] = [];
		/** Texts with a time in the future: the clock was put back. They have waited at least as long as the next text. */
		let ahead: string[] = [];
		let aheadDueIn: number | null = null;
		for await (const page of readHeld(journal!)) {
			for (const {record: {id, timestamp}} of page) {
				const dueIn = Date.parse(timestamp) + this.#waitMs - time.now();
				if (dueIn > this.#waitMs) {
					ahead.push(id);
					aheadDueIn = Math.min(dueIn, aheadDueIn ?? Infinity);
				} else if (dueIn > 0) {
					return {due, dueIn};
				} else {
					due.push(...ahead, id);
					ahead = [];
				}

				if (due.length >= maxDropped) {
					return {due: due.slice(0, maxDropped), dueIn: 0};
				}
			}
		}

		return {due, dueIn: aheadDueIn};
	}
}
