/**
 * Which pages may read answers, and which may change something, when the operator lists their origins.
 *
 * Browsers ask for permission before they send JSON to another origin, but not before a body
 * without a type, or none: those arrive, and only the answer is kept from the page. So where
 * origins are listed, a request that can change something must come from one of them, from the
 * service's own pages, or from no page at all.
 */
import {isIP} from 'node:net';
import type {Middleware} from 'koa';
import {Refusal} from './refusal.ts';

/** What of an answer's headers a page may read. */
export const exposedHeaders = 'X-Request-Id, Retry-After';

/** An empty origin sends no CORS headers, which browsers take for a no. */
export const reflected = (origin: string, allowed?: readonly string[]): string => allowed?.includes(origin) === false ? '' : origin;

const harmless = new Set(['GET', 'HEAD', 'OPTIONS']);

/** @throws {Refusal} 403 */
export const requireOrigin = (allowed: readonly string[]): Middleware => async (ctx, next) => {
	const origin = ctx.get('Origin');
	if (origin !== '' && !harmless.has(ctx.method) && !allowed.includes(origin) && !isOwn(origin, ctx.get('Host'))) {
		throw new Refusal(403, `Pages of ${origin} may not do this: list the origin in ALLOWED_ORIGINS.`);
	}

	await next();
};

/** A name could be anybody's that was made to lead here for a moment; an address, or this machine's own name, could not. */
const isOwn = (origin: string, host: string): boolean => {
	const name = host.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
	return (origin === `http://${host}` || origin === `https://${host}`) && (name === 'localhost' || isIP(name) !== 0);
};
