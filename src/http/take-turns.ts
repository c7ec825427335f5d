/**
 * Requests of one connection are answered one after the other: the next one begins when the client has taken the answer before
 * it. Node would begin all of them, whatever their answers take. A connection with too many ends.
 */
import type {IncomingMessage, ServerResponse} from 'node:http';
import type {Socket} from 'node:net';

/**
 * Requests that wait on a connection behind the one that is answered. Few clients send any before they have read an answer, and
 * 64 KiB hold two thousand: each would have its answer in memory until the client reads.
 */
const maxWaiting = 32;

/** @returns a function that begins an answer in its turn; `before` is the response before it on the connection */
export const queueByConnection = () => {
	const waiting = new WeakMap<Socket, number>();
	return (socket: Socket, before: ServerResponse | undefined, answer: () => void): void => {
		if (!before || isOver(before)) {
			answer();
			return;
		}

		const count = (waiting.get(socket) ?? 0) + 1;
		if (count > maxWaiting) {
			socket.destroy();
			return;
		}

		waiting.set(socket, count);
		before.once('close', () => {
			waiting.set(socket, waiting.get(socket)! - 1);
			if (!socket.destroyed) {
				answer();
			}
		});
	};
};

const isOver = (response: ServerResponse): boolean => response.writableFinished || response.closed;

type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** For a server that is not ours. The streams of HTTP/2 share a connection, and have other bounds. */
export const inTurns = (handle: Handle): Handle => {
	const latest = new WeakMap<Socket, ServerResponse>();
	const begin = queueByConnection();
	return async (request, response) => {
		const {socket, httpVersionMajor} = request as {socket?: Socket; httpVersionMajor?: number};
		if (socket && httpVersionMajor === 1) {
			const before = latest.get(socket);
			latest.set(socket, response);
			if (before && !isOver(before)) {
				const {promise: turn, resolve} = Promise.withResolvers<void>();
				response.once('close', resolve);
				begin(socket, before, resolve);
				await turn;
				if (response.closed) {
					return;
				}
			}
		}

		await handle(request, response);
	};
};
