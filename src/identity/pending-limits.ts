/**
 * How much may be under way for callers at once. A limit in number alone says nothing of memory: a
 * thousand requests may be 200 KB or 1 GB.
 */
import {BusyError} from '../platform/errors.ts';

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

/** Performs a call. @throws {BusyError} when as many are under way as may be */
export type Take = <Answer>(perform: () => Promise<Answer>) => Promise<Answer>;

/** Counts calls of one kind, up to a limit. `noun` names them in the error. */
export const limitCalls = (limit: number, noun: string, retryAfterSeconds: number): Take => {
	let taken = 0;
	return async perform => {
		if (taken >= limit) {
			const pause = retryAfterSeconds > 1 ? 'a few seconds' : 'a moment';
			throw new BusyError(`${limit} ${noun} are under way already; try again in ${pause}.`, retryAfterSeconds);
		}

		taken++;
		try {
			return await perform();
		} finally {
			taken--;
		}
	};
};
