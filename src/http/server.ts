/**
 * A listening server: limits on slow clients, JSON for what node refuses before the application
 * sees it, and an end that lets requests under way finish.
 */
import {once} from 'node:events';
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import type {Duplex} from 'node:stream';
import type Koa from 'koa';
import {ConfigurationError} from '../errors.ts';
import {explain, reachable} from './listen-errors.ts';
import {answer, refuse} from './raw-response.ts';
import type {Sharing} from './middleware/origin.ts';

/** A server that listens. */
export type Listening = {
	/** Where a client on this machine reaches it. */
	url: string;
	port: number;
	/** Stops accepting, ends idle connections, and resolves when the last request is answered. */
	close(): Promise<void>;
};

const limits = {
	/** Milliseconds for the headers, and for the whole request with its body. */
	headersTimeout: 20_000,
	requestTimeout: 60_000,
	/** Longer than the 60 s after which common proxies drop an idle connection, so that the proxy is the one to end it. */
	keepAliveTimeout: 65_000,
	/** How often connections are looked at for the first two. */
	connectionsCheckingInterval: 5000,
};

type Limits = typeof limits;

/** More connections than this at once are closed as they come: each holds memory, and one client may open many. */
const maxConnections = 10_000;

/**
 * Listens on a host and a port; port 0 takes a free one. Some requests are refused before the
 * application is asked: give `allowedOrigins` and `token` as the application has them, so that
 * the same pages may read that.
 *
 * @param app Where it is still being made, requests wait for it, and their connections are closed when it cannot be made.
 * @throws {ConfigurationError} when the address cannot be had
 */
export const listen = async (app: Koa | Promise<Koa>, {host, port, allowedOrigins, token, ...changed}: {host: string; port: number} & Sharing & Partial<Limits>): Promise<Listening> => {
	const sharing = {allowedOrigins, token};
	const handle = handlerOf(app);
	/** The latest request of each connection. */
	const latest = new WeakMap<Duplex, {request: IncomingMessage; response: ServerResponse}>();
	/** Connections that have asked nothing yet, as clients open them beforehand: Node does not take them for idle when it closes. */
	const unused = new Set<Duplex>();

	// Node would answer a request without Host itself, and without a body.
	const server = createServer({...limits, ...changed, requireHostHeader: false}, (request, response) => {
		latest.set(request.socket, {request, response});
		unused.delete(request.socket);
		if (!server.listening) {
			response.setHeader('Connection', 'close');
		}

		response.once('close', () => {
			if (!server.listening) {
				server.closeIdleConnections();
			}
		});
		if (request.headers.host === undefined && request.httpVersion === '1.1') {
			answer(response, 400, {request, sharing});
		} else {
			void handle(request, response);
		}
	});

	server.on('connection', socket => {
		unused.add(socket);
		socket.once('close', () => {
			unused.delete(socket);
		});
	});
	server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
		const status = statusByCode[error.code ?? ''] ?? 400;
		const {request, response} = latest.get(socket) ?? {};
		// Where the last request is not over, what is wrong is a part of it.
		const asked = request?.complete === false ? {request, response, sharing} : {sharing};
		if (!socket.writable || (request?.complete === false && response?.headersSent)) {
			// The rest of a request that has its answer already.
			socket.destroy();
		} else if (request?.complete && !response?.writableEnded) {
			// What follows a request that still waits for its answer, which comes first.
			response?.once('finish', () => {
				refuse(socket, status, asked);
			});
		} else {
			refuse(socket, status, asked);
		}
	});
	server.on('checkExpectation', (request, response) => {
		answer(response, 417, {request, sharing});
	});
	server.on('connect', (request, socket) => {
		refuse(socket, 405, {request, sharing});
	});

	server.maxConnections = maxConnections;
	try {
		server.listen(port, host);
		await once(server, 'listening');
	} catch (error) {
		throw new ConfigurationError(explain(error as NodeJS.ErrnoException, host, port), {cause: error});
	}

	const taken = (server.address() as AddressInfo).port;
	return {
		url: `http://${reachable(host)}:${taken}`,
		port: taken,
		close: () => new Promise((resolve) => {
			server.close(() => {
				resolve();
			});
			for (const socket of unused) {
				socket.destroy();
			}
		}),
	};
};

/** Awaiting a promise costs each request a further turn, so the handler is kept once it is there. */
const handlerOf = (app: Koa | Promise<Koa>): (request: IncomingMessage, response: ServerResponse) => void => {
	if (!(app instanceof Promise)) {
		return app.callback();
	}

	let handle: ReturnType<Koa['callback']> | null = null;
	const made = app.then(ready => {
		handle = ready.callback();
		return handle;
	});
	// The requests hear of it.
	made.catch(() => {});
	return (request, response) => {
		if (handle) {
			void handle(request, response);
		} else {
			made.then(ready => ready(request, response), () => response.destroy());
		}
	};
};

const statusByCode: Record<string, number> = {
	HPE_HEADER_OVERFLOW: 431,
	HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
	ERR_HTTP_REQUEST_TIMEOUT: 408,
};
