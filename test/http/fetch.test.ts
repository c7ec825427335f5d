/** The interface without a server: web-standard requests and responses. */
import {setImmediate} from 'node:timers/promises';
import test from 'ava';
import {createHttp} from '../../src/http/create-http.ts';
import {BusyError, InputError, UnavailableError} from '../../src/platform/errors.ts';
import {startIdentity} from '../actors/fixtures.ts';
import {FakeSource} from '../observe/streaming.ts';
import {fakeIdentity} from './fake-identity.ts';

const origin = 'https://example.org';

const cycleOf = (body: string | ReadableStream, headers: Record<string, string> = {'content-type': 'application/json'}) =>
	new Request(`${origin}/cycle`, {method: 'POST', body, headers, duplex: 'half'} as RequestInit);

test('a cycle moves a real identity, and its state and metrics can be read', async t => {
	const {identity} = await startIdentity();
	t.teardown(() => identity.dispose());
	const {fetch, close} = createHttp(identity);
	t.teardown(close);

	const response = await fetch(cycleOf('{"content": "The sea is quiet today."}'));
	t.is(response.status, 200);
	t.is(response.headers.get('content-type'), 'application/json; charset=utf-8');
	t.regex(response.headers.get('x-request-id')!, /^[\da-f-]{36}$/);
	t.is((await response.json() as {state_id: number}).state_id, 1);
	const state = await (await fetch(new Request(`${origin}/state`))).json() as {state_id: number};
	t.is(state.state_id, 1);
	t.regex(
		await (await fetch(new Request(`${origin}/metrics`, {headers: {accept: 'text/plain'}}))).text(),
		/processual_cycles_total\{trigger="user",outcome="done"\} 1\n/,
	);
});

test('a body that counts as used once its stream is locked is read, as in Bun', async t => {
	const {fetch} = createHttp(fakeIdentity());
	const request = cycleOf('{"content": "The sea is quiet today."}');
	Object.defineProperty(request, 'bodyUsed', {get: () => request.body!.locked});
	t.is((await fetch(request)).status, 200);
});

test('probes, the document and all pages are served', async t => {
	const {fetch} = createHttp(fakeIdentity(), {inspector: new FakeSource()});
	for (const path of ['/livez', '/readyz', '/openapi.json', '/docs', '/docs/swagger-ui.css', '/inspector', '/inspector/main.js']) {
		const response = await fetch(new Request(origin + path));
		t.is(response.status, 200, path);
		t.true((await response.bytes()).length > 10, path);
	}
});

const refused: Array<[name: string, request: Request, status: number, detail: RegExp]> = [
	['an unknown path', new Request(`${origin}/nowhere`), 404, /Not Found/],
	['another method of a known path', new Request(`${origin}/cycle`, {method: 'DELETE'}), 405, /Method Not Allowed/],
	['malformed JSON', cycleOf('{"content": '), 422, /json_invalid/],
	['a missing field', cycleOf('{}'), 422, /Field required/],
	['a body of another type', cycleOf('content', {'content-type': 'text/plain'}), 415, /application\/json/],
	['a body over the limit', cycleOf(JSON.stringify({content: 'a'.repeat(3000)})), 413, /over the limit of 2000 bytes/],
];

for (const [name, request, status, detail] of refused) {
	test(`${name} is answered with ${status} and the reason, and changes nothing`, async t => {
		const identity = fakeIdentity();
		const response = await createHttp(identity, {maxBodyBytes: 2000}).fetch(request);
		t.is(response.status, status);
		t.regex(await response.text(), detail);
		t.deepEqual(identity.calls, []);
		t.is(response.headers.get('allow'), status === 405 ? 'POST' : null);
	});
}

test('HEAD has the Content-Length of GET, and no body', async t => {
	const {fetch} = createHttp(fakeIdentity());
	const [get, head] = await Promise.all(['GET', 'HEAD'].map(method => fetch(new Request(`${origin}/health`, {method}))));
	t.is(head!.status, 200);
	t.is(head!.headers.get('content-length'), get!.headers.get('content-length'));
	t.is(head!.body, null);
});

