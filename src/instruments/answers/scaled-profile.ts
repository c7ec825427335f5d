/** The state on the directions, in the units of example sentences. */
import {dimensions} from '../../kernel/dimensions.ts';
import {Type} from '../../platform/typebox.ts';
import {lenses} from '../scaled-profile.ts';
import {flag, integer, list, nullable, nullableNumber, nullableText, number, shape, stateId, text, word} from '../../wire/builders.ts';

export const dimensionName = () => word('Name of a dimension.', dimensions);

const ScaledDirection = shape('ScaledDirection', 'A projection in the units of example sentences.', {
	key: text('<category>.<direction name>.', 'epistemic.certainty'),
	category: text('Category of the direction.', 'epistemic'),
	name: text('Name of the direction.', 'certainty'),
	dimension: dimensionName(),
	moves: flag('Whether texts can move it: they move thirdness alone.', false),
	polePositive: text('What a positive value means.', 'certain'),
	poleNegative: text('What a negative value means.', 'doubtful'),
	value: number('Dot product of the dimension’s vector and the direction’s, rounded to 4 decimals.', 0.1935),
	z: nullableNumber('How far what is read of the direction lies from the mean of the example sentences, in their standard '
		+ 'deviations: the tone, and what ordinary sentences vary along anyway, are taken out. Null without a scale.', 1.4021),
	percentile: nullableNumber('Share of the example sentences that lie lower. Null without a scale, or with fewer than 50 '
		+ 'sentences.', 0.91, {minimum: 0, maximum: 1}),
	quality: nullableNumber('What the direction is worth: how often a sentence of the positive pole is above one of the '
		+ 'negative, of those that it was not made of; 0.5 is chance. Under 0.7 it is not read. Null where its sentences are not '
		+ 'known.', 0.94, {minimum: 0, maximum: 1}),
	valence: nullableNumber('Correlation of the direction with the pleasant–unpleasant axis, over the example sentences. Null '
		+ 'where its sentences are not known.', 0.12, {minimum: -1, maximum: 1}),
	word: nullable('none: no different from chance, since |z| is under 1, quality under 0.7 or, after a random beginning, '
		+ 'texts moved it by less than one z. leaning: |z| up to 2. strong: more. Null without a scale.', word(
			'The word.', ['leaning', 'none', 'strong'],
		)),
	standsOut: flag('Whether it differs from chance: its word is leaning or strong.', true),
	pole: nullableText('The pole that it leans to, by the sign of z. Null where it leans to none.', 'certain'),
});

export const ScaledProfile = shape('ScaledProfile', 'The current state on the directions, in the units of example sentences.', {
	stateId: stateId(),
	lens: word('own: each direction on the dimension of its category. thirdness: every direction on thirdness, which texts move.', lenses),
	begunAtRandom: flag('Whether the identity began with random vectors. What does not move then says nothing about it.', false),
	examples: integer('How many example sentences the units come from; 0 where none are known.', 2100, {minimum: 0}),
	note: nullableText('A note for the reader, besides the numbers: why directions have no scale, or that many texts could '
		+ 'not be read. Null for nothing.', '105 of 105 directions have no scale, so no unit.'),
	tone: nullable('The pleasant–unpleasant axis, which is taken out of all directions and shown once. Null where the '
		+ 'directions’ sentences are not known.', ScaledDirection),
	directions: list('Every direction that has a vector, in the order of the catalogue.', ScaledDirection),
});

export const ScaledProfileRequest = Type.Object({
	lens: Type.Optional(word('own: each direction on the dimension of its category. thirdness: every direction on thirdness, '
		+ 'which texts move.', lenses, {default: 'own'})),
}, {title: 'ScaledProfileRequest'});
