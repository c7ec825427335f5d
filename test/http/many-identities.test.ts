/** Many identities over HTTP: each below its name, created and put aside; the default one also without a name. */
import {setImmediate} from 'node:timers/promises';
import test, {type ExecutionContext} from 'ava';
import type {Context} from 'koa';
import {SimulatedClock} from 'xstate';
import {BusyError} from '../../src/platform/errors.ts';
import type {EmbeddedHost} from '../../src/host/embedded-host.ts';
import type {Host} from '../../src/host/host.ts';
import type {HttpOptions} from '../../src/http/http-options.ts';
import {listen} from '../../src/http/server.ts';
import {createTelemetry} from '../../src/observe/metrics/telemetry.ts';
import {FakeEncoder, startIdentity} from '../actors/fixtures.ts';
import {hostIn, kernel} from '../host/host-in.ts';
import {temporaryFolder} from '../journal/records.ts';
import {serve} from './service.ts';
import {createHttp} from '../../src/http/create-http.ts';

const serveHost = async (t: ExecutionContext, options: HttpOptions = {}, hostOptions: Parameters<typeof hostIn>[2] = {}) => {
	const {host, find} = hostIn(t, await temporaryFolder(t), hostOptions);
	const {ask, url} = await serve(t, host, options);
	return {host, find, ask, url};
};

const json = {'content-type': 'application/json'};

test('every endpoint is served below the name of an identity; without a name, it is that of the default one', async t => {
	const {ask} = await serveHost(t);
	t.deepEqual((await ask('PUT', '/identities/ada', {}, json)).body, {id: 'ada', is_live: false});
	t.like((await ask('POST', '/identities/ada/cycle', {content: 'I am Ada.'}, json)).body, {state_id: 1});
	t.like((await ask('POST', '/identities/ada/cycle', {content: 'I am still here.'}, json)).body, {state_id: 2});
	t.like((await ask('POST', '/cycle', {content: 'I am the default.'}, json)).body, {state_id: 1});
	t.like((await ask('GET', '/identities/ada/state')).body, {state_id: 2});
	t.like((await ask('GET', '/state')).body, {state_id: 1});
	t.like((await ask('GET', '/identities/default/state')).body, {state_id: 1});
	t.like((await ask('GET', '/identities/ada/readyz')).body, {status: 'ready'});
	t.like((await ask('GET', '/identities/ada/metrics')).body, {total_cycles: 2});
	t.like((await ask('GET', '/identities/ada/tensor?at=1')).body, {state_id: 1});
	t.is((await ask('POST', '/identities/ada/daemon/start')).status, 200);
	t.like((await ask('GET', '/identities/ada/daemon/status')).body, {daemon_running: true});
	t.like((await ask('GET', '/daemon/status')).body, {daemon_running: false});
});

test('a name in a path is decoded, also in the message that refuses it', async t => {
	const {ask} = await serveHost(t);
	await ask('PUT', '/identities/%61da', {}, json);
	t.like((await ask('GET', '/identities/%61da/state')).body, {state_id: 0});
	t.regex(JSON.stringify((await ask('GET', '/identities/Zo%C3%AB/state')).body), /cannot be named “Zoë”/);
});

test('an unknown name answers 404, and creates nothing', async t => {
	const {ask} = await serveHost(t);
	for (const [method, path] of [
		['GET', '/identities/eve/state'],
		['POST', '/identities/eve/cycle'],
		['DELETE', '/identities/eve'],
		['GET', '/identities/eve/readyz'],
	] as const) {
		const {status, body} = await ask(method, path, ...method === 'POST' ? [{content: 'a'}, json] as const : []);
		t.is(status, 404, path);
		t.deepEqual(body, {detail: 'There is no identity “eve”. Create it first.', code: 'unknown_identity', retryable: false}, path);
	}

	t.deepEqual((await ask('GET', '/identities')).body, {identities: [], next: null, default_id: 'default'});
});

test('a third concurrent backup is refused', async (t) => {
	const {host} = hostIn(t, await temporaryFolder(t));
	const begun = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
	let count = 0;
	const failing = Promise.withResolvers<never>();
	const {ask} = await serve(t, {...host, async backup() {
		begun[count++]!.resolve();
		return failing.promise;
	}});
	const first = [ask('POST', '/backup'), ask('POST', '/backup')];
	await Promise.all(begun.map(({promise}) => promise));
	const {status, headers, body} = await ask('POST', '/backup');
	t.is(status, 429);
	t.is(headers.get('Retry-After'), '5');
	t.like(body, {detail: '2 backups are already under way; try again in a few seconds.', code: 'busy'});
	failing.reject(new Error('The disk is full.'));
	t.deepEqual((await Promise.all(first)).map(each => each.status), [500, 500]);
});

