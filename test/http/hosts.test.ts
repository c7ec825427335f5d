/**
 * The interface in other servers: under a prefix, beside the host's own routes and headers, and
 * for many identities. Express, Fastify and Hono are in `test/slow/hosts.test.ts`.
 */
import type {RequestListener} from 'node:http';
import test, {type ExecutionContext} from 'ava';
import cors from '@koa/cors';
import Koa from 'koa';
import {createHttp, type Http} from '../../src/http/create-http.ts';
import {createTelemetry} from '../../src/observe/metrics/telemetry.ts';
import {startIdentity} from '../actors/fixtures.ts';
import {FakeSource} from '../observe/streaming.ts';
import {fakeIdentity} from './fake-identity.ts';
import {serveListener} from './serve-listener.ts';

const serve = async (t: ExecutionContext, listener: RequestListener) => {
	const url = await serveListener(t, listener);
	return async (path: string, init: RequestInit = {}) => {
		const response = await fetch(url + path, init);
		return {status: response.status, headers: response.headers, text: await response.text()};
	};
};

/** Hosts that handle requests outside the prefix. */
const hosts: Record<string, (http: Http) => RequestListener> = {
	Koa(http) {
		const app = new Koa();
		app.use(async (ctx, next) => {
			ctx.set('X-Frame-Options', 'DENY');
			ctx.set('Vary', 'Cookie');
			ctx.set('X-Request-Id', 'of-the-host');
			await next();
		});
		app.use(cors({origin: 'https://page.example'}));
		app.use(http.handler);
		app.use(ctx => {
			ctx.body = `own ${ctx.path}`;
		});
		return app.callback() as RequestListener;
	},

	// As Express and Connect call middleware.
	'a host of middleware': http => (request, response) => {
		response.setHeader('X-Frame-Options', 'DENY');
		response.setHeader('Vary', 'Cookie');
		response.setHeader('X-Request-Id', 'of-the-host');
		response.setHeader('Access-Control-Allow-Origin', 'https://page.example');
		void http.handler(request, response, () => {
			response.end(`own ${request.url}`);
		});
	},
};

for (const [name, mount] of Object.entries(hosts)) {
	test(`in ${name}, requests below the prefix are answered, and others are passed on`, async t => {
		const ask = await serve(t, mount(createHttp(fakeIdentity(), {prefix: '/identity'})));
		t.is((await ask('/identity/health')).status, 200);
		t.is((await ask('/identity/nowhere')).text, '{"detail":"Not Found"}');
		for (const path of ['/', '/health', '/identityhealth', '/other/identity/health']) {
			t.is((await ask(path)).text, `own ${path}`);
		}
	});

	test(`in ${name}, the headers that the host has set are kept`, async t => {
		const ask = await serve(t, mount(createHttp(fakeIdentity(), {prefix: '/identity'})));
		for (const path of ['/identity/health', '/identity/metrics', '/identity/nowhere']) {
			const {headers} = await ask(path, {headers: {origin: 'https://page.example', 'x-request-id': 'of-the-client'}});
			t.is(headers.get('x-frame-options'), 'DENY', path);
			t.regex(headers.get('vary')!, /\bCookie\b/, path);
			t.is(headers.get('access-control-allow-origin'), 'https://page.example', path);
			t.is(headers.get('x-request-id'), 'of-the-host', path);
		}
	});
}

test('in a host that strips the mount path, no prefix is needed', async t => {
	const {handler} = createHttp(fakeIdentity());
	const ask = await serve(t, (request, response) => {
		request.url = request.url!.slice('/identity'.length);
		void handler(request, response);
	});
	t.is((await ask('/identity/health')).status, 200);
});

test('in a host without other routes, a request outside the prefix gets a 404', async t => {
	const {handler} = createHttp(fakeIdentity(), {prefix: '/identity'});
	const ask = await serve(t, (request, response) => {
		void handler(request, response);
	});
	t.is((await ask('/identity/health')).status, 200);
	const other = await ask('/health');
	t.is(other.status, 404);
	t.is(other.text, '{"detail":"Not Found"}');
});

test('after the response, the request has its original URL', async t => {
	const {handler} = createHttp(fakeIdentity(), {prefix: '/identity'});
	const seen: unknown[] = [];
	const ask = await serve(t, async (request, response) => {
		await handler(request, response);
		seen.push(request.url);
	});
	await ask('/identity/health?a=1');
	t.deepEqual(seen, ['/identity/health?a=1']);
});

for (const prefix of ['identity', '/identity/', '/', '/a//b', '/a?b']) {
	test(`the prefix “${prefix}” is refused with a valid example`, t => {
		t.throws(() => createHttp(fakeIdentity(), {prefix}), {name: 'ConfigurationError', message: /“\/identity”/});
	});
}

test('a token that no header can carry is refused', t => {
	for (const token of ['a long secret', '“quoted”', 'clé', '']) {
		t.throws(() => createHttp(fakeIdentity(), {token}), {name: 'ConfigurationError', message: /Choose another/});
	}
});

