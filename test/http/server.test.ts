/**
 * The listening server: requests that Node's parser refuses, the address, closing.
 */
import {subscribe, unsubscribe} from 'node:diagnostics_channel';
import {connect, type Socket} from 'node:net';
import test from 'ava';
import {createHttp} from '../../src/http/create-http.ts';
import {listen, type ListenOptions} from '../../src/http/server.ts';
import {fakeIdentity} from './fake-identity.ts';
import {exchange, parseAnswer, serve} from './service.ts';

const refuses = (name: string, status: number, detail: string, bytes: string) => {
	test(`${name} is refused in JSON, and the connection ends`, async (t) => {
		const identity = fakeIdentity();
		const {port} = await serve(t, identity);
		const answer = parseAnswer(await exchange(port, bytes));
		t.is(answer.status, status);
		t.deepEqual(answer.body, {detail});
		t.regex(answer.head, /\r\nConnection: close/i);
		t.regex(answer.head, /\r\nContent-Type: application\/json/i);
		t.regex(answer.head, /\r\nX-Request-Id: [\da-f-]{36}(\r\n|$)/i);
		t.deepEqual(identity.calls, []);
	});
};

refuses('a message that is not HTTP', 400, 'Bad Request', 'hello\r\n\r\n');
refuses('an unknown method', 400, 'Bad Request', 'BREW /cycle HTTP/1.1\r\nHost: here\r\n\r\n');
refuses('a request without Host', 400, 'Bad Request', 'POST /reset HTTP/1.1\r\n\r\n');
refuses('a header with a control character', 400, 'Bad Request', 'POST /reset HTTP/1.1\r\nHost: here\r\nX: \u0000\r\n\r\n');
refuses(
	'a Content-Length beside chunks',
	400,
	'Bad Request',
	'POST /cycle HTTP/1.1\r\nHost: here\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n',
);
refuses('a broken chunk', 400, 'Bad Request', 'POST /cycle HTTP/1.1\r\nHost: here\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n');
refuses(
	'a header too large',
	431,
	'Request Header Fields Too Large',
	`GET /health HTTP/1.1\r\nHost: here\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`,
);
refuses('an unknown expectation', 417, 'Expectation Failed', 'POST /reset HTTP/1.1\r\nHost: here\r\nExpect: a miracle\r\n\r\n');
refuses('a CONNECT', 405, 'Method Not Allowed', 'CONNECT elsewhere:80 HTTP/1.1\r\nHost: elsewhere:80\r\n\r\n');

/** Requests that Node refuses after their headers. */
const known = {
	'an unknown expectation': 'POST /reset HTTP/1.1\r\nHost: here\r\nExpect: a miracle\r\n',
	'a CONNECT': 'CONNECT elsewhere:80 HTTP/1.1\r\nHost: elsewhere:80\r\n',
	'a request without Host': 'POST /reset HTTP/1.1\r\n',
	'a broken chunk': 'POST /cycle HTTP/1.1\r\nHost: here\r\nTransfer-Encoding: chunked\r\n',
};

for (const [name, head] of Object.entries(known)) {
	test(`the refusal of ${name} has the client's request id, and can be read from an allowed origin`, async (t) => {
		const {port, close} = await listen(createHttp(fakeIdentity()), {host: '127.0.0.1', port: 0, cors: ['https://mine.example']});
		t.teardown(close);
		const headOf = async (headers: string) =>
			parseAnswer(await exchange(port, `${head}${headers}\r\n${name === 'a broken chunk' ? 'xyz\r\n' : ''}`)).head;
		const mine = await headOf('X-Request-Id: mine-1\r\nOrigin: https://mine.example\r\n');
		t.regex(mine, /\r\nX-Request-Id: mine-1(\r\n|$)/i);
		t.regex(mine, /\r\nAccess-Control-Allow-Origin: https:\/\/mine\.example(\r\n|$)/i);
		t.regex(mine, /\r\nAccess-Control-Allow-Credentials: true(\r\n|$)/i);
		t.regex(mine, /\r\nVary: Origin(\r\n|$)/i);
		const others = await headOf('X-Request-Id: two words\r\nOrigin: https://other.example\r\n');
		t.regex(others, /\r\nX-Request-Id: [\da-f-]{36}(\r\n|$)/i);
		t.notRegex(others, /Access-Control/i);
	});
}

