/** `GET /state`: the current state, in part. */
import {memoizeWeak} from '../../platform/memoize-weak.ts';
import {shownFloats} from '../../identity/selectors.ts';
import type {StateView, TensorView} from '../../identity/views.ts';
import {dimensions, type Dimension} from '../../kernel/dimensions.ts';
import {toSnakeCase} from '../../wire/snake-case.ts';
import {Type} from '../../platform/typebox.ts';
import {errorResponses} from './error-schemas.ts';
import {moment} from './moment.ts';
import {route} from './route.ts';
import {eachDimension, list, number, shape, stateId, timestamp} from './schema-builders.ts';

const firstFloats = (name: string) => list(`The beginning of ${name}.`, number('One component.', 0.03125), {minItems: shownFloats, maxItems: shownFloats});

export const State = shape('State', 'The current state, in part.', {
	state_id: stateId(),
	timestamp: timestamp('When the state was made; ISO 8601, UTC.'),
	dimensions: eachDimension('StateDimensions', 'The first 10 floats of each dimension’s vector.', firstFloats),
});

export const state = route({
	method: 'GET',
	path: '/state',
	summary: 'The current state, or one of the past',
	description: 'Its number, its time, and the first 10 floats of each of its 8 dimensions. A state of the past comes from the journal, bit for bit.',
	query: Type.Object({at: Type.Optional(moment('The moment of the state.', 'present'))}),
	responses: {200: State, ...errorResponses(409, 422, 429, 503)},
	isCancellable: true,
	isCacheable: true,
	handle: async (identity, {at}, signal) => toResponse(at === 'present' ? await identity.state() : beginningOf(await identity.stateAt(at, {signal}))),
});

/** Of a state of the past, as much as of the current one. */
const beginningOf = ({dimensions: rows, ...view}: TensorView): StateView => ({
	...view,
	dimensions: Object.fromEntries(dimensions.map(name => [name, [...rows[name].subarray(0, shownFloats)]])) as Record<Dimension, number[]>,
});

const toResponse = memoizeWeak((view: StateView) => toSnakeCase(view));
