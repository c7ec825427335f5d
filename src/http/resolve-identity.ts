/** The identity that a request is about: the one that is served, the one that a resolver chooses, or the host's whose name the path has. */
import type {Context} from 'koa';
import {MovedError} from '../platform/errors.ts';
import type {Host, Placement} from '../host/host.ts';
import type {Forwarder, HttpOptions, HttpIdentity, Resolver, ResolverRequest} from './http-options.ts';
import {identityNameOf} from './middleware/name-identity.ts';
import {RequestError} from './request-error.ts';

/**
 * Gives the identity of a request, and notes it in `ctx.state.identity`; null where another node has answered. Of a host it
 * may not be used after a wait: it is asked for again then.
 *
 * @param isAgain Whether the request has had its identity before.
 * @throws {RequestError} 404; and what a host throws
 */
export type IdentityOf = (ctx: Context, isAgain?: boolean) => HttpIdentity | null | Promise<HttpIdentity | null>;

/** What is served: one identity, many of a host, or those that a resolver chooses. */
export type Served = HttpIdentity | Host | Resolver;

export const isHost = (served: Served): served is Host => 'place' in served;

/** @param onResolve Called with each identity of many, before the request is handled. */
export const resolveIdentity = (served: Served, {forward}: HttpOptions, onResolve: (identity: HttpIdentity) => void): IdentityOf => {
	const note = (ctx: Context, identity: HttpIdentity): HttpIdentity => {
		ctx.state['identity'] = identity;
		onResolve(identity);
		return identity;
	};

	if (isHost(served)) {
		return placeIdentity(served, forward, note);
	}

	if (typeof served !== 'function') {
		return () => served;
	}

	return async ctx => {
		const {identity: known} = ctx.state as {identity?: HttpIdentity};
		// A host may have closed it while the body was read.
		if (known && !isStopped(known)) {
			return known;
		}

		const identity = await served(toResolverRequest(ctx));
		if (!identity) {
			throw new RequestError(404, 'Not Found');
		}

		return note(ctx, identity);
	};
};

/** A live identity is given without a promise: most requests are about one. */
const placeIdentity = (
	host: Host, forwarder: Forwarder | undefined, note: (ctx: Context, identity: HttpIdentity) => HttpIdentity,
): IdentityOf => {
	const follow = async (
		ctx: Context, name: string, placing: Placement | Promise<Placement>, isAgain: boolean,
	): Promise<HttpIdentity | null> => {
		const placement = await placing;
		if ('here' in placement) {
			return note(ctx, placement.here);
		}

		if (isAgain || !forwarder || forwarder.isForwarded(ctx)) {
			throw new MovedError(`The identity “${name}” is at another node now; try again in a moment.`, {owner: placement.elsewhere});
		}

		await forwarder.forward(ctx, name, placement.elsewhere);
		return null;
	};

	return (ctx, isAgain = false) => {
		const name = identityNameOf(ctx) ?? host.defaultName;
		const placement = host.place(name);
		return 'here' in placement ? note(ctx, placement.here) : follow(ctx, name, placement, isAgain);
	};
};

const isStopped = ({actor}: HttpIdentity): boolean => actor !== undefined && actor.getSnapshot().status !== 'active';

const toResolverRequest = (ctx: Context): ResolverRequest => {
	// HTTP/2 has pseudo-headers, which begin with a colon.
	const given = Object.entries(ctx.headers).filter(([name]) => !name.startsWith(':'));
	const headers = new Headers(given.flatMap(([name, value]) => [value ?? []].flat().map((each): [string, string] => [name, each])));
	return {method: ctx.method, url: ctx.href, headers, params: (ctx.state as {params?: Record<string, string>}).params ?? {}};
};
