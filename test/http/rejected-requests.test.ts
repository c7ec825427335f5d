/**
 * Requests that are refused before their content is read: unknown paths and methods, bodies that
 * are too large or of another type. Nothing reaches the identity.
 */
import test, {type ExecutionContext} from 'ava';
import {fakeIdentity} from './fake-identity.ts';
import {exchange, parseAnswer, serve} from './service.ts';

const endpoints: Record<string, 'GET' | 'POST'> = {
	'/': 'GET',
	'/health': 'GET',
	'/cycle': 'POST',
	'/translate': 'POST',
	'/state': 'GET',
	'/vigilance': 'GET',
	'/metrics': 'GET',
	'/reset': 'POST',
	'/validate': 'POST',
	'/daemon/status': 'GET',
	'/daemon/start': 'POST',
	'/daemon/stop': 'POST',
	'/profile': 'GET',
	'/profile/scaled': 'GET',
	'/ledger': 'GET',
	'/history': 'GET',
	'/diff': 'GET',
	'/drift': 'GET',
	'/sources': 'GET',
	'/uptake': 'GET',
	'/openapi.json': 'GET',
};

for (const path of [
	'/nowhere', '/Health', '/health/', '/daemon', '//health', '/%E0%A4', '/%00', '/cycle%2f', '/__proto__',
	'/constructor', '/🌊',
]) {
	for (const method of ['GET', 'POST', 'DELETE']) {
		test(`${method} ${path} is not found`, async (t) => {
			const identity = fakeIdentity();
			const {ask} = await serve(t, identity);
			const answer = await ask(method, path);
			t.is(answer.status, 404);
			t.deepEqual(answer.body, {detail: 'Not Found'});
			t.deepEqual(identity.calls, []);
		});
	}
}

for (const [path, allowed] of Object.entries(endpoints)) {
	for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND', 'QUERY'].filter((other) => other !== allowed)) {
		test(`${method} ${path} gets 405 with the allowed methods`, async (t) => {
			const identity = fakeIdentity();
			const {ask} = await serve(t, identity);
			const answer = await ask(method, path);
			t.is(answer.status, 405);
			t.deepEqual(answer.body, {detail: 'Method Not Allowed'});
			t.deepEqual(answer.headers.get('allow')?.split(', ').toSorted(), allowed === 'GET' ? ['GET', 'HEAD'] : ['POST']);
			t.deepEqual(identity.calls, []);
		});
	}

	test(`OPTIONS ${path} names the allowed methods`, async (t) => {
		const {ask} = await serve(t, fakeIdentity());
		const answer = await ask('OPTIONS', path);
		t.is(answer.status, 200);
		t.is(answer.text, '');
		t.deepEqual(answer.headers.get('allow')?.split(', ').toSorted(), allowed === 'GET' ? ['GET', 'HEAD'] : ['POST']);
	});
}

const refuses = async (
	t: ExecutionContext,
	status: number,
	detail: string,
	body: string | Uint8Array,
	headers: Record<string, string> = {},
	maxBodyBytes?: number,
) => {
	const identity = fakeIdentity();
	const {ask} = await serve(t, identity, maxBodyBytes === undefined ? {} : {maxBodyBytes});
	for (const answer of await Promise.all([ask('POST', '/cycle', body, headers), ask('POST', '/translate', body, headers)])) {
		t.is(answer.status, status);
		t.deepEqual(answer.body, {detail});
	}

	t.deepEqual(identity.calls, []);
};

for (const type of [
	'text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/jsonp',
	'application/json-seq', 'text/json', 'json', '/', 'x y z',
]) {
	test(`a body of type ${type} is refused`, async (t) => {
		await refuses(t, 415, 'Send the body as application/json.', '{"content": "a text"}', {'content-type': type});
	});
}

for (const charset of ['latin1', 'utf-16', 'nonsense']) {
	test(`a body in ${charset} is refused`, async (t) => {
		await refuses(t, 415, 'Send the body in UTF-8.', '{"content": "a text"}', {'content-type': `application/json; charset=${charset}`});
	});
}

for (const coding of ['gzip', 'br', 'deflate', 'nonsense', 'identity, gzip']) {
	test(`a body in the content coding ${coding} is refused`, async (t) => {
		await refuses(t, 415, 'Send the body without compression.', new Uint8Array([0x1f, 0x8b, 0x08, 0xff]), {'content-encoding': coding});
	});
}

const tooLarge = (limit: number): string =>
	`The body is over the limit of ${limit} bytes: send a long text in parts, or raise http.maxBodyBytes.`;

test('a body of 1 MiB is accepted, one byte more is not', async (t) => {
	const identity = fakeIdentity();
	const {ask} = await serve(t, identity);
	const body = `{"content": "${'a'.repeat(2 ** 20 - 15)}"}`;
	t.is(body.length, 2 ** 20);
	t.is((await ask('POST', '/cycle', body)).status, 200);
	const refused = await ask('POST', '/cycle', `${body} `);
	t.is(refused.status, 413);
	t.deepEqual(refused.body, {detail: tooLarge(1048576)});
	t.is(identity.calls.length, 1);
});

test('the limit counts bytes, not characters', async (t) => {
	await refuses(t, 413, tooLarge(30), JSON.stringify({content: 'é'.repeat(12)}), {}, 30);
});

test('a chunked body is refused as soon as it exceeds the limit', async (t) => {
	const identity = fakeIdentity();
	const {port} = await serve(t, identity, {maxBodyBytes: 100});
	const chunk = `80\r\n${'a'.repeat(128)}\r\n`;
	const {status, body} = parseAnswer(
		await exchange(port, 'POST /cycle HTTP/1.1\r\nHost: here\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n', chunk),
	);
	t.is(status, 413);
	t.deepEqual(body, {detail: tooLarge(100)});
	t.deepEqual(identity.calls, []);
});

test('the rest of a body that is longer than declared is a bad request', async (t) => {
	const identity = fakeIdentity();
	const {port} = await serve(t, identity);
	const answers = await exchange(port, 'POST /cycle HTTP/1.1\r\nHost: here\r\nContent-Length: 16\r\n\r\n{"content": "a"} and more\r\n\r\n');
	t.regex(answers, /^HTTP\/1\.1 200 OK\r\n/);
	t.regex(answers, /HTTP\/1\.1 400 Bad Request\r\n/);
	t.is(identity.calls.length, 1);
});

test('after a body over the limit the connection stays usable', async (t) => {
	const {port} = await serve(t, fakeIdentity(), {maxBodyBytes: 100});
	const answers = await exchange(
		port,
		`POST /cycle HTTP/1.1\r\nHost: here\r\nContent-Length: 500000\r\n\r\n${'a'.repeat(500_000)}`,
		'GET /health HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n',
	);
	t.regex(answers, /^HTTP\/1\.1 413 /);
	t.regex(answers, /HTTP\/1\.1 200 OK\r\n/);
});
