import type {RequestListener} from 'node:http';
import {setImmediate} from 'node:timers/promises';
import {gzipSync} from 'node:zlib';
import test, {type ExecutionContext} from 'ava';
import {boundedFetch, isTimeout, RefusedResponseError} from '../../src/platform/bounded-fetch.ts';
import packageFile from '../../package.json' with {type: 'json'};
import {answerEndlessly, serve} from '../embedding/server.ts';

const bounds = {maxBytes: 1000, timeoutMs: 60_000, option: 'server.url'};

const ask = async (t: ExecutionContext, answer: RequestListener, given: Partial<typeof bounds> = {}) =>
	boundedFetch(await serve(t, answer), undefined, {...bounds, ...given});

test('status, headers and bytes of a response arrive unchanged', async t => {
	const response = await ask(t, (_, made) => made.writeHead(201, {'x-some': 'header'}).end('é'.repeat(500)));
	t.is(response.status, 201);
	t.is(response.headers.get('x-some'), 'header');
	t.is(await response.text(), 'é'.repeat(500));
});

test('a request names the package before what its caller sends', async t => {
	const url = await serve(t, ({headers}, made) => made.end(`${headers['user-agent']}; ${headers['x-key']}`));
	const asked = async (init?: RequestInit) => (await boundedFetch(url, init, bounds)).text();
	const own = `processual-state/${packageFile.version}`;
	t.is(await asked({headers: {'x-key': 'k'}}), `${own}; k`);
	t.is(await asked({headers: {'User-Agent': 'ai/7', 'x-key': 'k'}}), `${own} ai/7; k`);
});

for (const status of [204, 205, 304]) {
	test(`a response without a body (${status}) has none`, async t => {
		const response = await ask(t, (_, made) => made.writeHead(status).end());
		t.is(response.status, status);
		t.is(await response.text(), '');
	});
}

test('a body that is one byte too long is refused', async t => {
	await t.throwsAsync(ask(t, (_, made) => made.end('x'.repeat(1001))), {instanceOf: RefusedResponseError, message: /more than 1000 bytes/});
});

test('a small body that decompresses into a large one is refused', async t => {
	const body = gzipSync('x'.repeat(10_000_000));
	await t.throwsAsync(
		ask(t, (_, made) => made.writeHead(200, {'content-encoding': 'gzip'}).end(body), {maxBytes: 1_000_000}),
		{instanceOf: RefusedResponseError},
	);
});

test('the connection of an endless response is closed', async t => {
	const closed = Promise.withResolvers<void>();
	await t.throwsAsync(ask(t, (_, made) => {
		made.once('close', closed.resolve);
		answerEndlessly(made, 200, '');
	}), {instanceOf: RefusedResponseError});
	await closed.promise;
	t.pass();
});

test('a long error response keeps its status and its beginning', async t => {
	const response = await ask(t, (_, made) => answerEndlessly(made, 500, 'out of memory;'));
	t.is(response.status, 500);
	t.regex(await response.text(), /^out of memory;/);
});

test('a response that arrives byte by byte ends at the timeout', async t => {
	const error = await t.throwsAsync(ask(t, async (_, made) => {
		made.writeHead(200);
		while (!made.destroyed) {
			made.write('x');
			await setImmediate();
		}
	}, {maxBytes: 1_000_000_000, timeoutMs: 200}), {any: true});
	t.true(isTimeout(error));
});

const destinations = {
	'/v1?key=secret': /to http:\/\/127\.0\.0\.1:\d+\. /,
	'//me:secret@example.org:81/secret': /to http:\/\/example\.org:81\. /,
	'javascript:secret': /to an unreadable address\. /,
	'http://': /to an unreadable address\. /,
};

for (const [location, message] of Object.entries(destinations)) {
	test(`the error for a redirect to ${location} shows its origin at most`, async t => {
		const error = await t.throwsAsync(ask(t, (_, made) => made.writeHead(307, {location}).end()), {
			instanceOf: RefusedResponseError,
			message,
		});
		t.notRegex(error.message, /secret/);
	});
}
