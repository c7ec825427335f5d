/**
 * Limits of what a client can cost: bodies that are expensive to parse are refused unparsed, the
 * bytes of pending bodies are limited, and the response to a bad request stays small.
 */
import {once} from 'node:events';
import {connect} from 'node:net';
import test, {type ExecutionContext} from 'ava';
import {BusyError} from '../../src/platform/errors.ts';
import {limitPendingBytes} from '../../src/identity/pending-limits.ts';
import {createByteBudget} from '../../src/http/middleware/share-turns.ts';
import {fakeIdentity} from './fake-identity.ts';
import {serve} from './service.ts';

const mebi = 2 ** 20;
const around = (metadata: string) => `{"content": "a", "metadata": ${metadata}}`;

/** Asserts that a JSON text is refused before the engine parses it. */
const isRefusedUnparsed = async (t: ExecutionContext, body: string, status: number, reason: RegExp) => {
	const identity = fakeIdentity();
	const {ask} = await serve(t, identity);
	const {parse} = JSON;
	let parsed = 0;
	JSON.parse = (text, ...rest) => {
		parsed += text === body ? 1 : 0;
		return parse(text, ...rest);
	};

	try {
		const answer = await ask('POST', '/cycle', body);
		t.is(answer.status, status);
		t.regex(answer.text, reason);
		t.true(answer.text.length < 1000);
	} finally {
		JSON.parse = parse;
	}

	t.is(parsed, 0);
	t.deepEqual(identity.calls, []);
};

const expensive: Record<string, [body: string, status: number, reason: RegExp]> = {
	'many keys': [around(`{${Array.from({length: 1025}, (_, i) => `"${i}":0`).join()}}`), 422, /More than 1024 keys/],
	'many values': [around(`{"a":[${'1,'.repeat(4096)}1]}`), 422, /More than 4096 values/],
	'many empty arrays': [around(`{"a":[${'[],'.repeat(300_000)}[]]}`), 422, /More than 4096 values/],
	'many fields beside the known ones': [`{"content":"a"${',"b":[]'.repeat(100_000)}}`, 422, /More than 4096 values|More than 1024 keys/],
	'deep metadata': [around(`${'{"a":'.repeat(130)}1${'}'.repeat(130)}`), 422, /Nested deeper than 128 levels/],
	'large metadata': [
		around(`{"a":"${'b'.repeat(2 ** 16)}"}`), 413, /such as metadata, are over the limit of 65536 bytes.*http.maxMetadataBytes/,
	],
	'large metadata under an escaped name': [
		`{"content": "a", "\\u006detadata": {"a":"${'b'.repeat(2 ** 16)}"}}`,
		413,
		/such as metadata, are over the limit/,
	],
};

for (const [name, [body, status, reason]] of Object.entries(expensive)) {
	test.serial(`a body with ${name} is refused before it is parsed`, async t => {
		await isRefusedUnparsed(t, body, status, reason);
	});
}

test.serial('a query that repeats a parameter thousands of times is read in one pass', async t => {
	const {ask} = await serve(t, fakeIdentity());
	const {getAll} = URLSearchParams.prototype;
	let searches = 0;
	URLSearchParams.prototype.getAll = function (...given) {
		searches++;
		return getAll.apply(this, given);
	};

	try {
		const {status, headers} = await ask('GET', `/state?a${'&a'.repeat(7000)}`);
		t.is(status, 200);
		t.is(headers.get('ignored-fields'), 'a');
		t.is((await ask('GET', `/ledger?by=text${'&by=text'.repeat(1500)}`)).status, 422);
	} finally {
		URLSearchParams.prototype.getAll = getAll;
	}

	t.is(searches, 0);
});

test('metadata of 64 KiB is accepted, and the limit can be set', async t => {
	const metadata = {note: 'b'.repeat(2 ** 16 - '{"note":""}'.length)};
	const {ask} = await serve(t, fakeIdentity());
	t.is((await ask('POST', '/cycle', {content: 'a', metadata})).status, 200);
	const strict = await serve(t, fakeIdentity(), {maxMetadataBytes: 10});
	t.is((await strict.ask('POST', '/cycle', {content: 'a', metadata: {a: 12_345}})).status, 413);
	t.is((await strict.ask('POST', '/cycle', {content: 'a', metadata: {a: 1234}})).status, 200);
	const generous = await serve(t, fakeIdentity(), {maxMetadataBytes: mebi});
	t.is((await generous.ask('POST', '/cycle', {content: 'a', metadata: {note: 'b'.repeat(2 ** 17)}})).status, 200);
});

