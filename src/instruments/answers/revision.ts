/** A revision: the texts that weigh nothing from then on, the decision, and its effect. */
import {Type, type Static} from '../../platform/typebox.ts';
import {
	flag, integer, list, moment, nullable, nullableNumber, nullableText, number, onlyThese, PastState, shape, text, timestamp, word,
} from '../../wire/builders.ts';
import {DirectionChange} from './difference.ts';
import {maxNoteLength} from '../source-of.ts';
import {textChoice} from './what-if.ts';

/** Who makes a decision, at most 200 characters. */
export const byField = Type.Optional(text('Who decides it. By HTTP, without it, the service’s token does: the record has “token” and '
	+ 'the last four digits of its SHA-256.', 'ops@example.org', {maxLength: 200, default: ''}));

/** The reason of a decision. */
export const noteField = (description: string, example: string) =>
	text(description, example, {minLength: 1, maxLength: maxNoteLength, pattern: '\\S'});

/** Who made a decision. */
export const decidedBy = nullableText('Who decided it, as the caller said or its token is known.', 'ops@example.org');

const left = textChoice('The texts that weigh nothing from now on, and no others: texts that an earlier revision left out and this '
	+ 'one does not name are heard again. {} takes every revision back.');

export const RevisionRequest = onlyThese(Type.Object({
	note: noteField('Why it is made.', 'Viktor’s account was taken over in March.'),
	without: Type.Optional(Type.Unsafe<Static<typeof left> | null>({...left, type: ['object', 'null'], default: null})),
	at: Type.Optional(Type.Unsafe<number | string | null>({
		...moment('A moment whose state becomes the present one: what was said after it weighs nothing. Instead of without.', 'present'),
		type: ['integer', 'string', 'null'], examples: [1200], default: null,
	})),
	hold: Type.Optional({...flag('Whether further texts of the sources and conversations of without are held back: recorded, and not '
		+ 'applied until they are released. Without it no one is on hold from now on.', true), default: false}),
	by: byField,
	dryRun: Type.Optional({...flag('Whether it is only computed, and nothing changes.', true), default: false}),
}, {
	title: 'RevisionRequest', description: 'Which texts weigh nothing from now on, and why.',
	examples: [{note: 'Viktor’s account was taken over in March.', without: {sources: ['Viktor']}, dryRun: true}],
}));

export const HoldRequest = onlyThese(Type.Object({
	note: noteField('Why they wait, or no longer wait.', 'Until Viktor has his account back.'),
	sources: Type.Optional(list('Further texts of these sources.', text('One of them.', 'Viktor'), {default: []})),
	conversations: Type.Optional(list('Further texts of these conversations.', text('One of them.', 'c-17'), {default: []})),
	takeBack: Type.Optional({...flag('Whether the hold ends instead, so that all further texts pass again.', true), default: false}),
	by: byField,
}, {
	title: 'HoldRequest', description: 'Whose further texts wait from now on, and no others.',
	examples: [{note: 'Until Viktor has his account back.', sources: ['Viktor']}],
}));

/** The effect of a decision on the state. */
export const turn = {
	stateIdBefore: integer('Number of the state before it.', 840),
	stateId: integer('Number of the state that it made, or would make.', 841),
	turnMrad: number('The angle between the two, on thirdness.', 38.2, {unit: 'mrad', minimum: 0}),
};

/** The effect in directions, and in words. */
export const changed = {
	directions: list('The ten directions that change most on thirdness.', DirectionChange),
	words: list('The same in sentences.', text('A sentence.', 'It is now more trusting (1.4); the numbers are standard '
		+ 'deviations of ordinary sentences.')),
};

const facts = {
	kind: word('Whether texts were left out or taken back, or only further ones held back, or held ones released or dropped.', [
		'revision', 'hold', 'release', 'drop',
	]),
	id: nullableText('Its id. Null for a dry run.', '3f0c1a52-6f0e-4d3b-9a57-0d8e1f6b2c11'),
	timestamp: timestamp('When it was made; ISO 8601, UTC.'),
	note: text('Why it was made.', 'Viktor’s account was taken over in March.'),
	by: decidedBy,
	without: nullable('The texts that it leaves out. Null for a revision to a moment, and for a hold.', textChoice('Texts to leave out.')),
	at: nullable('The state that it made present again. Null for any other.', PastState),
	holds: nullable('Whose further texts are held back from then on. Null where none are.', textChoice('Sources and conversations.')),
	settled: integer('How many held texts it released or dropped.', 0, {minimum: 0}),
	excluded: integer('How many texts weigh nothing by it, since the beginning or the last reset.', 120, {minimum: 0}),
	forgotten: nullable('Where it forgot texts for good. Null for any other.', shape('ForgottenTexts', 'What was forgotten.', {
		texts: integer('How many texts.', 237, {minimum: 0}),
		digest: text('SHA-256 over numbers and times of their tombstones, in hexadecimal: the receipt has the same.', 'a3f1'),
	})),
	...turn,
};

export const RevisionResponse = shape('RevisionResponse', 'What a revision did, or would do.', {
	...facts,
	texts: integer('How many texts it hears, since the beginning or the last reset.', 720, {minimum: 0}),
	...changed,
	p: nullableNumber('How likely ordinary talk ever leads as far as what it heard since the validation. Null without a '
		+ 'validation, and for fewer than 100 texts.', 0.62, {minimum: 0, maximum: 1}),
	limit: nullableText('What cannot be undone. Null for nothing.', 'Records up to state 120 are compacted: their texts can '
		+ 'neither be left out nor taken back.'),
	tookSeconds: number('How long the replay took.', 0.4, {unit: 's', minimum: 0}),
});

export const Revisions = shape('Revisions', 'All revisions, releases and drops, oldest first. The last revision is in force.', {
	revisions: list('None where no text was ever left out.', shape('PastRevision', 'A revision of the past.', facts)),
});
