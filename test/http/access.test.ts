/**
 * Access control: token, origins, rate limit, request ids, log, probes, slow clients.
 */
import {createHash} from 'node:crypto';
import {once} from 'node:events';
import {connect} from 'node:net';
import test from 'ava';
import Koa from 'koa';
import {BusyError} from '../../src/platform/errors.ts';
import {createHttp} from '../../src/http/create-http.ts';
import type {Logger} from '../../src/http/http-options.ts';
import {recordRequests} from '../../src/http/middleware/record-requests.ts';
import {listen} from '../../src/http/server.ts';
import {createSqliteJournal} from '../helpers/one-thread.ts';
import {startIdentity} from '../actors/fixtures.ts';
import {temporaryFolder} from '../journal/records.ts';
import {fakeIdentity} from './fake-identity.ts';
import {exchange, serve} from './service.ts';

const token = 'a-token-of-the-operator';
const from = (address: string) => ({'x-forwarded-for': address});
const bearer = (value: string) => ({authorization: `Bearer ${value}`});

test('with a token set, a request without it gets a 401 that pages of other origins can read', async (t) => {
	const identity = fakeIdentity();
	const {ask} = await serve(t, identity, {token: 'sixteen-letters!'});
	for (const headers of [{}, bearer('sixteen-letters?'), bearer('short'), {
		authorization: 'Basic sixteen-letters!',
	}, {authorization: 'sixteen-letters!'}]) {
		const {status, headers: answered, body} = await ask(
			'POST', '/cycle', {content: 'a text'}, {...headers, origin: 'https://page.example'},
		);
		t.is(status, 401);
		t.is(answered.get('www-authenticate'), 'Bearer');
		t.is(answered.get('access-control-allow-origin'), 'https://page.example');
		t.like(body, {detail: 'Send the service\'s token as “Authorization: Bearer <token>”.'});
	}

	t.deepEqual(identity.calls, []);
	t.is((await ask('POST', '/cycle', {content: 'a text'}, bearer('sixteen-letters!'))).status, 200);
});

test('a decision without a name is recorded with a hint of the token, never with the token', async t => {
	const {identity} = await startIdentity({journal: createSqliteJournal({folder: await temporaryFolder(t)})});
	t.teardown(async () => identity.dispose());
	const {ask} = await serve(t, identity, {token});
	const decide = async (path: string, body: object) => t.is((await ask('POST', path, body, bearer(token))).status, 200, path);
	await decide('/cycle', {content: 'a', source: 'viktor', id: 'a'});
	await decide('/cycle', {content: 'b', source: 'ada'});
	const without = {sources: ['viktor']};
	await decide('/revise', {without, hold: true, note: 'Not theirs.'});
	for (const [id, path] of [['c', '/held/release'], ['d', '/held/drop']] as const) {
		await decide('/cycle', {content: id, source: 'viktor', id});
		await decide(path, {sources: ['viktor']});
	}

	await decide('/hold', {take_back: true, note: 'Enough.'});
	await decide('/revise', {without: {}, note: 'Theirs.', by: 'ops'});
	await decide('/forget', {sources: ['viktor'], note: 'A request.'});
	const {body, text} = await ask('GET', '/revisions', undefined, bearer(token));
	const hint = `token ${createHash('sha256').update(token).digest('hex').slice(-4)}`;
	t.deepEqual((body as {revisions: {by: string}[]}).revisions.map(({by}) => by), [hint, hint, hint, hint, 'ops', hint]);
	t.false(text.includes(token));
});

test('without a token, a decision without a name has no author', async t => {
	const {ask} = await serve(t, fakeIdentity());
	t.like((await ask('POST', '/revise', {without: {}, note: 'Theirs.'})).body, {by: null});
});

test('an unknown path needs the token too', async (t) => {
	const {ask} = await serve(t, fakeIdentity(), {token});
	t.is((await ask('GET', '/nowhere')).status, 401);
});

test('pages and the document need no token, but the event stream does', async (t) => {
	const {url} = await serve(t, fakeIdentity(), {token, inspector: {types: [], watch: () => () => {}}});
	const statusOf = async (path: string) => {
		const answer = await fetch(url + path);
		await answer.arrayBuffer();
		return answer.status;
	};

	for (const path of [
		'/', '/docs', '/docs/initializer.js', '/openapi.json', '/inspector', '/inspector/main.js',
		'/inspector/machines.json',
	]) {
		t.is(await statusOf(path), 200, path);
	}

	t.is(await statusOf('/events'), 401);
	t.is(await statusOf('/inspector/nothing.js'), 401);
});

test('probes and preflights need no token', async (t) => {
	const {ask} = await serve(t, fakeIdentity(), {token});
	t.is((await ask('GET', '/livez')).status, 200);
	t.is((await ask('GET', '/readyz')).status, 200);
	t.is((await ask('OPTIONS', '/cycle', undefined, {origin: 'https://page.example', 'access-control-request-method': 'POST'})).status, 204);
});