test('with every origin allowed, pages of any origin can read a refusal by Node', async (t) => {
	const {port} = await serve(t, fakeIdentity());
	const {head} = parseAnswer(
		await exchange(port, 'POST /reset HTTP/1.1\r\nHost: here\r\nExpect: a miracle\r\nOrigin: https://page.example\r\n\r\n'),
	);
	t.regex(head, /\r\nAccess-Control-Allow-Origin: https:\/\/page\.example(\r\n|$)/i);
	t.regex(head, /\r\nAccess-Control-Expose-Headers: X-Request-Id, X-Cycle-Id, Idempotency-Replayed, Ignored-Fields, Retry-After(\r\n|$)/i);
});

test('a CONNECT is refused with the allowed methods', async (t) => {
	const {port} = await serve(t, fakeIdentity());
	const answer = await exchange(port, 'CONNECT elsewhere:80 HTTP/1.1\r\nHost: elsewhere:80\r\n\r\n');
	t.regex(answer, /\r\nAllow: DELETE, GET, HEAD, OPTIONS, POST, PUT\r\n/);
});

test('bad bytes after a response cause no second response to the same request', async (t) => {
	const {port} = await serve(t, fakeIdentity(), {maxBodyBytes: 10});
	const socket = connect(port, '127.0.0.1');
	let received = '';
	socket.write(`POST /cycle HTTP/1.1\r\nHost: here\r\nTransfer-Encoding: chunked\r\n\r\n14\r\n${'a'.repeat(20)}\r\n`);
	await new Promise<void>((resolve) => {
		socket.on('data', (chunk) => {
			received += chunk.toString();
			if (received.endsWith('}')) {
				socket.write('no chunk\r\n');
			}
		});
		socket.on('close', () => {
			resolve();
		});
		socket.on('error', () => {});
	});
	t.is(received.match(/HTTP\/1\.1/g)?.length, 1);
	t.regex(received, /^HTTP\/1\.1 413 /);
});

test('an HTTP/1.0 request needs no Host', async (t) => {
	const {port} = await serve(t, fakeIdentity());
	t.regex(await exchange(port, 'GET /health HTTP/1.0\r\n\r\n'), /^HTTP\/1\.1 200 OK/);
});

test('a client that expects 100-continue gets it', async (t) => {
	const {port} = await serve(t, fakeIdentity());
	const answers = await exchange(
		port,
		'POST /cycle HTTP/1.1\r\nHost: here\r\nConnection: close\r\nExpect: 100-continue\r\nContent-Length: 16\r\n\r\n',
		'{"content": "a"}',
	);
	t.regex(answers, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK/);
});

test('a body that ends early does not reach the identity, and the service continues', async (t) => {
	const identity = fakeIdentity();
	const failures: object[] = [];
	const {port, ask} = await serve(t, identity, {logger: {error: (fields) => failures.push(fields), warn() {}, info() {}, debug() {}}});
	const socket = connect(port, '127.0.0.1');
	socket.write('POST /cycle HTTP/1.1\r\nHost: here\r\nContent-Length: 1000\r\n\r\n{"content": "a"}');
	socket.end();
	await new Promise((resolve) => {
		socket.once('close', resolve).resume();
	});
	t.is((await ask('GET', '/health')).status, 200);
	t.deepEqual(identity.calls.map(({name}) => name), ['health']);
	t.deepEqual(failures, []);
});

const health = 'GET /health HTTP/1.1\r\nHost: here\r\n';

test('pipelined requests are handled one after the other', async (t) => {
	const resets = [Promise.withResolvers<{stateId: number}>(), Promise.withResolvers<{stateId: number}>()];
	const begun = resets.map(() => Promise.withResolvers<void>());
	let count = 0;
	const {port} = await serve(t, fakeIdentity({async reset() {
		begun[count]!.resolve();
		return resets[count++]!.promise;
	}}));
	const reset = 'POST /reset HTTP/1.1\r\nHost: here\r\n';
	const answers = exchange(port, `${reset}\r\n${reset}Connection: close\r\n\r\n`);
	await begun[0]!.promise;
	// By the end of another exchange, the second reset would have begun.
	await exchange(port, `${health}Connection: close\r\n\r\n`);
	t.is(count, 1);
	resets[0]!.resolve({stateId: 1});
	await begun[1]!.promise;
	resets[1]!.resolve({stateId: 2});
	t.deepEqual((await answers).match(/"state_id":\d/g), ['"state_id":1', '"state_id":2']);
});

