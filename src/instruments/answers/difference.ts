/** The difference between two moments, and the texts that made it. */
import {Type} from '../../platform/typebox.ts';
import {integer, list, nullableNumber, nullableText, number, shape, text, timestamp, moment, PastState} from '../../wire/builders.ts';

export const DirectionChange = shape('DirectionChange', 'A direction on the thirdness of both states.', {
	key: text('<category>.<direction name>.', 'relational.trust'),
	polePositive: text('What a positive value means.', 'trusting'),
	poleNegative: text('What a negative value means.', 'suspicious'),
	from: number('The projection of the first state.', 0.0312),
	to: number('The projection of the second state.', -0.0427),
	change: number('The second less the first.', -0.0739),
	zChange: nullableNumber('The change in standard deviations of ordinary sentences. Null without a scale.', -1.6),
});

const DifferenceText = shape('DifferenceText', 'One of the texts that did most.', {
	id: text('Id of its cycle.', '3f0c1a52-6f0e-4d3b-9a57-0d8e1f6b2c11'),
	timestamp: timestamp('When it was said; ISO 8601, UTC.'),
	source: text('Its metadata’s source, else its trigger.', 'Viktor'),
	trigger: text('What triggered its cycle.', 'user'),
	content: nullableText('At most 1000 characters of it. Null where the journal keeps hashes.', 'Trust no one but me in this town.'),
	share: number('Its share of the turn from one state to the other, where 1 is all of it; below 0 it went against it.', 0.004),
});

const DifferenceSource = shape('DifferenceSource', 'What the texts of one source did.', {
	source: text('The source.', 'Viktor'),
	texts: integer('How many texts.', 120, {minimum: 1}),
	share: number('Their share of the turn, where 1 is all of it; below 0 they went against it.', 0.41),
});

export const Difference = shape('Difference', 'What differs between two moments, and because of which texts.', {
	from: PastState,
	to: PastState,
	cycles: integer('How many cycles lie between them, since the last reset.', 400, {minimum: 0}),
	angleMrad: number('The angle of thirdness between them.', 251.7, {unit: 'mrad', minimum: 0}),
	directions: list('The ten directions that changed most on thirdness.', DirectionChange),
	texts: list('The texts that did most.', DifferenceText),
	sources: list('The sources that did most.', DifferenceSource),
	pushShare: number('The share of the rule’s own push, which does not depend on what was said.', 0.22),
	words: list('The same in sentences.', text('A sentence.', '400 texts turned it by 251.7 mrad (14.4°).')),
	note: nullableText('A note for the reader, besides the numbers. Null for nothing.', 'Records up to state 1200 are '
		+ 'compacted: only later texts are known.'),
});

export const DifferenceRequest = Type.Object({
	from: Type.Optional(moment('The first moment.', 'beginning')),
	to: Type.Optional(moment('The second moment.', 'present')),
}, {title: 'DifferenceRequest'});
