/** The composition of the present. */
import {Type} from '../../platform/typebox.ts';
import {groupings} from '../ledger.ts';
import {lenses} from '../scaled-profile.ts';
import {
	integer, list, nullableNumber, nullableText, number, shape, stateId, text, timestamp, word, moment, PastState,
} from '../../wire/builders.ts';

/** The held texts of a source, which no other number counts. */
export const heldCount = Type.Optional(
	integer('Of a source: how many more of its texts wait, and moved nothing. Absent for none.', 3, {minimum: 1}),
);

const LedgerEntry = shape('LedgerEntry', 'A part of the present.', {
	kind: word('texts: those of a source or a trigger. text: a single one. method: a method’s part of all texts. push: what '
		+ 'the rule itself does at every text. beginning: the initial state. before: the state that the ledger begins with, where '
		+ 'that is a later one. others: what is not shown.', ['texts', 'text', 'method', 'push', 'beginning', 'before', 'others']),
	key: text('Id of the text, or name of the source, trigger or method; else the kind.', 'Ada'),
	texts: integer('Number of texts in this part.', 412, {minimum: 0}),
	share: number('Its weight among all entries.', 0.21, {minimum: 0, maximum: 1}),
	part: nullableNumber('Its part of the value. Null without a direction.', 0.0132),
	held: heldCount,
	timestamp: Type.Optional(timestamp('Of a text: when it was said; ISO 8601, UTC.')),
	source: Type.Optional(text('Of a text: its metadata’s source, else its trigger.', 'Ada')),
	trigger: Type.Optional(text('Of a text: what triggered its cycle.', 'user')),
	content: Type.Optional(
		nullableText('Of a text: at most 1000 characters of it. Null where the journal keeps hashes.', 'The sea is quiet today.'),
	),
});

export const Ledger = shape('Ledger', 'What the present thirdness is made of: a sum, entry by entry.', {
	stateId: stateId(),
	by: word('What the entries are.', groupings),
	direction: nullableText('The direction that parts are measured on.', 'relational.trust'),
	value: nullableNumber('The present value on the direction, which the parts sum to. Null without one.', 0.0731),
	from: PastState,
	cycles: integer('How many cycles the ledger is of.', 2000, {minimum: 0}),
	beginningLeft: number('What is left of the state that the ledger begins with: its weight in the present one.', 0.24),
	halfLifeCycles: nullableNumber('After how many cycles half of a text is left. Null where nothing fades.', 851.3, {unit: 'cycles'}),
	entries: list('The beginning and the push, then the largest first.', LedgerEntry),
	note: nullableText('A note for the reader, besides the numbers. Null for nothing.', 'The identity was reset on '
		+ '30 January 2026, 12:00 UTC, 120 cycles ago: the ledger begins there.'),
});

export const LedgerRequest = Type.Object({
	by: Type.Optional(word('What the entries are: single texts, sources, triggers, or the four methods.', groupings, {default: 'text'})),
	direction: Type.Optional(
		nullableText('A direction’s key, <category>.<name>, as in /profile/scaled.', 'relational.trust', {default: null}),
	),
	lens: Type.Optional(word('own: the direction on the dimension of its category; only thirdness moves. thirdness: the '
		+ 'direction on thirdness.', lenses, {default: 'own'})),
	since: Type.Optional(moment('The ledger begins with the last state up to then.', 'beginning')),
	limit: Type.Optional(
		integer(
			'How many entries are shown besides the beginning and the push; the rest is one more.', 20,
			{default: 20, minimum: 1, maximum: 1000},
		),
	),
}, {title: 'LedgerRequest'});
