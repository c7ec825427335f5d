/** `GET /health`: which version runs, since when, and with which state. */
import {toSnakeCase} from '../../wire/snake-case.ts';
import {route} from './route.ts';
import {integer, number, shape, text, word} from './schema-builders.ts';

/** The version of the interface. The package has its own. */
export const interfaceVersion = '0.7.0';

export const Health = shape('Health', 'The service runs.', {
	status: word('Always ok.', ['ok']),
	version: text('Version of the interface.', interfaceVersion),
	uptime_seconds: number('Time since startup; 0 if not started.', 3600.5, {unit: 's', minimum: 0}),
	state_id: integer('Number of the current state; -1 if there is none.', 42, {minimum: -1}),
	embedding_model: text('Configured identifier of the embedding model.', 'example/text-embedding-1024'),
});

export const health = route({
	method: 'GET',
	path: '/health',
	summary: 'Is the service alive?',
	description: 'Answers whenever the service runs, with a state or without.',
	responses: {200: Health},
	handle: async identity => ({status: 'ok' as const, version: interfaceVersion, ...toSnakeCase(await identity.health())}),
});
