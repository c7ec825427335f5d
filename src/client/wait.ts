/** A pause that a signal can end. */
import type {Timers} from '../platform/clock.ts';

/** A timer that is set to more runs out at once. */
const maxTimerMs = 2 ** 31 - 1;

/** Waits so long, at most 24 days. @throws the signal's reason when it aborts first */
export const wait = (
	milliseconds: number, timers: Timers, signal: AbortSignal | undefined,
): Promise<void> => new Promise((resolve, reject) => {
	const abort = () => {
		timers.clearTimeout(timer);
		reject(signal!.reason);
	};

	const timer = timers.setTimeout(() => {
		signal?.removeEventListener('abort', abort);
		resolve();
	}, Math.min(milliseconds, maxTimerMs));
	signal?.addEventListener('abort', abort, {once: true});
});

/** The timers of the platform. */
export const globalTimers: Timers = {
	setTimeout: (callback, milliseconds) => setTimeout(callback, milliseconds),
	clearTimeout: timer => clearTimeout(timer as Parameters<typeof clearTimeout>[0]),
};
