/**
 * Limits how many bytes of bodies are processed in one turn of the event loop. Many large bodies
 * at the same time would otherwise delay probes and reads by the sum of their costs.
 */

/** Smaller bodies take less time than a turn of the event loop, in bytes. */
const small = 2 ** 14;

/** Resolves when so many bytes may be processed, in the order of the calls. Null: a small body may be processed at once. */
export type ByteBudget = (bytes: number) => Promise<void> | null;

/** Allows one piece of work a turn, and further ones as long as all together have no more bytes than this. */
export const createByteBudget = (bytesPerTurn: number): ByteBudget => {
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

	return bytes => bytes <= small ? null : new Promise(resolve => {
		if (waiting.push({bytes, resolve}) === 1) {
			setImmediate(release);
		}
	});
};
