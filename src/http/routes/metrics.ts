import {failing} from './error-schemas.ts';
import {route} from './route.ts';
import {Metrics, MetricsText} from '../schemas.ts';
import * as wire from '../wire.ts';

export const metrics = route({
	method: 'GET',
	path: '/metrics',
	summary: 'Counts of cycles and alerts',
	description: 'What the service has done since startup or the last reset, and what the last hour was like. A client that prefers text/plain or OpenMetrics gets every metric in Prometheus’s text format instead, where the service collects them.',
	responses: {200: Metrics, ...failing(503)},
	texts: {'text/plain': MetricsText},
	handle: (process) => wire.metrics(process.metrics()),
});
