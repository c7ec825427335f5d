/** Limits the requests per client address, counted in memory. */
import {isIPv6} from 'node:net';
import type {Middleware} from 'koa';
import {RateLimiterMemory, RateLimiterRes} from 'rate-limiter-flexible';
import type {RateLimit} from '../http-options.ts';
import {RequestError} from '../request-error.ts';
import {isProbe} from '../routes/probes.ts';
import {isPreflight} from './origin.ts';

/** Ignores probes, and preflights: browsers add those themselves, so an action of a page would count twice. */
export const limitRate = ({requests, seconds}: RateLimit): Middleware => {
	const limiter = new RateLimiterMemory({points: requests, duration: seconds});
	return async (ctx, next) => {
		if (!isProbe(ctx) && !isPreflight(ctx)) {
			await limiter.consume(clientOf(ctx.ip)).catch((refused: unknown) => {
				throw refused instanceof RateLimiterRes
					? new RequestError(429, 'Too many requests; slow down.', {'Retry-After': String(Math.ceil(refused.msBeforeNext / 1000))})
					: refused;
			});
		}

		await next();
	};
};

/**
 * The key under which an address is counted. An IPv6 address counts as its /64 network, because one client has all of its
 * 2^64 addresses. IPv4 addresses, also in IPv6 notation, count by themselves, and so do link-local ones, whose network is
 * shared by all.
 */
const clientOf = (address: string): string => {
	if (!isIPv6(address) || address.includes('.') || /^fe80:/i.test(address)) {
		return address;
	}

	const [before = '', after] = address.toLowerCase().split('::');
	const groups = before === '' ? [] : before.split(':');
	const rest = after ? after.split(':') : [];
	const all = after === undefined ? groups : [...groups, ...Array.from({length: 8 - groups.length - rest.length}, () => '0'), ...rest];
	return all.slice(0, 4).map(group => group.replace(/^0+(?=.)/, '')).join(':');
};
