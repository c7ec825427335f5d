/**
 * One log line for each request, and an id in the line and in the response. A line is at level
 * debug, or at info where the request was slow or failed by the service's fault. Bodies, queries
 * and credentials are never logged: they are private.
 */
import type {Middleware} from 'koa';
import {systemTime, type Time} from '../../platform/clock.ts';
import type {Logger} from '../logger.ts';
import {requestIdOf} from './request-id.ts';

/** From here on a request is slow. A cycle takes a few milliseconds, a question to the past some hundred. */
const slowMs = 1000;

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
	logger[isSlow || ctx.status >= 500 ? 'info' : 'debug']({id, method: ctx.method, path: ctx.path, status: ctx.status, client, milliseconds}, isSlow ? 'slow request' : 'request');
};
