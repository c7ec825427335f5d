/** `POST /cycle`: a text moves the state. */
import {Type, type Static} from '../../platform/typebox.ts';
import {knownTriggers} from '../../actors/trigger.ts';
import {maxNameLength} from '../../instruments/source-of.ts';
import {toSnakeCase} from '../../wire/snake-case.ts';
import {cycleIdHeader, idempotencyKeyHeader, replayedHeader} from '../../wire/headers.ts';
import {errorResponses} from './error-schemas.ts';
import {ignoredHeader, route} from './route.ts';
import {dimensionName, flag, list, map, number, shape, stateId, text} from './schema-builders.ts';

export const CycleRequest = shape('CycleRequest', 'A text that moves the state.', {
	content: text('The text, not blank. The embedding model cuts a text that is too long for it.', 'The sea is quiet today.', {minLength: 1, pattern: '\\S'}),
	trigger_type: Type.Optional(text(`What triggers the cycle. Known are ${knownTriggers.join(', ')}; any other is kept as it is and treated as a conversation.`, 'user', {default: 'user'})),
	source: Type.Optional(text('Who says it: always the same name for the same person, and “self” for the agent’s own words. Kept as metadata.source, which wins where it is given too.', 'Ada', {maxLength: maxNameLength, default: ''})),
	conversation: Type.Optional(text('The conversation that it belongs to. Kept as metadata.conversation, which wins where it is given too.', 'tea on Sunday', {maxLength: maxNameLength, default: ''})),
	metadata: Type.Optional(map('Notes of the caller, kept with the cycle.', Type.Unknown({description: 'Any value.', examples: ['blue']}), {notebook: 'blue'}, {default: {}})),
});

export const CycleResponse = shape('CycleResponse', 'The result of the cycle, about the state that it made.', {
	state_id: stateId(),
	delta_magnitude: number('Euclidean norm of the applied delta; at most 0.001.', 0.00083, {minimum: 0}),
	dissonance_total: number('Total dissonance of the text against the state: 0 where they agree, 1 where they are unrelated, 2 where they are opposed.', 0.41),
	is_choc: flag('Whether the dissonance is a choc.', false),
	dimensions_affected: list('Dimensions with a dissonance score over 0.1.', dimensionName()),
	processing_time_ms: number('Elapsed wall time of the cycle.', 38.2, {unit: 'ms', minimum: 0}),
});

/** The request of the library. What the interface accepts and ignores is not in it. */
export const toRequest = ({content, trigger_type: trigger, source, conversation, metadata}: Required<Static<typeof CycleRequest>>) =>
	({content, trigger, metadata, ...(source && {source}), ...(conversation && {conversation})});

export const cycle = route({
	method: 'POST',
	path: '/cycle',
	summary: 'Run one full cycle',
	description: 'Embeds the text, measures its dissonance against the current state, and moves the state by a fixation delta. The trigger counts when the request is accepted, even if the cycle fails later. A request with an Idempotency-Key is safe to repeat: the text moves the state once, and a repetition is answered with the first result. The key with another text, trigger or metadata is refused (422). A request that failed may be sent again under its key.',
	body: CycleRequest,
	keyHeader: {name: idempotencyKeyHeader, schema: text('The id that the cycle is to have, 1 to 255 visible ASCII characters. It is known while the journal keeps the cycle whole.', 'order-1042/message-7', {pattern: '^[\\x21-\\x7E]{1,255}$'})},
	idHeader: {name: cycleIdHeader, schema: text('The id of the cycle, which its events and its record have too.', '3f0c1a52-6f0e-4d3b-9a57-0d8e1f6b2c11')},
	replayedHeader: {name: replayedHeader, schema: Type.Literal('true', {description: 'The result repeats that of the first request with this key. Its processing time is 0 where it comes from the journal.', examples: ['true']})},
	ignoredHeader,
	responses: {200: CycleResponse, ...errorResponses(413, 415, 422, 429, 500, 503)},
	handle: async (identity, fields, _signal, id) => toSnakeCase(await identity.cycle({...toRequest(fields), ...(id && {id})})),
});
