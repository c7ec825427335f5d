/** `POST /what-if`: the other self, without some texts and with others. */
import {Type} from '../../platform/typebox.ts';
import type {WhatIfView} from '../../identity/views.ts';
import {toSnakeCase} from '../../wire/snake-case.ts';
import {errorResponses} from './error-schemas.ts';
import {moment, PastState} from './moment.ts';
import {route} from './route.ts';
import {integer, list, nullableNumber, number, onlyThese, shape, text} from './schema-builders.ts';

const maxAdded = 100;

const names = (description: string, example: string) => Type.Optional(list(description, text('One of them.', example)));

export const WhatIfRequest = onlyThese(shape('WhatIfRequest', 'What is to be otherwise.', {
	from: Type.Optional(moment('Where the other self begins.', 'beginning')),
	without: Type.Optional(onlyThese(Type.Object({
		sources: names('Texts of these sources are left out. A source is metadata.source, else the trigger.', 'ada'),
		triggers: names('Texts with these triggers are left out.', 'corpus'),
		ids: names('The texts of these cycles are left out.', '3f0c1a52-6f0e-4d3b-9a57-0d8e1f6b2c11'),
	}, {description: 'Texts to leave out.', examples: [{sources: ['ada']}], default: {}}))),
	add: Type.Optional(list('Texts to say now, in their order.', text('A text, not blank.', 'The sea is quiet today.', {minLength: 1, pattern: '\\S'}), {maxItems: maxAdded, default: []})),
}));

const Difference = shape('SelfDifference', 'A direction on thirdness, for both selves.', {
	key: text('<category>.<direction name>.', 'affective.calm_agitated'),
	pole_positive: text('What a positive value means.', 'calm'),
	pole_negative: text('What a negative value means.', 'agitated'),
	present: number('Of the present self.', 0.0512),
	other: number('Of the other self.', 0.0311),
	difference: number('How much more the other self has.', -0.0201),
	z_difference: nullableNumber('The same in standard deviations of the example sentences. Null without a scale.', -0.42),
});

export const WhatIfResponse = shape('WhatIfResponse', 'The other self, beside the present one.', {
	from: PastState,
	cycles: integer('How many texts there are since then.', 420, {minimum: 0}),
	left_out: integer('How many of them the other self did not hear.', 80, {minimum: 0}),
	added: integer('How many texts it heard in addition.', 0, {minimum: 0}),
	angle_mrad: number('The angle between the two, on thirdness.', 41.2, {unit: 'mrad', minimum: 0}),
	directions: list('The ten directions that differ most, the strongest first.', Difference, {maxItems: 10}),
	words: list('The difference in words.', text('A sentence.', 'It would be more agitated (1.2); the numbers are standard deviations of ordinary sentences.')),
	p: nullableNumber('How likely ordinary talk since the validation, or since from where that is later, leads as far from its mean as the other self is. Null without a validation, and where nothing was said since.', 0.55, {minimum: 0, maximum: 1}),
});

export const whatIf = route({
	method: 'POST',
	path: '/what-if',
	summary: 'The other self, without some texts or with others',
	description: 'Replays the journal in a thread, and compares the self that it leads to with the present one. Reads and cycles go on. Texts that were compacted are heard by both selves.',
	body: WhatIfRequest,
	responses: {200: WhatIfResponse, ...errorResponses(409, 413, 415, 422, 429, 500, 503)},
	isCancellable: true,
	handle: async (identity, {from, without, add}, signal) => toResponse(await identity.whatIf({from, without, add}, {signal})),
});

export const toResponse = ({from, directions, ...view}: WhatIfView) =>
	({...toSnakeCase(view), from: toSnakeCase(from), directions: directions.map(direction => toSnakeCase(direction))});
