/** The beginning of a path, which is removed while the interface answers: the prefix of a host, and `/identities/:id`. */
import type {Context, Middleware} from 'koa';
import {requireIdentityName} from '../../platform/identity-name.ts';
import {ConfigurationError, reasonOf} from '../../platform/errors.ts';
import type {Prefix} from '../hosts.ts';
import {RequestError} from '../request-error.ts';
import {invalidValue} from './validation.ts';

/** Reads a prefix: empty, or segments that each begin with a slash. A segment `:name` takes any value. @throws {ConfigurationError} */
export const readPrefix = (prefix: string): Prefix => {
	if (prefix !== '' && !/^(?:\/[^/?#]+)+$/.test(prefix)) {
		throw new ConfigurationError(`The prefix “${prefix}” is not a path: a prefix begins with a slash and ends without one, as `
			+ '“/identity” does.');
	}

	const wanted = prefix.split('/').slice(1);
	return path => {
		const given = path.split('/').slice(1);
		const params: Record<string, string> = {};
		for (const [index, segment] of wanted.entries()) {
			const value = given[index];
			if (segment.startsWith(':') && value) {
				params[segment.slice(1)] = decode(value);
			} else if (segment !== value) {
				return null;
			}
		}

		return {path: `/${given.slice(wanted.length).join('/')}`, params};
	};
};

/** A value with a malformed escape is taken as it is. */
const decode = (value: string): string => {
	try {
		return decodeURIComponent(value);
	} catch {
		return value;
	}
};

const place = '/identities/';

const answerAt = async (ctx: Context, below: string, next: () => Promise<unknown>): Promise<void> => {
	const {path} = ctx;
	ctx.path = below;
	try {
		await next();
	} finally {
		ctx.path = path;
	}
};

/** Removes the prefix. The values of its parameters are in `ctx.state.params`. */
export const mountAt = (prefix: Prefix): Middleware => (ctx, next) => {
	const below = prefix(ctx.path);
	if (!below) {
		throw new RequestError(404, 'Not Found');
	}

	ctx.state['params'] = below.params;
	return answerAt(ctx, below.path, next);
};

/** Below the name is every endpoint of that identity. @param ofAll Paths that are not of one identity, and so not below any. */
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
	return answerAt(ctx, below, next);
};

/** The name of the identity that a request's path has; null without one. */
export const identityNameOf = (ctx: Context): string | null => (ctx.state as {name?: string}).name ?? null;

/** @throws {RequestError} 422 */
export const requireName = (name: string): string => {
	try {
		return requireIdentityName(name);
	} catch (error) {
		throw invalidValue(['path', 'id'], reasonOf(error), name);
	}
};
