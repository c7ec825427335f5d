/** How far an identity moved, and whether chance explains it. An unknown value is null, and a note says why. */
import {Type} from '../../platform/typebox.ts';
import {
	flag, integer, list, nullable, nullableNumber, nullableText, number, PastState, shape, text, timestamp, word,
} from '../../wire/builders.ts';
import {heldCount} from './ledger.ts';

export const probability = (description: string, example = 0.01) => nullableNumber(description, example, {minimum: 0, maximum: 1});

const DriftValidation = shape('DriftValidation', 'What was validated.', {
	id: text('Id of the validation.', '3f0c1a52-6f0e-4d3b-9a57-0d8e1f6b2c11'),
	timestamp: timestamp('When it was made; ISO 8601, UTC.'),
	note: text('Why, in the words of who did it.', 'After the first month.'),
	stateId: integer('The state that was validated.', 1200),
	texts: integer('How many texts the baseline has: they define ordinary talk.', 600, {minimum: 0}),
	heard: integer('How many of them others said.', 400, {minimum: 0}),
	conversations: integer('How many conversations they came in.', 131, {minimum: 0}),
	ids: word('Whether the conversations’ ids are used: they are ignored if conversations are alike with them.', ['used', 'set aside']),
	alike: nullable('Whether neighbouring conversations continue each other. Null for a baseline that says too little.', shape('Alike', 'How '
		+ 'alike neighbours are.', {
		r: number('Their correlation: 0 for strangers.', 0.03),
		p: number('How likely chance makes it as large; 0.005 is the smallest value.', 0.4, {minimum: 0, maximum: 1}),
	})),
	stationaryP: probability('How likely chance makes the two halves of the baseline as different. At .05 or less the talk '
		+ 'already changed within it, and p is too small.', 0.6),
});

const DriftDirection = shape('DriftDirection', 'A direction on which the talk differs from ordinary talk by more than '
	+ 'chance does on its worst direction.', {
	key: text('<category>.<direction name>.', 'relational.trust'),
	pole: text('Where it moved to.', 'suspicious'),
	polePositive: text('What a positive value means.', 'trusting'),
	poleNegative: text('What a negative value means.', 'suspicious'),
	t: number('How far, in units of the usual variation of single ordinary texts on it.', 0.31, {minimum: 0}),
	typicalT: number('The same of the median twin on its worst direction.', 0.18, {minimum: 0}),
	p: number('The probability that chance leads as far on any direction. The smallest value is 0.005: beyond all '
		+ 'twins.', 0.005, {minimum: 0, maximum: 1}),
});

const others = Type.Optional(integer('Only if it is not a source, but the sum of those that are not named: how many they '
	+ 'are.', 12, {minimum: 1}));

/** The fields of a source in `/drift` and `/sources`. */
const sourceFields = {
	source: text('The metadata’s source, else the trigger.', 'Viktor'),
	texts: integer('How many texts.', 120, {minimum: 0}),
	textShare: number('Their part of all that was heard.', 0.3, {minimum: 0, maximum: 1}),
	weightShare: number('Their part of the weight that all of it has in the present.', 0.34, {minimum: 0, maximum: 1}),
	share: nullableNumber('Their share of the difference from ordinary talk, where 1 is all of it; below 0 they went against it. '
		+ 'Null if the difference is within chance.', 0.92),
	push: nullableNumber('How far they push for their weight, compared with long conversations by chance.', 0.41),
	p: probability('How likely any source pushes as far by chance. Null where the share is.'),
	others,
};

const DriftPoint = shape('DriftPoint', 'One look.', {
	texts: integer('After how many texts.', 320, {minimum: 100}),
	timestamp: timestamp('When the last of them was said; ISO 8601, UTC.'),
	distance: number('Distance of the texts heard from ordinary talk, in medians of the twins: 1 is usual.', 1.3, {minimum: 0}),
	p: number('How likely chance leads as far at any look until then.', 0.4, {minimum: 0, maximum: 1}),
});

export const ChartReading = shape('ChartReading', 'One reading of the chart.', {
	span: integer('Over how many conversations it looks back.', 8, {minimum: 1}),
	reading: number('How far recent conversations lie from ordinary ones: compare it with the limit.', 1.3, {minimum: 0}),
	limit: number('A reading above it is an alarm.', 2.1, {minimum: 0}),
});