test('only an allowed origin gets Access-Control-Allow-Origin', async (t) => {
	const {ask} = await serve(t, fakeIdentity(), {cors: ['https://mine.example']});
	const mine = await ask('GET', '/health', undefined, {origin: 'https://mine.example'});
	t.is(mine.headers.get('access-control-allow-origin'), 'https://mine.example');
	const other = await ask('GET', '/health', undefined, {origin: 'https://other.example'});
	t.is(other.status, 200);
	t.is(other.headers.get('access-control-allow-origin'), null);
	const preflight = await ask('OPTIONS', '/cycle', undefined, {origin: 'https://other.example', 'access-control-request-method': 'POST'});
	t.is(preflight.headers.get('access-control-allow-origin'), null);
});

test('where origins are listed, a page of another origin cannot change the state', async (t) => {
	const identity = fakeIdentity();
	const {ask, port} = await serve(t, identity, {cors: ['https://mine.example']});
	const host = `127.0.0.1:${port}`;
	const post = async (origin?: string) => (await ask('POST', '/cycle', {content: 'a text'}, origin === undefined ? {} : {origin})).status;
	t.is(await post('https://other.example'), 403);
	t.is((await ask('POST', '/reset', undefined, {origin: 'null'})).status, 403);
	t.deepEqual(identity.calls, []);
	t.is(await post('https://mine.example'), 200);
	t.is(await post(`http://${host}`), 200, 'a page of the service itself');
	t.is(await post(), 200, 'a request without an origin');
	t.is((await ask('GET', '/health', undefined, {origin: 'https://other.example'})).status, 200);
});

test('a host name that resolves to the service by DNS rebinding does not count as its own origin', async (t) => {
	const identity = fakeIdentity();
	const {port} = await serve(t, identity, {cors: ['https://mine.example']});
	const answer = await exchange(
		port,
		`POST /reset HTTP/1.1\r\nHost: evil.example:${port}\r\nOrigin: http://evil.example:${port}\r\nConnection: close\r\n\r\n`,
	);
	t.regex(answer, /^HTTP\/1\.1 403 /);
	t.regex(answer, /list the origin in http.cors/);
	t.deepEqual(identity.calls, []);
});

test('where every origin is allowed, a page of any origin may change the state', async (t) => {
	const {ask} = await serve(t, fakeIdentity());
	t.is((await ask('POST', '/cycle', {content: 'a text'}, {origin: 'https://other.example'})).status, 200);
});

test('a client over its rate limit gets 429 with Retry-After', async (t) => {
	const identity = fakeIdentity();
	const {ask} = await serve(t, identity, {rateLimit: {requests: 2, seconds: 60}});
	t.is((await ask('GET', '/health')).status, 200);
	t.is((await ask('GET', '/health')).status, 200);
	const {status, headers, body} = await ask('GET', '/health');
	t.is(status, 429);
	t.true(Number(headers.get('retry-after')) > 0 && Number(headers.get('retry-after')) <= 60);
	t.deepEqual(body, {detail: 'Too many requests; slow down.'});
	t.is((await ask('GET', '/readyz')).status, 200, 'probes are not counted');
});

test('preflights do not count towards the rate limit, but requests that only resemble them do', async (t) => {
	for (const cors of ['*', ['https://mine.example'], false] as const) {
		const {ask} = await serve(t, fakeIdentity(), {rateLimit: {requests: 1, seconds: 60}, cors});
		const headers = {origin: 'https://page.example', 'access-control-request-method': 'POST'};
		for (let i = 0; i < 3; i++) {
			t.not((await ask('OPTIONS', '/cycle', undefined, headers)).status, 429);
		}

		t.is((await ask('GET', '/health')).status, 200);
		t.is((await ask('GET', '/health', undefined, headers)).status, 429, 'the header alone does not make a preflight');
		t.is((await ask('OPTIONS', '/cycle')).status, 429, 'nor does the method alone');
		t.not((await ask('OPTIONS', '/cycle', undefined, headers)).status, 429);
	}
});

test('the addresses of an IPv6 /64 network share a rate limit; link-local and IPv4-mapped addresses do not', async (t) => {
	for (const [first, second, status] of [
		['2001:db8::1', '2001:DB8:0:0:ffff::2', 429],
		['2001:0db8:0:1:2:3:4:5', '2001:db8:0:1::', 429],
		['::1', '::2', 429],
		['2001:db8::1', '2001:db8:0:1::1', 200],
		['::ffff:10.0.0.1', '::ffff:10.0.0.2', 200],
		['fe80::1', 'fe80::2', 200],
	] as const) {
		const {ask} = await serve(t, fakeIdentity(), {rateLimit: {requests: 1, seconds: 60}, trustProxy: true});
		t.is((await ask('GET', '/health', undefined, from(first))).status, 200);
		t.is((await ask('GET', '/health', undefined, from(second))).status, status, `${first} and ${second}`);
	}
});

