/** Counts requests for telemetry. */
import type {Context, Middleware} from 'koa';
import type {HttpTelemetry} from '../http-options.ts';

/** Counts every request under the path of its route. Stands where the status is final. */
export const countRequests = (telemetryOf: (ctx: Context) => Pick<HttpTelemetry, 'countRequest'> | null): Middleware => async (ctx, next) => {
	const startedAt = performance.now();
	await next();
	const {_matchedRoute: route = 'other'} = ctx as {_matchedRoute?: string};
	telemetryOf(ctx)?.countRequest({method: ctx.method, route, status: ctx.status, seconds: (performance.now() - startedAt) / 1000});
};
