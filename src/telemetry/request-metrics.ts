/** HTTP requests by the pattern of their route, never by their address, which a caller can make up. */
import {Counter, Histogram, type Registry} from 'prom-client';

/** One request, when it was answered. */
export type AnsweredRequest = {
	method: string;
	/** The pattern of the route; `other` where none matched. */
	route: string;
	status: number;
	/** From the request's head to its answer's. */
	seconds: number;
};

const methods = new Set(['GET', 'HEAD', 'OPTIONS', 'POST']);

/** Returns the function that counts a request. */
export const countRequests = (registry: Registry): ((request: AnsweredRequest) => void) => {
	const requests = new Counter({
		name: 'processual_http_requests_total',
		help: 'Answered HTTP requests, by method, route and class of status.',
		labelNames: ['method', 'route', 'status'],
		registers: [registry],
	});
	const durations = new Histogram({
		name: 'processual_http_request_duration_seconds',
		help: 'How long an HTTP request waited for its answer, by route.',
		labelNames: ['route'],
		buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
		registers: [registry],
	});

	return ({method, route, status, seconds}) => {
		requests.inc({method: methods.has(method) ? method : 'other', route, status: `${Math.floor(status / 100)}xx`});
		durations.observe({route}, seconds);
	};
};
