/**
 * The HTTP interface of one identity or many. The same composition serves the service, your own server, and hosts without a
 * Node server.
 */
import type {Context} from 'koa';
import type {Host} from '../host/host.ts';
import {ConfigurationError} from '../platform/errors.ts';
import {createApp} from './app.ts';
import {fromHost, type HostHandler} from './hosts.ts';
import type {HttpOptions, HttpTelemetry, HttpIdentity, RateLimit, Resolver} from './http-options.ts';
import {observe} from './observation.ts';
import type {AnyQuestion} from './question.ts';
import {questions} from './questions.ts';
import {readPrefix} from './middleware/name-identity.ts';
import {isHost, resolveIdentity} from './resolve-identity.ts';
import {ranges, requireOptions, whole, within, type Checks} from '../platform/ranges.ts';
import {inTurns} from './take-turns.ts';
import {toFetch} from './web-bridge.ts';

const bytes = whole(ranges.bytes);
const seconds = within(ranges.seconds);

const checks: Checks<HttpOptions> = {
	prefix: true,
	cors: {
		isAllowed: (value: unknown) => value === false || value === '*' || Array.isArray(value),
		expected: 'false, “*” or a list of origins',
	},
	token: true, selfToken: true, tokens: true, inspector: true, metrics: true, tracing: true, docs: true,
	rateLimit: {
		isAllowed: (value: RateLimit | null) => Number.isInteger(value?.requests) && value!.requests > 0 && seconds.isAllowed(value!.seconds),
		expected: 'an object such as {requests: 60, seconds: 60}',
	},
	trustProxy: true, logger: true, maxBodyBytes: bytes, maxMetadataBytes: bytes, maxPendingBytes: bytes, forward: true,
	validateResponses: true,
};

/** The HTTP interface, for any host. */
export type Http = {
	/**
	 * Answers in a Node server: as a listener of `node:http`, as middleware of Express or Koa, or as a route of Fastify.
	 * Resolves when the response is complete, or an event stream has begun. With a `prefix`, middleware passes on requests
	 * for other paths.
	 */
	handler: HostHandler;
	/**
	 * Answers a web-standard request, as in Hono, Next, Deno and workers. Rejects if the client leaves before there is a
	 * response. Needs no server, and only the streams of Node.
	 */
	fetch: (request: Request) => Promise<Response>;
	/** Ends the event streams and stops counting. The identity is only borrowed, and not disposed of. */
	close: () => void;
};

/**
 * Creates the HTTP interface of an identity: every endpoint, the OpenAPI document and its page, probes, metrics for
 * Prometheus, and with the option `inspector` the event stream and its page. Call it right after creating the identity, so
 * that the stream contains the steps of the boot.
 *
 * The defaults have no token and no rate limit: they suit an interface that only the host's own code can reach. Set
 * `token`, or guard the path in the host, before others can reach it.
 *
 * @param served An identity, a host with identities at `/identities/:id`, or a function that chooses an identity per request.
 * @throws {ConfigurationError} when an option cannot be used
 *
 * @example
 * ```ts
 * import {createServer} from 'node:http';
 * import {createIdentity} from 'processual-state';
 * import {createHttp} from 'processual-state/http';
 *
 * const http = createHttp(createIdentity(), {token: 'a-long-secret', rateLimit: {requests: 60, seconds: 60}});
 * createServer(http.handler).listen(8100);
 * ```
 *
 * @example Many identities, chosen by the path
 * ```ts
 * import {createIdentity} from 'processual-state';
 * import {createHttp} from 'processual-state/http';
 *
 * const tenants = new Map([['ada', createIdentity()], ['ben', createIdentity()]]);
 * const http = createHttp(({params}) => tenants.get(params['tenant']!), {prefix: '/tenants/:tenant'});
 * const response = await http.fetch(new Request('https://example.org/tenants/ada/health'));
 * ```
 */
export const createHttp = (served: HttpIdentity | Host | Resolver, options: HttpOptions = {}): Http =>
	createAsking(questions, served, options);

/** Creates the interface for these questions. Each is an `AnyQuestion`, a type that would bring TypeBox into the public types. */
export const createAsking = (asked: readonly object[], served: HttpIdentity | Host | Resolver, options: HttpOptions = {}): Http => {
	if (!served || served instanceof Promise) {
		throw new ConfigurationError('createHttp needs an identity, a host, or a function that chooses an identity. Await what opens it.');
	}

	requireOptions('The interface', options, checks);
	const prefix = readPrefix(options.prefix ?? '');
	const host = isHost(served) ? served : null;
	const only = typeof served === 'function' || isHost(served) ? null : served;
	const observation = observe(options, {isOne: only !== null, host});
	if (only && options.inspector) {
		// Created now, so that the stream's history begins here.
		observation.streamOf(only);
	}

	const telemetryOfOnly = host ? observation.telemetryOfHost : only && observation.telemetryOf(only);
	const telemetryOf = (ctx: Context): HttpTelemetry | null => {
		const {identity} = ctx.state as {identity?: HttpIdentity};
		return identity && !host ? observation.telemetryOf(identity) : telemetryOfOnly;
	};

	// An identity of many is counted from its first request onwards.
	const identityOf = resolveIdentity(served, options, observation.telemetryOf);
	const handle = createApp(
		{prefix, host, identityOf, telemetryOf, observation, asked: asked as readonly AnyQuestion[]}, options,
	).callback();

	return {
		handler: fromHost(inTurns(handle), prefix),
		fetch: toFetch(handle),
		close: observation.close,
	};
};
