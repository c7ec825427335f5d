/** The identity that a request is about: the one that is served, or the one that a resolver chooses. */
import type {Context} from 'koa';
import type {ProcessActor} from '../identity/pending-requests.ts';
import type {Identity} from '../identity/identity.ts';
import {RequestError} from './request-error.ts';

/** An identity to serve. Event stream and metrics need its actor. */
export type HttpIdentity = Identity & {readonly actor?: ProcessActor};

/** What a resolver sees of a request. */
export type ResolverRequest = {
	readonly method: string;
	/** Absolute, with the prefix. */
	readonly url: string;
	readonly headers: Headers;
	/** Values of the prefix's `:name` segments, decoded. */
	readonly params: Readonly<Record<string, string>>;
};

/**
 * Chooses the identity of a request; null, and the answer is 404. An error that it throws is
 * answered as an identity's own: `InputError` 422, `BusyError` 429, `UnavailableError` 503, any
 * other 500. It is not asked for `/livez`, the OpenAPI document and the pages.
 */
export type Resolver = (request: ResolverRequest) => HttpIdentity | null | undefined | Promise<HttpIdentity | null | undefined>;

/** Gives the identity of a request, and notes it in `ctx.state.identity`. @throws {RequestError} 404 */
export type IdentityOf = (ctx: Context) => HttpIdentity | Promise<HttpIdentity>;

/** @param onResolve Called with each identity that a resolver chooses, before the request is handled. */
export const resolveIdentity = (served: HttpIdentity | Resolver, onResolve: (identity: HttpIdentity) => void): IdentityOf => {
	if (typeof served !== 'function') {
		return () => served;
	}

	return async ctx => {
		const identity = await served(toResolverRequest(ctx));
		if (!identity) {
			throw new RequestError(404, 'Not Found');
		}

		ctx.state['identity'] = identity;
		onResolve(identity);
		return identity;
	};
};

const toResolverRequest = (ctx: Context): ResolverRequest => {
	// HTTP/2 has pseudo-headers, which begin with a colon.
	const given = Object.entries(ctx.headers).filter(([name]) => !name.startsWith(':'));
	const headers = new Headers(given.flatMap(([name, value]) => [value ?? []].flat().map((each): [string, string] => [name, each])));
	return {method: ctx.method, url: ctx.href, headers, params: (ctx.state as {params?: Record<string, string>}).params ?? {}};
};
