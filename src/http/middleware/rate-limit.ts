/** Limits the requests of each client address, counted in memory. */
import {isIPv6} from 'node:net';
import type {Middleware} from 'koa';
import {RateLimiterMemory, RateLimiterRes} from 'rate-limiter-flexible';
import type {RateLimit} from '../http-options.ts';
import {RequestError} from '../request-error.ts';
import {isProbe} from '../routes/probes.ts';
import {isPreflight} from './origin.ts';

/** Probes and preflights do not count: a browser sends a preflight by itself, so an action of a page would count twice. */
export const limitRate = ({requests, seconds}: RateLimit): Middleware => {
	const limiter = new RateLimiterMemory({points: requests, duration: seconds});
	return async (ctx, next) => {
		if (!isProbe(ctx) && !isPreflight(ctx)) {
			await consume(limiter, clientOf(ctx.ip));
		}

		await next();
	};
};

/**
 * Whose requests an address's are: of IPv6 its network of 64 bits, which one client has whole, with 2^64 addresses. An
 * address of IPv4 stands as it is, in the notation of IPv6 too, and so does one of the local link, whose network all share.
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

const consume = async (limiter: RateLimiterMemory, client: string): Promise<void> => {
	try {
		await limiter.consume(client);
	} catch (error) {
		if (!(error instanceof RateLimiterRes)) {
			throw error;
		}

		throw new RequestError(429, 'Too many requests; slow down.', {'Retry-After': String(Math.ceil(error.msBeforeNext / 1000))});
	}
};
