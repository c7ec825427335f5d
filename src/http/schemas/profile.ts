/** State and reference, projected onto the directions. */
import {dimensionName} from '../../instruments/answers/dimensions.ts';
import {integer, map, number, shape, stateId, text} from '../../wire/builders.ts';

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

export const Profile = shape('Profile', 'The current state and the reference, projected onto the directions.', {
	stateId: stateId(),
	directionsCount: integer('Number of loaded directions.', 24, {minimum: 0}),
	profile: entries('The current state: category → direction name → entry.'),
	referenceProfile: entries('The reference: category → direction name → entry.'),
	referenceSimilarity: number('Mean over the dimensions of the dot products of state and reference, rounded to 4 decimals.', 0.9987),
});
