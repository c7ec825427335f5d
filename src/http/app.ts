/** The HTTP application: its middleware in order, and its routes. */
import {METHODS} from 'node:http';
import {Router} from '@koa/router';
import Koa, {type Context, type Middleware} from 'koa';
import type {Host} from '../host/host.ts';
import {limitPendingBytes} from '../identity/pending-limits.ts';
import {ConfigurationError} from '../platform/errors.ts';
import type {HttpOptions, HttpTelemetry} from './http-options.ts';
import {batchPerTick, createByteBudget} from './middleware/share-turns.ts';
import {compress} from './middleware/compress.ts';
import {recordRequests} from './middleware/record-requests.ts';
import {errorHandler} from './middleware/error-handler.ts';
import {createIgnoredNaming, guard} from './middleware/guard.ts';
import type {Prefix} from './hosts.ts';
import {identityNameOf, mountAt, nameIdentity, requireName} from './middleware/name-identity.ts';
import {allowOrigins, requireOrigin} from './middleware/origin.ts';
import {limitRate} from './middleware/rate-limit.ts';
import {callerOf, requireIdentity, requireRight, requireToken, rightOf, type Right} from './caller.ts';
import {speakAsCaller} from './own-voice.ts';
import type {Observation} from './observation.ts';
import {docsPaths, serveDocs} from './pages/docs-page.ts';
import {entry, faviconPath, serveEntry, serveFavicon} from './pages/entry-page.ts';
import {inspectorPaths, serveFleetPage, serveInspector} from './pages/inspector-page.ts';
import type {AnyQuestion} from './question.ts';
import type {IdentityOf} from './resolve-identity.ts';
import {metrics} from './questions.ts';
import {hostRoutesFor, pathsOfAll, routesFor} from './routes.ts';
import {cycle} from './routes/cycle.ts';
import {events} from './routes/events.ts';
import {fleet, type HostRequest} from './routes/identities.ts';
import {backupPath, serveBackup} from './routes/backup.ts';
import {mcpPath, answerMcp} from './routes/mcp.ts';
import {withMetricsText} from './routes/metrics.ts';
import {isProbe, readyz} from './routes/probes.ts';
import type {Route} from './routes/route.ts';

/** Bytes of bodies read in one turn of the event loop, which takes a few milliseconds. */
const readBytesPerTurn = 2 ** 19;

type Parts = {
	prefix: Prefix;
	/** The host whose identities are served; null without one. */
	host: Host | null;
	identityOf: IdentityOf;
	/** The telemetry of a request's identity; null if nothing is counted or the identity is not known. */
	telemetryOf: (ctx: Context) => HttpTelemetry | null;
	observation: Observation;
	asked: readonly AnyQuestion[];
};

/** Creates the Koa application that `createHttp` runs for each request. */
export const createApp = (parts: Parts, options: HttpOptions): Koa => {
	const {trustProxy = false, logger, token, selfToken, tokens = [], cors = false, rateLimit} = options;
	// Of several addresses, the proxy saw the last; the client may have invented the others.
	const app = new Koa({proxy: trustProxy, maxIpsCount: 1});

	app.use(batchPerTick());

	// 1. Every request gets an id, a line in the log and a count in the metrics.
	app.use(recordRequests(parts.telemetryOf, logger));

	// 2. Pages of allowed origins may read every response, including errors.
	if (cors) {
		app.use(allowOrigins(options));
	}

	// 3. Errors from the steps below become responses here.
	app.use(errorHandler(logger));
	app.use(compress());

	// 4. From here on, paths are relative to the prefix and to the identity in the path.
	if (options.prefix) {
		app.use(mountAt(parts.prefix));
	}

	if (parts.host) {
		app.use(nameIdentity(pathsOfAll));
	}

	// 5. Rate, origin and token are checked before a body is read, only at the node that the client contacted.
	const checkOnce = (check: Middleware) => app.use(beforeForwarding(options.forward, check));

	if (rateLimit) {
		checkOnce(limitRate(rateLimit));
	}

	if (cors !== '*') {
		checkOnce(requireOrigin(cors));
	}

	if (selfToken !== undefined && (token === undefined || token === selfToken)) {
		throw new ConfigurationError('selfToken needs the option token, with a different value: otherwise every client could speak as the '
			+ 'agent.');
	}

	if (tokens.length > 0 && token === undefined) {
		throw new ConfigurationError('tokens needs the option token too, which gives access to everything.');
	}

	if (parts.host?.fleet && options.inspector) {
		app.use(serveFleetPage(fleet.path));
	}

	if (token !== undefined) {
		const paths = publicPaths(options);
		checkOnce(requireToken(options, ctx => isProbe(ctx) || paths.has(ctx.path)));
	}

	if (!parts.host && tokens.some(({identities}) => identities)) {
		throw new ConfigurationError('tokens names identities, and only those of a host have names.');
	}

	// 6. The routes, then OPTIONS, and 405 for other methods of a known path.
	const router = createRouter(parts, options);
	app.use(router.routes());
	app.use(router.allowedMethods());

	app.on('error', (error: unknown) => logger?.warn({err: error}, 'connection failed'));
	return app;
};

/** Skips a check for requests that another node has forwarded: that node has made it. */
const beforeForwarding = (forward: HttpOptions['forward'] | undefined, check: Middleware): Middleware =>
	forward ? async (ctx, next) => forward.isForwarded(ctx) ? next() : check(ctx, next) : check;

