/** Compression of answers for clients that accept gzip. */
import {get} from 'node:http';
import {gunzipSync} from 'node:zlib';
import test from 'ava';
import {compress} from '../../src/http/middleware/compress.ts';
import {createHttp} from '../../src/http/create-http.ts';
import type {Identity} from '../../src/identity/identity.ts';
import {fakeIdentity} from './fake-identity.ts';
import {serve} from './service.ts';
import {deepEqual} from '../helpers/deep-equal.ts';

/** The response as it is on the wire. */
const fetchRaw = async (
	url: string,
	headers: Record<string, string>,
) => new Promise<{headers: Record<string, unknown>; bytes: Buffer}>((resolve, reject) => {
	get(url, {headers: {connection: 'close', ...headers}}, async response => {
		resolve({headers: response.headers, bytes: Buffer.concat(await response.toArray() as Buffer[])});
	}).on('error', reject);
});

const gzip = {'accept-encoding': 'gzip, deflate, br'};

for (const path of ['/openapi.json', '/docs/swagger-ui.css', '/docs/swagger-ui-bundle.js', '/tensor']) {
	test(`${path} is compressed only for a client that accepts gzip`, async t => {
		const {url} = await serve(t, fakeIdentity());
		const plain = await fetchRaw(url + path, {});
		t.is(plain.headers['content-encoding'], undefined);
		t.is(Number(plain.headers['content-length']), plain.bytes.length);
		t.regex(String(plain.headers['vary']), /\bAccept-Encoding\b/);
		const packed = await fetchRaw(url + path, gzip);
		t.is(packed.headers['content-encoding'], 'gzip');
		t.is(Number(packed.headers['content-length']), packed.bytes.length);
		t.true(packed.bytes.length < plain.bytes.length / 2, `${packed.bytes.length} of ${plain.bytes.length}`);
		deepEqual(t, gunzipSync(packed.bytes), plain.bytes);
		t.is(packed.headers['content-type'], plain.headers['content-type']);
		t.is((await fetchRaw(url + path, {'accept-encoding': 'gzip;q=0'})).headers['content-encoding'], undefined);
	});
}

for (const path of ['/health', '/vigilance', '/docs/favicon-32x32.png', '/nowhere']) {
	test(`${path}, which is small or already compressed, is not compressed`, async t => {
		const {url} = await serve(t, fakeIdentity());
		const {headers} = await fetchRaw(url + path, gzip);
		t.is(headers['content-encoding'], undefined);
		t.notRegex(String(headers['vary']), /Accept-Encoding/);
	});
}

test('the metrics are compressed as text', async t => {
	const lines = '# HELP processual_state_id Number of the current state.\n'.repeat(40);
	const {url} = await serve(t, fakeIdentity(), {
		metrics: {text: async () => lines, contentType: 'text/plain; version=0.0.4', countRequest() {}},
	});
	const {headers, bytes} = await fetchRaw(`${url}/metrics`, {...gzip, accept: 'text/plain'});
	t.is(headers['content-encoding'], 'gzip');
	t.is(gunzipSync(bytes).toString(), lines);
});

const contextOf = (body: unknown) => {
	const headers: Record<string, string> = {'Content-Type': 'application/json; charset=utf-8'};
	return {
		body,
		headers,
		res: {hasHeader: () => false},
		response: {get: (name: string) => headers[name]},
		set(name: string, value: string) {
			headers[name] = value;
		},
		vary() {},
		acceptsEncodings: () => 'gzip',
	};
};

const compressed = async (body: unknown): Promise<unknown> => {
	const ctx = contextOf(body);
	await compress()(ctx as never, async () => {});
	return ctx.body;
};

test('a body that is sent twice is compressed once', async t => {
	const body = Buffer.from('again '.repeat(1000));
	t.is(await compressed(body), await compressed(body));
});

test('a body under 1 KiB is not compressed', async t => {
	t.is(await compressed('a'.repeat(1023)), 'a'.repeat(1023));
	t.true(Buffer.isBuffer(await compressed('a'.repeat(1024))));
});

test('a web-standard response is not compressed, since its host does that', async t => {
	const http = createHttp(fakeIdentity() as Identity);
	t.teardown(http.close);
	const answer = await http.fetch(new Request('http://here/openapi.json', {headers: gzip}));
	t.is(answer.headers.get('content-encoding'), null);
	t.like(await answer.json(), {openapi: '3.1.0'});
});
