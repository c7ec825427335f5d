/** Removes the beginning of a path while the interface answers: the prefix of a host, and `/identities/:id`. */
import type {Context, Middleware} from 'koa';
import {requireIdentityName} from '../../platform/identity-name.ts';
import {ConfigurationError, reasonOf} from '../../platform/errors.ts';
import type {Prefix} from '../hosts.ts';
import {RequestError} from '../request-error.ts';
import {invalidValue} from './validation.ts';

/** Parses a prefix: empty, or segments that each begin with a slash; `:name` matches any value. @throws {ConfigurationError} */
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

/** Decodes a value, or returns it unchanged if it has a malformed escape. */
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

/** Removes the prefix, and stores the values of its parameters in `ctx.state.params`. */
export const mountAt = (prefix: Prefix): Middleware => (ctx, next) => {
	const below = prefix(ctx.path);
	if (!below) {
		throw new RequestError(404, 'Not Found');
	}

	ctx.state['params'] = below.params;
	return answerAt(ctx, below.path, next);
};

/** Mounts every endpoint of an identity below its name. @param ofAll Paths that concern no single identity, and are not mounted. */
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

	ctx.state['name'] = requireName(decode(path.slice(place.length, end)));
	return answerAt(ctx, below, next);
};

/** The name of the identity in a request's path; null without one. */
export const identityNameOf = (ctx: Context): string | null => (ctx.state as {name?: string}).name ?? null;

/** @throws {RequestError} (422) for a name that no identity can have */
export const requireName = (name: string): string => {
	try {
		return requireIdentityName(name);
	} catch (error) {
		throw invalidValue(['path', 'id'], reasonOf(error), name);
	}
};
