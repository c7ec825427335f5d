/** Requires a bearer token for everything but probes and pages, where the operator sets one. */
import {createHash, timingSafeEqual} from 'node:crypto';
import type {Middleware} from 'koa';
import {ConfigurationError} from '../../errors.ts';
import {RequestError} from '../request-error.ts';
import {isProbe} from '../routes/probes.ts';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/**
 * Compares digests in constant time, so that the time reveals neither the token's bytes nor its length.
 *
 * @param publicPaths Paths besides the probes that need no token.
 * @throws {ConfigurationError} when no request could carry the token
 */
export const requireToken = (token: string, publicPaths: ReadonlySet<string>): Middleware => {
	if (!/^\S+$/.test(token)) {
		throw new ConfigurationError('No request can carry a token that is empty or has spaces: choose another one.');
	}

	const expected = digest(token);
	return async (ctx, next) => {
		const [, given = ''] = /^bearer +(\S+)$/i.exec(ctx.get('Authorization')) ?? [];
		if (!isProbe(ctx.path) && !publicPaths.has(ctx.path) && !timingSafeEqual(digest(given), expected)) {
			throw new RequestError(401, 'Send the service\'s token as “Authorization: Bearer <token>”.', {'WWW-Authenticate': 'Bearer'});
		}

		await next();
	};
};
