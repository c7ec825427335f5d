/** What a text would do, before it is said. */
import {Type} from '../../platform/typebox.ts';
import {CycleRequest, CycleResponse} from './cycle.ts';
import {list, nullableNumber, nullableText, number, onlyThese, shape, text, timestamp} from '../../wire/builders.ts';

export const DryRunRequest = onlyThese(Type.Object(CycleRequest.properties, {...CycleRequest, title: 'DryRunRequest', description: 'A text that would move the state.'}));

const Move = shape('Move', 'A direction on thirdness, before and after the text.', {
	key: text('<category>.<direction name>.', 'affective.calm_agitated'),
	polePositive: text('What a positive value means.', 'calm'),
	poleNegative: text('What a negative value means.', 'agitated'),
	before: number('Dot product of thirdness and the direction now.', 0.0512),
	after: number('The same after the text.', 0.0515),
	change: number('The difference.', 0.0003),
});

const NearText = shape('NearText', 'A text that was said before.', {
	id: text('The id of its cycle.', '3f0c1a52-6f0e-4d3b-9a57-0d8e1f6b2c11'),
	timestamp: timestamp('When its cycle ran; ISO 8601, UTC.'),
	cosine: number('Cosine of the two texts’ vectors.', 0.71, {minimum: -1, maximum: 1}),
	content: nullableText('At most 1000 characters of it. Null where the journal keeps hashes.', 'The sea was rough.'),
});

export const DryRunResponse = shape('DryRunResponse', 'What a cycle of the text would answer, and what it would do. Nothing has changed.', {
	...CycleResponse.properties,
	dissonancePercentile: nullableNumber('Share of the last 500 texts with a lower dissonance. Null with fewer than 50, and without a journal.', 0.62, {minimum: 0, maximum: 1}),
	turnMrad: number('How far thirdness would turn.', 0.964, {unit: 'mrad', minimum: 0}),
	moves: list('The ten directions that would move most, the strongest first.', Move, {maxItems: 10}),
	byMethod: shape('ByMethod', 'The norm of each method’s vector, unweighted.', {
		tenacity: number('Of tenacity.', 0),
		authority: number('Of authority.', 0),
		apriori: number('Of the a priori method.', 0.0698),
		science: number('Of science.', 0.0709),
	}),
	nearest: list('The five nearest of the last 500 texts, the nearest first. Empty without a journal.', NearText, {maxItems: 5}),
});
