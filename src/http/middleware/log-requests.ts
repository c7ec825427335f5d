/**
 * One log line for each request, and an id in the line and in the response. Bodies, queries and
 * credentials are never logged: they are private.
 */
import type {Middleware} from 'koa';
import type {Logger} from '../logger.ts';
import {requestIdOf} from './request-id.ts';

export const logRequests = (logger?: Logger): Middleware => async (ctx, next) => {
	// A host may have given the request an id already.
	const id = requestIdOf(ctx.response.get('X-Request-Id') || ctx.get('X-Request-Id'));
	ctx.set('X-Request-Id', id);
	if (!logger) {
		return next();
	}

	const startedAt = performance.now();
	// Before the response: a closed connection has no address.
	const client = ctx.ip;
	await next();
	logger.info({id, method: ctx.method, path: ctx.path, status: ctx.status, client, milliseconds: Math.round((performance.now() - startedAt) * 10) / 10}, 'request');
};
