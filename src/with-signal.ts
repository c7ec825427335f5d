/** Waits for a promise, until the signal aborts. @throws the signal's reason */
export const withSignal = async <Value>(value: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> => {
	if (!signal) {
		return value;
	}

	const {promise, reject} = Promise.withResolvers<never>();
	const abort = () => {
		reject(signal.reason);
	};

	signal.addEventListener('abort', abort);
	try {
		signal.throwIfAborted();
		return await Promise.race([value, promise]);
	} finally {
		signal.removeEventListener('abort', abort);
	}
};
