/**
 * GET /inspector: the page and its files, as they are served.
 */
import test, {type ExecutionContext} from 'ava';
import Koa from 'koa';
import {compress} from '../../src/http/middleware/compress.ts';
import {serveInspector, inspectorPaths} from '../../src/http/pages/inspector-page.ts';
import {listen} from '../../src/http/server.ts';
import {exchange} from '../http/service.ts';

const serve = async (t: ExecutionContext) => {
	const app = new Koa();
	app.use(compress());
	app.use(serveInspector());
	const {url, port, close} = await listen({handler: app.callback()}, {host: '127.0.0.1', port: 0});
	t.teardown(close);
	return {port, ask: (path: string, headers: Record<string, string> = {}) => fetch(url + path, {
		headers: {connection: 'close', ...headers},
		redirect: 'manual',
	})};
};

const types: Record<string, string> = {
	css: 'text/css; charset=utf-8',
	js: 'text/javascript; charset=utf-8',
	svg: 'image/svg+xml',
	json: 'application/json; charset=utf-8',
};

test('/inspector is the page, and /inspector/ redirects to it', async (t) => {
	const {ask} = await serve(t);
	const page = await ask('/inspector');
	t.is(page.status, 200);
	t.is(page.headers.get('content-type'), 'text/html; charset=utf-8');
	t.regex(await page.text(), /^<!doctype html>\n<html lang="en"/);
	const other = await ask('/inspector/');
	t.is(other.status, 302);
	t.is(new URL(other.headers.get('location')!, 'http://here/inspector/').pathname, '/inspector');
});

test('every file that the page and its modules name is served, with its type', async (t) => {
	const {ask} = await serve(t);
	const seen = new Set<string>();
	const follow = async (path: string): Promise<void> => {
		if (seen.has(path)) {
			return;
		}

		seen.add(path);
		const response = await ask(path);
		t.is(response.status, 200, path);
		const text = await response.text();
		if (path === '/inspector') {
			for (const [, address] of text.matchAll(/(?:href|src)="(inspector\/[^"]*)"/g)) {
				await follow(`/${address}`);
			}
		} else {
			t.is(response.headers.get('content-type'), types[path.split('.').at(-1)!]!, path);
		}
	};

	await follow('/inspector');
	// Named by scripts: the machines' definitions and layouts, and the glossary.
	await follow('/inspector/machines.json');
	await follow('/inspector/layouts.json');
	await follow('/inspector/words.json');
	// Named by the page of the fleet, which only a host has.
	await follow('/inspector/fleet.js');
	t.deepEqual(inspectorPaths().filter((path) => path !== '/inspector/').toSorted(), [...seen].toSorted());
});

test('the page loads one script and one style sheet', async (t) => {
	const {ask} = await serve(t);
	const page = await (await ask('/inspector')).text();
	t.deepEqual([...page.matchAll(/<(?:script|link rel="stylesheet")[^>]*(?:src|href)="([^"]*)"/g)].map(([, address]) => address), [
		'inspector/main.css', 'inspector/main.js',
	]);
	t.notRegex(await (await ask('/inspector/main.js')).text(), /^import /m);
	t.notRegex(await (await ask('/inspector/main.css')).text(), /@import/);
});

test('every file has a policy that allows requests to this service only, and no inline scripts', async (t) => {
	const {ask} = await serve(t);
	for (const path of inspectorPaths().filter((one) => one !== '/inspector/')) {
		const {headers, body} = await ask(path);
		await body?.cancel();
		t.deepEqual(headers.get('content-security-policy')?.split('; ').toSorted(), [
			'base-uri \'none\'',
			'connect-src \'self\'',
			'default-src \'none\'',
			'form-action \'none\'',
			'frame-ancestors \'none\'',
			'img-src \'self\' data:',
			'script-src \'self\'',
			'style-src \'self\'',
		], path);
		t.is(headers.get('x-content-type-options'), 'nosniff');
		t.is(headers.get('referrer-policy'), 'no-referrer');
	}
});

test('the page has no inline script, style or handler, and names no other host', async (t) => {
	const {ask} = await serve(t);
	const page = await (await ask('/inspector')).text();
	t.true(
		[...page.matchAll(/<script([^>]*)>([^]*?)<\/script>/g)].every(
			([, attributes, inside]) => attributes!.includes('src=') && inside === '',
		),
	);
	t.notRegex(page, /<style|\sstyle=|\son[a-z]+=|javascript:|https?:/i);
});

