/** How often one client may ask: so many requests in so many seconds for each address, counted in memory. */
import type {Middleware} from 'koa';
import {RateLimiterMemory, RateLimiterRes} from 'rate-limiter-flexible';
import {isProbe} from './probes.ts';
import {Refusal} from './refusal.ts';

/** How many requests each client address may send in how many seconds. */
export type RateLimit = {requests: number; seconds: number};

export const limitRate = ({requests, seconds}: RateLimit): Middleware => {
	const limiter = new RateLimiterMemory({points: requests, duration: seconds});
	return async (ctx, next) => {
		if (!isProbe(ctx.path)) {
			await take(limiter, ctx.ip);
		}

		await next();
	};
};

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
