/** A pause that a signal can end. */
import type {Timers} from '../platform/clock.ts';
import {withSignal} from '../platform/waiting.ts';

/** A timer that is set to more runs out at once. */
const maxTimerMs = 2 ** 31 - 1;

/** Waits so long, at most 24 days. @throws the signal's reason when it aborts first */
export const wait = async (milliseconds: number, timers: Timers, signal: AbortSignal | undefined): Promise<void> => {
	const {promise, resolve} = Promise.withResolvers<void>();
	const timer = timers.setTimeout(resolve, Math.min(milliseconds, maxTimerMs));
	try {
		await withSignal(promise, signal);
	} finally {
		timers.clearTimeout(timer);
	}
};

/** The timers of the platform. */
export const globalTimers: Timers = {
	setTimeout: (callback, milliseconds) => setTimeout(callback, milliseconds),
	clearTimeout: timer => clearTimeout(timer as Parameters<typeof clearTimeout>[0]),
};
