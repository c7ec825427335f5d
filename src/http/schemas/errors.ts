/** The schemas of error responses, by status. Each is an object with `detail`; errors of the identity also have a code. */
import {Type, type TProperties, type TSchema} from '../../platform/typebox.ts';
import {flag, list, map, shape, text} from '../../wire/builders.ts';
import {conflicts, errorFields, errorOf} from '../../wire/errors.ts';
import {maxErrors} from '../middleware/validation.ts';

const detail = (example: string) => text('What went wrong.', example);

const errorShape = (title: string, description: string, example: string) => shape(title, description, {detail: detail(example)});

/** For errors that the service raises on purpose. A defect only has the detail. */
const codedShape = (
	title: string, description: string, example: string, code: string, more: TProperties = {},
) => shape(title, description, {
	detail: detail(example),
	code: Type.Optional(text('The kind of error, to branch on.', code)),
	retryable: Type.Optional(flag('Whether a retry can help.', errorFields(errorOf({message: example, code})).retryable!)),
	...more,
});

const invalidField = shape('InvalidField', 'An error in one place of the request.', {
	type: text('Kind of error, as pydantic names it.', 'missing'),
	loc: Type.Array(Type.Union([
		Type.String({description: 'The word body or query, or a field.', examples: ['content']}),
		Type.Integer({description: 'Offset of malformed JSON.', examples: [17]}),
	], {description: 'A step of the path.', examples: ['body']}), {description: 'Where it is.', examples: [['body', 'content']]}),
	msg: text('The error, for a reader.', 'Field required'),
	input: Type.Unknown({description: 'The value that was sent there. A long value is cut and sent as text.', examples: [{}]}),
	ctx: Type.Optional(map('Further values of the error.', Type.Unknown({description: 'Any value.', examples: [1]}), {min_length: 1})),
});

const schemas = {
	401: errorShape(
		'Unauthorized', 'The operator has set a token, and the request has none, or one that is not known. Nothing has changed.',
		'Send the service\'s token as “Authorization: Bearer <token>”.',
	),
	403: errorShape(
		'Forbidden', 'The token may not do this, or it is for other identities; or the request comes from a page whose origin is not '
			+ 'listed. Nothing has changed.', 'This token may read; this needs one that may speak.',
	),
	404: codedShape(
		'UnknownIdentity', 'No identity has this name, or nothing is at this path.', 'There is no identity “ada”. Create it first.',
		'unknown_identity',
	),
	409: codedShape(
		'Conflict', `What is there does not allow it: ${conflicts().join('; ')}.`,
		'This identity keeps no journal, so its past is not known. Give it a journal.', 'no_journal',
	),
	413: errorShape(
		'BodyTooLarge', 'The body, or the metadata in it, is larger than the service accepts.',
		'The body is over the limit of 1048576 bytes: send a long text in parts.',
	),
	415: errorShape('UnsupportedMediaType', 'The body is not JSON in UTF-8, or is compressed.', 'Send the body as application/json.'),
	422: shape('InvalidRequest', 'The body is malformed, or a field is missing or wrong. Nothing has changed.', {
		detail: list(`The first ${maxErrors} errors.`, invalidField, {maxItems: maxErrors}),
	}),
	429: codedShape('TooMany', 'Too many requests at the same time, too many bytes in their bodies, or too many requests of one client. '
		+ 'Nothing has changed; Retry-After says when to try again.', '1000 cycles are already under way; try again in a moment.', 'busy'),
	500: codedShape('Failed', 'The request was accepted and failed.', 'The text could not be embedded.', 'embedding'),
	503: codedShape('Unavailable', 'Something that the request needs is unavailable.', 'Translator is unavailable: no language model is '
		+ 'configured.', 'unavailable', {
		id: Type.Optional(text('Of the cycle that may have been done (outcome_unknown): repeat it with this as its '
			+ 'Idempotency-Key.', 'message-7')),
		parts: Type.Optional(map(
			'Of /readyz alone: part → ok, or why it is not.', text('State of the part.', 'loading'),
			{model: 'loading', state: 'starting', journal: 'opening', store: 'ok'},
		)),
	}),
} satisfies Record<number, TSchema>;

export type FailureStatus = keyof typeof schemas;

export const errorResponses = (...statuses: readonly FailureStatus[]): Record<number, TSchema> =>
	Object.fromEntries(statuses.map(status => [status, schemas[status]]));
