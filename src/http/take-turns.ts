/**
 * Answers requests of one connection one after another: each begins when the client has read the previous response. Node
 * would start all of them at once, whatever memory their responses take. A connection with too many waiting is closed.
 */
import type {IncomingMessage, ServerResponse} from 'node:http';
import type {Socket} from 'node:net';

/**
 * Most requests that wait on a connection. Few clients send another before they have read a response. But 64 KiB hold two
 * thousand requests, each of whose responses would stay in memory until the client reads.
 */
const maxWaiting = 32;

/** @returns a function that starts an answer in its turn; `before` is the previous response on the connection */
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

/** Does the same in a foreign server. Streams of HTTP/2 share a connection and have other limits, so they are left alone. */
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
