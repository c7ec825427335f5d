/** How requests share the turns of the event loop. */
import type {Middleware} from 'koa';

/**
 * Holds requests until the end of the event loop's turn, then continues with all that arrived in it.
 *
 * Without this the loop alternates between a socket and the application for each request. Each of the two then finds
 * the processor's caches full of the other's data. Measured: a read took 1.6 times and a cycle twice as much CPU time
 * (`npm run bench:service`). A single request waits only for the sockets that are ready.
 */
export const batchPerTick = (): Middleware => {
	let pending: Promise<void> | null = null;
	/** Resolves when every ready socket has been read, in the order of the calls. */
	const endOfTurn = (): Promise<void> => pending ??= new Promise(resolve => {
		setImmediate(() => {
			pending = null;
			resolve();
		});
	});

	return async (_ctx, next) => {
		await endOfTurn();
		await next();
	};
};

/** Smaller bodies take less time than a turn of the event loop, in bytes. */
const small = 2 ** 14;

/** Resolves when so many bytes may be processed, in the order of the calls. Null: a small body may be processed at once. */
export type ByteBudget = (bytes: number) => Promise<void> | null;

/**
 * Limits how many bytes of bodies are processed in one turn: one piece of work, and further ones as long
 * as all together have no more bytes than this. Many large bodies at the same time would otherwise
 * delay probes and reads by the sum of their costs.
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