test('each client address has a separate rate limit; X-Forwarded-For counts only with trustProxy', async (t) => {
	const trusting = await serve(t, fakeIdentity(), {rateLimit: {requests: 1, seconds: 60}, trustProxy: true});
	t.is((await trusting.ask('GET', '/health', undefined, from('10.0.0.1'))).status, 200);
	t.is((await trusting.ask('GET', '/health', undefined, from('10.0.0.2'))).status, 200);
	t.is((await trusting.ask('GET', '/health', undefined, from('10.0.0.1'))).status, 429);

	const untrusting = await serve(t, fakeIdentity(), {rateLimit: {requests: 1, seconds: 60}});
	t.is((await untrusting.ask('GET', '/health', undefined, from('10.0.0.1'))).status, 200);
	t.is((await untrusting.ask('GET', '/health', undefined, from('10.0.0.2'))).status, 429);
});

test('a busy identity gives 429 with Retry-After', async (t) => {
	const {ask} = await serve(t, fakeIdentity({async cycle() {
		throw new BusyError('1000 cycles are already under way; try again in a moment.', 1);
	}}));
	const {status, headers, body} = await ask('POST', '/cycle', {content: 'a text'});
	t.is(status, 429);
	t.is(headers.get('retry-after'), '1');
	t.deepEqual(body, {detail: '1000 cycles are already under way; try again in a moment.', code: 'busy', retryable: true});
});

test('every response has a request id: the client\'s if it is harmless, else a new one', async (t) => {
	const {ask} = await serve(t, fakeIdentity());
	t.is((await ask('GET', '/health', undefined, {'x-request-id': 'mine-1.2_3'})).headers.get('x-request-id'), 'mine-1.2_3');
	t.is((await ask('GET', '/nowhere', undefined, {'x-request-id': 'mine'})).headers.get('x-request-id'), 'mine');
	for (const bad of ['', 'two words', 'a'.repeat(129), '"quoted"']) {
		t.regex((await ask('GET', '/health', undefined, {'x-request-id': bad})).headers.get('x-request-id')!, /^[\da-f-]{36}$/);
	}
});

test('a request is logged in one line, without body, query or credentials', async (t) => {
	const lines: object[] = [];
	const logger = {debug: (fields: object) => lines.push(fields), info() {}, warn() {}, error() {}};
	const {ask} = await serve(t, fakeIdentity(), {logger});
	await ask('POST', '/cycle?secret=query', {content: 'secret content'}, {...bearer('secret token'), 'x-request-id': 'one'});
	t.is(lines.length, 1);
	t.like(lines[0], {id: 'one', method: 'POST', path: '/cycle', status: 200, client: '127.0.0.1'});
	t.notRegex(JSON.stringify(lines), /secret/);
});

test('a request is logged above debug only if it was slow or got a status of 500 or more', async t => {
	for (const [milliseconds, status, expected] of [
		[999, 200, ['debug', 'request']],
		[1000, 200, ['info', 'slow request']],
		[5, 422, ['debug', 'request']],
		[5, 500, ['info', 'request']],
	] as const) {
		const lines: string[][] = [];
		const logger = Object.fromEntries(['debug', 'info', 'warn', 'error'].map(level => [
			level,
			(_fields: object, message: string) => lines.push([level, message]),
		])) as unknown as Logger;
		const times = [0, milliseconds];
		const app = new Koa();
		app.use(recordRequests(() => null, logger, {elapsed: () => times.shift()!}));
		app.use(ctx => {
			ctx.status = status;
		});
		const {url, close} = await listen({handler: app.callback()}, {host: '127.0.0.1', port: 0});
		t.teardown(close);
		await (await fetch(url, {headers: {connection: 'close'}})).arrayBuffer();
		t.deepEqual(lines, [expected]);
	}
});

test('readyz says which part is not ready, and why; livez does not depend on it', async (t) => {
	const {ask} = await serve(
		t,
		fakeIdentity({readiness: () => ({ready: false, isTemporary: true, parts: {model: 'ok', state: 'ok', journal: 'the disk is full'}})}),
	);
	const {status, body} = await ask('GET', '/readyz');
	t.is(status, 503);
	t.deepEqual(body, {
		detail: 'Not ready. journal: the disk is full',
		code: 'unavailable',
		retryable: true,
		parts: {model: 'ok', state: 'ok', journal: 'the disk is full'},
	});
	t.is((await ask('GET', '/livez')).status, 200);
});

for (const [what, sent] of Object.entries({
	headers: 'GET /health HTTP/1.1\r\nHost: here\r\nX-Slow: ',
	'a body': 'POST /cycle HTTP/1.1\r\nHost: here\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"content',
})) {
	test(`a client that does not finish ${what} is disconnected with 408`, async (t) => {
		const {port, close} = await listen(createHttp(fakeIdentity()), {
			host: '127.0.0.1',
			port: 0,
			headersTimeout: 50,
			requestTimeout: 50,
			connectionsCheckingInterval: 10,
		});
		t.teardown(close);
		const socket = connect(port, '127.0.0.1');
		let received = '';
		socket.on('data', (chunk) => {
			received += chunk.toString();
		});
		socket.write(sent);
		await once(socket, 'close');
		t.regex(received, /^HTTP\/1\.1 408 /);
	});
}
