/**
 * What is kept of each request: an id, a line in the log, a count for telemetry. Bodies, queries and credentials are
 * private, and never logged.
 */
import type {Middleware, Context} from 'koa';
import {systemTime, type Time} from '../../platform/clock.ts';
import type {Logger, HttpTelemetry} from '../http-options.ts';
import {randomUUID} from 'node:crypto';

/** From here on a request is slow. A cycle takes a few milliseconds, a question to the past some hundred. */
const slowMs = 1000;

/**
 * Gives each request an id, in its line and in its response. A line is at level debug, or at info where the request
 * was slow or failed by the service's fault.
 */
export const logRequests = (logger?: Logger, time: Pick<Time, 'elapsed'> = systemTime): Middleware => async (ctx, next) => {
	// A host may have given the request an id already.
	const id = requestIdOf(ctx.response.get('X-Request-Id') || ctx.get('X-Request-Id'));
	ctx.set('X-Request-Id', id);
	if (!logger) {
		return next();
	}

	const startedAt = time.elapsed();
	// Before the response: a closed connection has no address.
	const client = ctx.ip;
	await next();
	const milliseconds = Math.round((time.elapsed() - startedAt) * 10) / 10;
	const isSlow = milliseconds >= slowMs;
	logger[isSlow || ctx.status >= 500 ? 'info' : 'debug'](
		{id, method: ctx.method, path: ctx.path, status: ctx.status, client, milliseconds}, isSlow ? 'slow request' : 'request',
	);
};

const harmless = /^[\w.-]{1,128}$/;

/** The client's own id if it is short and harmless; else a new one. */
export const requestIdOf = (given: string): string => harmless.test(given) ? given : randomUUID();

/** Counts every request under the path of its route. Stands where the status is final. */
export const countRequests = (
	telemetryOf: (ctx: Context) => Pick<HttpTelemetry, 'countRequest'> | null,
): Middleware => async (ctx, next) => {
	const startedAt = performance.now();
	await next();
	const {_matchedRoute: route = 'other'} = ctx as {_matchedRoute?: string};
	telemetryOf(ctx)?.countRequest({method: ctx.method, route, status: ctx.status, seconds: (performance.now() - startedAt) / 1000});
};
