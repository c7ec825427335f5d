/** Requires a bearer token for everything but probes and pages, where the operator sets one. */
import {createHash, timingSafeEqual} from 'node:crypto';
import type {Middleware} from 'koa';
import {ConfigurationError} from '../../platform/errors.ts';
import {ownSource} from '../../instruments/source-of.ts';
import {noteCaller, requireTokens, type Caller} from '../caller.ts';
import type {AccessToken, HttpOptions} from '../http-options.ts';
import {RequestError} from '../request-error.ts';
import {isProbe} from '../routes/probes.ts';

/** What a given token is compared with. */
export const digestToken = (token: string): Buffer => createHash('sha256').update(token).digest();

/**
 * Whether a token is the expected one. Compares digests in constant time, so that the time reveals neither the
 * token's bytes nor its length.
 */
export const hasToken = (given: string, expected: Buffer): boolean => timingSafeEqual(digestToken(given), expected);

/** What names a token, and does not give it away. */
const hintOf = (token: string): string => `token ${digestToken(token).toString('hex').slice(-4)}`;

type Known = {readonly digest: Buffer; readonly caller: Caller};

const withAll = (token: string, isAgent: boolean): Known =>
	({digest: digestToken(token), caller: {hint: hintOf(token), rights: ['operate'], identities: null, source: null, isAgent}});

const toKnown = ({name, sha256, rights, source, identities}: AccessToken): Known => ({
	digest: Buffer.from(sha256, 'hex'),
	caller: {hint: `token ${name}`, rights, identities: identities ?? null, source: source ?? null, isAgent: source === ownSource},
});

/** @throws {ConfigurationError} when no request could carry a token */
const listKnown = ({token, selfToken, tokens = []}: HttpOptions): Known[] => {
	const all = [token, selfToken].filter(each => each !== undefined);
	if (!all.every((each: unknown) => typeof each === 'string' && /^\S+$/.test(each))) {
		throw new ConfigurationError('No request can carry a token that is empty, has spaces or is no text: choose another one.');
	}

	return [...all.map(each => withAll(each, each === selfToken)), ...requireTokens(tokens).map(toKnown)];
};

/**
 * Requires a token of every request but the probes' and the public paths', and notes who has it.
 *
 * @param publicPaths Paths besides the probes that need no token.
 * @throws {ConfigurationError} for tokens that cannot be used
 */
export const requireToken = (options: HttpOptions, publicPaths: ReadonlySet<string>): Middleware => {
	const known = listKnown(options);
	return async (ctx, next) => {
		if (!isProbe(ctx) && !publicPaths.has(ctx.path)) {
			const [, given = ''] = /^bearer +(\S+)$/i.exec(ctx.get('Authorization')) ?? [];
			// All are compared, so that the time does not say which it is.
			const found = known.reduce<Known | null>((match, each) => hasToken(given, each.digest) ? each : match, null);
			if (!found) {
				throw new RequestError(401, 'Send the service\'s token as “Authorization: Bearer <token>”.', {'WWW-Authenticate': 'Bearer'});
			}

			noteCaller(ctx, found.caller);
		}

		await next();
	};
};
