/**
 * Cross-origin rules: which pages may read responses, and which may change the state.
 *
 * Browsers send a preflight before JSON goes to another origin, but not before a request without a body or type. Such a
 * request arrives, and only its response is kept from the page. So unless every origin is allowed, a request that can
 * change the state must come from an allowed origin, from the service itself, or not from a page.
 */
import {isIP} from 'node:net';
import cors from '@koa/cors';
import type {Context, Middleware} from 'koa';
import {cycleIdHeader, ignoredFieldsHeader, replayedHeader} from '../../wire/rename.ts';
import type {OriginPolicy} from '../http-options.ts';
import {RequestError} from '../request-error.ts';
import {nameOf} from '../../platform/option-names.ts';

/** Response headers that a page may read. */
export const exposedHeaders = `X-Request-Id, ${cycleIdHeader}, ${replayedHeader}, ${ignoredFieldsHeader}, Retry-After`;

/**
 * Returns the origin if its pages may read responses; otherwise an empty string, and no CORS headers are sent. The origin
 * is reflected because browsers refuse `*` with credentials.
 */
export const reflectOrigin = (origin: string, {cors: allowed}: OriginPolicy): string =>
	allowed && (allowed === '*' || allowed.includes(origin)) ? origin : '';

/** Whether pages that may read responses may also send credentials, such as cookies. */
export const areCredentialsAllowed = ({cors: allowed, token}: OriginPolicy): boolean => allowed !== '*' || token === undefined;

/** Sends CORS headers and answers preflights. A request without an origin only gets `Vary`. */
export const allowOrigins = (policy: OriginPolicy): Middleware => {
	const withCors = cors({
		origin: ctx => reflectOrigin(ctx.get('Origin'), policy),
		credentials: areCredentialsAllowed(policy),
		allowMethods: 'DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT',
		exposeHeaders: exposedHeaders,
	});
	return async (ctx, next) => {
		if (ctx.get('Origin') === '') {
			ctx.vary('Origin');
			await next();
		} else {
			await withCors(ctx, next);
		}
	};
};

/** Whether a request is a CORS preflight. */
export const isPreflight = (ctx: Context): boolean => ctx.method === 'OPTIONS' && ctx.get('Access-Control-Request-Method') !== '';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/** @throws {RequestError} 403 */
export const requireOrigin = (allowed: false | readonly string[]): Middleware => {
	const isOwn = allowed ? isOwnAddress : isSameOrigin;
	return (ctx, next) => {
		if (!safeMethods.has(ctx.method) && !(allowed && allowed.includes(ctx.get('Origin'))) && !isOwn(ctx)) {
			throw new RequestError(403, `Pages of ${ctx.get('Origin') || 'other origins'} may not do this: list the origin in `
				+ `${nameOf('http.cors')}.`);
		}

		return next();
	};
};

/** Accepts only IP addresses and localhost as host: with DNS rebinding, any other name can resolve to this service. */
const isOwnAddress = (ctx: Context): boolean => {
	const name = ctx.get('Host').replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
	return ctx.get('Origin') === '' || (hasHostOfOrigin(ctx) && (name === 'localhost' || isIP(name) !== 0));
};

/**
 * Uses `Sec-Fetch-Site` if the browser sends it, since behind a proxy the application may not know its public name. Older
 * browsers, and pages without TLS, send only the origin.
 */
const isSameOrigin = (ctx: Context): boolean => {
	const site = ctx.get('Sec-Fetch-Site');
	return site === '' ? ctx.get('Origin') === '' || hasHostOfOrigin(ctx) : site === 'same-origin' || site === 'none';
};

const hasHostOfOrigin = (ctx: Context): boolean => {
	const [origin, host] = [ctx.get('Origin'), ctx.get('Host')];
	return origin === `http://${host}` || origin === `https://${host}`;
};
