/** The schemas of a cycle, a dry run, a reset and a validation. */
import {Type, type Static} from '../../platform/typebox.ts';
import {knownTriggers} from '../../actors/trigger.ts';
import {heldExample} from '../../instruments/answers/held.ts';
import {maxNameLength, maxNoteLength} from '../../instruments/source-of.ts';
import {dimensionName} from '../../instruments/answers/scaled-profile.ts';
import {
	flag, list, map, number, shape, text, nullableNumber, nullableText, onlyThese, timestamp, integer, word, nullable,
} from '../../wire/builders.ts';
import {defaultHorizon, horizons} from '../../instruments/drift/paths.ts';

export const CycleRequestSchema = shape('CycleRequest', 'A text that moves the state.', {
	content: text(
		'The text, not blank. The embedding model cuts a text that is too long for it.', 'The sea is quiet today.',
		{minLength: 1, pattern: '\\S'},
	),
	trigger: Type.Optional(text(`What triggers the cycle. Known are ${knownTriggers.join(', ')}; any other is kept as it is and treated `
		+ 'as a conversation.', 'user', {maxLength: maxNameLength, default: 'user', wireName: 'trigger_type'})),
	source: Type.Optional(text('Who says it: always the same name for the same person, and “self” for the agent’s own words. Kept as '
		+ 'metadata.source, which wins where it is given too.', 'Ada', {maxLength: maxNameLength, default: ''})),
	conversation: Type.Optional(text(
		'The conversation that it belongs to. Kept as metadata.conversation, which wins where it is given too.', 'tea on Sunday',
		{maxLength: maxNameLength, default: ''},
	)),
	metadata: Type.Optional(map(
		'Notes of the caller, kept with the cycle.', Type.Unknown({description: 'Any value.', examples: ['blue']}), {notebook: 'blue'},
		{default: {}},
	)),
});

export const CycleResponse = shape('CycleResponse', 'The result of the cycle, about the state that it made.', {
	stateId: integer('Number of the state that it made; of the current state where the text is held back.', 42),
	deltaMagnitude: number('Euclidean norm of the applied delta; at most 0.001.', 0.00083, {minimum: 0}),
	dissonanceTotal: number('Total dissonance of the text against the state: 0 where they agree, 1 where they are unrelated, 2 where '
		+ 'they are opposed.', 0.41),
	isChoc: flag('Whether the dissonance is a choc.', false),
	dimensionsAffected: list('Dimensions with a dissonance score over 0.1.', dimensionName()),
	processingTimeMs: number('Elapsed wall time of the cycle.', 38.2, {unit: 'ms', minimum: 0}),
	held: Type.Optional(text('Why the text is held back, and moved nothing; absent where it moved the state.', heldExample)),
});

/** The library's request, without empty names. */
export const toRequest = ({content, trigger, source, conversation, metadata}: Required<Static<typeof CycleRequestSchema>>) =>
	({content, trigger, metadata, ...(source && {source}), ...(conversation && {conversation})});

export const DryRunRequest = onlyThese(Type.Object(
	CycleRequestSchema.properties, {...CycleRequestSchema, title: 'DryRunRequest', description: 'A text that would move the state.'},
));

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
	stateId: integer('Number of the state that the cycle would make.', 43),
	held: Type.Optional(text('Why the text would wait, if its source or conversation is on hold by name: the rest is then what it would do '
		+ 'when it is released. The rules of the guard are not checked.', heldExample)),
	tokens: Type.Optional(number(
		'Tokens that the embedding model read. Absent where its encoder does not report them, as the next two.', 12,
	)),
	truncated: Type.Optional(flag('Whether the text’s end was cut off.', false)),
	unknownShare: Type.Optional(number('The share of the text that is not in the model’s vocabulary, 0 to 1.', 0)),
	dissonancePercentile: nullableNumber('Share of the last 500 texts with a lower dissonance. Null with fewer than 50, and '
		+ 'without a journal.', 0.62, {minimum: 0, maximum: 1}),
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

export const ResetResponse = shape('ResetResponse', 'The initial state is restored.', {
	status: word('Always ok.', ['ok']),
	stateId: integer('Number of the restored state.', 0),
});

const note = text('What it was made for.', 'Who it is after the first month.', {minLength: 1, maxLength: maxNoteLength, pattern: '\\S'});

export const ValidateRequest = onlyThese(shape('ValidateRequest', 'An approval of the present state as the reference for drift.', {
	note,
	horizon: Type.Optional(
		Type.Integer(
			{description: 'Up to how many texts the drift’s p is to hold.', ...horizons, examples: [defaultHorizon], default: defaultHorizon},
		),
	),
	acceptUnread: Type.Optional(Type.Boolean({description: 'Whether to validate even if more than a tenth of the last 100 texts are in '
		+ 'languages that the embedding model does not read; otherwise that is a 409.', examples: [false], default: false})),
}));

export const ValidateResponse = shape('ValidateResponse', 'The validation is durable: drift is measured from it.', {
	id: text('Its id, as its event and its record have it.', '3f0c1a52-6f0e-4d3b-9a57-0d8e1f6b2c11'),
	timestamp: timestamp('When it was made; ISO 8601, UTC.'),
	stateId: integer('Number of the state that was validated.', 42),
	note,
	baseline: shape('Baseline', 'The texts before it, which later ones are compared with.', {
		texts: integer('How many there are.', 1200, {minimum: 0}),
		heard: integer('How many of them others said.', 600, {minimum: 0}),
		conversations: integer('How many conversations something was heard in.', 74, {minimum: 0}),
		sources: nullable('How many sources they have; null where the journal keeps hashes, and triggers stand '
			+ 'for sources.', integer('A number.', 6, {minimum: 1})),
		from: timestamp('When the first of them was said; ISO 8601, UTC.'),
	}),
});
