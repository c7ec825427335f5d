/**
 * The application in a host that identifies users by cookies: a page of another origin can send
 * them with a request, and must not change anything.
 */
import test from 'ava';
import {createHttp} from '../../src/http/create-http.ts';
import {listen} from '../../src/http/server.ts';
import {fakeIdentity} from './fake-identity.ts';
import {exchange, parseAnswer} from './service.ts';

const host = 'own.example';

const asked: Array<[name: string, headers: Record<string, string>, status: number]> = [
	['a request without an origin', {}, 200],
	['a page of the same origin', {Origin: `https://${host}`}, 200],
	['a page of the same origin, behind a proxy with another name', {Origin: 'https://public.example', 'Sec-Fetch-Site': 'same-origin'}, 200],
	['a request from the address bar', {'Sec-Fetch-Site': 'none'}, 200],
	['a page of another origin', {Origin: 'https://other.example'}, 403],
	['a page of another port', {Origin: `https://${host}:8080`}, 403],
	['a page with an opaque origin', {Origin: 'null'}, 403],
	['a page of another site', {Origin: 'https://other.example', 'Sec-Fetch-Site': 'cross-site'}, 403],
	['a page of a sibling subdomain', {Origin: 'https://beside.own.example', 'Sec-Fetch-Site': 'same-site'}, 403],
	['a page of another site that hides its origin', {'Sec-Fetch-Site': 'cross-site'}, 403],
];

for (const [name, headers, status] of asked) {
	test(`where no origins are listed, ${name} ${status === 200 ? 'may change the state' : 'cannot change the state'}`, async t => {
		const identity = fakeIdentity();
		const {port, close} = await listen(createHttp(identity), {host: '127.0.0.1', port: 0});
		t.teardown(close);
		const lines = Object.entries({Host: host, Connection: 'close', ...headers}).map(
			([header, value]) => `${header}: ${value}\r\n`,
		).join('');
		const reset = parseAnswer(await exchange(port, `POST /reset HTTP/1.1\r\n${lines}\r\n`));
		t.is(reset.status, status);
		t.notRegex(reset.head, /Access-Control/i);
		t.deepEqual(identity.calls.map(({name: question}) => question), status === 200 ? ['reset'] : []);
		if (status === 403) {
			t.regex(JSON.stringify(reset.body), /may not do this: list the origin in http\.cors/);
		}

		t.is(
			parseAnswer(await exchange(port, `GET /health HTTP/1.1\r\n${lines}\r\n`)).status,
			200,
			'a read changes nothing, and browsers keep the answer from the page',
		);
	});
}
