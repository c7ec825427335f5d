/** The HTTP application of an identity: the middleware that every request passes, in its order. */
import {METHODS} from 'node:http';
import {Router} from '@koa/router';
import Koa, {type Context, type Middleware} from 'koa';
import type {Identity} from '../identity/views.ts';
import {limitPendingBytes} from '../identity/pending-bytes.ts';
import type {Telemetry} from '../telemetry/telemetry.ts';
import type {Logger} from './logger.ts';
import {batchPerTick} from './middleware/batch-per-tick.ts';
import {createByteBudget} from './middleware/byte-budget.ts';
import {countRequests} from './middleware/count-requests.ts';
import {dispatch} from './middleware/dispatch.ts';
import {errorHandler} from './middleware/error-handler.ts';
import {guard} from './middleware/guard.ts';
import {logRequests} from './middleware/log-requests.ts';
import {allowOrigins, requireOrigin} from './middleware/origin.ts';
import {limitRate, type RateLimit} from './middleware/rate-limit.ts';
import {requireToken} from './middleware/require-token.ts';
import {docsPaths, serveDocs} from './pages/docs-page.ts';
import {inspectorPaths, serveInspector} from './pages/inspector-page.ts';
import {routesFor} from './routes.ts';
import {events} from './routes/events.ts';
import {metrics, withMetricsText} from './routes/metrics.ts';

/** Bytes of bodies that are read in one turn of the event loop; a few milliseconds. */
const readBytesPerTurn = 2 ** 19;

/** What the HTTP layer uses of telemetry. */
export type HttpTelemetry = Pick<Telemetry, 'countRequest' | 'text' | 'contentType'>;

/** Options of the application. */
export type AppOptions = {
	/** Maximum bytes of a request body; 1 MiB by default. */
	maxBodyBytes?: number;
	/** Maximum bytes of a body's metadata, as it is sent; 64 KiB by default. */
	maxMetadataBytes?: number;
	/** Maximum bytes of all pending bodies, not counting the first 16 KiB of each; above it, requests get 429. 64 MiB by default. */
	maxPendingBytes?: number;
	/** Whether responses are checked against their schemas; one that does not match becomes a 500. False by default. */
	validateResponses?: boolean;
	/** Logs every request, and failures. */
	logger?: Logger;
	/** Bearer token for everything but the probes and the pages, which are public; none by default. */
	token?: string;
	/**
	 * Origins whose pages may read responses, with the user's cookies, and change the state. So may
	 * pages of the service itself, where its host is an address or localhost. `'*'` allows every
	 * page, which suits a service without cookies; with a token, it allows no cookies.
	 *
	 * Absent: no CORS headers, and only pages of the same origin may change the state, which suits
	 * an application that is mounted in another one.
	 */
	allowedOrigins?: '*' | readonly string[];
	/** For each client address; none by default. */
	rateLimit?: RateLimit;
	/**
	 * Whether the client's address, for the rate limit and the log, is the last one in
	 * X-Forwarded-For, which the proxy in front writes there; false by default. Where the
	 * application is mounted in another one of Koa's, that one's `proxy` does not count here.
	 */
	trustProxy?: boolean;
	/** Counts requests, and adds the text of all metrics to `/metrics`. */
	telemetry?: HttpTelemetry;
	/** The event stream and the definitions of the machines, for `/events` and the page `/inspector`; neither is served by default. */
	inspector?: {events: Middleware; machines: readonly unknown[]};
};

/**
 * Makes the application of an identity. It can be given to `listen`, or mounted in another one.
 *
 * @example
 * ```ts
 * import {createIdentity} from 'processual-state';
 * import {createApp} from 'processual-state/http';
 *
 * const identity = createIdentity();
 * await identity.ready();
 * createApp(identity, {token: 'a long secret', rateLimit: {requests: 60, seconds: 60}}).listen(8100);
 * ```
 */
export const createApp = (identity: Identity, options: AppOptions = {}): Koa => {
	const {trustProxy = false, logger, token, allowedOrigins, rateLimit, telemetry} = options;
	// Of several addresses the last is the one that the proxy saw; the client may have invented those before it.
	const app = new Koa({proxy: trustProxy, maxIpsCount: 1});
	/** Where the application is mounted in another one, `ctx.ip` follows that one's settings. */
	const clientOf = (ctx: Context): string => ctx.app === app ? ctx.ip : app.createContext(ctx.req, ctx.res).ip;

	app.use(batchPerTick());

	// 1. Every request has an id, a line in the log and a count in the metrics.
	app.use(logRequests(clientOf, logger));
	if (telemetry) {
		app.use(countRequests(telemetry));
	}

	// 2. Pages of allowed origins may read every response, errors too.
	if (allowedOrigins) {
		app.use(allowOrigins(options));
	}

	// 3. Errors from below become responses here.
	app.use(errorHandler(logger));

	// 4. Rate, origin and token are checked before a body is read.
	if (rateLimit) {
		app.use(limitRate(rateLimit, clientOf));
	}

	if (allowedOrigins !== '*') {
		app.use(requireOrigin(allowedOrigins));
	}

	if (token !== undefined) {
		app.use(requireToken(token));
	}

	// 5. The routes; then OPTIONS, and 405 for other methods of a known path.
	const router = createRouter(identity, options);
	app.use(dispatch(router));
	app.use(router.routes());
	app.use(router.allowedMethods());

	app.on('error', (error: unknown) => {
		logger?.warn({err: error}, 'connection failed');
	});
	return app;
};

const createRouter = (identity: Identity, {maxBodyBytes = 2 ** 20, maxMetadataBytes = 2 ** 16, maxPendingBytes = 2 ** 26, validateResponses = false, telemetry, inspector}: AppOptions): Router => {
	// Paths are matched to the letter. A method that no route has is still a known method: 405, not 501.
	const router = new Router({sensitive: true, strict: true, methods: METHODS});
	const limits = {maxBodyBytes, maxMetadataBytes, validateResponses, parseBudget: createByteBudget(1), readBudget: createByteBudget(readBytesPerTurn), hold: limitPendingBytes(maxPendingBytes, 'Bodies')};
	for (const route of routesFor({isInspected: inspector !== undefined})) {
		const handle = guard(route, identity, limits);
		router.register(route.path, [route.method], route === metrics && telemetry ? withMetricsText(telemetry, handle) : handle);
	}

	router.register([...docsPaths], ['GET'], serveDocs());
	if (inspector) {
		router.register(events.path, ['GET'], inspector.events);
		router.register([...inspectorPaths], ['GET'], serveInspector(inspector.machines));
	}

	return router;
};
