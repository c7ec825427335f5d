/**
 * The application in a host that has already read the body: it uses the host's parsed body, or
 * says at once that there is none. It never waits for a stream that has ended.
 */
import {once} from 'node:events';
import type {IncomingMessage, ServerResponse} from 'node:http';
import {json, text} from 'node:stream/consumers';
import test, {type ExecutionContext} from 'ava';
import Koa from 'koa';
import {createHttp} from '../../src/http/create-http.ts';
import type {HttpOptions} from '../../src/http/http-options.ts';
import {fakeIdentity, type FakeIdentity} from './fake-identity.ts';
import {serveListener} from './serve-listener.ts';

type Handle = (request: IncomingMessage & {body?: unknown}, response: ServerResponse) => Promise<void>;

/** A host that handles each request before the application does. */
const mount = async (
	t: ExecutionContext,
	identity: FakeIdentity,
	before: (request: IncomingMessage & {body?: unknown}) => Promise<void>,
	options: HttpOptions = {},
) => {
	const service = createHttp(identity, options).handler;
	return serveHost(t, async (request, response) => {
		await before(request);
		await service(request, response);
	});
};

const serveHost = async (t: ExecutionContext, handle: Handle) => {
	const url = await serveListener(t, (request, response) => void handle(request, response));
	return async (path: string, body?: unknown, headers: Record<string, string> = {'content-type': 'application/json'}) => {
		const response = await fetch(url + path, {method: 'POST', headers, body: body === undefined ? null : JSON.stringify(body)});
		return {status: response.status, text: await response.text()};
	};
};

const given = (identity: FakeIdentity) => identity.calls.map(call => call.arguments[0]);
const cycle = {content: 'a text', metadata: {a: [1, {b: null}]}};
const expected = {content: 'a text', trigger: 'user', metadata: {a: [1, {b: null}]}};

const hosts: Record<string, (request: IncomingMessage & {body?: unknown}) => Promise<void>> = {
	'a body as express.json() leaves it': async request => {
		request.body = await json(request);
	},
	'a body as express.text() leaves it': async request => {
		request.body = await text(request);
	},
	'a body as express.raw() leaves it': async request => {
		request.body = Buffer.from(await text(request));
	},
	'an unread body beside the empty object of a parser': async request => {
		request.body = {};
	},
};

for (const [name, before] of Object.entries(hosts)) {
	test(`${name} is used`, async t => {
		const identity = fakeIdentity();
		const post = await mount(t, identity, before);
		t.is((await post('/cycle', cycle)).status, 200);
		t.deepEqual(given(identity), [expected]);
	});
}

test('a body that koa-bodyparser left in the host’s context is used', async t => {
	const identity = fakeIdentity();
	const host = new Koa();
	host.use(async (ctx, next) => {
		(ctx.request as {body?: unknown}).body = await json(ctx.req);
		await next();
	});
	host.use(createHttp(identity).handler);

	const post = await serveHost(t, host.callback() as Handle);
	t.is((await post('/cycle', cycle)).status, 200);
	t.deepEqual(given(identity), [expected]);
});

test('a body that was read but not kept is a 500 with the reason', async t => {
	const identity = fakeIdentity();
	const post = await mount(t, identity, async request => {
		await text(request);
	});
	const {status, text: answer} = await post('/cycle', cycle);
	t.is(status, 500);
	t.regex(answer, /has already read the body.*Mount this application before the body parser, or set “body” there/);
	t.deepEqual(identity.calls, []);
});

test('an empty body that the host has consumed counts as empty', async t => {
	const identity = fakeIdentity();
	const post = await mount(t, identity, async request => {
		request.resume();
		await once(request, 'end');
	});
	t.is((await post('/translate')).status, 200);
	t.is((await post('/reset')).status, 200);
});

const parsed = async (request: IncomingMessage & {body?: unknown}) => {
	request.body = await json(request).catch(() => undefined);
};

const refused: Array<[name: string, body: unknown, status: number, reason: RegExp]> = [
	['invalid', {content: 3}, 422, /string_type/],
	['null', null, 422, /model_attributes_type/],
	['over the body’s limit', {content: 'a'.repeat(2000)}, 413, /over the limit of 1000 bytes/],
	['over the metadata’s limit', {content: 'a', metadata: {b: 'c'.repeat(200)}}, 413, /http.maxMetadataBytes/],
	['full of values', {content: 'a', metadata: Array.from({length: 200}, () => [])}, 413, /./],
];

for (const [name, body, status, reason] of refused) {
	test(`limits and schemas apply to a body that the host has parsed: ${name}`, async t => {
		const identity = fakeIdentity();
		const post = await mount(t, identity, parsed, {maxBodyBytes: 1000, maxMetadataBytes: 100});
		const answer = await post('/cycle', body);
		t.is(answer.status, status);
		t.regex(answer.text, reason);
		t.deepEqual(identity.calls, []);
	});
}

test('a parsed body that is nested too deeply is refused', async t => {
	const identity = fakeIdentity();
	const post = await mount(t, identity, async request => {
		await text(request);
		request.body = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000));
	});
	const {status, text: answer} = await post('/cycle', cycle);
	// Node 26 stringifies any depth, so there our limit applies.
	const isTooDeep = Number.parseInt(process.versions.node, 10) < 26;
	t.is(status, isTooDeep ? 413 : 422);
	t.regex(answer, isTooDeep ? /nested too deeply/ : /Nested deeper than 128 levels/);
	t.deepEqual(identity.calls, []);
});
