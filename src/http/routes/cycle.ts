/** `POST /cycle`: a text moves the state. Not a question of the table, because id, key and repetition are in headers. */
import {Type} from '../../platform/typebox.ts';
import {text} from '../../wire/builders.ts';
import {cycleIdHeader, idempotencyKeyHeader, replayedHeader} from '../../wire/rename.ts';
import {fromWire, toWire, wireSchema} from '../../wire/names.ts';
import {CycleRequestSchema, CycleResponse, toRequest} from '../schemas/changes.ts';
import {errorResponses} from '../schemas/errors.ts';
import {ignoredHeader, route} from './route.ts';

export const cycle = route({
	method: 'POST',
	path: '/cycle',
	group: 'Talk',
	repeat: 'by key',
	right: 'speak',
	summary: 'Run one full cycle',
	description: 'Embeds the text, measures its dissonance against the current state, and moves the state by a fixation delta. The '
		+ 'trigger counts when the request is accepted, even if the cycle fails later. A request with an Idempotency-Key is safe to '
		+ 'repeat: the text moves the state once, and a repetition is answered with the first result. The key with another text, trigger '
		+ 'or metadata is refused (422). A request that failed may be sent again under its key.',
	body: wireSchema(CycleRequestSchema),
	keyHeader: {
		name: idempotencyKeyHeader,
		schema: text('The id that the cycle is to have, 1 to 255 visible ASCII characters. It is known while the journal keeps the '
			+ 'cycle whole.', 'order-1042/message-7', {pattern: '^[\\x21-\\x7E]{1,255}$'}),
	},
	idHeader: {
		name: cycleIdHeader,
		schema: text('The id of the cycle, which its events and its record have too.', '3f0c1a52-6f0e-4d3b-9a57-0d8e1f6b2c11'),
	},
	replayedHeader: {
		name: replayedHeader,
		schema: Type.Literal('true', {description: 'The result repeats that of the first request with this key. Its processing time is 0 '
			+ 'where it comes from the journal.', examples: ['true']}),
	},
	ignoredHeader,
	responses: {200: wireSchema(CycleResponse), ...errorResponses(413, 415, 422, 429, 500, 503)},
	async handle(identity, fields, _signal, key) {
		const {id, isReplayed, ...result} = await identity.cycle({
			...toRequest(fromWire(CycleRequestSchema)(fields) as Parameters<typeof toRequest>[0]), ...(key && {id: key}),
		});
		return {...toWire(CycleResponse)(result) as object, id, ...(isReplayed && {is_replayed: isReplayed})} as never;
	},
});