test('a connection with more than 32 requests behind a pending answer is closed', async (t) => {
	const identity = fakeIdentity({reset: () => new Promise(() => {})});
	const {port} = await serve(t, identity);
	t.is(await exchange(port, `POST /reset HTTP/1.1\r\nHost: here\r\n\r\n${`${health}\r\n`.repeat(33)}`).catch(() => ''), '');
	t.false(identity.calls.some(({name}) => name === 'health'));
});

test('a client that does not read its answer is disconnected', async (t) => {
	const ended = Promise.withResolvers<void>();
	const {port, close} = await listen({async handler(request, response) {
		request.socket.once('close', ended.resolve);
		// More than the system's buffers on both sides can hold.
		response.end('x'.repeat(2 ** 25));
	}}, {host: '127.0.0.1', port: 0, unreadTimeout: 20});
	t.teardown(close);
	const socket = connect(port, '127.0.0.1').pause();
	t.teardown(() => socket.destroy());
	socket.write(`${health}\r\n`);
	await ended.promise;
	t.pass();
});

for (const [what, bytes] of [
	['a message that is not HTTP', 'no HTTP\r\n\r\n'], ['a request with large headers', `${health}X: ${'a'.repeat(20_000)}\r\n\r\n`],
	['a CONNECT', 'CONNECT here:1 HTTP/1.1\r\nHost: here\r\n\r\n'],
] as const) {
	test(`the connection of ${what} ends even if its client does not close it`, async (t) => {
		const {port, close} = await listen({async handler() {}}, {host: '127.0.0.1', port: 0, unreadTimeout: 20});
		t.teardown(close);
		const ended = Promise.withResolvers<void>();
		const onAccepted = (message: unknown): void => {
			const {socket: accepted} = message as {socket: Socket};
			if (accepted.localPort === port) {
				accepted.once('close', () => ended.resolve());
			}
		};

		subscribe('net.server.socket', onAccepted);
		t.teardown(() => unsubscribe('net.server.socket', onAccepted));
		const socket = connect({port, host: '127.0.0.1', allowHalfOpen: true}).resume();
		t.teardown(() => socket.destroy());
		socket.write(bytes);
		await ended.promise;
		t.false(socket.writableEnded);
	});
}

test('the timeout for reading an answer does not limit the time to compute it', async (t) => {
	const {port, close} = await listen({async handler({socket}, response) {
		socket.once('timeout', () => response.end('late'));
	}}, {host: '127.0.0.1', port: 0, unreadTimeout: 20});
	t.teardown(close);
	t.regex(await exchange(port, `${health}Connection: close\r\n\r\n`), /late/);
});

test('a port in use is an error that says what to do', async (t) => {
	const {port} = await serve(t, fakeIdentity());
	await t.throwsAsync(listen(createHttp(fakeIdentity()), {host: '127.0.0.1', port}), {
		name: 'ConfigurationError',
		message: `Port ${port} on 127.0.0.1 is in use: stop the program that uses it, or set listen.port to another port.`,
	});
});

test('an address of another host is an error that says what to do', async (t) => {
	await t.throwsAsync(listen(createHttp(fakeIdentity()), {host: '192.0.2.1', port: 0}), {
		name: 'ConfigurationError',
		message: /cannot listen on 192\.0\.2\.1, port 0: .* Set listen.host and listen.port/,
	});
});

test('an IPv6 address in brackets is refused with the right form', async (t) => {
	await t.throwsAsync(listen(createHttp(fakeIdentity()), {host: '[::1]', port: 0}), {
		name: 'ConfigurationError',
		message: /cannot listen on \[::1\].* without brackets, such as ::1\.$/,
	});
});

