/**
 * Exact path and method → handler, looked up before the router. All paths of the interface are
 * fixed, so most requests need no pattern; the router takes the rest.
 */
import type {Router} from '@koa/router';
import type {Middleware} from 'koa';

/** Calls the handler that a router has for this very path and method; passes on every other request. */
export const dispatch = (router: Router): Middleware => {
	const handlers = new Map(router.stack.flatMap(({path, methods, stack}) =>
		methods.map((method): [string, Middleware] => [`${method} ${String(path)}`, stack[0] as Middleware])));
	return (ctx, next) => {
		const handle = handlers.get(`${ctx.method} ${ctx.path}`);
		if (!handle) {
			return next();
		}

		ctx.state['route'] = ctx.path;
		return handle(ctx, next);
	};
};
