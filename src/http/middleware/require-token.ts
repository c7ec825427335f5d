/** Requires a bearer token for everything but probes and pages, where the operator sets one. */
import {createHash, timingSafeEqual} from 'node:crypto';
import type {Middleware} from 'koa';
import {ConfigurationError} from '../../platform/errors.ts';
import {RequestError} from '../request-error.ts';
import {markAgent} from '../own-voice.ts';
import {isProbe} from '../routes/probes.ts';

/** What a given token is compared with. */
export const digestToken = (token: string): Buffer => createHash('sha256').update(token).digest();

/**
 * Whether a token is the expected one. Compares digests in constant time, so that the time reveals neither the
 * token's bytes nor its length.
 */
export const hasToken = (given: string, expected: Buffer): boolean => timingSafeEqual(digestToken(given), expected);

/** What names a token, and does not give it away. */
export const hintOf = (token: string): string => `token ${digestToken(token).toString('hex').slice(-4)}`;

/**
 * Requires the token of every request but the probes' and the public paths'.
 *
 * @param selfToken That of the agent's own clients, which opens the same.
 * @param publicPaths Paths besides the probes that need no token.
 * @throws {ConfigurationError} when no request could carry a token
 */
export const requireToken = (token: string, selfToken: string | undefined, publicPaths: ReadonlySet<string>): Middleware => {
	if (![token, selfToken ?? token].every(each => /^\S+$/.test(each))) {
		throw new ConfigurationError('No request can carry a token that is empty or has spaces: choose another one.');
	}

	const expected = digestToken(token);
	const own = selfToken === undefined ? null : digestToken(selfToken);
	return async (ctx, next) => {
		const [, given = ''] = /^bearer +(\S+)$/i.exec(ctx.get('Authorization')) ?? [];
		if (own && hasToken(given, own)) {
			markAgent(ctx);
		} else if (!isProbe(ctx) && !publicPaths.has(ctx.path) && !hasToken(given, expected)) {
			throw new RequestError(401, 'Send the service\'s token as “Authorization: Bearer <token>”.', {'WWW-Authenticate': 'Bearer'});
		}

		await next();
	};
};
