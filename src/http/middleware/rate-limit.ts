/** How often one client may ask: so many requests in so many seconds for each address, counted in memory. */
import type {Context, Middleware} from 'koa';
import {RateLimiterMemory, RateLimiterRes} from 'rate-limiter-flexible';
import {isProbe} from '../probes.ts';
import {Refusal} from '../request-error.ts';

/** How many requests each client address may send in how many seconds. */
export type RateLimit = {requests: number; seconds: number};

/** @param clientOf The address that a request is counted for. */
export const limitRate = ({requests, seconds}: RateLimit, clientOf: (ctx: Context) => string): Middleware => {
	const limiter = new RateLimiterMemory({points: requests, duration: seconds});
	return async (ctx, next) => {
		if (!isProbe(ctx.path) && !isPreflight(ctx)) {
			await take(limiter, clientOf(ctx));
		}

		await next();
	};
};

/** A browser asks this before a request, by itself: one action of a page would count as two. */
const isPreflight = (ctx: Context): boolean => ctx.method === 'OPTIONS' && ctx.get('Access-Control-Request-Method') !== '';

const take = async (limiter: RateLimiterMemory, client: string): Promise<void> => {
	try {
		await limiter.consume(client);
	} catch (error) {
		if (!(error instanceof RateLimiterRes)) {
			throw error;
		}

		throw new Refusal(429, 'Too many requests; slow down.', {'Retry-After': String(Math.ceil(error.msBeforeNext / 1000))});
	}
};
