/**
 * One large body in a turn of the event loop. To parse and check one holds the loop for some
 * milliseconds; twenty that arrive together would hold up every probe and read for their sum.
 */

/** Below this a body takes less time than the turns themselves, in bytes. */
const small = 2 ** 14;

/** Gives a function that resolves when a body of so many bytes may be parsed, in the order in which it was asked. */
export const pace = (): ((bytes: number) => Promise<void>) => {
	let last: Promise<void> = Promise.resolve();
	return async bytes => {
		if (bytes <= small) {
			return;
		}

		await (last = last.then(async () => new Promise<void>(resolve => {
			setImmediate(resolve);
		})));
	};
};
