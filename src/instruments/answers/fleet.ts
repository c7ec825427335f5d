/** Many identities at a glance, a small row for each. An unknown value is null. */
import {Type} from '../../platform/typebox.ts';
import {flag, integer, list, nullable, nullableNumber, nullableText, number, shape, text, word} from '../../wire/builders.ts';
import {probability} from './drift.ts';

/** The most sources that an answer names. Strangers may have made up many. */
export const maxMoving = 20;

const name = (description: string) => text(description, 'ada', {minLength: 1, maxLength: 100});

const TopSource = shape('FleetSource', 'The source that pushes most.', {
	source: text('Its name.', 'Viktor'),
	share: nullableNumber('Its share of the difference from ordinary talk, where 1 is all of it.', 0.82),
	p: probability('How likely any source pushes as far by chance.'),
	explains: flag('Whether it explains the drift: its p is .05 or less, that of the rest is above, and it is a name.', true),
});

const MovingSource = shape('MovingSource', 'A source that explains the drift of an identity, over all identities.', {
	source: text('Its name.', 'Viktor'),
	identities: integer('How many identities’ drift it explains.', 12, {minimum: 1}),
	p: number('How likely chance makes any source as strong, whichever and whenever. 1 for one identity.', 0.001, {minimum: 0, maximum: 1}),
	named: flag('Whether it moves two or more: in at most a twentieth of fleets one is named by chance.', true),
});

const FleetIdentity = shape('FleetIdentity', 'An identity, as its newest record left it.', {
	id: name('Its name.'),
	texts: integer('How many texts it has taken since it began or was reset. A revision and a forgetting count as one.', 1600, {minimum: 0}),
	lastText: nullableText('When the newest of them came; ISO 8601, UTC.', '2026-03-03T12:00:00.000Z'),
	level: word('How far its path is, by vigilance.', ['ok', 'warning', 'critical']),
	held: integer('How many texts wait.', 0, {minimum: 0}),
	revision: nullableText('Id of the revision in force.', '3f0c1a52-6f0e-4d3b-9a57-0d8e1f6b2c11'),
	validated: nullableText('When it was validated. Null where it was not: what is ordinary is not known then.', '2026-03-01T12:00:00.000Z'),
	conversations: nullableNumber('How many conversations have ended since.', 80, {minimum: 0}),
	alarm: flag('Whether a reading of its chart is above its limit.', false),
	p: probability('How likely ordinary talk leads as far, at any look since the validation. Null before the first look.'),
	tailP: nullableNumber('The same, and beyond all twins by their tail: small enough to be compared over thousands.', 0.00002, {
		minimum: 0, maximum: 1,
	}),
	named: flag('Whether it is named: of all that are, at most a twentieth are by chance, on average.', false),
	distance: nullableNumber('How far it was at most, in medians of its twins: 1 is usual.', 1.7, {minimum: 0}),
	topSource: nullable('Who pushed most, where p is .05 or less and that was looked for.', TopSource),
	unreadShare: nullableNumber('How much of the chart’s reading comes from texts that the model read badly.', 0.04),
	readings: list('The chart after each of the newest conversations, oldest first, in its limits: above 1 is an alarm.', number(
		'The reading that is nearest to its limit.', 0.61, {minimum: 0},
	), {maxItems: 32}),
	isCurrent: flag('Whether the row has its newest record. Where it has not, the service is reading its journal.', true),
});

export const FleetRequest = Type.Object({
	only: Type.Optional(word('Which identities.', ['all', 'named', 'alarms', 'unusual'], {default: 'all'})),
	name: Type.Optional(text('Prefix of their names.', 'ada', {default: '', maxLength: 100})),
	order: Type.Optional(word(
		'Sort order: the strongest evidence of a drift, the newest text, or the first name comes first.', ['evidence', 'newest', 'name'],
		{default: 'evidence'},
	)),
	after: Type.Optional(text('Name after which the page begins: the last name of the previous page.', 'ada', {default: '', maxLength: 100})),
	limit: Type.Optional(integer('Maximum number.', 100, {minimum: 1, maximum: 1000, default: 100})),
}, {title: 'FleetRequest'});

export const Fleet = shape('Fleet', 'Identities, those with the strongest evidence of a drift first.', {
	identities: list('The page.', FleetIdentity),
	next: nullableText('The value of `after` for the next page; null for the last page.', 'ada'),
	found: integer('How many are on all pages.', 300, {minimum: 0}),
	total: integer('How many identities there are.', 300, {minimum: 0}),
	alarms: integer('How many of all have an alarm.', 1, {minimum: 0}),
	named: integer('How many of all are named.', 1, {minimum: 0}),
	level: number('The share of them that is named by chance, at most, on average.', 0.05, {minimum: 0, maximum: 1}),
	unusual: integer('How many of all have a p of .05 or less. One of twenty ordinary ones has, sooner or later.', 12, {minimum: 0}),
	sources: list('Who moves identities, of all: the smallest p first, at most 20.', MovingSource, {maxItems: maxMoving}),
	behind: integer('How many of all have a row that is not current.', 0, {minimum: 0}),
});