for (const port of [99_999, -1, 80.5, Number.NaN]) {
	test(`port ${port} is refused as not a port`, async (t) => {
		await t.throwsAsync(listen(createHttp(fakeIdentity()), {host: '127.0.0.1', port}), {
			name: 'ConfigurationError',
			message: `${port} is not a port: set listen.port to a whole number from 0 to 65535; 0 takes a free one.`,
		});
	});
}

test('a port that is a string is refused, and not used as a socket path', async t => {
	await t.throwsAsync(listen(createHttp(fakeIdentity()), {host: '127.0.0.1', port: 'http' as unknown as number}), {
		name: 'ConfigurationError',
		message: /^http is not a port/,
	});
});

test('without a host, listen is refused', async t => {
	await t.throwsAsync(listen(createHttp(fakeIdentity()), {port: 0} as ListenOptions), {
		name: 'ConfigurationError',
		message: 'The option host must be an address, such as 127.0.0.1; this one is null.',
	});
});

for (const [name, value, expected] of [
	// As a string it would allow each origin that is a part of it.
	['cors', 'https://app.example.com', 'false, “*” or a list of origins; this one is “https://app.example.com”.'],
	['cors', true, 'false, “*” or a list of origins; this one is true.'],
	['rateLimit', {requests: 60, second: 60}, 'an object such as {requests: 60, seconds: 60}; this one is an object with requests, second.'],
] as const) {
	test(`the option ${name} ${JSON.stringify(value)} is refused`, t => {
		t.throws(() => createHttp(fakeIdentity(), {[name]: value}), {
			name: 'ConfigurationError',
			message: `The option ${name} must be ${expected}`,
		});
	});
}

test('the wildcard host has a reachable URL', async (t) => {
	const listening = await listen(createHttp(fakeIdentity()), {host: '0.0.0.0', port: 0});
	t.teardown(() => listening.close());
	t.is(listening.url, `http://127.0.0.1:${listening.port}`);
	t.is((await fetch(`${listening.url}/health`, {headers: {connection: 'close'}})).status, 200);
});

test('closing waits for the pending request, closes idle connections, and refuses new ones', async (t) => {
	const {promise: asked, resolve: ask} = Promise.withResolvers<void>();
	const {promise: reset, resolve: finish} = Promise.withResolvers<{stateId: number}>();
	const listening = await listen(createHttp(fakeIdentity({reset() {
		ask();
		return reset;
	}})), {host: '127.0.0.1', port: 0});

	const idle = connect(listening.port, '127.0.0.1');
	await new Promise((resolve) => {
		idle.once('connect', resolve);
	});
	const ended = new Promise((resolve) => {
		idle.once('close', resolve).resume();
	});
	const answer = exchange(listening.port, 'POST /reset HTTP/1.1\r\nHost: here\r\nConnection: keep-alive\r\n\r\n');
	await asked;
	const events: string[] = [];
	const closed = (async () => {
		await listening.close();
		events.push('closed');
	})();
	// A connection that is already in the system's queue is reset.
	const refused = await t.throwsAsync<NodeJS.ErrnoException>(exchange(listening.port, 'GET /health HTTP/1.1\r\nHost: here\r\n\r\n'));
	t.true(['ECONNREFUSED', 'ECONNRESET'].includes(refused?.code ?? ''), refused?.code);
	t.deepEqual(events, []);

	finish({stateId: 0});
	t.deepEqual(parseAnswer(await answer).body, {status: 'ok', state_id: 0});
	await ended;
	await closed;
	t.deepEqual(events, ['closed']);
	await t.notThrowsAsync(listening.close());
});

for (const [name, given] of [['an identity', fakeIdentity()], ['undefined', undefined]] as const) {
	test(`${name} in place of an interface is refused before the first request`, async t => {
		const listening = listen(given as never, {host: '127.0.0.1', port: 0});
		await t.throwsAsync(listening, {code: 'configuration', message: /write listen\(createHttp\(identity\)/});
	});
}

for (const [name, given] of [['undefined', undefined], ['the promise of an identity', Promise.resolve(fakeIdentity())]] as const) {
	test(`the interface of ${name} is refused at once`, t => {
		t.throws(() => createHttp(given as never), {code: 'configuration', message: /^createHttp needs an identity/});
	});
}
