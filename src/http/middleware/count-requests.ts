/** Counts requests for telemetry. */
import type {Middleware} from 'koa';
import type {Telemetry} from '../../telemetry/telemetry.ts';

/** Counts every request under the path of its route. Stands where the status is final. */
export const countRequests = (telemetry: Pick<Telemetry, 'countRequest'>): Middleware => async (ctx, next) => {
	const startedAt = performance.now();
	await next();
	const {route = 'other'} = ctx.state as {route?: string};
	telemetry.countRequest({method: ctx.method, route, status: ctx.status, seconds: (performance.now() - startedAt) / 1000});
};
