/**
 * Invalid bodies: a 422 in FastAPI's format, and no call of the identity.
 */
import test from 'ava';
import {FakeJournal} from '../actors/fake-journal.ts';
import {startIdentity} from '../actors/fixtures.ts';
import {fakeIdentity} from './fake-identity.ts';
import {serve} from './service.ts';

const refuses = (name: string, path: string, body: unknown, detail: object[]) => {
	test(`${name} is invalid`, async (t) => {
		const identity = fakeIdentity();
		const {ask} = await serve(t, identity);
		const answer = await ask('POST', path, body);
		t.is(answer.status, 422);
		t.deepEqual(answer.body, {detail});
		t.deepEqual(identity.calls, []);
	});
};

const missing = (input: unknown) => ({type: 'missing', loc: ['body', 'content'], msg: 'Field required', input});
const tooShort = (input: string) =>
	({type: 'string_too_short', loc: ['body', 'content'], msg: 'String should have at least 1 character', input, ctx: {min_length: 1}});
const notString = (field: string, input: unknown) =>
	({type: 'string_type', loc: ['body', field], msg: 'Input should be a valid string', input});
const notDict = (input: unknown) => ({type: 'dict_type', loc: ['body', 'metadata'], msg: 'Input should be a valid dictionary', input});
const notObject = (input: unknown) =>
	({type: 'model_attributes_type', loc: ['body'], msg: 'Input should be a valid dictionary or object to extract fields from', input});
const notInteger = (type: string, msg: string, input: unknown) => ({type, loc: ['body', 'max_length'], msg, input});
const notJson = (offset: number, error: string) =>
	({type: 'json_invalid', loc: ['body', offset], msg: 'JSON decode error', input: {}, ctx: {error}});

refuses('a cycle without content', '/cycle', {trigger_type: 'user'}, [missing({trigger_type: 'user'})]);
refuses('a cycle without a body', '/cycle', undefined, [missing({})]);
refuses(
	'content under __proto__',
	'/cycle',
	'{"__proto__": {"content": "a text"}}',
	[missing(JSON.parse('{"__proto__": {"content": "a text"}}'))],
);
refuses('empty content', '/cycle', {content: ''}, [tooShort('')]);
refuses('blank content', '/cycle', {content: ' \t\n\u00A0\u2003'}, [tooShort(' \t\n\u00A0\u2003')]);
for (const content of [null, 3, true, ['a'], {a: 1}]) {
	refuses(`content ${JSON.stringify(content)}`, '/cycle', {content}, [notString('content', content)]);
}

refuses('trigger_type null', '/cycle', {content: 'a', trigger_type: null}, [notString('trigger_type', null)]);
refuses('trigger_type 1', '/cycle', {content: 'a', trigger_type: 1}, [notString('trigger_type', 1)]);
for (const metadata of [null, [], 'a', 0]) {
	refuses(`metadata ${JSON.stringify(metadata)}`, '/cycle', {content: 'a', metadata}, [notDict(metadata)]);
}

refuses('a cycle wrong in every field', '/cycle', {metadata: [], trigger_type: 2}, [
	missing({metadata: [], trigger_type: 2}),
	notString('trigger_type', 2),
	notDict([]),
]);

for (const note of ['', ' \n']) {
	refuses(`the note ${JSON.stringify(note)}`, '/validate', {note}, [{...tooShort(note), loc: ['body', 'note']}]);
}

refuses('a note of 1,001 characters', '/validate', {note: 'x'.repeat(1001)}, [
	{
		type: 'string_too_long',
		loc: ['body', 'note'],
		msg: 'String should have at most 1000 characters',
		input: `${'x'.repeat(1000)}…`,
		ctx: {max_length: 1000},
	},
]);

refuses('context 1', '/translate', {context: 1}, [notString('context', 1)]);
refuses(
	'max_length 1.5',
	'/translate',
	{max_length: 1.5},
	[notInteger('int_from_float', 'Input should be a valid integer, got a number with a fractional part', 1.5)],
);
refuses(
	'max_length "many"',
	'/translate',
	{max_length: 'many'},
	[notInteger('int_parsing', 'Input should be a valid integer, unable to parse string as an integer', 'many')],
);
refuses('max_length null', '/translate', {max_length: null}, [notInteger('int_type', 'Input should be a valid integer', null)]);
refuses('max_length []', '/translate', {max_length: []}, [notInteger('int_type', 'Input should be a valid integer', [])]);
refuses(
	'an infinite max_length',
	'/translate',
	'{"max_length": 1e999}',
	[notInteger('finite_number', 'Input should be a finite number', null)],
);

for (const path of ['/cycle', '/translate']) {
	for (const body of ['[]', 'null', '1', 'true', '"content"']) {
		refuses(`${body} as the body of ${path}`, path, body, [notObject(JSON.parse(body))]);
	}

	refuses(`malformed JSON for ${path}`, path, '{"content": text}', [notJson(12, 'InvalidSymbol')]);
	refuses(`unfinished JSON for ${path}`, path, '{"content": "a"', [notJson(15, 'CloseBraceExpected')]);
	refuses(`a blank body for ${path}`, path, ' ', [notJson(1, 'ValueExpected')]);
	refuses(`bytes that are not UTF-8 for ${path}`, path, new Uint8Array([0x22, 0xc3, 0x28, 0x22]), [notJson(0, 'Invalid UTF-8')]);
	refuses(`a body nested too deeply for ${path}`, path, '['.repeat(129) + ']'.repeat(129), [notJson(0, 'Nested deeper than 128 levels')]);
	refuses(`a body nested without bound for ${path}`, path, '{"metadata":'.repeat(50_000)
		+ '1'
		+ '}'.repeat(50_000), [notJson(0, 'Nested deeper than 128 levels')]);
	refuses(`unfinished nesting without bound for ${path}`, path, '['.repeat(500_000), [notJson(0, 'Nested deeper than 128 levels')]);
}

for (const field of ['source', 'conversation', 'trigger_type']) {
	refuses(`a ${field} of 201 characters`, '/cycle', {content: 'a', [field]: '🌊'.repeat(201)}, [
		{
			type: 'string_too_long',
			loc: ['body', field],
			msg: 'String should have at most 200 characters',
			input: '🌊'.repeat(201),
			ctx: {max_length: 200},
		},
	]);
	refuses(`${field} 7`, '/cycle', {content: 'a', [field]: 7}, [notString(field, 7)]);
}

refuses('a dry run with ten unknown fields', '/dry-run', {
	content: 'a',
	...Object.fromEntries('abcdefghij'.split('').map(name => [`/${name}~`, 1])),
}, 'abcdefgh'.split('').map(name =>
	({type: 'extra_forbidden', loc: ['body', `/${name}~`], msg: 'Extra inputs are not permitted', input: 1})));

refuses('an unknown field with a long name', '/dry-run', {content: 'a', ['x'.repeat(100_000)]: 1}, [{
	type: 'extra_forbidden', loc: ['body', `${'x'.repeat(100)}…`], msg: 'Extra inputs are not permitted', input: 1,
}]);

test('a long text that is not a moment is truncated in the error', async t => {
	const {identity} = await startIdentity({journal: new FakeJournal()});
	t.teardown(() => identity.dispose());
	const {ask} = await serve(t, identity);
	const {status, text} = await ask('POST', '/what-if', {from: 'x'.repeat(100_000)});
	t.is(status, 422);
	t.regex(text, /“x{60}…” is not a moment/);
});
