/** HTTP requests by the path of their route, never by their own path, which a client can invent. */
import {Counter, Histogram, type Registry} from 'prom-client';
import type {AnsweredRequest} from './observed.ts';

const methods = new Set(['GET', 'HEAD', 'OPTIONS', 'POST']);

export const createRequestCounter = (registry: Registry): ((request: AnsweredRequest) => void) => {
	const requests = new Counter({
		name: 'processual_http_requests_total',
		help: 'Answered HTTP requests, by method, route and class of status.',
		labelNames: ['method', 'route', 'status'],
		registers: [registry],
	});
	const durations = new Histogram({
		name: 'processual_http_request_duration_seconds',
		help: 'How long an HTTP request waited for its response, by route.',
		labelNames: ['route'],
		buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
		registers: [registry],
	});

	return ({method, route, status, seconds}) => {
		requests.inc({method: methods.has(method) ? method : 'other', route, status: `${Math.floor(status / 100)}xx`});
		durations.observe({route}, seconds);
	};
};