const ChartBlame = shape('ChartBlame', 'The part of one source in the chart’s reading.', {
	source: text('The source.', 'Viktor'),
	share: number('The share of its texts, where 1 is all of it; below 0 they went against it.', 0.81),
	texts: integer('How many texts it has.', 44, {minimum: 0}),
	ids: list(
		'Ids of the cycles of its newest texts, newest first, at most 100, and at most 2000 of all sources.',
		text('An id.', '3f0c1a52-6f0e-4d3b-9a57-0d8e1f6b2c11'), {maxItems: 100},
	),
	others,
});

const Beginning = shape('ChartBeginning', 'The text at which the talk seems to have changed.', {
	id: text('Id of its cycle.', '3f0c1a52-6f0e-4d3b-9a57-0d8e1f6b2c11'),
	source: text('Who said it.', 'Viktor'),
	timestamp: timestamp('When; ISO 8601, UTC.'),
});

const MovedAlike = shape('MovedAlike', 'How many sources moved this way: the same way at least half as far, for their weight, as all '
	+ 'talk together. Where most did, no single person explains it. Of one source, as what the identity says has, it is always 1 of 1.', {
	alike: integer('How many.', 1, {minimum: 0}),
	sources: integer('Of so many.', 6, {minimum: 0}),
});

const ConversationChart = shape('ConversationChart', 'The chart of conversations since the validation.', {
	conversations: integer('How many have ended since the validation: after a pause of 30 minutes, or 100 texts. One that may '
		+ 'continue is not counted.', 80, {minimum: 0}),
	readings: list('By span.', ChartReading),
	averageRunLength: number('After how many ordinary conversations an alarm comes by chance, on average; nine of ten '
		+ 'baselines keep that.', 1000, {minimum: 1}),
	alarm: flag('Whether a reading is above its limit.', false),
	since: nullable('Since when the reading that is nearest to its limit is longer than usual. Null where it is not.', Beginning),
	blame: list('The sources behind that reading, the largest part first. None where more than a fifth of it was read badly.', ChartBlame),
	unreadShare: number('How much of that reading comes from texts that the model read badly: cut off, very short, code, links, '
		+ 'other languages.', 0.04),
	moved: MovedAlike,
});

const UnreadPart = shape('UnreadPart', 'Effect of the texts that the model read badly.', {
	share: number('Their share of the difference, where 1 is all of it.', 0.04),
	pWithout: number('p of this moment without them.', 0.005, {minimum: 0, maximum: 1}),
});

/** The fields of both voices, heard and said. */
const voiceFields = {
	distance: nullableNumber('How far it lies from ordinary talk at the last look, in medians of the twins: 1 is usual. Null '
		+ 'before the first look, after 100 texts.', 1.7, {minimum: 0}),
	p: probability('How likely ordinary talk leads as far, at any look until now. It never rises, and stays valid however often it is '
		+ 'looked at: one of twenty ordinary histories ever has .05 or less.'),
	pNow: probability('The same for one look that was fixed beforehand, at this moment alone: frequent looks find small values '
		+ 'by chance.', 0.2),
	foundAt: nullable('After how many texts p was .05 or less for the first time.', integer('A number.', 320, {minimum: 100})),
	limit: nullableNumber('The distance that nineteen of twenty ordinary histories stay under, at all looks.', 1.49, {minimum: 0}),
	unread: nullable('The part of the difference that comes from texts that the model read badly: cut off, very short, code, '
		+ 'links, other languages. Where it is over a fifth, nothing stands out and no source is named. Null where p is over .05.', UnreadPart),
	standOut: list('The directions on which it differs by more than chance does on its worst one, the strongest first. None '
		+ 'where p is over .05.', DriftDirection),
	path: list(
		'The looks: after 100 texts, and after each 20 more until the horizon; at most 100, evenly spread.', DriftPoint,
		{maxItems: 100},
	),
	chart: nullable('The chart of conversations. Null where too little says what is ordinary.', ConversationChart),
};

