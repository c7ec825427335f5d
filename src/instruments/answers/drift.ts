/** How far an identity moved, and whether chance explains it. What is not known is null, and a note says why. */
import {Type} from '../../platform/typebox.ts';
import {flag, integer, list, nullable, nullableNumber, nullableText, number, shape, text, timestamp, PastState} from '../../wire/builders.ts';

const probability = (description: string) => nullableNumber(description, 0.01, {minimum: 0, maximum: 1});
const angle = (description: string, example: number) => nullableNumber(description, example, {unit: 'mrad', minimum: 0});

const DriftValidation = shape('DriftValidation', 'What was validated.', {
	id: text('Id of the validation.', '3f0c1a52-6f0e-4d3b-9a57-0d8e1f6b2c11'),
	timestamp: timestamp('When it was made; ISO 8601, UTC.'),
	note: text('Why, in the words of who did it.', 'After the first month.'),
	stateId: integer('The state that was validated.', 1200),
	texts: integer('How many texts the baseline has: they say what is ordinary.', 600, {minimum: 0}),
	visits: integer('How many visits they came in.', 131, {minimum: 0}),
});

const DriftDirection = shape('DriftDirection', 'A direction on which the state differs from its twins by more than chance.', {
	key: text('<category>.<direction name>.', 'relational.trust'),
	polePositive: text('What a positive value means.', 'trusting'),
	poleNegative: text('What a negative value means.', 'suspicious'),
	value: number('Thirdness on it.', -0.0427),
	expected: number('The mean of the twins.', 0.0312),
	z: number('The difference in standard deviations of the twins.', -4.2),
	p: number('How likely chance alone makes as much of a difference.', 0.00003, {minimum: 0, maximum: 1}),
});

const others = Type.Optional(integer('Only where it is no source, but the sum of those that are not named: how many they are.', 12, {minimum: 1}));

/** The fields of a source, which `/sources` has too. */
export const sourceFields = {
	source: text('The metadata’s source, else the trigger.', 'Viktor'),
	texts: integer('How many texts.', 120, {minimum: 1}),
	textShare: number('Their part of all texts.', 0.3, {minimum: 0, maximum: 1}),
	weightShare: number('Their part of the weight that all texts have in the present.', 0.34, {minimum: 0, maximum: 1}),
	unusualShare: nullableNumber('Their part of the difference from the mean of the twins, of 1; below 0 they went against it. Null without a baseline.', 0.92),
	others,
};

const DriftPoint = shape('DriftPoint', 'One state on the way, beside the twins after as many cycles.', {
	stateId: integer('Its number.', 42),
	timestamp: timestamp('When it was made; ISO 8601, UTC.'),
	netMrad: number('The angle from the first state.', 182.4, {unit: 'mrad', minimum: 0}),
	netLowMrad: angle('The 5 % quantile of the twins’ angles. Null without a baseline, as the fields below.', 141.2),
	netMedianMrad: angle('Their median.', 160.3),
	netHighMrad: angle('Their 95 % quantile.', 181.7),
	excessMrad: angle('How far it lies from the mean of the twins.', 81.4),
	excessLowMrad: angle('The 5 % quantile of the twins, each from the mean of the others.', 40.2),
	excessMedianMrad: angle('Their median.', 52.3),
	excessHighMrad: angle('Their 95 % quantile.', 71.7),
});

export const ChartReading = shape('ChartReading', 'One reading of the chart.', {
	span: integer('Over how many visits it looks back.', 8, {minimum: 1}),
	reading: number('The reading: 1 is usual.', 1.3, {minimum: 0}),
	limit: number('A reading above it is an alarm.', 2.1, {minimum: 0}),
});

const ChartBlame = shape('ChartBlame', 'The part of one source in the chart’s reading.', {
	source: text('The source.', 'Viktor'),
	share: number('The part of its visits, of 1; below 0 they went against it.', 0.81),
	texts: integer('How many texts they have.', 44, {minimum: 1}),
	ids: list('Ids of the cycles of these texts, newest first, at most 100, and at most 2000 of all sources.', text('An id.', '3f0c1a52-6f0e-4d3b-9a57-0d8e1f6b2c11'), {maxItems: 100}),
	others,
});

const VisitChart = shape('VisitChart', 'The chart of visits since the validation. A visit is a run of texts of one source with pauses of at most 30 minutes.', {
	calibrated: flag('Whether the baseline has texts enough for limits.', true),
	visits: integer('How many visits have ended since the validation. The last one may go on, and is not among them.', 80, {minimum: 0}),
	readings: list('By span. None before the first visit has ended.', ChartReading),
	averageRunLength: number('After how many visits of ordinary talk an alarm comes by chance, on average.', 1000, {minimum: 1}),
	alarm: flag('Whether a reading is above its limit.', false),
	blame: list('The sources behind the reading that is nearest to its limit, the largest first.', ChartBlame),
	note: nullableText('What a reader must know besides the numbers. Null for nothing.', 'The chart is not calibrated: it needs a baseline of 400 texts.'),
});

export const Drift = shape('Drift', 'How far the identity moved, and whether chance explains it.', {
	stateId: integer('The state that the answer is of. It is answered again until the state has moved by 20 cycles, or by a twentieth of all where that is less.', 1600),
	since: PastState,
	validation: nullable('The newest validation. Null where none was made.', DriftValidation),
	cycles: integer('How many cycles lie between the two states.', 400, {minimum: 0}),
	netMrad: number('The angle of thirdness between the two states.', 287.1, {unit: 'mrad', minimum: 0}),
	expectedMrad: angle('The median angle of the twins: 99 copies of the first state, which heard ordinary talk in as many cycles. Null without a baseline.', 250.3),
	excessMrad: angle('How far the state lies from the mean of the twins. Null without a baseline.', 121.4),
	typicalMrad: angle('How far the median twin lies from the mean of the others. Null without a baseline.', 71.8),
	p: probability('How likely ordinary talk is to lead as far from the mean of the twins. Null without a baseline.'),
	standOut: list('The directions on which the state differs from the twins by more than chance, the strongest first. Of those that are named, 5 % are by chance.', DriftDirection),
	sources: list('The largest part of the difference first; without a baseline the largest weight.', shape('DriftSource', 'The part of one source.', sourceFields)),
	pWithoutTopSource: probability('p of the state without the texts of the first source, against twins of that length. Null without a baseline, and where that source said all.'),
	path: list('The way from the first state to the last: at most 25 states, evenly spread over the cycles.', DriftPoint, {maxItems: 25}),
	chart: nullable('The chart of visits. Null without a validation.', VisitChart),
	sentence: text('The same in a sentence.', 'Since 30 September 2026 it moved 359 mrad in 980 texts. Ordinary talk would have moved it 385. It ended up 116 mrad from where ordinary talk would have taken it; by chance, about 46 (p 0.01).'),
	note: nullableText('What a reader must know besides the numbers. Null for nothing.', 'No validation yet, so what is ordinary is not known.'),
});

/** What drift and sources are asked for. */
export const DriftRequest = Type.Object({
	since: Type.Optional(Type.Unsafe<number | string | null>({
		type: ['integer', 'string', 'null'],
		description: 'The moment that it is measured from: the id of a state, a time in ISO 8601, or beginning. By default the newest validation; without one, the beginning.',
		examples: ['2026-03-03'],
		default: null,
	})),
}, {title: 'DriftRequest'});
