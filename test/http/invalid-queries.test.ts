/** Queries that do not match their schemas: 422 with every error, as for bodies. */
import test from 'ava';
import {Type} from '../../src/platform/typebox.ts';
import {createValidator, parseQuery} from '../../src/http/middleware/validation.ts';
import type {RequestError} from '../../src/http/request-error.ts';
import {integer, nullableText} from '../../src/wire/builders.ts';
import {fakeIdentity} from './fake-identity.ts';
import {serve} from './service.ts';

for (const [query, input] of [['lens=all', 'all'], ['lens=', ''], ['lens=own&lens=thirdness', ['own', 'thirdness']]] as const) {
	test(`${query} is refused with its place and its value`, async t => {
		const identity = fakeIdentity();
		const {ask} = await serve(t, identity);
		const {status, body} = await ask('GET', `/profile/scaled?${query}`);
		t.is(status, 422);
		const [error] = (body as {detail: object[]}).detail;
		t.like(error, {loc: ['query', 'lens'], input});
		t.deepEqual(identity.calls, []);
	});
}

const schema = Type.Object({
	limit: Type.Optional(integer('At most so many.', 20, {default: 20, minimum: 1, maximum: 100})),
	since: Type.Optional(nullableText('From when.', '12', {default: null})),
});
const check = createValidator(schema, 'query');

test('a number in a query is parsed, and an absent parameter has its default', t => {
	t.deepEqual(check(parseQuery(schema, {limit: '7', since: '12'})), {limit: 7, since: '12'});
	t.deepEqual(check(parseQuery(schema, {})), {limit: 20, since: null});
});

for (const [limit, error] of Object.entries({
	many: {type: 'int_parsing', msg: 'Input should be a valid integer, unable to parse string as an integer', input: 'many'},
	'0': {type: 'greater_than_equal', msg: 'Input should be greater than or equal to 1', ctx: {ge: 1}, input: 0},
	'101': {type: 'less_than_equal', msg: 'Input should be less than or equal to 100', ctx: {le: 100}, input: 101},
	'1.5': {type: 'int_from_float', msg: 'Input should be a valid integer, got a number with a fractional part', input: 1.5},
})) {
	test(`limit=${limit} is refused as ${error.type}`, t => {
		const thrown = t.throws<RequestError>(() => check(parseQuery(schema, {limit})));
		t.deepEqual(thrown!.detail, [{...error, loc: ['query', 'limit']}]);
	});
}
