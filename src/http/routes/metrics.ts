/**
 * `GET /metrics`: counts as JSON, as the interface has it. Clients that prefer text, as Prometheus
 * does, get every metric in Prometheus's text format instead.
 */
import type {Context, Middleware} from 'koa';
import type {HttpTelemetry} from '../http-options.ts';
import {identityNameOf} from '../middleware/name-identity.ts';
import type {IdentityOf} from '../resolve-identity.ts';
import {toSnakeCase} from '../../wire/snake-case.ts';
import {errorResponses} from './error-schemas.ts';
import {route} from './route.ts';
import {integer, map, number, shape, text, word} from './schema-builders.ts';

export const Metrics = shape('Metrics', 'Counts of what the service has done.', {
	status: word('Overall status: critical after a critical alert in the last hour, warning after more than two warnings.', ['healthy', 'warning', 'critical']),
	uptime_hours: number('Time since startup or the last reset.', 1.5, {unit: 'h', minimum: 0}),
	total_cycles: integer('Cycles done since startup or the last reset.', 120, {minimum: 0}),
	cycles_last_hour: integer('Cycles done in the last hour.', 4, {minimum: 0}),
	alerts: map('Alerts of the last hour, by level.', integer('How many cycles ended in it.', 0, {minimum: 0}), {critical: 0, warning: 1}),
});

const MetricsText = text('Every metric, in Prometheus’s text format, version 0.0.4. Before the identity is ready, it has the metrics that exist by then.', '# HELP processual_state_id Number of the current state; -1 while there is none.\n# TYPE processual_state_id gauge\nprocessual_state_id 42\n');

export const metrics = route({
	method: 'GET',
	path: '/metrics',
	summary: 'Counts of cycles and alerts',
	description: 'Counts since startup or the last reset, and of the last hour. A client that prefers text/plain or OpenMetrics gets every metric in Prometheus’s text format instead, where the service collects them.',
	responses: {200: Metrics, ...errorResponses(503)},
	texts: {'text/plain': MetricsText},
	handle: async identity => toSnakeCase(await identity.metrics()),
});

/** Responds with the text of all metrics to clients that prefer it, and with `json` to all others. */
export const withMetricsText = (identityOf: IdentityOf, telemetryOf: (ctx: Context) => HttpTelemetry | null, json: Middleware): Middleware => async (ctx, next) => {
	ctx.vary('Accept');
	// The identities of a host are counted together: one that is named has its JSON alone.
	const telemetry = prefersText(ctx.get('Accept')) && identityNameOf(ctx) === null
		? telemetryOf(ctx) ?? (await identityOf(ctx) && telemetryOf(ctx))
		: null;
	if (!telemetry) {
		await json(ctx, next);
		return;
	}

	const body = await telemetry.text();
	ctx.set('Content-Type', telemetry.contentType);
	ctx.body = body;
};

/** Both get Prometheus's own format, which readers of OpenMetrics accept. */
const textTypes = ['text/plain', 'application/openmetrics-text'];

/** JSON is the default: a text type needs a higher quality, or the same and a more precise range. */
const prefersText = (accept: string): boolean => {
	const json = preferenceFor('application/json', accept);
	return textTypes.some(type => {
		const {quality, precision} = preferenceFor(type, accept);
		return quality > json.quality || (quality > 0 && quality === json.quality && precision > json.precision);
	});
};

/**
 * The quality of a media type, by the most precise range that covers it. Versions and charsets do
 * not matter: Prometheus names versions, and a negotiation library would refuse its ranges for it.
 */
const preferenceFor = (type: string, accept: string): {quality: number; precision: number} => {
	const ranges = ['*/*', `${type.split('/')[0]}/*`, type];
	return accept.split(',').map(part => {
		const [range = '', ...parameters] = part.split(';').map(piece => piece.trim().toLowerCase());
		const quality = parameters.find(parameter => /^q\s*=/.test(parameter))?.split('=')[1];
		return {quality: Number(quality ?? 1) || 0, precision: ranges.indexOf(range)};
	}).reduce((best, preference) => preference.precision > best.precision ? preference : best, {quality: 0, precision: -1});
};
