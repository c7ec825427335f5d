/** `POST /reset`: back to the initial state. */
import {toSnakeCase} from '../../wire/snake-case.ts';
import {errorResponses} from './error-schemas.ts';
import {route} from './route.ts';
import {integer, shape, word} from './schema-builders.ts';

export const ResetResponse = shape('ResetResponse', 'The initial state is restored.', {
	status: word('Always ok.', ['ok']),
	state_id: integer('Number of the restored state.', 0),
});

export const reset = route({
	method: 'POST',
	path: '/reset',
	summary: 'Restore the initial state',
	description: 'Restores a copy of the initial state and clears drift, metrics and counters; the mode becomes idle. A running loop keeps running, and the last trigger stays.',
	responses: {200: ResetResponse, ...errorResponses(500, 503)},
	handle: async identity => ({status: 'ok' as const, ...toSnakeCase(await identity.reset())}),
});