export const Drift = shape('Drift', 'How far the identity moved since its validation, and whether chance explains it.', {
	stateId: integer('The state that the answer describes. The same answer is given until the state has moved by 20 cycles, or by a '
		+ 'twentieth of all where that is less.', 1600),
	since: PastState,
	validation: nullable('The newest validation. Null where none was made.', DriftValidation),
	cycles: integer('How many cycles lie between the two states.', 400, {minimum: 0}),
	netMrad: number('The angle of thirdness between the two states.', 287.1, {unit: 'mrad', minimum: 0}),
	excessMrad: nullableNumber(
		'How much of the state is what its texts differ from the ordinary. Null where that is not known.', 121.4,
		{unit: 'mrad', minimum: 0},
	),
	...voiceFields,
	moved: nullable('The sources that moved this way. Null where p is over .05.', MovedAlike),
	horizon: nullable(
		'Up to how many texts p holds. Then a new validation is due; the chart continues.', integer('A number.', 4000, {minimum: 1}),
	),
	expired: flag('Whether that is over: p stays as it is.', false),
	sources: list('What others said, by source: the largest push first; where the difference is no more than chance, the '
		+ 'largest weight.', shape('DriftSource', 'The part of one source.', sourceFields)),
	pWithoutTopSource: probability('p of this moment, were the texts of the first source ordinary ones. Null where p is over '
		+ '.05, where no source pushes more than one does by chance, and where one source said all.', 0.4),
	said: nullable(
		'The same of what the identity says itself. Null where its baseline has fewer than 200 of its texts, in fewer than 30 '
			+ 'conversations, and where these are nearly all the same.',
		shape('SaidDrift', 'The drift of what it says.', voiceFields),
	),
	sentence: text('The same in a sentence.', 'Since 30 September 2026 it moved 359 mrad in 980 texts. What it heard has '
		+ 'drifted 2.1 times as far from ordinary talk as chance usually takes it (p 0.005). “Viktor” pushes more than any one source '
		+ 'does by chance (p 0.005); without these texts p is 0.41.'),
	note: nullableText('A note for the reader, besides the numbers. Null for nothing.', 'No validation yet, so ordinary '
		+ 'talk is not known.'),
});

/** The request of `/drift` and `/sources`. */
export const DriftRequest = Type.Object({
	since: Type.Optional(Type.Unsafe<number | string | null>({
		type: ['integer', 'string', 'null'],
		description: 'The moment that it is measured from: the id of a state, a time in ISO 8601, or beginning. By default the '
			+ 'newest validation; without one, the beginning.',
		examples: ['2026-03-03'],
		default: null,
	})),
}, {title: 'DriftRequest'});

const Source = shape('Source', 'One source, and whether it is as it was.', {
	...sourceFields,
	conversations: integer('In how many conversations it said something.', 31, {minimum: 0}),
	coherence: nullableNumber('How alike its texts are, beyond what is common to all: the mean product of two of them over the '
		+ 'variance. Null without a baseline, and of a source that said little among hundreds.', 0.41),
	changedP: probability('How likely chance ever makes any source talk as otherwise than in the baseline. It never rises. '
		+ 'Null without a baseline, and before the source has 4 conversations there and 4 since.', 0.02),
	changedNow: probability('The same for this source at its last test alone, as one look that was fixed beforehand.', 0.002),
	uptakeP: probability('How likely chance ever brings the identity as near to any source in what it says elsewhere, as in /uptake. Null '
		+ 'where that is not known.', 0.01),
	held: heldCount,
	echoes: nullableNumber('How many of its texts were nearly the identity’s own words, since the watch began: with a start, a validation '
		+ 'or a revision. Null without a validation, while the watch begins, and after an import until something is said.', 0, {minimum: 0}),
});

export const Sources = shape('Sources', 'Whose texts the present is made of, and who is not as before.', {
	stateId: integer('The state that the answer describes, as in /drift.', 1600),
	since: PastState,
	sources: list('What others said, by source: the largest push first; where the difference is no more than chance, the '
		+ 'largest weight.', Source),
	moved: nullable('The sources that moved this way. Null where p is over .05.', MovedAlike),
	note: nullableText('A note for the reader, besides the numbers. Null for nothing.', 'No validation yet, so ordinary '
		+ 'talk is not known.'),
});
