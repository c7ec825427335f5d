/** `GET /vigilance`: how far the current state has drifted from the reference. */
import type {VigilanceView} from '../../identity/views.ts';
import {memoizeWeak} from '../../platform/memoize-weak.ts';
import {toSnakeCase} from '../../wire/snake-case.ts';
import {errorResponses} from './error-schemas.ts';
import {route} from './route.ts';
import {dimensionName, list, nullableText, number, shape, word} from './schema-builders.ts';

export const Vigilance = shape('Vigilance', 'How far the current state has drifted from the reference.', {
	level: word('The alarm.', ['ok', 'warning', 'critical']),
	cumulative_drift: number('How far the state has moved since its beginning or the last reset: the sum of its steps, each relative to the length of the state.', 0.0021, {minimum: 0}),
	top_drifting_dimensions: list('The three dimensions farthest from the reference, farthest first.', dimensionName()),
	message: nullableText('The reason of the level, and what the drift is made of: the path travelled, the cycles that made it, and the net distance from the beginning or the last reset. Every cycle adds to the path, whatever is said. Null at ok.', 'The state has drifted 2.30 % in all, over the critical 2.00 %. Path travelled 2.3 % in 68 cycles; net distance 2.2 %.'),
});

export const vigilance = route({
	method: 'GET',
	path: '/vigilance',
	summary: 'Drift from the reference',
	description: 'How far the current state has drifted from the reference, and in which dimensions most.',
	responses: {200: Vigilance, ...errorResponses(503)},
	isCacheable: true,
	handle: async identity => toResponse(await identity.vigilance()),
});

const toResponse = memoizeWeak((view: VigilanceView) => toSnakeCase(view));
