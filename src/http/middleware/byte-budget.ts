/**
 * So many bytes in a turn of the event loop. What large bodies cost adds up where many arrive
 * together: without a bound the loop would hold up every probe and read for their sum.
 */

/** Below this a body takes less time than the turns themselves, in bytes. */
const small = 2 ** 14;

/** Resolves when so many bytes may be worked on, in the order in which it was asked; at once where they are few. */
export type Pace = (bytes: number) => Promise<void>;

/** Lets one piece of work on in each turn, and others with it as long as they are not more than these bytes together. */
export const pace = (bytesPerTurn: number): Pace => {
	const waiting: Array<{bytes: number; resolve: () => void}> = [];
	const release = (): void => {
		let left = bytesPerTurn;
		do {
			const {bytes, resolve} = waiting.shift()!;
			left -= bytes;
			resolve();
		} while (waiting.length > 0 && waiting[0]!.bytes <= left);

		if (waiting.length > 0) {
			setImmediate(release);
		}
	};

	return async bytes => {
		if (bytes <= small) {
			return;
		}

		await new Promise<void>(resolve => {
			if (waiting.push({bytes, resolve}) === 1) {
				setImmediate(release);
			}
		});
	};
};
