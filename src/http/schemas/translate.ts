/** The state in words. */
import {Type} from '../../platform/typebox.ts';
import {flag, integer, map, nullableNumber, nullableText, number, shape, text} from '../../wire/builders.ts';

export const TranslateRequest = shape('TranslateRequest', 'How to put the state into words.', {
	context: Type.Optional(nullableText('What the words are for; the language model gets it.', 'A letter to a friend.', {default: null})),
	maxLength: Type.Optional(integer('Accepted and not used.', 500, {default: 500})),
});

export const TranslateResponse = shape('TranslateResponse', 'The current state in words.', {
	text: text('The words.', 'I am calm, and a little curious.'),
	projections: map('Projections of the state, under <category>.<direction name>.', number('Projection on the direction.', 0.12), {'affective.calm_agitated': 0.12}),
	reasoningDetected: flag('Whether the text contains the model’s reasoning about its task.', false),
	note: Type.Optional(text('What a reader must know besides the words: that many of the newest texts could not be read. Absent for nothing.', '34 of the last 100 texts are in languages that the embedding model does not read.')),
	faithfulness: nullableNumber('Whether the words say what the state does: the rank correlation of its 20 strongest projections with those of the text’s own embedding. Null where it cannot be computed.', 0.62, {minimum: -1, maximum: 1}),
});