/** Paths without a token, which browsers do not send for a page. Pages and OpenAPI document are in the published package anyway. */
const publicPaths = ({docs = true, inspector = false}: HttpOptions): ReadonlySet<string> =>
	new Set([entry.path, faviconPath, '/openapi.json', ...docs ? docsPaths : [], ...inspector ? inspectorPaths() : []]);

const createRouter = (
	{host, identityOf, telemetryOf, observation, asked}: Parts,
	{
		metrics: isCounted = true, maxBodyBytes = 2 ** 20, maxMetadataBytes = 2 ** 16, maxPendingBytes = 2 ** 26,
		validateResponses = false, inspector = false, docs = true, forward, logger, cors, selfToken, tracing,
	}: HttpOptions,
): Router => {
	// Paths match exactly. With all methods known, one that no route has gets 405 instead of 501.
	const router = new Router({sensitive: true, strict: true, methods: METHODS});
	const add = (path: string, method: string, right: Right | null, handle: Middleware, isOfAll = false): void => {
		router.register(path, [method], async (ctx, next) => {
			requireIdentity(ctx, isOfAll ? null : identityNameOf(ctx) ?? idOf(ctx) ?? host?.defaultName ?? null);
			requireRight(ctx, right);
			return handle(ctx, next);
		});
	};

	const limits = {
		maxBodyBytes, maxMetadataBytes, validateResponses, parseBudget: createByteBudget(1),
		readBudget: createByteBudget(readBytesPerTurn), hold: limitPendingBytes(maxPendingBytes, 'Bodies'),
		nameIgnored: createIgnoredNaming(logger),
	};
	const spokenTo = speakAsCaller(identityOf, selfToken !== undefined);
	for (const route of routesFor({isInspected: inspector !== false, hasDocs: docs, host}, asked)) {
		const subjectOf = route === cycle ? spokenTo : route === readyz && host?.readiness ? readinessOf(host, identityOf) : identityOf;
		const handle = guard(route, subjectOf, limits);
		const withText = route.path === metrics.path && isCounted ? withMetricsText(identityOf, telemetryOf, handle) : handle;
		// Prometheus's text has figures of all identities, so a token for some of them gets JSON only.
		const answer: Middleware = (ctx, next) => (callerOf(ctx)?.identities ? handle : withText)(ctx, next);
		add(route.path, route.method, rightOf(route), inSpan(tracing, route, host, answer));
	}

	// The protocol requires a check of origins: a page could talk to a service on its reader's machine. So even with all
	// origins allowed, only pages of the same origin may use it.
	const checkOrigin = beforeForwarding(forward, requireOrigin([]));
	const toOwnPages = (answer: Middleware): Middleware =>
		cors === '*' ? async (ctx, next) => checkOrigin(ctx, async () => answer(ctx, next)) : answer;
	const mcp = inSpan(tracing, {path: mcpPath, method: 'POST', group: 'Talk'}, host, answerMcp(spokenTo, limits));
	// No right for the route: each message is checked for the right that it needs.
	add(mcpPath, 'POST', null, toOwnPages(mcp));
	if (host?.backup) {
		add(backupPath, 'POST', 'operate', toOwnPages(serveBackup(host)));
	}

	router.register(entry.path, ['GET'], serveEntry({inspector: inspector !== false, docs}));
	router.register(faviconPath, ['GET'], serveFavicon());
	for (const route of host ? hostRoutesFor(host) : []) {
		add(route.path, route.method, rightOf(route), guard(route, async ctx => {
			const id = idOf(ctx);
			const name = id === null ? '' : requireName(id);
			// The node that has the identity must put it aside.
			const placement = forward && route.method === 'DELETE' && !forward.isForwarded(ctx) ? await host!.place(name) : null;
			if (placement && 'elsewhere' in placement) {
				await forward!.forward(ctx, name, placement.elsewhere);
				return null;
			}

			return {host: host!, name} satisfies HostRequest;
		}, limits), !route.path.includes(':id'));
	}

	if (docs) {
		router.register([...docsPaths], ['GET'], serveDocs());
	}

	if (inspector) {
		add(events.path, 'GET', 'read', async (ctx, next) => {
			const identity = await identityOf(ctx);
			// If the client left during the look-up, no `close` event would follow to free its stream.
			if (identity && !ctx.res.destroyed) {
				await observation.streamOf(identity).handle(ctx, next);
				// A listener keeps the identity live.
				ctx.res.once('close', identity.on('stopped', () => {}));
			}
		});
		router.register(inspectorPaths(), ['GET'], serveInspector({isHost: host !== null, hasFleet: Boolean(host?.fleet)}));
	}

	return router;
};

/** With tracing, answers requests to an identity within a span. */
const inSpan = (
	tracing: HttpOptions['tracing'], route: Pick<Route, 'path' | 'method' | 'right' | 'group'>, host: Host | null, answer: Middleware,
): Middleware => tracing && (route.group ?? 'Service') !== 'Service' ? (ctx, next) => tracing.answer({
	request: ctx.req, response: ctx.res, route: route.path, identity: identityNameOf(ctx) ?? host?.defaultName ?? null,
	isRead: rightOf(route) === 'read',
}, () => answer(ctx, next)) : answer;

/** The identity's name in the path of a host's route; null without one. */
const idOf = (ctx: Context): string | null => ((ctx['params'] ?? {}) as {id?: string}).id ?? null;

/** The subject of the readiness probe: the identity that it names, or else the node. */
const readinessOf = (host: Host, identityOf: IdentityOf) => async (ctx: Context) =>
	identityNameOf(ctx) === null ? {readiness: () => host.readiness!()} : identityOf(ctx);
