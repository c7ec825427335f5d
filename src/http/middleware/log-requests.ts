/**
 * One line for each request, and an id that stands in the line and in the answer. Bodies,
 * queries and credentials are never logged: a content is a person's own.
 */
import type {Context, Middleware} from 'koa';
import type {Logger} from '../logger.ts';
import {requestIdOf} from './request-id.ts';

/** @param clientOf The address that a request's line tells. */
export const logRequests = (clientOf: (ctx: Context) => string, logger?: Logger, elapsed: () => number = () => performance.now()): Middleware => async (ctx, next) => {
	const began = elapsed();
	// Before the answer: a connection that has ended has no address.
	const client = logger && clientOf(ctx);
	const id = requestIdOf(ctx.get('X-Request-Id'));
	ctx.set('X-Request-Id', id);
	await next();
	logger?.info({id, method: ctx.method, path: ctx.path, status: ctx.status, client, milliseconds: Math.round((elapsed() - began) * 10) / 10}, 'request');
};
