/**
 * Any origin may ask anything, with credentials, and may read every answer.
 */
import test from 'ava';
import {fakeProcess} from './fake-process.ts';
import {serve} from './service.ts';

const origin = 'https://page.example';

const isReadable = (name: string, method: string, path: string, status: number, body?: unknown, headers: Record<string, string> = {}) => {
	test(`${name} can be read from any origin`, async (t) => {
		const {ask} = await serve(t, fakeProcess({profile() {
			throw new Error('It broke.');
		}}), {bodyLimit: 1000});
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
		const process = fakeProcess();
		const {ask} = await serve(t, process);
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

		t.deepEqual(process.calls, []);
	});
}

test('a request without an origin gets no such headers, but caches are told that it matters', async (t) => {
	const {ask} = await serve(t, fakeProcess());
	const answer = await ask('GET', '/health');
	t.false(answer.headers.has('access-control-allow-origin'));
	t.false(answer.headers.has('access-control-allow-credentials'));
	t.is(answer.headers.get('vary'), 'Origin');
});
