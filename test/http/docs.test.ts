/**
 * GET /docs: the OpenAPI document as a page that loads nothing from other hosts.
 */
import {runInNewContext} from 'node:vm';
import test, {type ExecutionContext} from 'ava';
import Koa from 'koa';
import {createHttp} from '../../src/http/create-http.ts';
import {listen} from '../../src/http/server.ts';
import {fakeIdentity} from './fake-identity.ts';
import {exchange, parseAnswer, serve} from './service.ts';

/**
 * Reads the whole response, on a connection that stays open: Node's fetch fails an assertion where one closes
 * before a large body is read.
 */
const get = async (
	address: string | URL,
	{method = 'GET', headers = {}}: {method?: string; headers?: Record<string, string>} = {},
): Promise<Response> => {
	const response = await fetch(address, {method, headers});
	const read = response.clone();
	await response.arrayBuffer();
	return read;
};

const serveDocs = async (t: ExecutionContext) => {
	const {url, port} = await serve(t, fakeIdentity());
	return {port, ask: (path: string, headers: Record<string, string> = {}, method = 'GET') => get(url + path, {method, headers})};
};

const files = ['/docs', '/docs/initializer.js', '/docs/swagger-ui-bundle.js', '/docs/swagger-ui.css', '/docs/favicon-32x32.png'];

/** The addresses that a page links or loads. */
const addressesIn = (page: string): string[] => [...page.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, address]) => address!);

/** What the initializer gives to Swagger UI, and does to the page. */
const run = (initializer: string, isDark = false) => {
	let options: Record<string, unknown> = {};
	const classes = new Set<string>();
	runInNewContext(initializer, {
		SwaggerUIBundle(given: Record<string, unknown>) {
			options = given;
		},
		matchMedia: (query: string) => ({matches: query === '(prefers-color-scheme: dark)' && isDark}),
		document: {documentElement: {classList: {toggle: (name: string, on: boolean) => on ? classes.add(name) : classes.delete(name)}}},
	});
	return {options, classes: [...classes]};
};

test('every file that the page names is served', async (t) => {
	const {ask} = await serveDocs(t);
	const page = await ask('/docs');
	t.is(page.headers.get('content-type'), 'text/html; charset=utf-8');
	const paths = addressesIn(await page.text()).map((address) => new URL(address, page.url).pathname);
	t.deepEqual(paths.toSorted(), ['/openapi.json', ...files.slice(1)].toSorted());
	for (const path of paths) {
		const {status, headers} = await ask(path);
		t.is(status, 200, path);
		t.regex(
			headers.get('content-type') ?? '',
			{js: /^text\/javascript/, css: /^text\/css/, png: /^image\/png/, json: /^application\/json/}[path.split('.').at(-1)!]!,
		);
	}
});

test('the page shows this service’s document, and sends it to no validator', async (t) => {
	const {ask} = await serveDocs(t);
	const {options} = run(await (await ask('/docs/initializer.js')).text());
	t.is(options['validatorUrl'], null);
	t.is(options['url'], 'openapi.json');
	t.true((await (await ask('/docs')).text()).includes(`id="${String(options['dom_id']).slice(1)}"`));
});

test('the page is dark if the reader prefers a dark colour scheme', async (t) => {
	const {ask} = await serveDocs(t);
	const initializer = await (await ask('/docs/initializer.js')).text();
	const [name] = run(initializer, true).classes;
	t.deepEqual(run(initializer).classes, []);
	t.true((await (await ask('/docs/swagger-ui.css')).text()).includes(`html.${name} .swagger-ui`));
});

