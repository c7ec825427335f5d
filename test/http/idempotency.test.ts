/** `Idempotency-Key`: a request that is repeated under the same key gets the first result. */
import test from 'ava';
import {startIdentity} from '../actors/fixtures.ts';
import {document, operations} from './openapi-document.ts';
import {serve} from './service.ts';

const key = {'idempotency-key': 'order-1042/message-7'};

test('a repeated request has the same response, with the header Idempotency-Replayed', async t => {
	const {identity} = await startIdentity();
	const {ask} = await serve(t, identity);
	const first = await ask('POST', '/cycle', {content: 'a'}, key);
	t.is(first.headers.get('x-cycle-id'), 'order-1042/message-7');
	t.is(first.headers.get('idempotency-replayed'), null);
	const again = await ask('POST', '/cycle', {content: 'a', trigger_type: 'user', metadata: {}}, key);
	t.is(again.status, 200);
	t.is(again.headers.get('idempotency-replayed'), 'true');
	t.is(again.headers.get('x-cycle-id'), 'order-1042/message-7');
	t.deepEqual(again.body, first.body);
	t.is(identity.state().stateId, 1);
	await identity.dispose();
});

test('another text under the same key is 422', async t => {
	const {identity} = await startIdentity();
	const {ask} = await serve(t, identity);
	await ask('POST', '/cycle', {content: 'a'}, key);
	const {status, body} = await ask('POST', '/cycle', {content: 'b'}, key);
	t.is(status, 422);
	t.like(body, {detail: [{type: 'value_error', loc: ['body']}]});
	await identity.dispose();
});

test('an invalid key is a 422 that names the header; an empty key counts as absent', async t => {
	const {identity} = await startIdentity();
	const {ask} = await serve(t, identity);
	for (const value of ['a b', 'x'.repeat(256)]) {
		const {status, body} = await ask('POST', '/cycle', {content: 'a'}, {'idempotency-key': value});
		t.is(status, 422);
		t.like(body, {detail: [{type: 'string_pattern_mismatch', loc: ['header', 'Idempotency-Key'], input: value}]});
	}

	t.is((await ask('POST', '/cycle', {content: 'a'}, {'idempotency-key': ''})).headers.get('x-cycle-id'), '1');
	await identity.dispose();
});

test('a page of an allowed origin can read Idempotency-Replayed', async t => {
	const {identity} = await startIdentity();
	const {ask} = await serve(t, identity);
	const {headers} = await ask('POST', '/cycle', {content: 'a'}, {...key, origin: 'https://example.com'});
	t.regex(headers.get('access-control-expose-headers')!, /Idempotency-Replayed/);
	await identity.dispose();
});

test('its headers are documented', t => {
	const {operation} = operations(document).find(({path}) => path === '/cycle')!;
	const {parameters, responses} = operation as unknown as {
		parameters: Array<{schema: {pattern: string; examples: string[]}}>;
		responses: Record<number, {headers: object}>;
	};
	t.like(parameters[0], {name: 'Idempotency-Key', in: 'header'});
	t.regex(parameters[0]!.schema.examples[0]!, new RegExp(parameters[0]!.schema.pattern));
	t.deepEqual(Object.keys(responses[200]!.headers), ['X-Cycle-Id', 'Idempotency-Replayed', 'Ignored-Fields']);
});
