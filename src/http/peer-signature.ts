/**
 * Nodes recognise each other's requests by a signature over the method, the path, the hash of the body, the time and the
 * caller. The key is the token that all nodes share, which is never sent. A signature is valid for a short time only. The
 * time is the database's, because the clocks of nodes differ.
 */
import {createHash, createHmac, timingSafeEqual} from 'node:crypto';
import type {Context} from 'koa';
import {RequestError} from './request-error.ts';
import {callerOf, digestToken, noteCaller, type Caller} from './caller.ts';

/** The header with the signature. */
export const forwardedHeader = 'processual-forwarded';

/** How old, or how far in the future, a signature may be, in milliseconds. */
const maxAgeMs = 30_000;

const digestOf = (body: Buffer | null): string => createHash('sha256').update(body ?? '').digest('hex');

/** The caller as the last part of a signature; nothing if the client has no token. */
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

/** The signed digest of each request's body, which is read only after the signature is checked. */
const digests = new WeakMap<object, string>();

/** Whether another node has signed the request. The body is compared when it is read. */
export const isSigned = (token: string, ctx: Context, now: number): boolean => {
	if (digests.has(ctx.req)) {
		return true;
	}

	const [time = '', digest = '', mac = '', ...rest] = ctx.get(forwardedHeader).split('.');
	const isGood = Math.abs(now - Number(time)) <= maxAgeMs
		&& timingSafeEqual(digestToken(mac), digestToken(macOf(token, ctx, time, digest, rest)));
	if (isGood) {
		digests.set(ctx.req, digest);
		if (rest[0] !== undefined) {
			noteCaller(ctx, JSON.parse(Buffer.from(rest[0], 'base64url').toString()) as Caller);
		}
	}

	return isGood;
};

/** @throws {RequestError} (400) for a body that differs from the signed one */
export const requireSignedBody = (ctx: Context, body: Buffer): void => {
	const digest = digests.get(ctx.req);
	if (digest !== undefined && digest !== digestOf(body)) {
		throw new RequestError(400, 'The body is not the one that another node has signed.');
	}
};
