/**
 * The schemas of every request and answer, field by field as `docs/spec/interface.md` names them.
 * They stand once: requests are checked against them, answers are (when asked), and the OpenAPI
 * document is made of them.
 */
import {Type} from 'typebox';
import {knownTriggers} from '../actors/trigger.ts';
import {dimensions} from '../tensor/dimensions.ts';
import {either, flag, integer, list, map, nullable, nullableNumber, nullableText, number, shape, text, word} from './routes/schema-builders.ts';

/** The version of the interface, which is not the package's. */
export const interfaceVersion = '0.7.0';

const stateId = () => integer('Number of the current state.', 42);
const timestamp = (description: string) => text(description, '2026-01-31T12:00:00.000Z', {format: 'date-time'});
const dimension = () => word('Name of a dimension.', dimensions);
const message = (example: string) => text('What happened, for a reader.', example);

export const Health = shape('Health', 'The service is alive.', {
	status: word('Always ok.', ['ok']),
	version: text('Version of the interface.', interfaceVersion),
	uptime_seconds: number('Time since startup; 0 if not started.', 3600.5, {unit: 's', minimum: 0}),
	state_id: integer('Number of the current state; -1 if there is none.', 42, {minimum: -1}),
	embedding_model: text('Configured identifier of the embedding model.', 'example/text-embedding-1024'),
});

export const CycleRequest = shape('CycleRequest', 'A text that moves the state.', {
	content: text('The text. Not empty, not blank; what is longer than the embedding model reads is cut.', 'The sea is quiet today.', {minLength: 1, pattern: '\\S'}),
	trigger_type: Type.Optional(text(`What sets the cycle off. Known are ${knownTriggers.join(', ')}; any other is kept as it is and treated as a conversation.`, 'user', {default: 'user'})),
	metadata: Type.Optional(map('Whatever the caller wants to note.', Type.Unknown({description: 'Any value.', examples: ['notebook']}), {source: 'notebook'}, {default: {}})),
});

export const CycleAnswer = shape('CycleAnswer', 'The outcome of the cycle, about the very state that it made.', {
	state_id: stateId(),
	delta_magnitude: number('Euclidean norm of the applied delta; at most 0.001.', 0.00083, {minimum: 0}),
	dissonance_total: number('Total dissonance of the input against the state: 0 where both agree, 1 where they have nothing in common, 2 where they are opposed.', 0.41),
	is_choc: flag('Whether the dissonance is a choc.', false),
	dimensions_affected: list('Dimensions with a dissonance score over 0.1.', dimension()),
	processing_time_ms: number('Elapsed wall time of the cycle.', 38.2, {unit: 'ms', minimum: 0}),
});

export const TranslateRequest = shape('TranslateRequest', 'How to put the state into words.', {
	context: Type.Optional(nullableText('What the words are for; passed along to the language model.', 'A letter to a friend.', {default: null})),
	max_length: Type.Optional(integer('Accepted and not used.', 500, {default: 500})),
});

export const TranslateAnswer = shape('TranslateAnswer', 'The current state in words.', {
	text: text('The words.', 'I am calm, and a little curious.'),
	projections: map('Projections of the state, under <category>.<direction name>.', number('Projection on the direction.', 0.12), {'affective.calm_agitated': 0.12}),
	reasoning_detected: flag('Whether the language model reasoned about its task rather than speak.', false),
	faithfulness: nullableNumber('Whether the words say what the state does: the rank correlation of its 20 strongest projections with those of the text’s own embedding. Null where it cannot be told.', 0.62, {minimum: -1, maximum: 1}),
});

export const State = shape('State', 'The current state, in part.', {
	state_id: stateId(),
	timestamp: timestamp('When the state was made; ISO 8601, UTC.'),
	dimensions: shape('StateDimensions', 'The first 10 floats of each dimension’s vector.', Object.fromEntries(dimensions.map((name) => [
		name,
		list(`The beginning of ${name}.`, number('One component.', 0.03125), {minItems: 10, maxItems: 10}),
	])) as Record<(typeof dimensions)[number], ReturnType<typeof list<ReturnType<typeof number>>>>),
});

export const Vigilance = shape('Vigilance', 'How far the current state has drifted from the reference.', {
	level: word('The alarm.', ['ok', 'warning', 'critical']),
	cumulative_drift: number('How far the state has moved since its beginning or the last reset: the sum of its steps, each relative to the length of the state.', 0.0021, {minimum: 0}),
	top_drifting_dimensions: list('The three dimensions that lie farthest from the reference, farthest first.', dimension()),
	message: nullableText('What the level means; null when there is nothing to say.', 'The drift is over its warning threshold.'),
});

export const Metrics = shape('Metrics', 'Counts of what the service has done.', {
	status: word('Overall status: critical after a critical alert in the last hour, warning after more than two warnings.', ['healthy', 'warning', 'critical']),
	uptime_hours: number('Time since startup or the last reset.', 1.5, {unit: 'h', minimum: 0}),
	total_cycles: integer('Cycles done since startup or the last reset.', 120, {minimum: 0}),
	cycles_last_hour: integer('Cycles done in the last hour.', 4, {minimum: 0}),
	alerts: map('Alerts of the last hour, by level.', integer('How many cycles ended in it.', 0, {minimum: 0}), {critical: 0, warning: 1}),
});

