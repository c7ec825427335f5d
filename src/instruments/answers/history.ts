/** How the present came about, state by state. */
import {Type} from '../../platform/typebox.ts';
import {ChartReading} from './drift.ts';
import {
	integer, list, nullable, nullableNumber, nullableText, number, shape, timestamp, moment, PastState,
} from '../../wire/builders.ts';

const HistoryPoint = shape('HistoryPoint', 'One state of the history.', {
	stateId: integer('Its number.', 42),
	timestamp: timestamp('When its text was said; of the first state, when it was made. ISO 8601, UTC.'),
	netMrad: number('The angle of thirdness between the first state and this one.', 182.4, {unit: 'mrad', minimum: 0}),
	pathMrad: number('The angles of all cycles up to this one, summed.', 391.2, {unit: 'mrad', minimum: 0}),
	beginningLeft: number('The weight of the first state in this one.', 0.71),
	push: number('The weight of what the rule itself pushed in since then.', 0.34, {minimum: 0}),
	dissonance: nullableNumber('Total dissonance of the text that made it. Null for the first state.', 1.003),
	dissonancePercentile: nullableNumber(
		'Its place among the 500 totals before it. Null where they are fewer than 50.', 0.62, {minimum: 0, maximum: 1},
	),
	id: nullableText('Id of the cycle that made it. Null for the first state.', '3f0c1a52-6f0e-4d3b-9a57-0d8e1f6b2c11'),
	source: nullableText('The source of its text: the metadata’s source, else the trigger. Null for the first state.', 'Ada'),
	content: nullableText(
		'At most 1000 characters of its text. Null for the first state, and where the journal keeps hashes.',
		'The sea is quiet today.',
	),
	value: nullableNumber('Thirdness on the direction. Null without one.', 0.0731),
	chart: nullable('The chart of conversations after the last one that had ended by then, by span. Null before the validation, and '
		+ 'where the chart is not calibrated.', list('The readings.', ChartReading)),
	z: nullableNumber('The value in standard deviations from the mean of the example sentences. Null without a direction or a scale.', 1.4),
});

export const History = shape('History', 'How the present came about, state by state.', {
	from: PastState,
	to: PastState,
	direction: nullableText('The direction that thirdness is followed on.', 'relational.trust'),
	cycles: integer('How many cycles lie between them.', 2000, {minimum: 0}),
	points: list('Oldest first, evenly spread over the cycles; the first and the last state always.', HistoryPoint),
});

export const HistoryRequest = Type.Object({
	points: Type.Optional(
		integer('How many states to answer at most; never more than 800.', 200, {default: 200, minimum: 2, maximum: 10_000}),
	),
	direction: Type.Optional(nullableText('A direction’s key, <category>.<name>, as in /profile/scaled: each state has its '
		+ 'value there.', 'relational.trust', {default: null})),
	since: Type.Optional(moment('The history begins with the last state up to then.', 'beginning')),
	until: Type.Optional(moment('It ends with the last state up to then.', 'present')),
}, {title: 'HistoryRequest'});