const twoTenants = (t: ExecutionContext) => {
	const seen: Array<{method: string; url: string; agent: string | null; params: object}> = [];
	const identities: Record<string, ReturnType<typeof fakeIdentity>> = {ada: fakeIdentity(), 'ben & co': fakeIdentity()};
	const http = createHttp(async ({method, url, headers, params}) => {
		seen.push({method, url, agent: headers.get('x-agent'), params});
		return identities[params['tenant']!];
	}, {prefix: '/tenants/:tenant'});
	t.teardown(http.close);
	return {http, identities, seen};
};

test('a resolver chooses the identity of each request by the path', async t => {
	const {http, identities, seen} = twoTenants(t);
	const ask = await serve(t, (request, response) => {
		void http.handler(request, response);
	});
	t.is((await ask('/tenants/ada/reset', {method: 'POST', headers: {host: 'own.example', 'x-agent': 'a'}})).status, 200);
	t.is((await ask('/tenants/ben%20%26%20co/state?part=1')).status, 200);
	t.deepEqual(identities['ada']!.calls.map(({name}) => name), ['reset']);
	t.deepEqual(identities['ben & co']!.calls.map(({name}) => name), ['state']);
	t.is(seen.length, 2, 'it is called once per request');
	t.like(seen[0]!, {method: 'POST', agent: 'a', params: {tenant: 'ada'}});
	t.regex(seen[1]!.url, /^http:\/\/127\.0\.0\.1:\d+\/tenants\/ben%20%26%20co\/state\?part=1$/);

	await http.fetch(new Request('https://own.example/tenants/ada/health', {headers: {'x-agent': 'b'}}));
	t.deepEqual(seen[2], {method: 'GET', url: 'https://own.example/tenants/ada/health', agent: 'b', params: {tenant: 'ada'}});
});

test('if the resolver finds no identity, the answer is 404, and the body is not parsed', async t => {
	const {http} = twoTenants(t);
	for (const init of [{}, {method: 'POST', body: '{', headers: {'content-type': 'application/json'}}]) {
		const response = await http.fetch(new Request('https://own.example/tenants/eve/cycle', init.method ? init : {method: 'POST'}));
		t.is(response.status, 404);
		t.is(await response.text(), '{"detail":"Not Found"}');
	}
});

test('an endpoint that is the same for every identity does not call the resolver', async t => {
	const {http, seen} = twoTenants(t);
	for (const path of ['livez', 'openapi.json', 'docs', 'docs/initializer.js', 'nowhere']) {
		await http.fetch(new Request(`https://own.example/tenants/eve/${path}`));
	}

	t.deepEqual(seen, []);
});

test('each identity has separate events and metrics', async t => {
	const [ada, ben] = await Promise.all([startIdentity(), startIdentity()]);
	t.teardown(() => Promise.all([ada.identity.dispose(), ben.identity.dispose()]));
	const tenants: Record<string, typeof ada.identity> = {ada: ada.identity, ben: ben.identity};
	const http = createHttp(({params}) => tenants[params['tenant']!], {prefix: '/:tenant', inspector: true});
	t.teardown(http.close);
	const ask = (path: string, init: RequestInit = {}) => http.fetch(new Request(`https://own.example${path}`, init));

	const events = await ask('/ada/events?types=cycle.done');
	const body = JSON.stringify({content: 'The sea is quiet today.'});
	for (const tenant of ['ben', 'ada', 'ben']) {
		t.is((await ask(`/${tenant}/cycle`, {method: 'POST', body, headers: {'content-type': 'application/json'}})).status, 200);
	}

	const cyclesOf = async (tenant: string) => {
		const text = await (await ask(`/${tenant}/metrics`, {headers: {accept: 'text/plain'}})).text();
		return [
			/^processual_cycles_total\{trigger="user",outcome="done"\} (\d+)$/m,
			/^processual_http_requests_total\{method="POST",route="\/cycle",status="2xx"\} (\d+)$/m,
		].map(line => Number(line.exec(text)?.[1]));
	};

	t.deepEqual(await cyclesOf('ben'), [2, 2]);
	t.deepEqual(await cyclesOf('ada'), [1, 1]);
	http.close();
	t.is([...(await events.text()).matchAll(/event: cycle\.done/g)].length, 1);
});

test('when an identity stops, its event streams end', async t => {
	const {identity} = await startIdentity();
	const http = createHttp(() => identity, {inspector: true});
	t.teardown(http.close);
	const events = await http.fetch(new Request('https://own.example/events?types=state'));
	const text = events.text();
	await identity.dispose();
	t.regex(await text, /event: state/);
});

test('the inspector or telemetry of one identity cannot serve a resolver', async t => {
	const {identity} = await startIdentity();
	t.teardown(() => identity.dispose());
	const telemetry = createTelemetry(identity);
	t.teardown(telemetry.close);
	t.throws(() => createHttp(() => identity, {metrics: telemetry}), {name: 'ConfigurationError'});
	t.throws(() => createHttp(() => identity, {inspector: new FakeSource()}), {name: 'ConfigurationError'});
});

test('an identity without an actor has no metrics as text, and its inspector is refused with the remedy', async t => {
	const {fetch} = createHttp(fakeIdentity());
	const metrics = await fetch(new Request('https://own.example/metrics', {headers: {accept: 'text/plain'}}));
	t.is(metrics.headers.get('content-type'), 'application/json; charset=utf-8');
	t.throws(() => createHttp(fakeIdentity(), {inspector: true}), {name: 'ConfigurationError', message: /set inspector to false/});
});
