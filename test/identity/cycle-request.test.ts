/** The request of a cycle: where its source and conversation are kept, and which fields are refused. */
import test from 'ava';
import {InputError} from '../../src/platform/errors.ts';
import {checkRequest} from '../../src/identity/cycle-request.ts';
import type {CycleRequest} from '../../src/identity/views.ts';

const content = 'The sea is quiet today.';

test('source and conversation are kept in the metadata, unchanged', t => {
	t.deepEqual(checkRequest({content, source: 'A\u0000da', conversation: 'tea', metadata: {page: 3}}).metadata, {
		page: 3,
		source: 'A\u0000da',
		conversation: 'tea',
	});
});

test('a source in the metadata takes precedence if it is a text, and blank fields are omitted', t => {
	t.deepEqual(checkRequest({content, source: 'Ada', metadata: {source: 'x'.repeat(300)}}).metadata, {source: 'x'.repeat(300)});
	t.deepEqual(checkRequest({content, source: 'Ada', metadata: {source: 7}}).metadata, {source: 'Ada'});
	t.deepEqual(checkRequest({content, source: ' ', conversation: ''}).metadata, {});
});

const wrong: Array<[request: object, message: RegExp]> = [
	[{source: 'x'.repeat(201)}, /^The source of a cycle must be a text of at most 200 characters/],
	[{conversation: 7}, /^The conversation of a cycle must be a text/],
	[
		{sorce: 'Ada'},
		/^A cycle has no field “sorce”; the nearest is “source”\. Its fields are content, trigger, source, conversation, metadata, id\.$/,
	],
	[{trigger_type: 'veille'}, /^A cycle has no field “trigger_type”\. Its fields are/],
];

for (const [fields, message] of wrong) {
	test(`a cycle with ${JSON.stringify(fields).slice(0, 40)} is refused`, t => {
		t.throws(() => checkRequest({content, ...fields} as CycleRequest), {instanceOf: InputError, message});
	});
}
