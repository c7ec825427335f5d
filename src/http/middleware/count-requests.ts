/**
 * `/metrics` for Prometheus: the same address gives JSON to those who ask for nothing else, and
 * the text of all metrics to those who would rather have it. Requests are counted here too.
 */
import type {Middleware} from 'koa';

/** What the HTTP layer tells telemetry, and asks of it. */
export type HttpTelemetry = {
	/** Counts a request that was answered. */
	answered(request: {method: string; route: string; status: number; seconds: number}): void;
	/** All metrics, in Prometheus's format. */
	text(): Promise<string>;
	readonly contentType: string;
};

/** Counts every request under the pattern of the route that took it. Stands where the status is final. */
export const countRequests = (telemetry: HttpTelemetry): Middleware => async (ctx, next) => {
	const began = performance.now();
	await next();
	const {_matchedRoute: route = 'other'} = ctx as {_matchedRoute?: string};
	telemetry.answered({method: ctx.method, route, status: ctx.status, seconds: (performance.now() - began) / 1000});
};

/** Answers with the text of all metrics where it is preferred, and lets the route below answer otherwise. */
export const metricsText = (telemetry: HttpTelemetry): Middleware => async (ctx, next) => {
	ctx.vary('Accept');
	if (!prefersText(ctx.get('Accept'))) {
		await next();
		return;
	}

	const text = await telemetry.text();
	ctx.set('Content-Type', telemetry.contentType);
	ctx.body = text;
};

/** Both are answered in Prometheus's own format, which every reader of OpenMetrics reads. */
const texts = ['text/plain', 'application/openmetrics-text'];

/** JSON is the default: a text must be wanted more, or be named where JSON is not. */
const prefersText = (accept: string): boolean => {
	const json = wishFor('application/json', accept);
	return texts.some((type) => {
		const text = wishFor(type, accept);
		return text.quality > json.quality || (text.quality > 0 && text.quality === json.quality && text.precision > json.precision);
	});
};

/** How much a client wants a media type, by the range that names it most precisely. Versions and charsets do not matter. */
const wishFor = (type: string, accept: string): {quality: number; precision: number} => {
	const ranges = ['*/*', `${type.split('/')[0]}/*`, type];
	return accept.split(',').map((part) => {
		const [range = '', ...parameters] = part.split(';').map((word) => word.trim().toLowerCase());
		const quality = parameters.find((parameter) => /^q\s*=/.test(parameter))?.split('=')[1];
		return {quality: Number(quality ?? 1) || 0, precision: ranges.indexOf(range)};
	}).reduce((best, wish) => wish.precision > best.precision ? wish : best, {quality: 0, precision: -1});
};