test('an invalid query to an unknown name is a 422, and leaves no unhandled rejection', async t => {
	const {ask} = await serveHost(t);
	// AVA fails on an unhandled rejection, which would end the service.
	t.is((await ask('GET', '/identities/eve/history?points=none')).status, 422);
	await setImmediate();
	t.is((await ask('GET', '/identities/eve/history')).status, 404);
});

test('an invalid name is refused, and endpoints of the service are not served below a name', async t => {
	const {ask} = await serveHost(t);
	for (const name of ['Ada', 'a%20b', '.aside', 'con', 'x'.repeat(101)]) {
		for (const [method, path] of [
			['GET', `/identities/${name}/state`],
			['PUT', `/identities/${name}`],
			['DELETE', `/identities/${name}`],
		] as const) {
			const {status, body} = await ask(method, path);
			t.is(status, 422, path);
			t.like(body, {detail: [{loc: ['path', 'id']}]}, path);
		}
	}

	for (const path of [
		'/identities/default/livez', '/identities/default/openapi.json', '/identities/default/docs',
		'/identities/default/identities', '/identities/default/identities/a/state', '/identities//state', '/identities/',
	]) {
		t.true([404, 422].includes((await ask('GET', path)).status), path);
	}

	t.is((await ask('POST', '/identities/default')).status, 405);
	t.is((await ask('PATCH', '/identities/default/state')).status, 405);
});

test('a name can be created only once', async t => {
	const {ask} = await serveHost(t);
	t.is((await ask('PUT', '/identities/ada')).status, 201);
	const {status, body} = await ask('PUT', '/identities/ada');
	t.is(status, 409);
	t.deepEqual(body, {detail: 'The identity “ada” already exists.', code: 'conflict', retryable: false});
});

test('an identity can begin with a given state, or as a copy', async t => {
	const {ask} = await serveHost(t);
	await ask('POST', '/cycle', {content: 'I move.'}, json);
	const {body: given} = await ask('GET', '/tensor');
	t.is((await ask('PUT', '/identities/given', {state: given}, json)).status, 201);
	t.is((await ask('PUT', '/identities/copy', {copy_of: 'default'}, json)).status, 201);
	t.deepEqual((await ask('GET', '/identities/copy/tensor')).body, given);
	t.like((await ask('GET', '/identities/given/tensor')).body, {state_id: 1});

	const {dimensions} = given as {dimensions: object};
	for (const wrong of [
		{copy_of: 'default', state: given},
		{state: {...given as object, state_id: 2 ** 53}},
		{state: {...given as object, state_id: 1e300}},
		{state: {...given as object, state_id: -1}},
		{state: {...given as object, dimensions: {...dimensions, valeurs: [1]}}},
		{state: {...given as object, dimensions: {...dimensions, valeurs: Array.from({length: 1024}, () => 0)}}},
		{copy_of: 7},
	]) {
		t.is((await ask('PUT', '/identities/wrong', wrong, json)).status, 422);
	}

	t.is((await ask('PUT', '/identities/wrong', {copy_of: 'eve'}, json)).status, 404);
});

test('an identity that was put aside is unknown to every request, and its name is free', async t => {
	const {ask} = await serveHost(t);
	await ask('PUT', '/identities/ada');
	await ask('POST', '/identities/ada/cycle', {content: 'I am Ada.'}, json);
	const {status, text} = await ask('DELETE', '/identities/ada');
	t.deepEqual([status, text], [204, '']);
	t.is((await ask('GET', '/identities/ada/state')).status, 404);
	t.is((await ask('PUT', '/identities/ada')).status, 201);
	t.like((await ask('GET', '/identities/ada/state')).body, {state_id: 0});
	t.like(await ask('DELETE', '/identities/default'), {status: 409, body: {code: 'conflict'}});
});

test('the list is read page by page, and says which are live', async t => {
	const {ask} = await serveHost(t);
	for (const name of ['c', 'a', 'b']) {
		await ask('PUT', `/identities/${name}`);
	}

	await ask('GET', '/identities/b/state');
	t.deepEqual((await ask('GET', '/identities?limit=2')).body, {
		identities: [{id: 'a', is_live: false}, {id: 'b', is_live: true}],
		next: 'b',
		default_id: 'default',
	});
	t.deepEqual((await ask('GET', '/identities?limit=2&after=b')).body, {
		identities: [{id: 'c', is_live: false}],
		next: null,
		default_id: 'default',
	});
	t.is((await ask('GET', '/identities?limit=0')).status, 422);
});

