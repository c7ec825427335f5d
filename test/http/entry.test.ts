/** GET /: links to what is served, for programs and for browsers. */
import {createHash} from 'node:crypto';
import test from 'ava';
import Koa from 'koa';
import {createHttp} from '../../src/http/create-http.ts';
import type {HttpOptions} from '../../src/http/http-options.ts';
import {listen} from '../../src/http/server.ts';
import {fakeIdentity} from './fake-identity.ts';
import {serve} from './service.ts';

const browser = {accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'};
const inspector: HttpOptions = {inspector: {types: [], watch: () => () => {}}};

const addressesIn = (page: string): string[] => [...page.matchAll(/href="([^"]*)"/g)].map(([, address]) => address!);

/** Reads the whole body: Node's fetch fails an assertion where a connection ends before. */
const statusOf = async (address: URL): Promise<number> => {
	const response = await fetch(address);
	await response.arrayBuffer();
	return response.status;
};

test('a program gets the links as JSON', async t => {
	const {ask} = await serve(t, fakeIdentity(), inspector);
	for (const accept of ['*/*', 'application/json', 'text/plain']) {
		const {status, headers, body} = await ask('GET', '/', undefined, {accept});
		t.is(status, 200);
		t.is(headers.get('content-type'), 'application/json; charset=utf-8');
		t.is(headers.get('vary'), 'Origin, Accept');
		t.deepEqual(body, {
			service: 'Processual State Service',
			version: '0.7.0',
			links: {inspector: './inspector', docs: './docs', openapi: './openapi.json', health: './health'},
		});
	}
});

test('a page that is not served is not linked', async t => {
	const {ask} = await serve(t, fakeIdentity(), {docs: false});
	t.deepEqual(((await ask('GET', '/')).body as {links: object}).links, {openapi: './openapi.json', health: './health'});
});

test('a browser gets a page whose links are all served', async t => {
	const {url} = await serve(t, fakeIdentity(), inspector);
	const response = await fetch(url, {headers: browser});
	const page = await response.text();
	t.is(response.headers.get('content-type'), 'text/html; charset=utf-8');
	t.deepEqual(addressesIn(page), ['./favicon.ico', './inspector/main.css', './inspector', './docs', './openapi.json', './health']);
	for (const address of addressesIn(page)) {
		t.is(await statusOf(new URL(address, response.url)), 200, address);
	}
});

test('without an inspector, the page’s policy allows only its inline style', async t => {
	const {url} = await serve(t, fakeIdentity());
	const response = await fetch(url, {headers: browser});
	const [, style] = /<style>([^]*)<\/style>/.exec(await response.text())!;
	const policy = response.headers.get('content-security-policy')!;
	t.true(policy.includes(`style-src 'sha256-${createHash('sha256').update(style!).digest('base64')}'`));
	t.true(policy.startsWith('default-src \'none\''));
});

for (const mount of ['/identity', '/identity/', '/tenants/ada', '/tenants/"><script>', '/tenants/a:b']) {
	test(`mounted at ${mount}, every link stays below it`, async t => {
		const prefix = mount.startsWith('/tenants') ? '/tenants/:tenant' : '/identity';
		const host = new Koa();
		host.use(createHttp(() => fakeIdentity(), {prefix}).handler);
		const {url, close} = await listen({handler: host.callback()}, {host: '127.0.0.1', port: 0});
		t.teardown(close);
		for (const query of ['', '?a=/b']) {
			const response = await fetch(url + mount + query, {headers: browser});
			const page = await response.text();
			t.notRegex(page, /<script/);
			t.is(addressesIn(page).length, 4);
			for (const address of addressesIn(page)) {
				const linked = new URL(address.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code))), response.url);
				t.is(await statusOf(linked), 200, linked.href);
			}
		}
	});
}

test('in a host that strips the mount path, as Express does, every link stays below it', async t => {
	const {handler} = createHttp(fakeIdentity());
	const {url, close} = await listen({async handler(request, response) {
		Object.assign(request, {originalUrl: request.url, url: request.url!.slice('/identity'.length).replace(/^(?!\/)/, '/')});
		await handler(request, response);
	}}, {host: '127.0.0.1', port: 0});
	t.teardown(close);
	for (const mount of ['/identity', '/identity/', '/identity?a=/b']) {
		const response = await fetch(url + mount, {headers: browser});
		for (const address of addressesIn(await response.text())) {
			t.is(await statusOf(new URL(address, response.url)), 200, `${address} in ${mount}`);
		}
	}
});
