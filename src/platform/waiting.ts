/** Waiting: until a signal aborts, for a limited time, and for shared work. */
import type {Timers} from './clock.ts';

/** Waits for a promise, until the signal aborts. @throws the signal's reason */
export const withSignal = async <Value>(value: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> => {
	if (!signal) {
		return value;
	}

	// A failure after the abort would be an unhandled rejection, which ends the program.
	value.catch(() => {});
	signal.throwIfAborted();
	// Cheaper than a signal that removes the listener: each abort creates an exception with its stack.
	const {promise: aborted, reject} = Promise.withResolvers<never>();
	const abort = (): void => reject(signal.reason);
	signal.addEventListener('abort', abort);
	try {
		return await Promise.race([value, aborted]);
	} finally {
		signal.removeEventListener('abort', abort);
	}
};

/** Waits for a promise, for so many milliseconds at most. @throws the promise's error, if it rejects by then */
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

/** A timer that is set to more fires at once. */
const maxTimerMs = 2 ** 31 - 1;

/** Waits for so many milliseconds, at most 24 days. @throws the signal's reason when it aborts first */
export const wait = async (milliseconds: number, timers: Timers, signal?: AbortSignal): Promise<void> => {
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

/** Runs work one after another, whether or not the earlier work failed. */
export const takeTurns = () => {
	let last: Promise<unknown> = Promise.resolve();
	return async <Result>(work: () => Promise<Result>): Promise<Result> => {
		const result = last.then(work);
		// The result is not kept until the next turn.
		last = result.then(() => null, () => null);
		return result;
	};
};

/** Work that several callers wait for: it is aborted when the last of them leaves. */
export class SharedWork<Value> {
	readonly #end = new AbortController();
	readonly #value: Promise<Value>;
	#waiters = 0;

	/** Starts the work. @param work Its signal aborts when the last waiter has left. */
	constructor(work: (signal: AbortSignal) => Promise<Value>) {
		this.#value = work(this.#end.signal);
		this.#value.catch(() => {});
	}

	/** Whether the last waiter left: a later one starts the work again. */
	get isAbandoned(): boolean {
		return this.#end.signal.aborted;
	}

	/** Waits for it, until the signal aborts. @throws the signal's reason, or the error of the work */
	async wait(signal?: AbortSignal): Promise<Value> {
		this.#waiters++;
		try {
			return await withSignal(this.#value, signal);
		} finally {
			// Finished work keeps its value.
			if (--this.#waiters === 0 && signal?.aborted) {
				this.#end.abort(signal.reason);
			}
		}
	}
}

/** The options of every call, local or remote. */
export type CallOptions = {
	/** Aborts the call, which then throws the signal's reason. @default undefined */
	signal?: AbortSignal | undefined;
};

/** Immediate in this program, a promise over a network: `await` takes both. */
export type Eventually<View> = View | Promise<View>;