test('a token protects the identities and their probes', async t => {
	const {ask} = await serveHost(t, {token: 'a-secret-of-some-length', inspector: true});
	const allowed = {authorization: 'Bearer a-secret-of-some-length'};
	t.is((await ask('PUT', '/identities/ada', undefined, allowed)).status, 201);
	for (const [method, path] of [
		['GET', '/identities'],
		['PUT', '/identities/eve'],
		['DELETE', '/identities/ada'],
		['GET', '/identities/ada/readyz'],
		['GET', '/identities/ada/state'],
		['GET', '/identities/ada/livez'],
	] as const) {
		t.is((await ask(method, path)).status, method === 'GET' && path.endsWith('livez') ? 404 : 401, path);
	}

	t.is((await ask('GET', '/readyz')).status, 200);
	t.is((await ask('GET', '/identities/ada/readyz', undefined, allowed)).status, 200);
});

test('pages of other origins can neither create an identity nor put one aside', async t => {
	const {ask} = await serveHost(t, {cors: ['https://mine.example']});
	const from = (origin: string) => ({origin});
	t.is((await ask('PUT', '/identities/ada', undefined, from('https://other.example'))).status, 403);
	t.is((await ask('PUT', '/identities/ada', undefined, from('https://mine.example'))).status, 201);
	t.is((await ask('DELETE', '/identities/ada', undefined, from('https://other.example'))).status, 403);
});

test('each identity has separate events; metrics are counted together, without names', async t => {
	const {host, find} = hostIn(t, await temporaryFolder(t));
	await host.create('ada');
	const http = createHttp(host, {inspector: true});
	t.teardown(http.close);
	const ask = async (path: string, init: RequestInit = {}) => http.fetch(new Request(`https://own.example${path}`, init));
	const events = await ask('/identities/ada/events?types=cycle.done');
	for (const place of ['/identities/ada', '', '/identities/ada']) {
		t.is((await ask(`${place}/cycle`, {method: 'POST', body: JSON.stringify({content: 'I speak.'}), headers: json})).status, 200);
	}

	t.false((await find('ada')).isIdle());
	const metrics = await (await ask('/metrics', {headers: {accept: 'text/plain'}})).text();
	t.regex(metrics, /^processual_cycles_total\{trigger="user",outcome="done"\} 3$/m);
	t.regex(metrics, /^processual_http_requests_total\{method="POST",route="\/cycle",status="2xx"\} 3$/m);
	t.regex(metrics, /^processual_identities_live 2$/m);
	t.notRegex(metrics, /ada/);
	t.regex((await ask('/identities/ada/metrics', {headers: {accept: 'text/plain'}})).headers.get('content-type')!, /json/);
	http.close();
	t.is([...(await events.text()).matchAll(/event: cycle\.done/g)].length, 2);
	await setImmediate();
	t.true((await find('ada')).isIdle());
});

test('a listener that leaves while its identity opens does not keep it live', async t => {
	const opening = Promise.withResolvers<void>();
	const opened = Promise.withResolvers<void>();
	const {host, find} = hostIn(t, await temporaryFolder(t), {
		async open(_name, journal) {
			opening.resolve();
			await opened.promise;
			return (await startIdentity({kernel, journal})).identity;
		},
	});
	const http = createHttp(host, {inspector: true});
	t.teardown(http.close);
	const left = Promise.withResolvers<void>();
	const server = await listen({
		async handler(request, response) {
			response.once('close', left.resolve);
			await http.handler(request, response);
		},
	}, {host: '127.0.0.1', port: 0});
	t.teardown(server.close);
	const leaving = new AbortController();
	const answer = fetch(`${server.url}/events`, {signal: leaving.signal});
	await opening.promise;
	leaving.abort();
	await t.throwsAsync(answer);
	await left.promise;
	opened.resolve();
	const identity = await find('default');
	await setImmediate();
	t.true(identity.isIdle());
});

test('a telemetry has the gauges of the identity that it was given', async t => {
	const {host, find} = hostIn(t, await temporaryFolder(t));
	const identity = await find('default');
	const telemetry = createTelemetry(() => identity);
	telemetry.observe(identity);
	const {ask} = await serve(t, host, {metrics: telemetry});
	await ask('POST', '/cycle', {content: 'I move.'}, json);
	const http = createHttp(host, {metrics: telemetry});
	const text = await (await http.fetch(new Request('https://own.example/metrics', {headers: {accept: 'text/plain'}}))).text();
	t.regex(text, /^processual_state_id 1$/m);
	t.regex(text, /^processual_cycles_total\{trigger="user",outcome="done"\} 1$/m);
});

/** Both ways to serve a host, each with the path of Ada’s cycle. */
const servings = [
	['a host', (host: EmbeddedHost) => createHttp(host), '/identities/ada/cycle'],
	['a resolver that asks a host', (host: EmbeddedHost) => createHttp(async () => (await host.place('ada')).here), '/cycle'],
] as const;

