import type {Timers} from './clock.ts';

/** Waits for a promise, for so many milliseconds at most. @throws what the promise throws by then */
export const waitAtMost = async (promise: Promise<unknown>, milliseconds: number, timers: Timers): Promise<void> => {
	let timer: unknown;
	const timeout = new Promise<void>(resolve => {
		timer = timers.setTimeout(resolve, milliseconds);
	});
	try {
		await Promise.race([promise, timeout]);
	} finally {
		timers.clearTimeout(timer);
	}
};