export const MetricsText = text('Every metric, in Prometheus’s text format, version 0.0.4. It needs no state: before the process is ready it has what there is by then.', '# HELP processual_state_id Number of the current state; -1 while there is none.\n# TYPE processual_state_id gauge\nprocessual_state_id 42\n');

export const ResetAnswer = shape('ResetAnswer', 'The initial state is restored.', {
	status: word('Always ok.', ['ok']),
	state_id: integer('Number of the restored state.', 0),
});

export const DaemonStatus = shape('DaemonStatus', 'What the process is doing, and what set it off.', {
	mode: word('The mode.', ['idle', 'conversation', 'autonomous']),
	is_ruminating: flag('Whether the process thinks on its own.', false),
	daemon_running: flag('Whether the autonomous loop runs.', false),
	last_trigger: nullable('The last trigger; null when no cycle has run.', shape('LastTrigger', 'A trigger.', {
		type: text('What set the cycle off.', 'user'),
		timestamp: timestamp('When; ISO 8601, UTC.'),
	})),
	cycles_breakdown: shape('CyclesBreakdown', 'Cycles by known trigger.', Object.fromEntries(knownTriggers.map((trigger) => [
		trigger,
		integer(`Cycles set off by ${trigger}.`, 3, {minimum: 0}),
	])) as Record<(typeof knownTriggers)[number], ReturnType<typeof integer>>),
	cycles_since_last_user: integer('Despite its name, a total: the sum of the counters of all triggers but user. A cycle of a user does not set it back, only a reset does.', 9, {minimum: 0}),
	time_since_last_user_seconds: nullableNumber('Despite its name, the time since the last trigger of any kind, the autonomous loop’s included; null when there was none.', 12.5, {unit: 's', minimum: 0}),
});

const LoopConfig = shape('LoopConfig', 'How the autonomous loop paces itself and what it draws.', {
	cycle_interval_seconds: number('Wait before each cycle.', 864, {unit: 's'}),
	prob_rumination_free: number('Share of free rumination.', 0.5, {minimum: 0, maximum: 1}),
	prob_corpus: number('Share of corpus themes.', 0.3, {minimum: 0, maximum: 1}),
	prob_unresolved: number('Unresolved share, which becomes free rumination.', 0.2, {minimum: 0, maximum: 1}),
});

export const DaemonStartAnswer = either('DaemonStartAnswer', 'The autonomous loop runs.', [
	shape('DaemonStarted', 'The loop was started.', {
		status: word('Started by this request.', ['started']),
		message: message('The autonomous loop has started.'),
		config: LoopConfig,
	}),
	shape('DaemonAlreadyRunning', 'The loop was running already; no second one starts.', {
		status: word('Running before this request.', ['already_running']),
		message: message('The autonomous loop is running already.'),
	}),
]);

export const DaemonStopAnswer = shape('DaemonStopAnswer', 'The autonomous loop does not run.', {
	status: word('stopped if it was running, not_running otherwise.', ['stopped', 'not_running']),
	message: message('The autonomous loop has stopped.'),
});

const profile = (description: string) => map(
	description,
	map('Direction name → entry.', shape('ProfileEntry', 'A projection and its meaning.', {
		value: number('Dot product of the dimension’s vector and the direction’s, rounded to 4 decimals.', 0.0412),
		dimension: dimension(),
		pole_positive: text('What a positive value means.', 'calm'),
		pole_negative: text('What a negative value means.', 'agitated'),
	}), {calm_agitated: {value: 0.0412, dimension: 'dispositions', pole_positive: 'calm', pole_negative: 'agitated'}}),
	{affective: {calm_agitated: {value: 0.0412, dimension: 'dispositions', pole_positive: 'calm', pole_negative: 'agitated'}}},
);

export const Profile = shape('Profile', 'The current state and the reference, projected onto the directions.', {
	state_id: stateId(),
	directions_count: integer('Number of loaded directions.', 24, {minimum: 0}),
	profile: profile('The current state: category → direction name → entry.'),
	reference_profile: profile('The reference: category → direction name → entry.'),
	reference_similarity: number('Mean over the dimensions of the dot products of state and reference, rounded to 4 decimals.', 0.9987),
});

export const Alive = shape('Alive', 'The process is there.', {
	status: word('Always ok.', ['ok']),
});

export const Ready = shape('Ready', 'The process can take on work.', {
	status: word('Always ready; another state is a 503.', ['ready']),
	parts: map('Part → ok, or for the store why it is not.', text('State of the part.', 'ok'), {model: 'ok', state: 'ok', journal: 'ok', store: 'ok'}),
	languages: Type.Optional(list('The languages that the embedding model was trained for; of a text in another it understands little. Absent where they are not known.', text('A BCP 47 tag.', 'en'))),
});

export const OpenapiDocument = shape('OpenapiDocument', 'An OpenAPI 3.1 document.', {
	openapi: text('Version of OpenAPI.', '3.1.0'),
	info: map('What the document is about.', Type.Unknown({description: 'Any value.', examples: ['0.7.0']}), {title: 'Processual State Service', version: interfaceVersion}),
	paths: map('Path → method → operation.', Type.Unknown({description: 'The operations of a path.', examples: [{}]}), {'/health': {}}),
});
