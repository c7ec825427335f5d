/**
 * What the identity receives from a valid request: fields and defaults, without unknown fields.
 */
import {connect} from 'node:net';
import test from 'ava';
import {fakeIdentity} from './fake-identity.ts';
import {serve} from './service.ts';

const reaches = (name: string, path: string, body: unknown, expected: object, headers: Record<string, string> = {}) => {
	test(name, async (t) => {
		const identity = fakeIdentity();
		const {ask} = await serve(t, identity);
		const answer = await ask('POST', path, body, headers);
		t.is(answer.status, 200, answer.text);
		t.is(identity.calls.length, 1);
		t.deepEqual(identity.calls[0]!.arguments[0], expected);
	});
};

const cycle = {content: 'a text', trigger: 'user', metadata: {}};

reaches('a cycle needs only its content', '/cycle', {content: 'a text'}, cycle);
reaches('a cycle takes trigger and metadata', '/cycle', {content: 'a text', trigger_type: 'veille', metadata: {a: [1, null]}}, {
	content: 'a text',
	trigger: 'veille',
	metadata: {a: [1, null]},
});
reaches('any trigger is passed on unchanged', '/cycle', {content: 'a text', trigger_type: 'dream'}, {...cycle, trigger: 'dream'});
reaches('an empty trigger is a trigger', '/cycle', {content: 'a text', trigger_type: ''}, {...cycle, trigger: ''});
reaches('unknown fields of a cycle are ignored', '/cycle', {content: 'a text', more: 1}, cycle);
reaches(
	'a key named __proto__ is an unknown field like others',
	'/cycle',
	'{"content": "a text", "__proto__": {"trigger_type": "corpus"}, "constructor": 1}',
	cycle,
);
reaches('content keeps its NULs, emoji and surrounding space', '/cycle', {content: ' a\u0000🌊\n'}, {...cycle, content: ' a\u0000🌊\n'});
reaches('the last of two equal keys counts', '/cycle', '{"content": "first", "content": "a text"}', cycle);
reaches('metadata may be nested 127 levels deep', '/cycle', '{"content": "a text", "metadata": '
	+ `${'{"a":'.repeat(126)}{}${'}'.repeat(126)}}`, {
	...cycle,
	metadata: JSON.parse(`${'{"a":'.repeat(126)}{}${'}'.repeat(126)}`) as object,
});

reaches('a translation needs no body', '/translate', undefined, {context: null});
reaches('a translation without fields takes the defaults', '/translate', {}, {context: null});
reaches('a translation’s context may be null', '/translate', {context: null}, {context: null});
reaches(
	'a translation takes a context, and max_length changes nothing',
	'/translate',
	{context: 'a letter', max_length: 3},
	{context: 'a letter'},
);
reaches('a whole number with an exponent is an integer', '/translate', '{"max_length": 5e2}', {context: null});

reaches('a validation takes a note of up to 1,000 characters', '/validate', {note: 'x'.repeat(1000)}, {
	note: 'x'.repeat(1000),
	horizon: 4000,
	acceptUnread: false,
});

for (const type of [
	'application/json', 'APPLICATION/JSON; Charset="UTF-8"', 'application/vnd.example+json',
	'application/json;charset=utf8',
]) {
	reaches(`${type} is JSON`, '/cycle', {content: 'a text'}, cycle, {'content-type': type});
}

reaches('a body without a content type is read as JSON', '/cycle', {content: 'a text'}, cycle);
reaches('a byte order mark is ignored', '/cycle', '\uFEFF{"content": "a text"}', cycle);

for (const path of ['/reset', '/daemon/start', '/daemon/stop']) {
	test(`POST ${path} does not read its body`, async (t) => {
		const identity = fakeIdentity();
		const {ask} = await serve(t, identity);
		t.is((await ask('POST', path, '{"unfinished', {'content-type': 'text/plain'})).status, 200);
		t.is(identity.calls.length, 1);
	});
}

test('each read calls the identity once', async (t) => {
	const identity = fakeIdentity();
	const {ask} = await serve(t, identity);
	await Promise.all(
		['/health', '/state', '/vigilance', '/metrics', '/daemon/status', '/profile'].map((path) => ask('GET', `${path}?and=more`)),
	);
	t.deepEqual(identity.calls.map(({name}) => name).toSorted(), ['daemon.status', 'health', 'metrics', 'profile', 'state', 'vigilance']);
});

