/** The interface in Express, Fastify and Hono from npm: bodies parsed by the host, headers set by it, and streams that end. */
import type {RequestListener} from 'node:http';
import {createRequire} from 'node:module';
import path from 'node:path';
import test, {type ExecutionContext} from 'ava';
import {createHttp, type Http} from '../../src/http/create-http.ts';
import {fakeIdentity} from '../http/fake-identity.ts';
import {serveListener} from '../http/serve-listener.ts';
import {FakeSource} from '../observe/streaming.ts';
import {installBeside} from '../runtimes/install.ts';

let load: NodeJS.Require;

test.before('the hosts are installed', async () => {
	load = createRequire(path.join(await installBeside('hosts', {express: '5', fastify: '5', hono: '4'}), 'index.js'));
});

const listen = async (t: ExecutionContext, listener: RequestListener): Promise<typeof fetch> => {
	const url = await serveListener(t, listener);
	return (place, init) => fetch(url + String(place), init);
};

/** Each host sets a header, has a route `/own`, and the interface under `/identity`. */
type Mount = (t: ExecutionContext, make: (options?: {prefix: string}) => Http) => Promise<typeof fetch>;

// Their types come with the packages, which the examples check.
const hosts: Record<string, Mount> = {
	async 'Express, behind its body parser'(t, make) {
		const express = load('express');
		const app = express();
		app.use(express.json());
		app.use((_request: unknown, response: {set(name: string, value: string): void}, next: () => void) => {
			response.set('X-Frame-Options', 'DENY');
			next();
		});
		app.use('/identity', make().handler);
		app.get('/own', (_request: unknown, response: {send(text: string): void}) => {
			response.send('own');
		});
		return listen(t, app);
	},

	async 'Express, by a prefix'(t, make) {
		const app = load('express')();
		app.use((_request: unknown, response: {set(name: string, value: string): void}, next: () => void) => {
			response.set('X-Frame-Options', 'DENY');
			next();
		});
		app.use(make({prefix: '/identity'}).handler);
		app.get('/own', (_request: unknown, response: {send(text: string): void}) => {
			response.send('own');
		});
		return listen(t, app);
	},

	async Fastify(t, make) {
		const app = load('fastify')({forceCloseConnections: true});
		app.addHook('onRequest', async (_request: unknown, reply: {header(name: string, value: string): void}) => {
			reply.header('X-Frame-Options', 'DENY');
		});
		app.all('/identity/*', make({prefix: '/identity'}).handler);
		app.get('/own', async () => 'own');
		const url = await app.listen({port: 0, host: '127.0.0.1'}) as string;
		t.teardown(() => app.close());
		return (place, init) => fetch(url + String(place), init);
	},

	async Hono(_t, make) {
		const {Hono} = load('hono');
		const app = new Hono();
		app.use(async (context: {res: Response}, next: () => Promise<void>) => {
			await next();
			context.res.headers.set('X-Frame-Options', 'DENY');
		});
		app.mount('/identity', make().fetch);
		app.get('/own', (context: {text(text: string): Response}) => context.text('own'));
		return async (place, init) => app.request(String(place), init) as Promise<Response>;
	},
};

for (const [name, mount] of Object.entries(hosts)) {
	test(`${name}: requests and errors are answered, and the host keeps its headers and routes`, async t => {
		const identity = fakeIdentity();
		const ask = await mount(t, options => createHttp(identity, options));
		const headers = {'content-type': 'application/json'};
		const cycle = await ask('/identity/cycle', {method: 'POST', headers, body: '{"content": "The sea.", "metadata": {"a": [1]}}'});
		t.is(cycle.status, 200, await cycle.clone().text());
		t.is(cycle.headers.get('x-frame-options'), 'DENY');
		t.regex(cycle.headers.get('x-request-id')!, /^[\da-f-]{36}$/);
		t.deepEqual(identity.calls.map(call => call.arguments[0]), [{content: 'The sea.', trigger: 'user', metadata: {a: [1]}}]);
		t.is((await ask('/identity/cycle', {method: 'POST', headers, body: '{"content": " "}'})).status, 422);
		t.is((await ask('/identity/cycle')).status, 405);
		t.is((await ask('/identity/reset', {method: 'POST'})).status, 200);
		t.is(await (await ask('/identity/nowhere')).text(), '{"detail":"Not Found"}');
		t.is((await ask('/identity/docs/initializer.js')).status, 200);
		t.is(await (await ask('/own')).text(), 'own');
	});

	test(`${name}: an event stream ends when its client disconnects`, async t => {
		const source = new FakeSource();
		const ask = await mount(t, options => createHttp(fakeIdentity(), {...options, inspector: source}));
		const leaving = new AbortController();
		const response = await ask('/identity/events', {signal: leaving.signal});
		t.is(response.headers.get('x-frame-options'), 'DENY');
		const reader = response.body!.getReader();
		await reader.read();
		source.emit('cycle.done', {state_id: 1});
		t.regex(new TextDecoder().decode((await reader.read()).value), /event: cycle\.done/);
		t.is(source.listeners.size, 1);
		await reader.cancel();
		leaving.abort();
		while (source.listeners.size > 0) {
			await new Promise(setImmediate);
		}

		t.pass();
	});
}