test('an unchanged page is answered with 304, and no body', async t => {
	const {fetch} = createHttp(fakeIdentity());
	const etag = (await fetch(new Request(`${origin}/docs`))).headers.get('etag')!;
	const again = await fetch(new Request(`${origin}/docs`, {headers: {'if-none-match': etag}}));
	t.is(again.status, 304);
	t.is(again.body, null);
});

test('a body in chunks is read to its end', async t => {
	const identity = fakeIdentity();
	const body = new Blob(['{"content": ', '"The sea', ' is quiet."}']).stream();
	t.is((await createHttp(identity).fetch(cycleOf(body))).status, 200);
	t.is((identity.calls[0]!.arguments[0] as {content: string}).content, 'The sea is quiet.');
});

test('a body that the host has already read is a 500 that says so', async t => {
	const request = cycleOf('{"content": "The sea."}');
	await request.json();
	const response = await createHttp(fakeIdentity()).fetch(request);
	t.is(response.status, 500);
	t.regex(await response.text(), /has already read the body/);
});

test('the host may add headers to a response', async t => {
	const response = await createHttp(fakeIdentity()).fetch(new Request(`${origin}/health`));
	response.headers.set('X-Frame-Options', 'DENY');
	t.is(response.headers.get('x-frame-options'), 'DENY');
});

test('a token is required for everything but probes, the document and pages', async t => {
	const {fetch} = createHttp(fakeIdentity(), {token: 'a-long-secret'});
	const statusOf = async (path: string, headers = {}) => (await fetch(new Request(origin + path, {headers}))).status;
	t.is(await statusOf('/health'), 401);
	t.is(await statusOf('/health', {authorization: 'Bearer another-secret'}), 401);
	t.is(await statusOf('/health', {authorization: 'Bearer a-long-secret'}), 200);
	for (const path of ['/livez', '/readyz', '/openapi.json', '/docs']) {
		t.is(await statusOf(path), 200, path);
	}
});

test('a page of another origin cannot change the state unless its origin is listed', async t => {
	const reset = (page: string) => new Request(`${origin}/reset`, {method: 'POST', headers: {origin: page}});
	const own = createHttp(fakeIdentity());
	t.is((await own.fetch(reset('https://other.example'))).status, 403);
	const allowed = await own.fetch(reset(origin));
	t.is(allowed.status, 200);
	t.is(allowed.headers.get('access-control-allow-origin'), null);
	const listed = await createHttp(fakeIdentity(), {cors: ['https://other.example']}).fetch(reset('https://other.example'));
	t.is(listed.status, 200);
	t.is(listed.headers.get('access-control-allow-origin'), 'https://other.example');
});

test('without docs and inspector, their pages are neither served nor documented', async t => {
	const {fetch} = createHttp(fakeIdentity(), {docs: false});
	const {paths} = await (await fetch(new Request(`${origin}/openapi.json`))).json() as {paths: object};
	for (const path of ['/docs', '/inspector', '/events']) {
		t.is((await fetch(new Request(origin + path))).status, 404, path);
		t.false(path in paths, path);
	}
});

const textOf = async (reader: ReadableStreamDefaultReader<Uint8Array>): Promise<string | undefined> => {
	const {value} = await reader.read();
	return value && new TextDecoder().decode(value);
};

test('events stream as they happen, and the stream ends when its reader cancels', async t => {
	const source = new FakeSource();
	const {fetch} = createHttp(fakeIdentity(), {inspector: source});
	const response = await fetch(new Request(`${origin}/events?types=cycle.done`));
	t.is(response.headers.get('content-type'), 'text/event-stream; charset=utf-8');
	const reader = response.body!.getReader();
	t.is(await textOf(reader), 'retry: 2000\n\n');
	source.emit('cycle.done', {state_id: 1});
	t.is(await textOf(reader), 'id: run-1\nevent: cycle.done\ndata: {"state_id":1}\n\n');
	t.is(source.listeners.size, 1);
	await reader.cancel();
	await setImmediate();
	t.is(source.listeners.size, 0);
});

test('the event stream ends when its request is aborted', async t => {
	const source = new FakeSource();
	const {fetch} = createHttp(fakeIdentity(), {inspector: source});
	const leaving = new AbortController();
	const response = await fetch(new Request(`${origin}/events`, {signal: leaving.signal}));
	const reader = response.body!.getReader();
	await textOf(reader);
	leaving.abort();
	await t.throwsAsync(reader.read());
	await setImmediate();
	t.is(source.listeners.size, 0);
});

