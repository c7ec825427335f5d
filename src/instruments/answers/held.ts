/** Texts that are held back: recorded, and not applied until they are released. */
import {Type} from '../../platform/typebox.ts';
import {
	flag, integer, list, nullable, nullableNumber, nullableText, number, onlyThese, shape, text, timestamp,
} from '../../wire/builders.ts';
import {maxNoteLength} from '../source-of.ts';
import {byField, changed, decidedBy, turn} from './revision.ts';

export const HeldRequest = onlyThese(shape('HeldRequest', 'How many texts are shown.', {
	limit: Type.Optional(integer('How many of the oldest texts are shown.', 20, {minimum: 0, maximum: 200, default: 20})),
}));

const Hold = shape('Hold', 'Whose further texts are held back.', {
	sources: list('Of these sources.', text('One of them.', 'Viktor')),
	conversations: list('Of these conversations.', text('One of them.', 'c-17')),
	timestamp: timestamp('When that was decided; ISO 8601, UTC.'),
	note: text('Why.', 'Viktor’s account was taken over in March.'),
	by: decidedBy,
});

export const heldExample = 'Texts of “Viktor” wait since 3 March 2026, 08:00 UTC: “His account was taken over.”';

const HeldText = shape('HeldText', 'A text that waits.', {
	id: text('The id of its cycle.', '3f0c1a52-6f0e-4d3b-9a57-0d8e1f6b2c11'),
	timestamp: timestamp('When it was said; ISO 8601, UTC.'),
	source: text('Who said it.', 'Viktor'),
	conversation: nullableText('The conversation that it belongs to. Null for none.', 'c-17'),
	content: nullableText('At most 1000 characters of it. Null where the journal keeps hashes.', 'Trust nobody.'),
	reason: text('Why it waits.', heldExample),
	dissonance: number('Total dissonance against the state that it found.', 0.93),
});

const HeldSource = shape('HeldSource', 'How many texts of a source wait.', {
	source: text('Who said them.', 'Viktor'), texts: integer('How many.', 12, {minimum: 1}),
	since: timestamp('When the oldest of them was said; ISO 8601, UTC.'),
	reading: nullableNumber('How far they lie from ordinary talk, compared with as many ordinary conversations: 1 is usual. Null without a '
		+ 'validation that says what is ordinary.', 3.2, {minimum: 0}),
});

export const HeldTexts = shape('HeldTexts', 'What is on hold, and the texts that wait.', {
	hold: nullable('Whose further texts are held back. Null where none are.', Hold),
	waiting: integer('How many texts wait. They weigh nothing until they are released.', 12, {minimum: 0}),
	texts: list('The oldest of them.', HeldText),
	sources: list('Of the sources with most of them, at most 100.', HeldSource),
});

export const SettleRequest = onlyThese(Type.Object({
	sources: Type.Optional(list('Texts of these sources.', text('One of them.', 'Viktor'), {default: []})),
	conversations: Type.Optional(list('Texts of these conversations.', text('One of them.', 'c-17'), {default: []})),
	ids: Type.Optional(list('The texts of these cycles.', text('One of them.', '3f0c1a52-6f0e-4d3b-9a57-0d8e1f6b2c11'), {default: []})),
	note: Type.Optional(text('Why.', 'It was Viktor after all.', {maxLength: maxNoteLength, default: ''})),
	by: byField,
	dryRun: Type.Optional({...flag('Whether it is only computed, and nothing changes.', true), default: false}),
}, {title: 'SettleRequest', description: 'Which texts are no longer held, and why.', examples: [{sources: ['Viktor'], note: 'It was '
	+ 'him.'}]}));

export const Settled = shape('Settled', 'The texts that are no longer held, or would not be.', {
	id: nullableText('The id of the decision. Null for a dry run.', '3f0c1a52-6f0e-4d3b-9a57-0d8e1f6b2c11'),
	timestamp: timestamp('When it was made; ISO 8601, UTC.'),
	note: text('Why.', 'It was Viktor after all.'),
	by: decidedBy,
	ids: list('The texts, in their order.', text('The id of a cycle.', '3f0c1a52-6f0e-4d3b-9a57-0d8e1f6b2c11')),
	...turn,
	...changed,
	p: nullableNumber('For a dry run: how likely ordinary talk ever leads as far as what it heard since the validation, with these texts. '
		+ 'Null for what is done, without a validation, and for fewer than 100 texts.', 0.62, {minimum: 0, maximum: 1}),
	left: integer('How many more matching texts still wait: one decision covers at most 1000. Ask again.', 0, {minimum: 0}),
});
