/**
 * Which pages may read responses: those of any origin, with credentials, where every origin is
 * allowed, as in the standalone service; none by default, as in a mounted application.
 */
import test from 'ava';
import type {HttpOptions} from '../../src/http/http-options.ts';
import {fakeIdentity} from './fake-identity.ts';
import {exchange, serve} from './service.ts';

const origin = 'https://page.example';

const isReadable = (name: string, method: string, path: string, status: number, body?: unknown, headers: Record<string, string> = {}) => {
	test(`${name} can be read from any origin`, async (t) => {
		const {ask} = await serve(t, fakeIdentity({profile() {
			throw new Error('It broke.');
		}}), {maxBodyBytes: 1000});
		const answer = await ask(method, path, body, {...headers, origin});
		t.is(answer.status, status);
		t.is(answer.headers.get('access-control-allow-origin'), origin);
		t.is(answer.headers.get('access-control-allow-credentials'), 'true');
		t.is(answer.headers.get('vary'), 'Origin');
	});
};

isReadable('an answer', 'GET', '/health', 200);
isReadable('an unknown path', 'GET', '/nowhere', 404);
isReadable('a wrong method', 'PUT', '/cycle', 405);
isReadable('a body too large', 'POST', '/cycle', 413, {content: 'a'.repeat(1000)});
isReadable('a body of another type', 'POST', '/cycle', 415, 'a', {'content-type': 'text/plain'});
isReadable('an invalid request', 'POST', '/cycle', 422, {});
isReadable('a failure', 'GET', '/profile', 500);

for (const path of ['/cycle', '/nowhere']) {
	test(`a preflight for ${path} allows origin, credentials, method and headers`, async (t) => {
		const identity = fakeIdentity();
		const {ask} = await serve(t, identity);
		const answer = await ask('OPTIONS', path, undefined, {
			origin,
			'access-control-request-method': 'POST',
			'access-control-request-headers': 'content-type, x-any-thing',
		});
		t.is(answer.status, 204);
		t.is(answer.headers.get('access-control-allow-origin'), origin);
		t.is(answer.headers.get('access-control-allow-credentials'), 'true');
		t.is(answer.headers.get('access-control-allow-headers'), 'content-type, x-any-thing');
		for (const method of ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT']) {
			t.true(answer.headers.get('access-control-allow-methods')?.split(', ').includes(method), method);
		}

		t.deepEqual(identity.calls, []);
	});
}

test('a request without an origin gets no CORS headers but Vary', async (t) => {
	const {ask} = await serve(t, fakeIdentity());
	const answer = await ask('GET', '/health');
	t.false(answer.headers.has('access-control-allow-origin'));
	t.false(answer.headers.has('access-control-allow-credentials'));
	t.is(answer.headers.get('vary'), 'Origin');
});

/** The origin and the credentials that a page is granted by a response, by a preflight, and by a refusal of Node's. */
const grantsFor = (name: string, options: HttpOptions, expected: Array<string | null>) => {
	test(name, async (t) => {
		const {ask, port} = await serve(t, fakeIdentity(), options);
		const headers = {origin, authorization: 'Bearer a-token-of-sixteen'};
		const answer = await ask('GET', '/health', undefined, headers);
		const refused = await ask('POST', '/cycle', {}, {origin});
		const preflight = await ask('OPTIONS', '/cycle', undefined, {origin, 'access-control-request-method': 'POST'});
		for (const {headers: answered} of [answer, refused, preflight]) {
			t.deepEqual(['origin', 'credentials'].map(what => answered.get(`access-control-allow-${what}`)), expected);
		}

		t.is(preflight.headers.has('access-control-allow-methods'), expected[0] !== null);
		const raw = await exchange(port, `POST /reset HTTP/1.1\r\nHost: here\r\nExpect: a miracle\r\nOrigin: ${origin}\r\n\r\n`);
		t.deepEqual(
			['Origin', 'Credentials'].map(what => new RegExp(`\r\nAccess-Control-Allow-${what}: (.*)\r\n`).exec(raw)?.[1] ?? null),
			expected,
		);
	});
};

const token = 'a-token-of-sixteen';
grantsFor('by default, no page can read responses', {cors: false}, [null, null]);
grantsFor('with only a token set, no page can read responses', {cors: false, token}, [null, null]);
grantsFor('with every origin allowed, every page can read responses, with credentials', {cors: '*'}, [origin, 'true']);
grantsFor('with every origin allowed and a token, every page can read responses, without credentials', {cors: '*', token}, [origin, null]);
grantsFor('a listed origin can read responses, with credentials', {cors: [origin]}, [origin, 'true']);
grantsFor('a listed origin can read responses, with credentials, if a token is set', {cors: [origin], token}, [origin, 'true']);
grantsFor('an origin that is not listed cannot read responses', {cors: ['https://other.example']}, [null, null]);
