/** `GET /state`: the current state, in part. */
import {memoizeWeak} from '../../memoize-weak.ts';
import type {StateView} from '../../identity/views.ts';
import {toSnakeCase} from '../../wire/snake-case.ts';
import {errorResponses} from './error-schemas.ts';
import {route} from './route.ts';
import {eachDimension, list, number, shape, stateId, timestamp} from './schema-builders.ts';

const firstFloats = (name: string) => list(`The beginning of ${name}.`, number('One component.', 0.03125), {minItems: 10, maxItems: 10});

export const State = shape('State', 'The current state, in part.', {
	state_id: stateId(),
	timestamp: timestamp('When the state was made; ISO 8601, UTC.'),
	dimensions: eachDimension('StateDimensions', 'The first 10 floats of each dimension’s vector.', firstFloats),
});

export const state = route({
	method: 'GET',
	path: '/state',
	summary: 'The current state',
	description: 'Its number, its time, and the first 10 floats of each of its 8 dimensions.',
	responses: {200: State, ...errorResponses(503)},
	isCacheable: true,
	handle: async identity => toResponse(await identity.state()),
});

const toResponse = memoizeWeak((view: StateView) => toSnakeCase(view));
