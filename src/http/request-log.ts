/**
 * One line for each request, and an id that stands in the line and in the answer. Bodies,
 * queries and credentials are never logged: a content is a person's own.
 */
import {randomUUID} from 'node:crypto';
import type {Middleware} from 'koa';
import type {Logger} from './logger.ts';

/** A caller's own id is taken over if it is short and harmless. */
const harmless = /^[\w.-]{1,128}$/;

export const logRequests = (logger?: Logger, elapsed: () => number = () => performance.now()): Middleware => async (ctx, next) => {
	const began = elapsed();
	const given = ctx.get('X-Request-Id');
	const id = harmless.test(given) ? given : randomUUID();
	ctx.set('X-Request-Id', id);
	await next();
	logger?.info({id, method: ctx.method, path: ctx.path, status: ctx.status, client: ctx.ip, milliseconds: Math.round((elapsed() - began) * 10) / 10}, 'request');
};
