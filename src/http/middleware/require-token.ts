/** Requires a bearer token, if the operator has set one, for everything except probes and pages. */
import {createHash, timingSafeEqual} from 'node:crypto';
import type {Middleware} from 'koa';
import {ConfigurationError} from '../../platform/errors.ts';
import {isHeaderSafe} from '../../platform/server-access.ts';
import {ownSource} from '../../instruments/source-of.ts';
import {noteCaller, requireTokens, type Caller} from '../caller.ts';
import type {AccessToken, HttpOptions} from '../http-options.ts';
import {RequestError} from '../request-error.ts';
import {isProbe} from '../routes/probes.ts';

/** The digest by which tokens are compared, in constant time: so the time reveals neither the bytes nor the length of a token. */
export const digestToken = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Identifies a token without revealing it. */
const hintOf = (token: string): string => `token ${digestToken(token).toString('hex').slice(-4)}`;

type Known = {readonly digest: Buffer; readonly caller: Caller};

const withAll = (token: string, isAgent: boolean): Known =>
	({digest: digestToken(token), caller: {hint: hintOf(token), rights: ['operate'], identities: null, source: null, isAgent}});

const toKnown = ({name, sha256, rights, source, identities}: AccessToken): Known => ({
	digest: Buffer.from(sha256, 'hex'),
	caller: {hint: `token ${name}`, rights, identities: identities ?? null, source: source ?? null, isAgent: source === ownSource},
});

/** @throws {ConfigurationError} for a token that no request could carry, and for a wrong row of `tokens` */
const listKnown = ({token, selfToken, tokens = []}: HttpOptions): Known[] => {
	const all = [token, selfToken].filter(each => each !== undefined);
	if (!all.every((each: unknown) => typeof each === 'string' && isHeaderSafe(each))) {
		throw new ConfigurationError('A token must be visible ASCII without blanks: no request can carry another. Choose another one.');
	}

	return [...all.map(each => withAll(each, each === selfToken)), ...requireTokens(tokens).map(toKnown)];
};

/**
 * Requires a token, except for probes and public paths, and stores the caller.
 *
 * @param publicPaths Paths besides the probes that need no token.
 * @throws {ConfigurationError} for tokens that cannot be used
 */
export const requireToken = (options: HttpOptions, publicPaths: ReadonlySet<string>): Middleware => {
	const known = listKnown(options);
	return async (ctx, next) => {
		if (!isProbe(ctx) && !publicPaths.has(ctx.path)) {
			const [, given = ''] = /^bearer +(\S+)$/i.exec(ctx.get('Authorization')) ?? [];
			// Hashed once, since a stranger's may be long. Compare all, so that the time does not reveal which token it is.
			const digest = digestToken(given);
			const found = known.reduce<Known | null>((match, each) => timingSafeEqual(digest, each.digest) ? each : match, null);
			if (!found) {
				throw new RequestError(401, 'Send the service\'s token as “Authorization: Bearer <token>”.', {'WWW-Authenticate': 'Bearer'});
			}

			noteCaller(ctx, found.caller);
		}

		await next();
	};
};
