/**
 * How nodes know a request of each other: by a signature over its method, its path, the hash of its body, the time, and
 * what the client's token may, under the token that all of them have. The token itself is never sent. A signature
 * holds for a moment only; the time is that of their database, because the clocks of nodes differ.
 */
import {createHash, createHmac} from 'node:crypto';
import type {Context} from 'koa';
import {RequestError} from './request-error.ts';
import {callerOf, noteCaller, type Caller} from './caller.ts';
import {hasToken, digestToken} from './middleware/require-token.ts';

/** Carries the signature. */
export const forwardedHeader = 'processual-forwarded';

/** How old a signature may be, or how far ahead, in milliseconds. */
const maxAgeMs = 30_000;

const digestOf = (body: Buffer | null): string => createHash('sha256').update(body ?? '').digest('hex');

/** Behind a signature where the client has a token: who it is. */
const writeCaller = (caller: Caller | null): string[] => caller ? [Buffer.from(JSON.stringify(caller)).toString('base64url')] : [];

type Signed = Pick<Context, 'method' | 'originalUrl'>;

/** @param rest The caller, or nothing. */
const macOf = (token: string, {method, originalUrl}: Signed, time: string, digest: string, rest: readonly string[]): string =>
	createHmac('sha256', token).update([method, originalUrl, digest, time, ...rest].join('\n')).digest('hex');

/** @param now The database's time, in milliseconds since 1970. */
export const signRequest = (token: string, ctx: Signed & Pick<Context, 'state'>, body: Buffer | null, now: number): string => {
	const [time, digest, rest] = [String(Math.round(now)), digestOf(body), writeCaller(callerOf(ctx))];
	return [time, digest, macOf(token, ctx, time, digest, rest), ...rest].join('.');
};

/** Bodies are read later than signatures are checked. */
const digests = new WeakMap<object, string>();

/** Whether another node has signed the request. Its body is compared when it is read. */
export const isSigned = (token: string, ctx: Context, now: number): boolean => {
	if (digests.has(ctx.req)) {
		return true;
	}

	const [time = '', digest = '', mac = '', ...rest] = ctx.get(forwardedHeader).split('.');
	const isGood = Math.abs(now - Number(time)) <= maxAgeMs && hasToken(mac, digestToken(macOf(token, ctx, time, digest, rest)));
	if (isGood) {
		digests.set(ctx.req, digest);
		if (rest[0] !== undefined) {
			noteCaller(ctx, JSON.parse(Buffer.from(rest[0], 'base64url').toString()) as Caller);
		}
	}

	return isGood;
};

/** @throws {RequestError} (400) for a body that is not the one which was signed */
export const requireSignedBody = (ctx: Context, body: Buffer): void => {
	const digest = digests.get(ctx.req);
	if (digest !== undefined && digest !== digestOf(body)) {
		throw new RequestError(400, 'The body is not the one that another node has signed.');
	}
};
