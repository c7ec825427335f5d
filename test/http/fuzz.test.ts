/**
 * Random requests against the application over an identity in memory.
 */
import {connect} from 'node:net';
import test from 'ava';
import fc from '../helpers/fast-check.ts';
import {often} from '../helpers/often.ts';
import {fakeIdentity} from './fake-identity.ts';
import {fuzz} from './fuzz.ts';
import {serve} from './service.ts';

const maxBodyBytes = 10_000;

const seed = fc.readConfigureGlobal().seed!;

test('1,000 random requests are answered as documented, and refused ones do not reach the identity', async (t) => {
	const identity = fakeIdentity();
	const {url} = await serve(t, identity, {maxBodyBytes});
	t.log(`seed ${seed}`);
	const statuses = await fuzz(url, {requests: 1000, seed, maxBodyBytes, probe: () => String(identity.calls.length)});
	t.log(JSON.stringify(statuses));
	for (const status of [200, 404, 405, 413, 415, 422]) {
		t.true((statuses[status] ?? 0) > 0, `no request was answered with ${status}`);
	}
});

test('the fuzzer finds a change by a refused request', async (t) => {
	let changes = 0;
	const {url} = await serve(t, fakeIdentity(), {maxBodyBytes});
	await t.throwsAsync(
		fuzz(url, {requests: 1000, seed, maxBodyBytes, probe: () => String(changes++)}),
		{message: /refused with 4\d\d, and yet something changed/},
	);
});

test('the fuzzer finds a failure', async (t) => {
	const {url} = await serve(t, fakeIdentity({cycle() {
		throw new Error('It broke.');
	}}), {maxBodyBytes});
	await t.throwsAsync(fuzz(url, {requests: 1000, seed, maxBodyBytes, probe: () => ''}), {message: /failed with 500/});
});

test('damaged bytes on a connection do not break the service', async (t) => {
	const {port, ask} = await serve(t, fakeIdentity(), {maxBodyBytes});
	const whole = 'POST /cycle?a=b HTTP/1.1\r\nHost: here\r\nContent-Type: application/json\r\nTransfer-Encoding: '
		+ 'chunked\r\n\r\n10\r\n{"content": "a"}\r\n0\r\n\r\n'
		+ 'POST /translate HTTP/1.1\r\nHost: here\r\nContent-Length: 2\r\n\r\n{}GET /state HTTP/1.1\r\nHost: here\r\n\r\n';
	const damage = fc.record({
		at: fc.nat(whole.length),
		drop: fc.nat(4),
		put: fc.oneof(fc.uint8Array({maxLength: 4}), fc.constantFrom('\r\n', '\r\n\r\n', ' ', ':', '0').map((text) => Buffer.from(text))),
	});

	await fc.assert(fc.asyncProperty(fc.array(damage, {minLength: 1, maxLength: 3}), async (damages) => {
		const bytes = damages.reduce(
			(sent, {at, drop, put}) => Buffer.concat([sent.subarray(0, at), put, sent.subarray(at + drop)]),
			Buffer.from(whole),
		);
		const received = await talk(port, bytes);
		if (/^HTTP\/1\.1 5/m.test(received)) {
			throw new Error(received);
		}
	}), {numRuns: often(150, 500), seed});
	t.is((await ask('GET', '/health')).status, 200);
});

/** Sends the bytes, ends, and returns what comes back, however the connection ends. */
const talk = (port: number, bytes: Uint8Array): Promise<string> => new Promise((resolve) => {
	const socket = connect(port, '127.0.0.1');
	let received = '';
	socket.on('data', (chunk) => {
		received += chunk.toString('latin1');
	});
	socket.once('close', () => {
		resolve(received);
	});
	socket.on('error', () => {});
	socket.end(bytes);
});
