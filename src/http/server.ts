/**
 * A listening server, with limits for slow clients, JSON responses for requests that Node refuses before the interface gets
 * them, and a close that lets pending requests finish.
 */
import {once} from 'node:events';
import {createServer, STATUS_CODES, type IncomingMessage, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import type {Duplex} from 'node:stream';
import {httpMethods} from '../observe/metrics/observed.ts';
import {ConfigurationError} from '../platform/errors.ts';
import {ranges, requireOptions, within, type Checks} from '../platform/ranges.ts';
import type {OriginPolicy} from './http-options.ts';
import {nameOf} from '../platform/option-names.ts';
import {areCredentialsAllowed, exposedHeaders, reflectOrigin} from './middleware/origin.ts';
import {requestIdOf} from './middleware/record-requests.ts';
import {inTurns} from './take-turns.ts';

/** A listening server. */
export type Listening = {
	/** The address for clients on this machine. */
	url: string;
	port: number;
	/** Accepts no new connections, closes idle ones, and resolves when all requests are answered and all event streams have ended. */
	close(): Promise<void>;
};

const timeouts = {
	/** Milliseconds for the headers, and for the whole request with its body. */
	headersTimeout: 20_000,
	requestTimeout: 60_000,
	/** Longer than the 60 s of common proxies, so that the proxy closes an idle connection first. */
	keepAliveTimeout: 65_000,
	/** How often Node checks the first two. */
	connectionsCheckingInterval: 5000,
	/** How long a client may read nothing of a response, which stays in memory until then. */
	unreadTimeout: 60_000,
};

/** Further connections are closed at once: each takes memory, and one client may open many. */
const maxConnections = 10_000;

/** The part of an HTTP interface that a server needs. */
export type HttpHandler = {handler: (request: IncomingMessage, response: ServerResponse) => Promise<void>};

/** Where to listen, and limits for slow clients. */
export type ListenOptions = {
	host: string;
	/** 0 chooses a free port. */
	port: number;
} & OriginPolicy & Partial<typeof timeouts>;

/** @throws {ConfigurationError} for an object without a handler, such as an identity */
const requireHandler = (http: HttpHandler): HttpHandler['handler'] => {
	if (typeof http?.handler !== 'function') {
		throw new ConfigurationError('The server needs the result of createHttp: write listen(createHttp(identity), …).');
	}

	return http.handler;
};

const wait = within(ranges.waitMilliseconds);

const checks: Checks<ListenOptions> = {
	host: {isAllowed: (value: unknown) => typeof value === 'string' && value !== '', expected: 'an address, such as 127.0.0.1'},
	port: true, cors: true, token: true, headersTimeout: wait, requestTimeout: wait, keepAliveTimeout: wait,
	connectionsCheckingInterval: wait, unreadTimeout: wait,
};

/**
 * Listens on a host and a port. Node refuses some requests before the interface gets them. Give `cors` and `token` the same
 * values as in `createHttp`, so that the same pages may read those responses.
 *
 * @param http Requests wait while it is a pending promise. If it rejects, their connections are closed.
 * @throws {ConfigurationError} for an option that is unknown or has a wrong value, and when the server cannot listen on the address
 *
 * @example
 * ```ts
 * import {createIdentity} from 'processual-state';
 * import {createHttp, listen} from 'processual-state/http';
 *
 * const http = createHttp(createIdentity());
 * const server = await listen(http, {host: '127.0.0.1', port: 8100});
 * http.close(); // Ends the event streams, which would keep the server open.
 * await server.close();
 * ```
 */
export const listen = async (http: HttpHandler | Promise<HttpHandler>, given: ListenOptions): Promise<Listening> => {
	// Without a host, Node would listen on every network.
	requireOptions('The server', {...given, host: given?.host ?? null}, checks);
	const {host, port, cors, token, ...changed} = given;
	const {unreadTimeout, ...ofNode} = {...timeouts, ...changed};
	const policy = {cors, token};
	const known = {policy, unreadTimeout};
	const handler = http instanceof Promise ? http.then(requireHandler) : Promise.resolve(requireHandler(http));
	// A rejection closes the connections of waiting requests, below.
	handler.catch(() => {});
	/** The latest response of each connection. */
	const latest = new WeakMap<Duplex, ServerResponse<IncomingMessage>>();
	const answer = inTurns(async (request, response) => {
		if (request.headers.host === undefined && request.httpVersion === '1.1') {
			respond(response, 400, {request, ...known});
		} else {
			await handler.then(handle => handle(request, response), () => response.destroy());
		}
	});
	/** Connections without a request so far, which clients open in advance. Node does not count them as idle. */
	const unused = new Set<Duplex>();

	const closeIdle = (): void => {
		if (!server.listening) {
			server.closeIdleConnections();
		}
	};

	// Otherwise Node would answer a request without Host itself, with an empty body.
	const server = createServer({...ofNode, requireHostHeader: false}, (request, response) => {
		latest.set(request.socket, response);
		unused.delete(request.socket);
		if (!server.listening) {
			response.setHeader('Connection', 'close');
		}

		response.on('close', closeIdle);
		void answer(request, response);
	});

	server.on('connection', socket => {
		unused.add(socket);
		socket.once('close', () => unused.delete(socket));
	});
	server.on('clientError', (error: NodeJS.ErrnoException, socket) => refuse(error, socket, latest.get(socket), known));
	server.on('checkExpectation', (request, response) => respond(response, 417, {request, ...known}));
	server.on('connect', (request, socket) => respondOnSocket(socket, 405, {request, ...known}));

	server.maxConnections = maxConnections;
	server.timeout = unreadTimeout;
	server.on('timeout', socket => {
		// Only an unread response times out here: computing one, and receiving a request, have separate limits.
		if (socket.writableLength > 0 || latest.get(socket)?.writableFinished) {
			socket.destroy();
		}
	});
	try {
		// As an option, because as an argument Node takes a non-numeric string for the path of a socket.
		server.listen({port, host});
		await once(server, 'listening');
	} catch (error) {
		throw new ConfigurationError(explainListenError(error as NodeJS.ErrnoException, host, port), {cause: error});
	}

	const {port: actualPort} = server.address() as AddressInfo;
	return {
		url: `http://${toReachableHost(host)}:${actualPort}`,
		port: actualPort,
		close: () => new Promise((resolve) => {
			server.close(() => resolve());
			for (const socket of unused) {
				socket.destroy();
			}
		}),
	};
};

/** Answers data that Node could not parse as a request. @param response The latest response of the connection. */
const refuse = (
	error: NodeJS.ErrnoException, socket: Duplex, response: ServerResponse<IncomingMessage> | undefined, known: Known,
): void => {
	const status = statusByCode[error.code ?? ''] ?? 400;
	const request = response?.req;
	// If the latest request is incomplete, the error is in it.
	const cause = request?.complete === false ? {request, response, ...known} : known;
	if (!socket.writable || (request?.complete === false && response?.headersSent)) {
		// The request already has its response.
		socket.destroy();
	} else if (request?.complete && !response?.writableEnded) {
		// The error comes after a request whose response must be sent first.
		response?.once('finish', () => respondOnSocket(socket, status, cause));
	} else {
		respondOnSocket(socket, status, cause);
	}
};

const statusByCode: Record<string, number> = {
	HPE_HEADER_OVERFLOW: 431,
	HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
	ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** Explains why a server cannot listen on an address, and what to do about it. */
export const explainListenError = ({code, message}: NodeJS.ErrnoException, host: string, port: number): string => {
	const [hostOption, portOption] = [nameOf('listen.host'), nameOf('listen.port')];
	const known: Record<string, string> = {
		EADDRINUSE: `Port ${port} on ${host} is in use: stop the program that uses it, or set ${portOption} to another port.`,
		EACCES: `Port ${port} on ${host} needs privileges: set ${portOption} to one over 1023.`,
		EMFILE: 'The service cannot listen: too many files are open. Raise the limit of open files (ulimit -n).',
		// Node's message names a parameter of its API.
		ERR_SOCKET_BAD_PORT: `${port} is not a port: set ${portOption} to a whole number from 0 to 65535; 0 takes a free one.`,
	};
	return known[code ?? ''] ?? `The service cannot listen on ${host}, port ${port}: ${message}. Set ${hostOption} and ${portOption} to an `
		+ `address of this machine${host.startsWith('[') ? ', without brackets, such as ::1' : ''}.`;
};

const bracketed = (host: string): string => host.includes(':') ? `[${host}]` : host;

/** An address in the form in which the system reads it: 0 becomes 0.0.0.0, which is open to every network. */
export const canonicalHost = (host: string): string => URL.parse(`http://${bracketed(host)}`)?.hostname.replace(/^\[(.*)\]$/, '$1') ?? host;

/** A host name that clients on this machine can connect to, even if the server listens on every address. */
export const toReachableHost = (host: string): string => {
	const canonical = canonicalHost(host);
	return bracketed({'0.0.0.0': '127.0.0.1', '::': '::1'}[canonical] ?? canonical);
};

// Responses without the application, for requests that are not valid HTTP or that no route can take. Like the application's,
// they are JSON, have an id, and follow the cross-origin rules.

type Known = {policy: OriginPolicy; unreadTimeout: number};

/** The settings, and the request if it is known. The application may have given it an id, in a header of the response. */
type Cause = Known & {request?: IncomingMessage | undefined; response?: ServerResponse | undefined};

const respond = (response: ServerResponse, status: number, cause: Cause): void => {
	response.writeHead(status, headersOf(status, cause)).end(bodyOf(status));
};

/**
 * Responds on the socket, for which Node has made no response object, and closes it. A client that never closes its side is
 * cut off after a time; Node would wait for it.
 */
const respondOnSocket = (socket: Duplex, status: number, cause: Cause): void => {
	const headers = Object.entries(headersOf(status, cause)).map(([name, value]) => `${name}: ${value}`);
	socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...headers, '', bodyOf(status)].join('\r\n'), 'latin1');
	const timer = setTimeout(() => socket.destroy(), cause.unreadTimeout).unref();
	socket.once('close', () => clearTimeout(timer));
};

const bodyOf = (status: number): string => JSON.stringify({detail: STATUS_CODES[status]});

const headersOf = (status: number, {request, response, policy}: Cause): Record<string, string | number> => ({
	'Content-Type': 'application/json; charset=utf-8',
	'Content-Length': bodyOf(status).length,
	Connection: 'close',
	...(status === 405 && {Allow: httpMethods.join(', ')}),
	'X-Request-Id': String(response?.getHeader('X-Request-Id') ?? requestIdOf(String(request?.headers['x-request-id'] ?? ''))),
	...(request && corsHeaders(request.headers.origin ?? '', policy)),
});

/** The CORS headers that the application would send. */
const corsHeaders = (origin: string, policy: OriginPolicy): Record<string, string> => policy.cors ? {
	Vary: 'Origin',
	...(reflectOrigin(origin, policy) !== '' && {
		'Access-Control-Allow-Origin': origin,
		...(areCredentialsAllowed(policy) && {'Access-Control-Allow-Credentials': 'true'}),
		'Access-Control-Expose-Headers': exposedHeaders,
	}),
} : {};
