/** The prefix under which a host mounts the interface. Its type names Koa, and that of the prefix does not: hosts without Koa use it. */
import type {Middleware} from 'koa';
import type {Prefix} from '../prefix.ts';
import {RequestError} from '../request-error.ts';

/** Removes the prefix from the path while the interface answers. The values of its parameters are in `ctx.state.params`. */
export const mountAt = (prefix: Prefix): Middleware => async (ctx, next) => {
	const {path} = ctx;
	const below = prefix(path);
	if (!below) {
		throw new RequestError(404, 'Not Found');
	}

	ctx.state['params'] = below.params;
	ctx.path = below.path;
	try {
		await next();
	} finally {
		ctx.path = path;
	}
};
