/**
 * Limits on the work under way for callers, in calls and in bytes. A number of calls alone does not bound the memory: a
 * thousand requests may take 200 KB or 1 GB.
 */
import {BusyError} from '../platform/errors.ts';

export type Held = {
	/**
	 * @throws {BusyError} when the total would exceed the limit; nothing is added then. A sole caller may hold any amount.
	 */
	add(bytes: number): void;
	/** Releases all bytes of this caller. */
	release(): void;
};

/** Counts held bytes up to a limit. @param what Names them in the error. */
export const limitPendingBytes = (limit: number, what: string): (() => Held) => {
	let total = 0;
	return () => {
		let held = 0;
		return {
			add(bytes) {
				if (bytes > 0 && total > held && total + bytes > limit) {
					throw new BusyError(`${what} of ${total} bytes are already under way, and the limit is ${limit}; try again in a moment.`, 1);
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

/** Performs a call. @throws {BusyError} when the limit is reached */
export type Take = <Answer>(perform: () => Promise<Answer>) => Promise<Answer>;

/** Counts calls of one kind up to a limit. @param noun Names them in the error. */
export const limitCalls = (limit: number, noun: string, retryAfterSeconds: number): Take => {
	let taken = 0;
	return async perform => {
		if (taken >= limit) {
			const pause = retryAfterSeconds > 1 ? 'a few seconds' : 'a moment';
			throw new BusyError(`${limit} ${noun} are already under way; try again in ${pause}.`, retryAfterSeconds);
		}

		taken++;
		try {
			return await perform();
		} finally {
			taken--;
		}
	};
};
