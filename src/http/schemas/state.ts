/** The state, in part. */
import {Type} from '../../platform/typebox.ts';
import {shownFloats} from '../../identity/selectors.ts';
import type {StateView, TensorView} from '../../identity/views.ts';
import {dimensions, type Dimension} from '../../kernel/dimensions.ts';
import {eachDimension} from '../../instruments/answers/dimensions.ts';
import {list, number, shape, stateId, timestamp} from '../../wire/builders.ts';
import {moment} from '../../wire/moment.ts';

const firstFloats = (name: string) => list(`The beginning of ${name}.`, number('One component.', 0.03125), {minItems: shownFloats, maxItems: shownFloats});

export const State = shape('State', 'The current state, in part.', {
	stateId: stateId(),
	timestamp: timestamp('When the state was made; ISO 8601, UTC.'),
	dimensions: eachDimension('StateDimensions', 'The first 10 floats of each dimension’s vector.', firstFloats),
});

/** Which state. */
export const StateRequest = Type.Object({at: Type.Optional(moment('The moment of the state.', 'present'))}, {title: 'StateRequest'});

/** Of a state of the past, as much as of the current one. */
export const beginningOf = ({dimensions: rows, ...view}: TensorView): StateView => ({
	...view,
	dimensions: Object.fromEntries(dimensions.map(name => [name, [...rows[name].subarray(0, shownFloats)]])) as Record<Dimension, number[]>,
});
