/** `POST /translate`: the language model puts the state into words. */
import {Type} from '../../platform/typebox.ts';
import {toSnakeCase} from '../../wire/snake-case.ts';
import {errorResponses} from './error-schemas.ts';
import {ignoredHeader, route} from './route.ts';
import {flag, integer, map, nullableNumber, nullableText, number, shape, text} from './schema-builders.ts';

export const TranslateRequest = shape('TranslateRequest', 'How to put the state into words.', {
	context: Type.Optional(nullableText('What the words are for; the language model gets it.', 'A letter to a friend.', {default: null})),
	max_length: Type.Optional(integer('Accepted and not used.', 500, {default: 500})),
});

export const TranslateResponse = shape('TranslateResponse', 'The current state in words.', {
	text: text('The words.', 'I am calm, and a little curious.'),
	projections: map('Projections of the state, under <category>.<direction name>.', number('Projection on the direction.', 0.12), {'affective.calm_agitated': 0.12}),
	reasoning_detected: flag('Whether the text contains the model’s reasoning about its task.', false),
	note: Type.Optional(text('What a reader must know beside the words: that many of the newest texts could not be read. Absent for nothing.', '34 of the last 100 texts are in languages that the embedding model does not read.')),
	faithfulness: nullableNumber('Whether the words say what the state does: the rank correlation of its 20 strongest projections with those of the text’s own embedding. Null where it cannot be computed.', 0.62, {minimum: -1, maximum: 1}),
});

export const translate = route({
	method: 'POST',
	path: '/translate',
	summary: 'Put the current state into words',
	description: 'Asks the language model, or the template, for a text that speaks from the current state: what differs from chance, unless the operator chose raw projections. Disconnecting cancels the request. A few run at the same time; further ones get 429.',
	body: TranslateRequest,
	ignoredHeader,
	responses: {200: TranslateResponse, ...errorResponses(413, 415, 422, 429, 500, 503)},
	isCancellable: true,
	handle: async (identity, {context}, signal) => toSnakeCase(await identity.translate({context}, {signal})),
});
