/**
 * `GET /metrics`: counts as JSON, as the interface requires. Clients that prefer text, such as Prometheus, get all metrics
 * in Prometheus's text format instead.
 */
import type {Context, Middleware} from 'koa';
import type {HttpTelemetry} from '../http-options.ts';
import {identityNameOf} from '../middleware/name-identity.ts';
import type {IdentityOf} from '../resolve-identity.ts';

/** Responds with all metrics as text to clients that prefer it, and with `json` to all others. */
export const withMetricsText = (
	identityOf: IdentityOf, telemetryOf: (ctx: Context) => HttpTelemetry | null, json: Middleware,
): Middleware => async (ctx, next) => {
	ctx.vary('Accept');
	// A host's identities are counted together, so a single one has only its JSON.
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

/** Both types get Prometheus's format, which readers of OpenMetrics accept. */
const textTypes = ['text/plain', 'application/openmetrics-text'];

/** JSON is the default: a text type needs a higher quality, or the same quality and a more precise range. */
const prefersText = (accept: string): boolean => {
	const json = preferenceFor('application/json', accept);
	return textTypes.some(type => {
		const {quality, precision} = preferenceFor(type, accept);
		return quality > json.quality || (quality > 0 && quality === json.quality && precision > json.precision);
	});
};

/**
 * The quality of a media type, by the most precise range that covers it. Versions and charsets are ignored: Prometheus names
 * versions, and a negotiation library would reject its ranges for that.
 */
const preferenceFor = (type: string, accept: string): {quality: number; precision: number} => {
	const ranges = ['*/*', `${type.split('/')[0]}/*`, type];
	return accept.split(',').map(part => {
		const [range = '', ...parameters] = part.split(';').map(piece => piece.trim().toLowerCase());
		const quality = parameters.find(parameter => /^q\s*=/.test(parameter))?.split('=')[1];
		return {quality: Number(quality ?? 1) || 0, precision: ranges.indexOf(range)};
	}).reduce((best, preference) => preference.precision > best.precision ? preference : best, {quality: 0, precision: -1});
};