test('a host that cancels the body when its client leaves gets no error from it', async t => {
	const {fetch} = createHttp(fakeIdentity(), {inspector: new FakeSource()});
	const leaving = new AbortController();
	const response = await fetch(new Request(`${origin}/events`, {signal: leaving.signal}));
	const reader = response.body!.getReader();
	await textOf(reader);
	leaving.abort();
	void reader.cancel();
	await t.notThrowsAsync(reader.closed);
});

test('a slow reader gets the number of missed events, and the stream ends', async t => {
	const source = new FakeSource();
	const {fetch} = createHttp(fakeIdentity(), {inspector: source});
	const response = await fetch(new Request(`${origin}/events`));
	for (let round = 0; round < 40; round++) {
		source.emit('cycle.done', {text: 'a'.repeat(100_000)});
		await setImmediate();
		await setImmediate();
	}

	t.is(source.listeners.size, 0);
	const events = await response.text();
	t.regex(events, /event: stream\.dropped\ndata: \{"missed":\d+,"reason":"Events are read more slowly than they happen\."\}\n\n$/);
	t.true(events.length < 2_000_000, `${events.length} bytes`);
});

test('close ends the event streams and refuses new ones; the identity stays open', async t => {
	const {identity} = await startIdentity();
	t.teardown(() => identity.dispose());
	const {fetch, close} = createHttp(identity, {inspector: true});
	const response = await fetch(new Request(`${origin}/events?types=state`));
	const text = response.text();
	close();
	t.regex(await text, /event: state\n/);
	t.is((await fetch(new Request(`${origin}/events`))).status, 503);
	t.is((await fetch(cycleOf('{"content": "The sea."}'))).status, 200);
});

test('a client that leaves cancels its translation, and its fetch rejects with the reason', async t => {
	const leaving = new AbortController();
	const asked = Promise.withResolvers<AbortSignal>();
	const identity = fakeIdentity({
		translate: (_request: unknown, {signal}: {signal: AbortSignal}) => {
			asked.resolve(signal);
			return new Promise((_, reject) => {
				signal.addEventListener('abort', () => {
					reject(signal.reason as Error);
				});
			});
		},
	});
	const answer = createHttp(identity).fetch(new Request(`${origin}/translate`, {method: 'POST', signal: leaving.signal}));
	const signal = await asked.promise;
	const reason = new Error('gone');
	leaving.abort(reason);
	t.is(await t.throwsAsync(answer), reason);
	await setImmediate();
	t.true(signal.aborted);
});

test('a request that is already aborted does not reach the identity', async t => {
	const identity = fakeIdentity();
	await t.throwsAsync(
		createHttp(identity).fetch(new Request(`${origin}/health`, {signal: AbortSignal.abort(new Error('gone'))})),
		{message: 'gone'},
	);
	t.deepEqual(identity.calls, []);
});

test('as Next.js route handlers, it answers below its folder', async t => {
	const {fetch} = createHttp(fakeIdentity(), {prefix: '/identity'});
	const route: Record<string, (request: Request, context: {params: Promise<{path: string[]}>}) => Promise<Response>> = {
		GET: fetch,
		POST: fetch,
	};
	const ask = async (method: string, path: string, body: string | null = null) =>
		route[method]!(new Request(`${origin}/identity/${path}`, {method, body, headers: body ? {'content-type': 'application/json'} : {}}), {
			params: Promise.resolve({path: [path]}),
		});
	t.is((await ask('GET', 'state')).status, 200);
	t.is((await ask('POST', 'cycle', '{"content": "The sea."}')).status, 200);
	t.is((await ask('GET', 'nowhere')).status, 404);
});

const errors: Array<[error: Error, status: number]> = [
	[new InputError('No such tenant name.'), 422],
	[new BusyError('Too many tenants.', 1), 429],
	[new UnavailableError('This tenant is moving.'), 503],
	[new Error('a defect'), 500],
];

for (const [error, status] of errors) {
	test(`a resolver’s ${error.name} is answered with ${status}`, async t => {
		const {fetch} = createHttp(() => {
			throw error;
		});
		const response = await fetch(new Request(`${origin}/health`));
		t.is(response.status, status);
		t.true((await response.text()).includes(error.message));
	});
}