test('an unchanged file is answered with 304', async (t) => {
	const {port, ask} = await serve(t);
	const first = await ask('/inspector/main.js');
	const etag = first.headers.get('etag')!;
	t.regex(etag, /^W\/"[\w-]{43}"$/);
	t.is(first.headers.get('cache-control'), 'no-cache');
	t.true((await first.text()).length > 0);
	const again = (tag: string) =>
		exchange(port, `GET /inspector/main.js HTTP/1.1\r\nHost: here\r\nIf-None-Match: ${tag}\r\nConnection: close\r\n\r\n`);
	t.regex(await again(etag), /^HTTP\/1\.1 304 [^]*\r\n\r\n$/);
	t.regex(await again('"another"'), /^HTTP\/1\.1 200 /);
});

/** The bytes of a response as it is sent, with its headers. */
const bytesOf = async (port: number, path: string, header: string): Promise<number> =>
	(await exchange(port, `GET ${path} HTTP/1.1\r\nHost: here\r\n${header}\r\nConnection: close\r\n\r\n`)).length;

test('the whole page is under 400 KB as it is sent, and under 40 KB when it is reopened', async (t) => {
	const {port, ask} = await serve(t);
	let first = 0;
	let again = 0;
	for (const path of inspectorPaths().filter((one) => one !== '/inspector/')) {
		first += await bytesOf(port, path, 'Accept-Encoding: gzip');
		const {headers, body} = await ask(path);
		await body?.cancel();
		t.is(headers.get('vary'), headers.has('content-encoding') ? 'Accept-Encoding' : null);
		again += await bytesOf(port, path, `Accept-Encoding: gzip\r\nIf-None-Match: ${headers.get('etag')}`);
	}

	t.true(first < 400_000, `${first} bytes`);
	t.true(again < 40_000, `${again} bytes`);
	t.log(`${first} bytes, then ${again}`);
});

test('a client that accepts no compression receives the file uncompressed', async (t) => {
	const {ask} = await serve(t);
	const plain = await ask('/inspector/main.js', {'accept-encoding': 'identity'});
	t.is(plain.headers.get('content-encoding'), null);
	// Read at once: Node's client fails if a body that its server has sent completely is left waiting.
	const text = await plain.text();
	const compressed = await ask('/inspector/main.js', {'accept-encoding': 'gzip'});
	t.is(compressed.headers.get('content-encoding'), 'gzip');
	t.is(await compressed.text(), text);
});

test('words.json holds the glossary in plain text', async (t) => {
	const {ask} = await serve(t);
	const words = await (await ask('/inspector/words.json')).json() as Record<string, string>;
	t.is(words['dry run'], 'A cycle that is computed and not applied: it shows what a text would do, and changes nothing.');
	t.deepEqual(Object.values(words).filter((meaning) => /[`*[]|\]\(/.test(meaning)), []);
});

test('every word of the page that has a tooltip is in the glossary', async (t) => {
	const {ask} = await serve(t);
	const words = await (await ask('/inspector/words.json')).json() as Record<string, string>;
	const used = (await Promise.all(
		['', '/person/ledger.js', '/person/timeline.js', '/person/fan.js'].map(async (path) => (await ask(`/inspector${path}`)).text()),
	))
		.flatMap((text) => [...text.matchAll(/class="word"(?: data-word="([^"]*)")?>([^<]*)<|\bword\('([^']*)'/g)])
		.map(([, name, shown, called]) => name ?? called ?? shown!.toLowerCase());
	t.true(used.length > 8);
	t.deepEqual(used.filter((name) => !(name in words)), []);
});

test('machines.json holds the machines of the process as they are defined', async (t) => {
	const {ask} = await serve(t);
	const machines = await (await ask('/inspector/machines.json')).json() as {id: string; states: Record<string, unknown>}[];
	t.deepEqual(machines.map(({id}) => id), ['process', 'boot', 'daemon', 'cycle']);
	t.deepEqual(Object.keys(machines[2]!.states), ['mode', 'loop']);
});

for (const path of [
	'/inspector/tsconfig.json', '/inspector/index.html', '/inspector/../package.json', '/inspector/%2e%2e/package.json',
	'/inspector/..%2fpackage.json', '/inspector/vendor/', '/inspector/vendor/../../package.json', '/inspector//main.js',
	'/inspector/main.js/', '/Inspector', '/inspector/vendor/uplot.d.ts',
]) {
	test(`${path} is not served`, async (t) => {
		const {port} = await serve(t);
		const raw = await exchange(port, `GET ${path} HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n`);
		t.regex(raw, /^HTTP\/1\.1 404 /);
	});
}
