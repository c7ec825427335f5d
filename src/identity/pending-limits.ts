/**
 * How much may be under way for callers at once. A limit in number alone says nothing of memory: a
 * thousand requests may be 200 KB or 1 GB.
 */
import {BusyError} from '../platform/errors.ts';

/** What is held for one caller. */
export type Held = {
	/**
	 * @throws {BusyError} when all that is held would be over the limit; nothing more is held then. A caller alone may
	 * hold as much as it needs.
	 */
	add(bytes: number): void;
	/** Gives back all of it. */
	release(): void;
};

/** Counts what is held, up to a limit in bytes. `what` names it in the error. */
export const limitPendingBytes = (limit: number, what: string): (() => Held) => {
	let total = 0;
	return () => {
		let held = 0;
		return {
			add(bytes) {
				if (bytes > 0 && total > held && total + bytes > limit) {
					throw new BusyError(`${what} of ${total} bytes are under way already, and ${limit} are the limit; try again in a moment.`, 1);
				}

				total += bytes;
				held += bytes;
			},
			release() {
				total -= held;
				held = 0;
			},
		};
	};
};

/** Calls of one kind, of which so many may be under way at once. */
export class Places {
	readonly #limit: number;
	readonly #noun: string;
	readonly #retryAfterSeconds: number;
	#taken = 0;

	constructor(limit: number, noun: string, retryAfterSeconds: number) {
		this.#limit = limit;
		this.#noun = noun;
		this.#retryAfterSeconds = retryAfterSeconds;
	}

	/** @throws {BusyError} when every place is taken */
	async take<Answer>(perform: () => Promise<Answer>): Promise<Answer> {
		if (this.#taken >= this.#limit) {
			const pause = this.#retryAfterSeconds > 1 ? 'a few seconds' : 'a moment';
			throw new BusyError(`${this.#limit} ${this.#noun} are under way already; try again in ${pause}.`, this.#retryAfterSeconds);
		}

		this.#taken++;
		try {
			return await perform();
		} finally {
			this.#taken--;
		}
	}
}
