/**
 * The HTTP application over a process: everything that a request passes, in its order.
 */
import {METHODS} from 'node:http';
import cors from '@koa/cors';
import {Router} from '@koa/router';
import Koa, {type Context, type Middleware} from 'koa';
import type {Process} from '../actors/views.ts';
import {bytesUnderWay} from '../identity/bytes-under-way.ts';
import {requireToken} from './middleware/require-token.ts';
import {docsPage, docsPaths} from './pages/docs-page.ts';
import {errorHandler} from './middleware/error-handler.ts';
import {guard} from './middleware/guard.ts';
import {inspectorPage, inspectorPaths} from './pages/inspector-page.ts';
import type {Logger} from './logger.ts';
import {countRequests, metricsText, type HttpTelemetry} from './middleware/count-requests.ts';
import {limitRate, type RateLimit} from './middleware/rate-limit.ts';
import {areCredentialsAllowed, exposedHeaders, reflected, requireOrigin} from './middleware/origin.ts';
import {pace} from './middleware/byte-budget.ts';
import {logRequests} from './middleware/log-requests.ts';
import {routesFor} from './routes.ts';
import {takeTurns} from './middleware/batch-per-tick.ts';

/** So much of all bodies is read in a turn of the event loop, in bytes; a few milliseconds. */
const readPerTurn = 2 ** 19;

/** What the application adds to the bare interface. */
export type AppOptions = {
	/** Largest request body, in bytes; 1 MiB unless given. */
	bodyLimit?: number;
	/** Most bytes of a body's metadata, as it is sent; 64 KiB unless given. */
	metadataLimit?: number;
	/** Bytes of bodies that may be under way at once, the first 16 KiB of each aside; more are answered with 429. 64 MiB unless given. */
	bytesLimit?: number;
	/** Whether answers are checked against their schemas, and one that does not match becomes a 500; off unless given. */
	validateResponses?: boolean;
	/** Hears of every request, and of failed ones. */
	logger?: Logger;
	/** Bearer token that everything requires but the probes and the pages, which hold nothing; none unless given. */
	token?: string;
	/**
	 * Origins whose pages may read answers, with the user's cookies, and change something. Pages of
	 * the service itself may too, where it is reached by an address or as localhost. `'*'` allows
	 * every page, as suits a service without cookies; with a token, no cookies are allowed then.
	 *
	 * Absent: no CORS headers, and only pages of the same origin may change something, as suits an
	 * application that is mounted in another one.
	 */
	allowedOrigins?: '*' | readonly string[];
	/** For each client address; none unless given. */
	rateLimit?: RateLimit;
	/**
	 * Whether the client's address, for the rate limit and the log, is the last one in
	 * X-Forwarded-For, which the one proxy in front writes there; off unless given. Where the
	 * application is mounted in another one of Koa's, that one's `proxy` does not count here.
	 */
	trustProxy?: boolean;
	/** Counts the requests, and gives the text of all metrics to those who prefer it to JSON; none unless given. */
	telemetry?: HttpTelemetry;
	/** The stream of what happens, and the definitions of the machines, for `/events` and the page `/inspector`; neither is served unless given. */
	inspector?: {events: Middleware; machines: readonly unknown[]};
};

/**
 * Mounts the interface on a process. The application can be given to `listen`, or mounted in
 * another one.
 *
 * @example
 * ```ts
 * import {createProcess} from 'processual-state';
 * import {createApp} from 'processual-state/http';
 *
 * const identity = createProcess();
 * await identity.ready();
 * createApp(identity, {token: 'a long secret', rateLimit: {requests: 60, seconds: 60}}).listen(8100);
 * ```
 */
export const createApp = (process: Process, options: AppOptions = {}): Koa => {
	const {bodyLimit = 2 ** 20, metadataLimit = 2 ** 16, bytesLimit = 2 ** 26, validateResponses = false, trustProxy = false, logger, token, allowedOrigins, rateLimit, telemetry, inspector} = options;
	// Paths are what the interface says, to the letter. A method that no route has is still a known method: 405, not 501.
	const router = new Router({sensitive: true, strict: true, methods: METHODS});
	if (telemetry) {
		router.register('/metrics', ['GET'], metricsText(telemetry));
	}

	const guarding = {bodyLimit, metadataLimit, validateResponses, parsing: pace(1), reading: pace(readPerTurn), hold: bytesUnderWay(bytesLimit, 'Bodies')};
	for (const route of routesFor({isInspected: inspector !== undefined})) {
		router.register(route.path, [route.method], guard(route, process, guarding));
	}

	router.register([...docsPaths], ['GET'], docsPage());
	if (inspector) {
		router.register('/events', ['GET'], inspector.events);
		router.register([...inspectorPaths], ['GET'], inspectorPage(inspector.machines));
	}

	// Of several addresses the last is what the proxy itself saw; those before it are what the client told the proxy.
	const app = new Koa({proxy: trustProxy, maxIpsCount: 1});
	/** Where the application is mounted in another one, the context is that one's, and so is the address in it. */
	const clientOf = (ctx: Context): string => ctx.app === app ? ctx.ip : app.createContext(ctx.req, ctx.res).ip;

	app.use(takeTurns());

	// 1. Every request has an id and leaves a line, and a mark in the metrics.
	app.use(logRequests(clientOf, logger));
	if (telemetry) {
		app.use(countRequests(telemetry));
	}

	// 2. Every answer, errors too, may be read from any allowed origin.
	if (allowedOrigins) {
		app.use(cors({
			origin: (ctx) => reflected(ctx.get('Origin'), options),
			credentials: areCredentialsAllowed(options),
			allowMethods: 'DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT',
			exposeHeaders: exposedHeaders,
		}));
	}

	// 3. Whatever goes wrong below becomes an answer here.
	app.use(errorHandler(logger));

	// 4. How often, and who may ask, is decided before anything is read.
	if (rateLimit) {
		app.use(limitRate(rateLimit, clientOf));
	}

	if (allowedOrigins !== '*') {
		app.use(requireOrigin(allowedOrigins));
	}

	if (token !== undefined) {
		app.use(requireToken(token));
	}

	// 5. The routes; then OPTIONS, and 405 for a known path.
	app.use(router.routes());
	app.use(router.allowedMethods());

	app.on('error', (error: unknown) => {
		logger?.warn({err: error}, 'connection failed');
	});
	return app;
};