test('a translation is cancelled when its client disconnects, and is not logged as a failure', async (t) => {
	const {promise: cancelled, resolve: cancel} = Promise.withResolvers<void>();
	const {promise: asked, resolve: markAsked} = Promise.withResolvers<void>();
	const failures: object[] = [];
	const {port, ask} = await serve(t, fakeIdentity({
		translate: (_request: never, {signal}: {signal: AbortSignal}) => new Promise((_resolve, reject) => {
			signal.addEventListener('abort', () => {
				cancel();
				reject(new Error('This operation was aborted.'));
			});
			markAsked();
		}),
	}), {logger: {error: (fields) => failures.push(fields), warn() {}, info() {}, debug() {}}});
	const socket = connect(port, '127.0.0.1');
	socket.write('POST /translate HTTP/1.1\r\nHost: here\r\n\r\n');
	await asked;
	socket.destroy();
	await cancelled;
	await ask('GET', '/health');
	t.deepEqual(failures, []);
});

test('a cycle continues when its client disconnects, and its failure is logged', async (t) => {
	const {promise: asked, resolve: markAsked} = Promise.withResolvers<void>();
	const {promise: embedding, reject: fail} = Promise.withResolvers<never>();
	const {promise: logged, resolve: log} = Promise.withResolvers<object>();
	const {port, ask} = await serve(t, fakeIdentity({cycle() {
		markAsked();
		return embedding;
	}}), {logger: {error: log, warn() {}, info() {}, debug() {}}});
	const socket = connect(port, '127.0.0.1');
	socket.write('POST /cycle HTTP/1.1\r\nHost: here\r\nContent-Length: 16\r\n\r\n{"content": "a"}');
	await asked;
	socket.destroy();
	await ask('GET', '/health');
	const thrown = new Error('It broke.');
	fail(thrown);
	t.deepEqual(await logged, {err: thrown, method: 'POST', path: '/cycle', status: 500});
});

test('the signal of an answered translation does not abort', async (t) => {
	let given: AbortSignal | undefined;
	const {ask, close} = await serve(t, fakeIdentity({
		async translate(_request: never, {signal}: {signal: AbortSignal}) {
			given = signal;
			return {text: '', projections: {}, reasoningDetected: false};
		},
	}));
	await ask('POST', '/translate');
	await close();
	t.is(given?.aborted, false);
});

test('a moment in a query is an id if it has only digits, else a text', async t => {
	const identity = fakeIdentity();
	const {ask} = await serve(t, identity);
	await ask('GET', '/ledger?since=12&by=source&direction=affective.calm&lens=thirdness&limit=5');
	await ask('GET', '/history?since=2026-01-30&direction=affective.calm');
	await ask('GET', '/drift');
	await ask('GET', '/sources?since=3');
	await ask('GET', '/diff?from=3');
	t.deepEqual(identity.calls.map(({arguments: [request]}) => request), [
		{by: 'source', direction: 'affective.calm', lens: 'thirdness', limit: 5, since: 12},
		{points: 200, direction: 'affective.calm', since: '2026-01-30', until: 'present'},
		{since: null},
		{since: 3},
		{from: 3, to: 'present'},
	]);
});

test('the lens of a query is own by default', async t => {
	const identity = fakeIdentity();
	const {ask} = await serve(t, identity);
	await ask('GET', '/profile/scaled');
	await ask('GET', '/profile/scaled?lens=thirdness');
	t.deepEqual(identity.calls.map(call => call.arguments), [[{lens: 'own'}], [{lens: 'thirdness'}]]);
});

reaches('a cycle takes source and conversation', '/cycle', {content: 'a text', source: 'Ada', conversation: 'tea'}, {
	...cycle,
	source: 'Ada',
	conversation: 'tea',
});
reaches('a dry run takes source and conversation', '/dry-run', {content: 'a text', source: 'Ada', conversation: 'tea'}, {
	...cycle,
	source: 'Ada',
	conversation: 'tea',
});
