/** The schemas of health, metrics, and the state in words. */
import {integer, number, shape, text, word, map, flag, nullableNumber, nullableText} from '../../wire/builders.ts';
import {Type} from '../../platform/typebox.ts';

/** The version of the interface, which is independent of the package's. */
export const interfaceVersion = '0.7.0';

export const Health = shape('Health', 'The service runs.', {
	status: word('Always ok.', ['ok']),
	version: text('Version of the interface.', interfaceVersion),
	uptimeSeconds: number('Time since startup; 0 if not started.', 3600.5, {unit: 's', minimum: 0}),
	stateId: integer('Number of the current state; -1 if there is none.', 42, {minimum: -1}),
	embeddingModel: text('Configured identifier of the embedding model.', 'example/text-embedding-1024'),
});

export const MetricsSchema = shape('Metrics', 'Counts of what the service has done.', {
	status: word('Overall status: critical after a critical alert in the last hour, warning after more than '
		+ 'two warnings.', ['healthy', 'warning', 'critical']),
	uptimeHours: number('Time since startup or the last reset.', 1.5, {unit: 'h', minimum: 0}),
	totalCycles: integer('Cycles done since startup or the last reset.', 120, {minimum: 0}),
	cyclesLastHour: integer('Cycles done in the last hour.', 4, {minimum: 0}),
	alerts: map('Alerts of the last hour, by level.', integer('How many cycles ended in it.', 0, {minimum: 0}), {critical: 0, warning: 1}),
});

export const MetricsText = text(
	'Every metric, in Prometheus’s text format, version 0.0.4. Before the identity is ready, it has the metrics that exist by then.',
	'# HELP processual_state_id Number of the current state; -1 while there is none.\n# TYPE processual_state_id '
		+ 'gauge\nprocessual_state_id 42\n',
);

export const TranslateRequest = shape('TranslateRequest', 'How to put the state into words.', {
	context: Type.Optional(nullableText('What the words are for; the language model gets it.', 'A letter to a friend.', {default: null})),
	maxLength: Type.Optional(integer('Accepted, but not used.', 500, {default: 500})),
});

export const TranslateResponse = shape('TranslateResponse', 'The current state in words.', {
	text: text('The words.', 'I am calm, and a little curious.'),
	projections: map(
		'Projections of the state, under <category>.<direction name>.', number('Projection on the direction.', 0.12),
		{'affective.calm_agitated': 0.12},
	),
	reasoningDetected: flag('Whether the text contains the model’s reasoning about its task.', false),
	note: Type.Optional(text(
		'A note for the reader, besides the words: that many of the newest texts could not be read. Absent if there is none.',
		'34 of the last 100 texts are in languages that the embedding model does not read.',
	)),
	faithfulness: nullableNumber('Whether the words say what the state does: the rank correlation of its 20 strongest projections with '
		+ 'those of the text’s own embedding. Null where it cannot be computed.', 0.62, {minimum: -1, maximum: 1}),
});
