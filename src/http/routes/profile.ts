/** `GET /profile`: the current state and the reference, projected onto the directions. */
import type {Static} from '../../platform/typebox.ts';
import type {ProfileView} from '../../identity/views.ts';
import {memoizeWeak} from '../../platform/memoize-weak.ts';
import {toSnakeCase} from '../../wire/snake-case.ts';
import {errorResponses} from './error-schemas.ts';
import {route} from './route.ts';
import {dimensionName, integer, map, number, shape, stateId, text} from './schema-builders.ts';

const exampleEntry = {value: 0.0412, dimension: 'dispositions', pole_positive: 'calm', pole_negative: 'agitated'} as const;

const entries = (description: string) => map(
	description,
	map('Direction name → entry.', shape('ProfileEntry', 'A projection and its meaning.', {
		value: number('Dot product of the dimension’s vector and the direction’s, rounded to 4 decimals.', exampleEntry.value),
		dimension: dimensionName(),
		pole_positive: text('What a positive value means.', exampleEntry.pole_positive),
		pole_negative: text('What a negative value means.', exampleEntry.pole_negative),
	}), {calm_agitated: exampleEntry}),
	{affective: {calm_agitated: exampleEntry}},
);

export const Profile = shape('Profile', 'The current state and the reference, projected onto the directions.', {
	state_id: stateId(),
	directions_count: integer('Number of loaded directions.', 24, {minimum: 0}),
	profile: entries('The current state: category → direction name → entry.'),
	reference_profile: entries('The reference: category → direction name → entry.'),
	reference_similarity: number('Mean over the dimensions of the dot products of state and reference, rounded to 4 decimals.', 0.9987),
});

export const profile = route({
	method: 'GET',
	path: '/profile',
	summary: 'The state on the projection directions',
	description: 'Projects the current state and the reference onto every loaded direction.',
	responses: {200: Profile, ...errorResponses(503)},
	isCacheable: true,
	handle: async identity => toResponse(await identity.profile()),
});

/** The names of categories and directions are data, and stay. */
export const toResponse = memoizeWeak((view: ProfileView): Static<typeof Profile> => ({
	...toSnakeCase(view),
	profile: toEntries(view.profile),
	reference_profile: toEntries(view.referenceProfile),
}));

const toEntries = (categories: ProfileView['profile']): Static<typeof Profile>['profile'] =>
	mapValues(categories, directions => mapValues(directions, entry => toSnakeCase(entry)));

const mapValues = <From, To>(record: Record<string, From>, change: (value: From) => To): Record<string, To> =>
	Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
