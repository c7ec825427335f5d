/** A text that moves the state. */
import {Type, type Static} from '../../platform/typebox.ts';
import {knownTriggers} from '../../actors/trigger.ts';
import {maxNameLength} from '../../instruments/source-of.ts';
import {dimensionName} from '../../instruments/answers/dimensions.ts';
import {flag, list, map, number, shape, stateId, text} from '../../wire/builders.ts';

export const CycleRequest = shape('CycleRequest', 'A text that moves the state.', {
	content: text('The text, not blank. The embedding model cuts a text that is too long for it.', 'The sea is quiet today.', {minLength: 1, pattern: '\\S'}),
	trigger: Type.Optional(text(`What triggers the cycle. Known are ${knownTriggers.join(', ')}; any other is kept as it is and treated as a conversation.`, 'user', {default: 'user', wireName: 'trigger_type'})),
	source: Type.Optional(text('Who says it: always the same name for the same person, and “self” for the agent’s own words. Kept as metadata.source, which wins where it is given too.', 'Ada', {maxLength: maxNameLength, default: ''})),
	conversation: Type.Optional(text('The conversation that it belongs to. Kept as metadata.conversation, which wins where it is given too.', 'tea on Sunday', {maxLength: maxNameLength, default: ''})),
	metadata: Type.Optional(map('Notes of the caller, kept with the cycle.', Type.Unknown({description: 'Any value.', examples: ['blue']}), {notebook: 'blue'}, {default: {}})),
});

export const CycleResponse = shape('CycleResponse', 'The result of the cycle, about the state that it made.', {
	stateId: stateId(),
	deltaMagnitude: number('Euclidean norm of the applied delta; at most 0.001.', 0.00083, {minimum: 0}),
	dissonanceTotal: number('Total dissonance of the text against the state: 0 where they agree, 1 where they are unrelated, 2 where they are opposed.', 0.41),
	isChoc: flag('Whether the dissonance is a choc.', false),
	dimensionsAffected: list('Dimensions with a dissonance score over 0.1.', dimensionName()),
	processingTimeMs: number('Elapsed wall time of the cycle.', 38.2, {unit: 'ms', minimum: 0}),
});

/** The request of the library. What the interface accepts and ignores is not in it. */
export const toRequest = ({content, trigger, source, conversation, metadata}: Required<Static<typeof CycleRequest>>) =>
	({content, trigger, metadata, ...(source && {source}), ...(conversation && {conversation})});
