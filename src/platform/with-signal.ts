/** Waits for a promise, until the signal aborts. @throws the signal's reason */
export const withSignal = async <Value>(value: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> => {
	if (!signal) {
		return value;
	}

	// A failure after the abort would be an unhandled rejection, which ends the program.
	value.catch(() => {});
	signal.throwIfAborted();
	const done = new AbortController();
	const aborted = new Promise<never>((_resolve, reject) => {
		signal.addEventListener('abort', () => {
			reject(signal.reason);
		}, {signal: done.signal});
	});
	try {
		return await Promise.race([value, aborted]);
	} finally {
		done.abort();
	}
};