test('behind a proxy that strips a path prefix, every address stays below the prefix', async (t) => {
	const outer = new Koa();
	outer.use(async (ctx, next) => {
		ctx.path = ctx.path.replace(/^\/some\/prefix(?=\/)/, '');
		t.not(ctx.path, ctx.originalUrl, 'an address leads out of the prefix');
		await next();
	});
	outer.use(createHttp(fakeIdentity()).handler);
	const {url, close} = await listen({handler: outer.callback()}, {host: '127.0.0.1', port: 0});
	t.teardown(close);
	const page = await get(`${url}/some/prefix/docs`);
	t.is(page.status, 200);
	for (const address of addressesIn(await page.text())) {
		t.is((await get(new URL(address, page.url))).status, 200, address);
	}

	const address = new URL(String(run(await (await get(new URL('docs/initializer.js', page.url))).text()).options['url']), page.url);
	const document = await (await get(address)).json() as {openapi: string; servers: {url: string}[]};
	t.is(document.openapi, '3.1.0');
	t.is(new URL(document.servers[0]!.url, address).href, `${url}/some/prefix/`);
});

test('the page’s policy allows only this service, and no inline script', async (t) => {
	const {ask} = await serveDocs(t);
	for (const file of files) {
		const {headers} = await ask(file);
		const policy = Object.fromEntries(headers.get('content-security-policy')!
			.split('; ')
			.map((rule) => [rule.split(' ')[0], rule.split(' ').slice(1)]));
		t.deepEqual(policy, {
			'default-src': ['\'none\''],
			'script-src': ['\'self\''],
			'style-src': ['\'self\''],
			'img-src': ['\'self\'', 'data:'],
			'connect-src': ['\'self\''],
			'base-uri': ['\'none\''],
			'form-action': ['\'none\''],
			'frame-ancestors': ['\'none\''],
		}, file);
		t.is(headers.get('x-content-type-options'), 'nosniff');
	}
});

test('the page has no inline script, style or handler, and names no other host', async (t) => {
	const {ask} = await serveDocs(t);
	const page = await (await ask('/docs')).text();
	t.true(
		[...page.matchAll(/<script([^>]*)>([^]*?)<\/script>/g)].every(
			([, attributes, inside]) => attributes!.includes('src=') && inside === '',
		),
	);
	t.false(/<style|\sstyle=|\son[a-z]+=|javascript:/i.test(page));
	t.false(page.includes('//'));
	t.false((await (await ask('/docs/initializer.js')).text()).includes('//'));
	t.false(/url\((?!["']?data:)|@import/.test(await (await ask('/docs/swagger-ui.css')).text()));
});

for (const file of files) {
	test(`${file} is sent again only after a change`, async (t) => {
		const {ask, port} = await serveDocs(t);
		const first = await ask(file);
		const etag = first.headers.get('etag')!;
		t.regex(etag, /^W\/"[\w-]{43}"$/);
		t.is(first.headers.get('cache-control'), 'no-cache');
		const {byteLength} = await first.arrayBuffer();
		t.true(byteLength > 0);
		// On a raw socket, since fetch bypasses caches if a tag is given.
		const again = await exchange(port, `GET ${file} HTTP/1.1\r\nHost: here\r\nConnection: close\r\nIf-None-Match: ${etag}\r\n\r\n`);
		t.regex(again, /^HTTP\/1\.1 304 [^]*\r\n\r\n$/);
		const other = await exchange(port, `HEAD ${file} HTTP/1.1\r\nHost: here\r\nConnection: close\r\nIf-None-Match: "another"\r\n\r\n`);
		t.regex(other, new RegExp(`^HTTP/1\\.1 200 [^]*\r\ncontent-length: ${byteLength}\r\n[^]*\r\n\r\n$`, 'i'));
	});
}

for (const path of [
	'/docs/', '/docs/package.json', '/docs/index.html', '/docs/swagger-ui-bundle.js.map', '/docs/../docs-page.ts',
	'/docs/%2e%2e/package.json', '/docs/swagger-ui.css/', '/Docs',
]) {
	test(`${path} is not served`, async (t) => {
		const {port} = await serveDocs(t);
		const {status, body} = parseAnswer(await exchange(port, `GET ${path} HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n`));
		t.is(status, 404);
		t.deepEqual(body, {detail: 'Not Found'});
	});
}

test('a POST to the page is not allowed', async (t) => {
	const {ask} = await serveDocs(t);
	const {status, headers} = await ask('/docs', {}, 'POST');
	t.is(status, 405);
	t.is(headers.get('allow'), 'HEAD, GET');
});
