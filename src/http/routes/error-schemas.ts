/**
 * The schemas of the answers that are errors, by status. Each is an object with `detail`.
 */
import {Type, type TSchema} from 'typebox';
import {list, shape, text} from './schema-builders.ts';
import {maxFaults} from '../middleware/validation.ts';

const failure = (title: string, description: string, example: string) =>
	shape(title, description, {detail: text('What went wrong.', example)});

const invalidField = shape('InvalidField', 'What is wrong with one place of the body.', {
	type: text('Kind of error, as pydantic names it.', 'missing'),
	loc: Type.Array(Type.Union([
		Type.String({description: 'The word body, or a field.', examples: ['content']}),
		Type.Integer({description: 'Offset of malformed JSON.', examples: [17]}),
	], {description: 'A step of the way.', examples: ['body']}), {description: 'Where it is.', examples: [['body', 'content']]}),
	msg: text('The error, for a reader.', 'Field required'),
	input: Type.Unknown({description: 'What was sent there; of something long its beginning, as text.', examples: [{}]}),
	ctx: Type.Optional(Type.Object({}, {description: 'Values that belong to the error.', examples: [{min_length: 1}]})),
});

const failures = {
	413: failure('BodyTooLarge', 'The body, or the metadata in it, is larger than the service accepts.', 'The body is over the limit of 1048576 bytes.'),
	415: failure('UnsupportedMediaType', 'The body is not JSON in UTF-8, or is compressed.', 'Send the body as application/json.'),
	422: shape('InvalidRequest', 'The body is malformed, or a field is missing or wrong. Nothing has changed.', {
		detail: list(`The errors that were found, the first ${maxFaults} of them.`, invalidField, {maxItems: maxFaults}),
	}),
	429: failure('TooMany', 'As much is under way as the service takes on at once: requests by number, or bodies by bytes; or the client has asked too often. Nothing has changed; Retry-After says when to try again.', '1000 cycles are under way already; try again in a moment.'),
	500: failure('Failed', 'The request was accepted and failed.', 'The text could not be embedded.'),
	503: failure('Unavailable', 'Something that the request needs is not there.', 'Translator is unavailable: no language model is configured.'),
} satisfies Record<number, TSchema>;

type Failure = keyof typeof failures;

/** The responses of a route that can fail in these ways. */
export const failing = (...statuses: Failure[]): Record<number, TSchema> =>
	Object.fromEntries(statuses.map((status) => [status, failures[status]]));