for (const [name, body] of Object.entries({
	'a list of many wrong elements': JSON.stringify(Array.from({length: 4000}, () => 'a wrong thing')),
	'long content of another type': JSON.stringify({content: {text: 'b'.repeat(60_000)}}),
	'a body with a long field and no content': JSON.stringify({other: 'c'.repeat(mebi - 100)}),
	'blank content of 1 MiB': JSON.stringify({content: ' '.repeat(mebi - 100)}),
	'content with a surrogate pair at the cut': JSON.stringify({content: [`${'d'.repeat(995)}🌊🌊🌊🌊`]}),
})) {
	test(`${name} is truncated in the response`, async t => {
		const {ask} = await serve(t, fakeIdentity());
		const {status, body: answer, text} = await ask('POST', '/cycle', body);
		t.is(status, 422);
		t.true(text.length < 5000, String(text.length));
		const [{input}] = (answer as {detail: [{input: string}]}).detail;
		t.regex(input, /…$/);
		t.true(input.isWellFormed());
	});
}

const post = (size: number, ...more: string[]) =>
	`POST /cycle HTTP/1.1\r\nHost: here\r\nContent-Type: application/json\r\nContent-Length: ${size}\r\n${more.join('')}\r\n`;

test('the bytes of pending bodies are limited: a further large body gets 429, a small one is accepted', async t => {
	const waiting: Array<(result: unknown) => void> = [];
	const identity = fakeIdentity({cycle: async () => new Promise(resolve => {
		waiting.push(resolve);
	})});
	const {ask} = await serve(t, identity, {maxPendingBytes: 100_000});
	const large = {content: 'a'.repeat(100_000)};
	const first = ask('POST', '/cycle', large);
	while (identity.calls.length === 0) {
		await new Promise(setImmediate);
	}

	const refused = await ask('POST', '/cycle', large);
	t.is(refused.status, 429);
	t.is(refused.headers.get('retry-after'), '1');
	t.regex(refused.text, /Bodies of \d+ bytes are already under way, and the limit is 100000; try again in a moment\./);
	t.is(identity.calls.length, 1);

	const small = ask('POST', '/cycle', {content: 'a small text'});
	while (identity.calls.length === 1) {
		await new Promise(setImmediate);
	}

	const done = await fakeIdentity().cycle({content: 'a'});
	for (const resolve of waiting) {
		resolve(done);
	}

	t.is((await first).status, 200);
	t.is((await small).status, 200);
	const again = ask('POST', '/cycle', large);
	while (waiting.length === 2) {
		await new Promise(setImmediate);
	}

	waiting[2]!(done);
	t.is((await again).status, 200, 'an answered body is no longer pending');
});

test('a body that is being read counts as pending, and an aborted one does not', async t => {
	const identity = fakeIdentity();
	const {ask, port} = await serve(t, identity, {maxPendingBytes: 100_000});
	const large = {content: 'a'.repeat(50_000)};
	const slow = connect(port, '127.0.0.1');
	t.teardown(() => slow.destroy());
	await once(slow, 'connect');
	slow.write(post(200_000) + '{"content": "'.padEnd(110_000, 'b'));
	let answer = await ask('POST', '/cycle', large);
	while (answer.status === 200) {
		answer = await ask('POST', '/cycle', large);
	}

	t.is(answer.status, 429);
	slow.destroy();
	while (answer.status === 429) {
		answer = await ask('POST', '/cycle', large);
	}

	t.is(answer.status, 200);
});

test('a single body of any size is accepted; a second one has to wait', t => {
	const hold = limitPendingBytes(100, 'Bodies');
	const one = hold();
	one.add(60);
	one.add(60);
	const other = hold();
	const error = t.throws(() => {
		other.add(1);
	}, {instanceOf: BusyError, message: 'Bodies of 120 bytes are already under way, and the limit is 100; try again in a moment.'});
	t.is(error.retryAfter, 1);
	t.notThrows(() => {
		other.add(0);
	});
	one.release();
	one.release();
	other.add(100);
	t.throws(() => {
		one.add(1);
	}, {instanceOf: BusyError});
});

test('one large body is parsed per turn of the event loop, in order; small ones do not wait', async t => {
	const budget = createByteBudget(1);
	const parsed: string[] = [];
	const large = ['a', 'b', 'c'].map(async name => {
		await budget(mebi);
		parsed.push(name);
	});
	await budget(100);
	t.deepEqual(parsed, []);
	for (const expected of ['a', 'ab', 'abc']) {
		await new Promise(setImmediate);
		t.true(parsed.length <= expected.length);
	}

	await Promise.all(large);
	t.is(parsed.join(''), 'abc');
});

test('each turn reads as many chunks of large bodies as fit into the budget', async t => {
	const budget = createByteBudget(2 ** 18);
	const read: number[] = [];
	const pieces = Array.from({length: 10}, async (_, i) => {
		await budget(2 ** 16);
		read.push(i);
	});
	const after = new Set<number>();
	for (let turns = 0; turns < 10; turns++) {
		await new Promise(setImmediate);
		after.add(read.length);
	}

	await Promise.all(pieces);
	t.deepEqual([...after].filter(count => count > 0), [4, 8, 10]);
});
