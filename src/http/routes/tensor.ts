/** `GET /tensor`: the current state as a whole. */
import {dimensions, width} from '../../kernel/dimensions.ts';
import type {TensorView} from '../../identity/views.ts';
import {toSnakeCase} from '../../wire/snake-case.ts';
import {Type} from '../../platform/typebox.ts';
import {errorResponses} from './error-schemas.ts';
import {moment} from './moment.ts';
import {route} from './route.ts';
import {eachDimension, list, number, shape, stateId, timestamp} from './schema-builders.ts';

/** Without `minItems`, which would have the document's examples hold 8192 floats. */
const row = (name: string) => list(`The vector of ${name}, 1024 floats.`, number('One component.', 0.03125), {maxItems: width});

export const Tensor = shape('Tensor', 'The current state as a whole.', {
	state_id: stateId(),
	timestamp: timestamp('When the state was made; ISO 8601, UTC.'),
	dimensions: eachDimension('TensorDimensions', 'Each dimension’s vector, of unit length: 1024 float32, with the 9 digits that give back the same float32.', row),
});

export const tensor = route({
	method: 'GET',
	path: '/tensor',
	summary: 'The current state, or one of the past, as a whole',
	description: 'Its number, its time, and all 1024 floats of each of its 8 dimensions: about 100 KB.',
	query: Type.Object({at: Type.Optional(moment('The moment of the state.', 'present'))}),
	responses: {200: Tensor, ...errorResponses(409, 422, 429, 503)},
	isCancellable: true,
	async handle(identity, {at}, signal) {
		const {dimensions: rows, ...view} = at === 'present' ? await identity.tensor() : await identity.stateAt(at, {signal});
		return {...toSnakeCase(view), dimensions: toNumbers(rows)};
	},
});

/** 9 digits give back the same float32, in half the characters that the same float64 takes. */
const toNumbers = (rows: TensorView['dimensions']) =>
	Object.fromEntries(dimensions.map(name => [name, Array.from(rows[name], value => Number(value.toPrecision(9)))])) as Record<(typeof dimensions)[number], number[]>;
