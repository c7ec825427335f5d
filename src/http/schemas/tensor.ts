/** The state as a whole. */
import type {TensorView} from '../../identity/views.ts';
import {dimensions, width, type Dimension} from '../../kernel/dimensions.ts';
import {eachDimension} from '../../instruments/answers/dimensions.ts';
import {list, number, shape, stateId, timestamp} from '../../wire/builders.ts';

/** Without `minItems`, which would have the document's examples hold 8192 floats. */
const row = (name: string) => list(`The vector of ${name}, 1024 floats.`, number('One component.', 0.03125), {maxItems: width});

export const Tensor = shape('Tensor', 'The current state as a whole.', {
	stateId: stateId(),
	timestamp: timestamp('When the state was made; ISO 8601, UTC.'),
	dimensions: eachDimension('TensorDimensions', 'Each dimension’s vector, of unit length: 1024 float32, with the 9 digits that give back the same float32.', row),
});

/** 9 digits give back the same float32, in half the characters that the same float64 takes. */
export const toNumbers = ({dimensions: rows, ...view}: TensorView) => ({
	...view,
	dimensions: Object.fromEntries(dimensions.map(name => [name, Array.from(rows[name], value => Number(value.toPrecision(9)))])) as Record<Dimension, number[]>,
});
