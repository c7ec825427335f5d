/** The identity that a request is about: the one that is served, or the one that a resolver chooses. */
import type {Context} from 'koa';
import {RequestError} from './request-error.ts';
import type {HttpIdentity, Resolver, ResolverRequest} from './resolver.ts';

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
