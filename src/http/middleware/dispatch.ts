/**
 * Exact path and method → handler. All paths of the interface are fixed, so a map finds them and
 * no pattern is matched.
 */
import type {Middleware} from 'koa';

/** Path → method → handler. HEAD is answered as GET. */
export type Handlers = Map<string, Map<string, Middleware>>;

/** Calls the handler of a request. Answers OPTIONS, and 405 for the other methods of a known path; leaves unknown paths alone. */
export const dispatch = (handlers: Handlers): Middleware => async (ctx, next) => {
	const byMethod = handlers.get(ctx.path);
	if (!byMethod) {
		await next();
		return;
	}

	const handle = byMethod.get(ctx.method === 'HEAD' ? 'GET' : ctx.method);
	if (handle) {
		ctx.state['route'] = ctx.path;
		await handle(ctx, next);
		return;
	}

	ctx.set('Allow', [...byMethod.keys()].flatMap(method => method === 'GET' ? ['HEAD', 'GET'] : [method]).join(', '));
	if (ctx.method === 'OPTIONS') {
		ctx.status = 200;
		ctx.body = '';
	} else {
		ctx.status = 405;
	}
};
