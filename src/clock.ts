/**
 * Time as the process sees it, injected so that a test can fix it: a wall clock for
 * timestamps and a monotonic one for durations. Waiting is XState's clock's work.
 */

export interface Time {
	/** Milliseconds since the epoch. */
	now(): number;
	/** Milliseconds on a clock that never jumps; only differences mean something. */
	elapsed(): number;
}

/** The clocks of the system. */
export const systemTime: Time = {
	now: () => Date.now(),
	elapsed: () => performance.now(),
};

/** ISO 8601 in UTC with `Z`. */
export const timestamp = (time: Time): string => new Date(time.now()).toISOString();

/** A source of numbers in [0, 1), as `Math.random` is one. */
export type Random = () => number;

/** Waiting outside of the machines, injected like the rest of time; XState's clocks fit. */
export interface Timers {
	/** Calls back once, after so many milliseconds; gives what names the wait. */
	setTimeout(callback: () => void, milliseconds: number): unknown;
	/** Ends a wait, if it is still one. */
	clearTimeout(timer: unknown): void;
}

/** Real timers that keep no program alive. */
export const unrefTimers: Timers = {
	setTimeout(callback, milliseconds) {
		const timer: Partial<NodeJS.Timeout> = setTimeout(callback, milliseconds);
		// A page's timer is a number, and keeps nothing alive.
		timer.unref?.();
		return timer;
	},
	clearTimeout(timer) {
		clearTimeout(timer as NodeJS.Timeout);
	},
};
