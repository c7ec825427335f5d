/**
 * Answers requests of one connection one after another: each begins when the client has read the previous response. Node
 * would start all of them at once, whatever memory their responses take. A connection with too many waiting is closed.
 */
import type {ServerResponse} from 'node:http';
import type {Socket} from 'node:net';
import type {Handle} from './hosts.ts';

/**
 * Most requests that wait on a connection. Few clients send another before they have read a response. But 64 KiB hold two
 * thousand requests, each of whose responses would stay in memory until the client reads.
 */
const maxWaiting = 32;

const isOver = (response: ServerResponse): boolean => response.writableFinished || response.closed;

/** Handles each request in its turn. Streams of HTTP/2 share a connection and have other limits, so they are left alone. */
export const inTurns = (handle: Handle): Handle => {
	const latest = new WeakMap<Socket, ServerResponse>();
	const waiting = new WeakMap<Socket, number>();
	return async (request, response) => {
		const {socket, httpVersionMajor} = request as {socket?: Socket; httpVersionMajor?: number};
		if (socket && httpVersionMajor === 1) {
			const before = latest.get(socket);
			latest.set(socket, response);
			if (before && !isOver(before)) {
				const count = waiting.get(socket) ?? 0;
				if (count === maxWaiting) {
					socket.destroy();
					return;
				}

				waiting.set(socket, count + 1);
				await new Promise(resolve => [before, response].map(each => each.once('close', resolve)));
				waiting.set(socket, waiting.get(socket)! - 1);
				if (socket.destroyed || response.closed) {
					return;
				}
			}
		}

		await handle(request, response);
	};
};
