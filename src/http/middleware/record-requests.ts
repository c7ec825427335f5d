/**
 * Records each request: an id, a line in the log and a count for telemetry. Bodies, queries and credentials are private and
 * never logged.
 */
import type {Middleware, Context} from 'koa';
import {systemTime, type Time} from '../../platform/clock.ts';
import type {Logger, HttpTelemetry} from '../http-options.ts';
import {randomUUID} from 'node:crypto';

/** The duration from which a request is slow. A cycle takes a few milliseconds, a question to the past some hundreds. */
const slowMs = 1000;

/**
 * Gives each request an id, in its log line and in its response, and counts it under the path of its route. The line has the
 * level debug, or info if the request was slow or failed through a fault of the service. Must wrap the error handler, so
 * that the status is final.
 */
export const recordRequests = (
	telemetryOf: (ctx: Context) => Pick<HttpTelemetry, 'countRequest'> | null, logger?: Logger, time: Pick<Time, 'elapsed'> = systemTime,
): Middleware => async (ctx, next) => {
	// The host may already have given the request an id.
	const id = requestIdOf(ctx.response.get('X-Request-Id') || ctx.get('X-Request-Id'));
	ctx.set('X-Request-Id', id);
	const startedAt = time.elapsed();
	// Read before the response, since a closed connection has no address.
	const {method, ip: client} = ctx;
	await next();
	const elapsedMs = time.elapsed() - startedAt;
	const {path, status} = ctx;
	const {_matchedRoute: route = 'other'} = ctx as {_matchedRoute?: string};
	telemetryOf(ctx)?.countRequest({method, route, status, seconds: elapsedMs / 1000});
	const milliseconds = Math.round(elapsedMs * 10) / 10;
	const isSlow = milliseconds >= slowMs;
	logger?.[isSlow || status >= 500 ? 'info' : 'debug'](
		{id, method, path, status, client, milliseconds}, isSlow ? 'slow request' : 'request',
	);
};

const harmless = /^[\w.-]{1,128}$/;

/** The client's id if it is short and harmless, otherwise a new one. */
export const requestIdOf = (given: string): string => harmless.test(given) ? given : randomUUID();
