/** Limits the requests of each client address, counted in memory. */
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
			await consume(limiter, ctx.ip);
		}

		await next();
	};
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
