/** The schemas of the state: in part, as a whole, against its reference, and on the directions. */
import {Type} from '../../platform/typebox.ts';
import {shownFloats, type StateView, type TensorView} from '../../identity/views.ts';
import {byDimension, width} from '../../kernel/dimensions.ts';
import {dimensionName} from '../../instruments/answers/scaled-profile.ts';
import {list, number, shape, stateId, timestamp, moment, nullableText, word, integer, map, text} from '../../wire/builders.ts';

const firstFloats = (name: string) =>
	list(`The beginning of ${name}.`, number('One component.', 0.03125), {minItems: shownFloats, maxItems: shownFloats});

export const State = shape('State', 'The current state, in part.', {
	stateId: stateId(),
	timestamp: timestamp('When the state was made; ISO 8601, UTC.'),
	dimensions: shape('StateDimensions', 'The first 10 floats of each dimension’s vector.', byDimension(firstFloats)),
});

export const StateRequest = Type.Object({at: Type.Optional(moment('The moment of the state.', 'present'))}, {title: 'StateRequest'});

/** The same part of a past state as of the current one. */
export const beginningOf = ({dimensions: rows, ...view}: TensorView): StateView => ({
	...view,
	dimensions: byDimension(name => [...rows[name].subarray(0, shownFloats)]),
});

/** Without `minItems`, with which the document's examples would contain 8192 floats. */
const row = (name: string) => list(`The vector of ${name}, 1024 floats.`, number('One component.', 0.03125), {maxItems: width});

export const Tensor = shape('Tensor', 'The current state as a whole.', {
	stateId: stateId(),
	timestamp: timestamp('When the state was made; ISO 8601, UTC.'),
	dimensions: shape('TensorDimensions', 'Each dimension’s vector, of unit length: 1024 float32, with the 9 digits that give '
		+ 'back the same float32.', byDimension(row)),
});

/** 9 digits restore the same float32, in half the characters of the same number as float64. */
export const toNumbers = ({dimensions: rows, ...view}: TensorView) => ({
	...view,
	dimensions: byDimension(name => Array.from(rows[name], value => Number(value.toPrecision(9)))),
});

export const VigilanceSchema = shape('Vigilance', 'How far the current state has drifted from the reference.', {
	level: word('The alarm.', ['ok', 'warning', 'critical']),
	cumulativeDrift: number('How far the state has moved since its beginning or the last reset: the sum of its steps, each relative to '
		+ 'the length of the state.', 0.0021, {minimum: 0}),
	topDriftingDimensions: list('The three dimensions farthest from the reference, farthest first.', dimensionName()),
	message: nullableText('The reason of the level, and what the drift is made of: the path travelled, the cycles that made it, and the '
		+ 'net distance from the beginning or the last reset. Every cycle adds to the path, whatever is said. Null at ok.',
		'The state has drifted 2.30 % in all, over the critical 2.00 %. Path travelled 2.3 % in 68 cycles; net distance 2.2 %.'),
});

const exampleEntry = {value: 0.0412, dimension: 'dispositions', polePositive: 'calm', poleNegative: 'agitated'} as const;

const entries = (description: string) => map(
	description,
	map('Direction name → entry.', shape('ProfileEntry', 'A projection and its meaning.', {
		value: number('Dot product of the dimension’s vector and the direction’s, rounded to 4 decimals.', exampleEntry.value),
		dimension: dimensionName(),
		polePositive: text('What a positive value means.', exampleEntry.polePositive),
		poleNegative: text('What a negative value means.', exampleEntry.poleNegative),
	}), {calm_agitated: exampleEntry}),
	{affective: {calm_agitated: exampleEntry}},
);

export const ProfileSchema = shape('Profile', 'The current state and the reference, projected onto the directions.', {
	stateId: stateId(),
	directionsCount: integer('Number of loaded directions.', 24, {minimum: 0}),
	profile: entries('The current state: category → direction name → entry.'),
	referenceProfile: entries('The reference: category → direction name → entry.'),
	referenceSimilarity: number('Mean over the dimensions of the dot products of state and reference, rounded to 4 decimals.', 0.9987),
});