for (const [what, serveAda, place] of servings) {
	test(`through ${what}, a slow body reaches its identity, although that was closed in between`, async t => {
		const clock = new SimulatedClock();
		const {host, find} = hostIn(t, await temporaryFolder(t), {timers: clock, time: {now: () => clock.now(), elapsed: () => clock.now()}});
		await host.create('ada');
		const first = await find('ada');
		const http = serveAda(host);
		t.teardown(http.close);
		let send!: (text: string) => void;
		const body = new ReadableStream<Uint8Array>({
			start(controller) {
				send = text => {
					controller.enqueue(new TextEncoder().encode(text));
					controller.close();
				};
			},
		});
		const answer = http.fetch(new Request(
			`https://own.example${place}`,
			{method: 'POST', body, headers: json, duplex: 'half'} as RequestInit,
		));
		await setImmediate();
		await setImmediate();
		clock.increment(200_000);
		await setImmediate();
		t.false(first.readiness().ready);
		send('{"content": "I am slow."}');
		t.is((await answer).status, 200);
		t.like((await find('ada')).state(), {stateId: 1});
	});
}

test('if every live identity is busy, a request to another one gets a 429', async t => {
	const encoder = new FakeEncoder();
	const {ask, find} = await serveHost(t, {}, {
		maxLive: 1,
		open: async (_name, journal) => (await startIdentity({kernel, journal, encoder})).identity,
	});
	await ask('PUT', '/identities/ada');
	const held = encoder.hold('It takes long.');
	const cycle = (await find('default')).cycle('It takes long.');
	const {status, headers, body} = await ask('GET', '/identities/ada/state');
	t.is(status, 429);
	t.is(headers.get('retry-after'), '1');
	t.is((body as {code: string}).code, new BusyError('', 1).code);
	held.resolve();
	await cycle;
});

test('a request to an identity at another node is forwarded there; a forwarded request goes no further', async t => {
	const elsewhere = {defaultName: 'default', place: () => ({elsewhere: 'http://other.example'})} as unknown as Host;
	const without = await serve(t, elsewhere);
	t.like(await without.ask('GET', '/state'), {status: 503, body: {code: 'moved', retryable: true}});

	const asked: string[] = [];
	const {ask} = await serve(t, elsewhere, {
		forward: {
			async forward(context: Context, name, nodeUrl) {
				asked.push(`${name} ${nodeUrl} ${context.method} ${context.path}`);
				context.status = 200;
				context.body = '{"from":"there"}';
			},
			isForwarded: (context: Context) => context.get('by-a-node') === 'yes',
		},
	});
	t.deepEqual((await ask('GET', '/identities/ada/state')).body, {from: 'there'});
	t.deepEqual((await ask('POST', '/cycle', {content: 'unread'}, json)).body, {from: 'there'});
	t.deepEqual((await ask('DELETE', '/identities/ada')).body, {from: 'there'});
	t.deepEqual(asked, [
		'ada http://other.example GET /state', 'default http://other.example POST /cycle',
		'ada http://other.example DELETE /identities/ada',
	]);
	t.like(await ask('GET', '/state', undefined, {'by-a-node': 'yes'}), {status: 503, body: {code: 'moved'}});
});

test('the document has the host’s routes, and a server for operations below a name', async t => {
	const {ask} = await serveHost(t);
	const {paths, servers} = (await ask('GET', '/openapi.json')).body as {
		paths: Record<string, Record<string, {responses: object; servers?: unknown}>>;
		servers: Array<{url: string; variables?: object}>;
	};
	t.deepEqual(Object.keys(paths['/identities/{id}']!), ['servers', 'put', 'delete']);
	t.deepEqual(Object.keys(paths['/identities/{id}']!['put']!.responses).slice(0, 1), ['201']);
	t.deepEqual(servers.map(({url}) => url), ['.', './identities/{id}']);
	t.deepEqual(Object.keys(servers[1]!.variables!), ['id']);
});

test('the document says what exists below a name, and that a name may be unknown', async t => {
	const {ask} = await serveHost(t);
	const {paths} = (await ask('GET', '/openapi.json')).body as {
		paths: Record<string, {servers?: unknown; get?: {responses: Record<string, unknown>}}>;
	};
	for (const [path, {servers, get}] of Object.entries(paths)) {
		if (get && !path.includes('{')) {
			const {status} = await ask('GET', `/identities/nora${path}`);
			t.is(status, 404, path);
			t.is('404' in get.responses, servers === undefined, path);
			t.is((await ask('GET', `/identities/default${path}`)).status === 404, servers !== undefined, path);
		}
	}
});
