/** Finds the identity of a request: the only one served, the resolver's choice, or the host's identity that the path names. */
import type {Context} from 'koa';
import {MovedError} from '../platform/errors.ts';
import type {Host} from '../host/host.ts';
import type {HttpOptions, HttpIdentity, Resolver, ResolverRequest} from './http-options.ts';
import {identityNameOf} from './middleware/name-identity.ts';
import {RequestError} from './request-error.ts';

/**
 * Finds the identity of a request and stores it in `ctx.state.identity`; null if another node has answered. A host may close
 * an identity at any time, so after a wait it must be asked for again.
 *
 * @param isAgain Whether the request's identity was found before.
 * @throws {RequestError} 404; and the errors of a host
 */
export type IdentityOf = (ctx: Context, isAgain?: boolean) => Promise<HttpIdentity | null>;

/** One identity, the identities of a host, or those that a resolver chooses. */
export type Served = HttpIdentity | Host | Resolver;

export const isHost = (served: Served): served is Host => 'place' in served;

/** @param onResolve Called with the identity before the request is handled, unless only one is served. */
export const resolveIdentity = (served: Served, {forward}: HttpOptions, onResolve: (identity: HttpIdentity) => void): IdentityOf => {
	const note = (ctx: Context, identity: HttpIdentity): HttpIdentity => {
		ctx.state['identity'] = identity;
		onResolve(identity);
		return identity;
	};

	if (isHost(served)) {
		return async (ctx, isAgain = false) => {
			const name = identityNameOf(ctx) ?? served.defaultName;
			const placement = await served.place(name);
			if ('here' in placement) {
				return note(ctx, placement.here);
			}

			if (isAgain || !forward || forward.isForwarded(ctx)) {
				throw new MovedError(`The identity “${name}” is at another node now; try again in a moment.`, {owner: placement.elsewhere});
			}

			await forward.forward(ctx, name, placement.elsewhere);
			return null;
		};
	}

	if (typeof served !== 'function') {
		return async () => served;
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

const isStopped = ({actor}: HttpIdentity): boolean => actor !== undefined && actor.getSnapshot().status !== 'active';

const toResolverRequest = (ctx: Context): ResolverRequest => {
	// Leave out the pseudo-headers of HTTP/2, which begin with a colon.
	const given = Object.entries(ctx.headers).filter(([name]) => !name.startsWith(':'));
	const headers = new Headers(given.flatMap(([name, value]) => [value ?? []].flat().map((each): [string, string] => [name, each])));
	return {method: ctx.method, url: ctx.href, headers, params: (ctx.state as {params?: Record<string, string>}).params ?? {}};
};
