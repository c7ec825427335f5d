/** Removes `/identities/:id` from the path while the interface answers: below it is every endpoint of that identity. */
import type {Context, Middleware} from 'koa';
import {requireIdentityName} from '../../platform/identity-name.ts';
import {reasonOf} from '../../platform/errors.ts';
import {RequestError} from '../request-error.ts';
import {toRequestError} from './validation.ts';

const place = '/identities/';

/** @param ofAll Paths that are not of one identity, and so not below any. */
export const nameIdentity = (ofAll: ReadonlySet<string>): Middleware => async (ctx, next) => {
	const {path} = ctx;
	const end = path.startsWith(place) ? path.indexOf('/', place.length) : -1;
	if (end === -1) {
		return next();
	}

	const below = path.slice(end);
	if (ofAll.has(below) || below.startsWith(place)) {
		throw new RequestError(404, 'Not Found');
	}

	ctx.state['name'] = requireName(path.slice(place.length, end));
	ctx.path = below;
	try {
		await next();
	} finally {
		ctx.path = path;
	}
};

/** The name of the identity that a request's path has; null without one. */
export const identityNameOf = (ctx: Context): string | null => (ctx.state as {name?: string}).name ?? null;

/** @throws {RequestError} 422 */
export const requireName = (name: string): string => {
	try {
		return requireIdentityName(name);
	} catch (error) {
		throw toRequestError([{type: 'value_error', loc: ['path', 'id'], msg: reasonOf(error), input: name}]);
	}
};
