/** Shares the turns of the event loop between requests. */
import type {Middleware} from 'koa';

/**
 * Holds requests until the end of the event loop's turn, then continues with all that arrived in it.
 *
 * Otherwise the loop alternates between a socket and the application for each request, and each finds the CPU caches full
 * of the other's data. Measured without batching: a read took 1.6 times, and a cycle twice the CPU time
 * (`npm run bench:service`). A single request only waits for sockets that are ready.
 */
export const batchPerTick = (): Middleware => {
	let pending: Promise<void> | null = null;
	/** Resolves when every ready socket has been read, in the order of the calls. */
	const endOfTurn = (): Promise<void> => pending ??= new Promise<void>(resolve => setImmediate(resolve)).finally(() => {
		pending = null;
	});

	return async (_ctx, next) => {
		await endOfTurn();
		await next();
	};
};

/** Bodies up to this many bytes take less time than a turn of the event loop. */
const small = 2 ** 14;

/** Resolves when this many bytes may be processed, in the order of the calls. Returns null for a small body: process it at once. */
export type ByteBudget = (bytes: number) => Promise<void> | null;

/**
 * Limits the bytes of bodies processed in one turn: always one body, and further ones while the total is within the limit.
 * Otherwise many large bodies at once would delay probes and reads by the sum of their costs.
 */
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
