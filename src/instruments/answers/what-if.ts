/** The other self, without some texts and with others. */
import {Type} from '../../platform/typebox.ts';
import {integer, list, nullableNumber, nullableText, number, onlyThese, shape, text, moment, PastState} from '../../wire/builders.ts';

const maxAdded = 100;

const names = (description: string, example: string) => Type.Optional(list(description, text('One of them.', example)));

/** A choice of texts. */
export const textChoice = (description: string, options: {default?: object} = {}) => Type.Optional(onlyThese(Type.Object({
	sources: names('Texts of these sources. A source is metadata.source, else the trigger.', 'ada'),
	conversations: names('Texts of these conversations: metadata.conversation.', 'c-17'),
	triggers: names('Texts with these triggers.', 'corpus'),
	ids: names('The texts of these cycles.', '3f0c1a52-6f0e-4d3b-9a57-0d8e1f6b2c11'),
}, {description, examples: [{sources: ['ada']}], ...options})));

export const WhatIfRequest = onlyThese(shape('WhatIfRequest', 'The changes to try.', {
	from: Type.Optional(moment('Where the other self begins.', 'beginning')),
	without: textChoice('Texts to leave out.', {default: {}}),
	add: Type.Optional(
		list(
			'Texts to say now, in their order.', text('A text, not blank.', 'The sea is quiet today.', {minLength: 1, pattern: '\\S'}),
			{maxItems: maxAdded, default: []},
		),
	),
}));

const Difference = shape('SelfDifference', 'A direction on thirdness, for both selves.', {
	key: text('<category>.<direction name>.', 'affective.calm_agitated'),
	polePositive: text('What a positive value means.', 'calm'),
	poleNegative: text('What a negative value means.', 'agitated'),
	present: number('Of the present self.', 0.0512),
	other: number('Of the other self.', 0.0311),
	difference: number('How much more the other self has.', -0.0201),
	zDifference: nullableNumber('The same in standard deviations of the example sentences. Null without a scale.', -0.42),
});

export const WhatIfResponse = shape('WhatIfResponse', 'The other self, compared with the present one.', {
	from: PastState,
	cycles: integer('How many texts there are since then.', 420, {minimum: 0}),
	leftOut: integer('How many of them the other self did not hear.', 80, {minimum: 0}),
	added: integer('How many texts it heard in addition.', 0, {minimum: 0}),
	angleMrad: number('The angle between the two, on thirdness.', 41.2, {unit: 'mrad', minimum: 0}),
	directions: list('The ten directions that differ most, the strongest first.', Difference, {maxItems: 10}),
	words: list('The difference in words.', text('A sentence.', 'It would be more agitated (1.2); the numbers are standard '
		+ 'deviations of ordinary sentences.')),
	p: nullableNumber('How likely ordinary talk ever leads as far as what the other self heard since the validation, or since '
		+ 'from where that is later. Null without a validation, and for fewer than 100 texts.', 0.55, {minimum: 0, maximum: 1}),
	note: nullableText('A note for the reader, besides the numbers. Null for nothing.', 'Records up to state 120 are '
		+ 'compacted: both selves begin there, at 2026-03-03T08:00:00.000Z.'),
});
