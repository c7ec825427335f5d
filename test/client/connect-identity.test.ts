/** What is specific to a remote identity: networks, proxies, tokens, and a service that starts later. */
import test, {type ExecutionContext} from 'ava';
import {SimulatedClock} from 'xstate';
import {connectIdentity, type ConnectOptions} from '../../src/client/index.ts';
import {errorOf} from '../../src/wire/errors.ts';
import * as errors from '../../src/platform/errors.ts';
import {FakeEncoder, settle} from '../actors/fixtures.ts';
import {createIdentity} from '../../src/identity/create-identity.ts';
import {serve} from '../http/service.ts';
import {serveWhole} from './served.ts';

const {BusyError, ConfigurationError, InputError, ProcessualError, UnavailableError, UnknownOutcomeError} = errors;
const baseUrl = 'http://service.example';

const connect = (t: ExecutionContext, options: Partial<ConnectOptions>) => {
	const identity = connectIdentity({baseUrl, ...options});
	t.teardown(() => identity.dispose());
	return identity;
};

const answering = (t: ExecutionContext, status: number, body: string) =>
	connect(t, {fetch: async () => new Response(body, {status})});

test('every class of error can be restored from its code', t => {
	const classes = Object.values(errors).filter((value): value is typeof UnavailableError => typeof value === 'function'
		&& value.prototype instanceof ProcessualError);
	t.true(classes.length > 8);
	for (const Class of classes) {
		const {code} = Class === BusyError as unknown ? new BusyError('', 1) : new Class('');
		t.is(errorOf({message: 'No.', code, retryable: true}).constructor, Class);
	}
});

test('an unknown code becomes a ProcessualError; an error without a code is a defect', t => {
	t.is(errorOf({message: 'No.', code: 'tired', retryable: true}).constructor, ProcessualError);
	t.is(errorOf({message: 'x is not a function'}).constructor, Error);
});

test('a service that cannot be reached is unavailable, with the cause, and retryable', async t => {
	const refused = new TypeError('fetch failed', {
		cause: Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), {code: 'ECONNREFUSED'}),
	});
	const identity = connect(t, {async fetch() {
		throw refused;
	}});
	for (const ask of [() => identity.cycle('lost'), () => identity.ready(), async () => identity.state()]) {
		const error = await t.throwsAsync(ask(), {instanceOf: UnavailableError});
		t.like(error, {
			message: 'http://service.example cannot be reached: connect ECONNREFUSED 127.0.0.1:1.',
			retryable: true,
			cause: refused,
		});
	}
});

for (const [where, refused] of [
	['for a certificate that is not accepted', new TypeError('fetch failed', {
		cause: Object.assign(new Error('self-signed certificate'), {code: 'DEPTH_ZERO_SELF_SIGNED_CERT'}),
	})],
	['in Bun', Object.assign(new TypeError('ECONNREFUSED: Unable to connect. Is the computer able to access the url?'), {
		code: 'ECONNREFUSED',
	})],
	['in Deno', new TypeError('fetch failed', {
		cause: new Error('error sending request for url (http://127.0.0.1:1/): client error (Connect): '
			+ 'tcp connect error: Connection refused (os error 111)'),
	})],
] as const) {
	test(`a refused connection leaves no outcome unknown ${where}`, async t => {
		const identity = connect(t, {async fetch() {
			throw refused;
		}});
		await t.throwsAsync(identity.cycle('lost'), {instanceOf: UnavailableError, message: /cannot be reached: .*[^.]\.$/});
		await t.throwsAsync(identity.reset(), {instanceOf: UnavailableError, code: 'unavailable'});
	});
}

test('the error has the cause of the first of several addresses; a broken connection leaves the outcome unknown', async t => {
	const reasonFor = async (cause: Error): Promise<string> => {
		const identity = connect(t, {async fetch() {
			throw new TypeError('fetch failed', {cause});
		}});
		return (await t.throwsAsync(async () => identity.state(), {instanceOf: UnavailableError})).message;
	};
	const refused = Object.assign(new Error('connect ECONNREFUSED ::1:1'), {code: 'ECONNREFUSED'});
	t.is(
		await reasonFor(Object.assign(new AggregateError([refused, refused]), {code: 'ECONNREFUSED'})),
		'http://service.example cannot be reached: connect ECONNREFUSED ::1:1.',
	);
	t.is(
		await reasonFor(Object.assign(new Error('read ECONNRESET'), {code: 'ECONNRESET'})),
		'http://service.example cannot be reached: read ECONNRESET. It is not known whether the request was carried out.',
	);
});

test('a proxy without a service behind it is unavailable; the error does not repeat its page', async t => {
	const error = await t.throwsAsync(
		answering(t, 502, `<h1>Bad gateway</h1>${'.'.repeat(100_000)}`).drift(),
		{instanceOf: UnavailableError},
	);
	t.like(error, {message: 'The service answered with status 502.', retryable: true});
});

test('a cycle whose answer is lost has an unknown outcome, and runs once however often it is repeated', async t => {
	const {url, identity: local} = await serveWhole(t);
	let lost = 0;
	const identity = connect(t, {
		baseUrl: url,
		async fetch(input, init) {
			const response = await fetch(input, init);
			switch (++lost) {
				case 1: {
					throw new TypeError('fetch failed', {cause: Object.assign(new Error('read ECONNRESET'), {code: 'ECONNRESET'})});
				}

				case 2: {
					return new Response('', {status: 504});
				}

				default: {
					return response;
				}
			}
		},
	});
	const error = await t.throwsAsync(identity.cycle('one'), {instanceOf: UnknownOutcomeError, message: /ECONNRESET.*will not run twice/});
	t.true(error.retryable);
	const again = {content: 'one', id: error.id!};
	t.is((await t.throwsAsync(identity.cycle(again), {instanceOf: UnknownOutcomeError})).id, error.id);
	t.like(await identity.cycle(again), {id: error.id, isReplayed: true});
	t.is(local.state().stateId, 1);
});

test('a reset or a validation whose answer is lost is not retryable; a read is', async t => {
	const cut = new TypeError('fetch failed', {cause: Object.assign(new Error('read ECONNRESET'), {code: 'ECONNRESET'})});
	const identity = connect(t, {
		async fetch() {
			throw cut;
		},
	});
	for (const change of [async () => identity.reset(), async () => identity.validate({note: 'as it should be'})]) {
		const error = await t.throwsAsync(change, {
			instanceOf: UnknownOutcomeError, message: /Check the outcome before you repeat the request/,
		});
		t.like(error, {retryable: false, id: null});
	}

	t.true((await t.throwsAsync(identity.drift(), {instanceOf: UnavailableError})).retryable);
});

test('only the beginning of an error page is read', async t => {
	let sent = 0;
	const endless = new ReadableStream<Uint8Array>({
		pull(controller) {
			sent += 4096;
			controller.enqueue(new Uint8Array(4096).fill(46));
		},
	});
	const identity = connect(t, {fetch: async () => new Response(endless, {status: 500})});
	await t.throwsAsync(identity.cycle('a'), {message: 'The service answered with status 500.'});
	t.true(sent < 200_000, `${sent} bytes`);
});

test('a page in place of an answer is a configuration error about the base URL', async t => {
	await t.throwsAsync(async () => answering(t, 200, '<h1>Welcome</h1>').health(), {
		instanceOf: ConfigurationError,
		message: /is not JSON. Check that the base URL/,
	});
});

test('a wrong token and a wrong address are configuration errors, and not retryable', async t => {
	const {url} = await serveWhole(t, {app: {token: 'a-long-secret'}});
	for (const [options, message] of [
		[{baseUrl: url, token: 'a-wrong-secret'}, `The service at ${url} requires a token: give it as the option token.`],
		[{baseUrl: `${url}/elsewhere`, token: 'a-long-secret'}, /is not the address of a Processual State service/],
	] as const) {
		const error = await t.throwsAsync(connect(t, options).cycle('a'), {instanceOf: ConfigurationError, message});
		t.false(error.retryable);
	}
});

test('a rate limit is a busy error with the time until a retry', async t => {
	const {url} = await serveWhole(t, {app: {rateLimit: {requests: 1, seconds: 60}}});
	const identity = connect(t, {baseUrl: url});
	await identity.state();
	const error = await t.throwsAsync(async () => identity.state(), {instanceOf: BusyError});
	t.true(error.retryAfter > 0);
});

test('a body over the limit is an input error', async t => {
	const {url} = await serveWhole(t, {app: {maxBodyBytes: 100}});
	await t.throwsAsync(connect(t, {baseUrl: url}).cycle('a'.repeat(100)), {instanceOf: InputError, message: /over the limit of 100 bytes/});
});

test('ready waits for the boot, and rejects with the reason if it fails', async t => {
	for (const fails of [false, true]) {
		const loading = Promise.withResolvers<FakeEncoder>();
		const local = createIdentity({encoder: async () => loading.promise, themes: {rumination: ['r'], corpus: ['c']}});
		t.teardown(() => local.dispose());
		const {url} = await serve(t, local);
		const clock = new SimulatedClock();
		const asked = Promise.withResolvers<void>();
		const identity = connect(t, {
			baseUrl: url,
			timers: {
				clearTimeout: id => clock.clearTimeout(id as number),
				setTimeout(callback, milliseconds) {
					asked.resolve();
					return clock.setTimeout(callback, milliseconds);
				},
			},
		});
		const ready = identity.ready();
		await asked.promise;
		if (fails) {
			loading.reject(new Error('no such model'));
			await t.throwsAsync(local.ready());
		} else {
			loading.resolve(new FakeEncoder());
			await local.ready();
		}

		clock.increment(1000);
		await (fails
			? t.throwsAsync(ready, {instanceOf: UnavailableError, message: /^The identity cannot become ready: .*no such model/})
			: t.notThrowsAsync(ready));
	}
});

test('events that cannot be followed emit a failure; calls still work', async t => {
	const {url} = await serveWhole(t, {app: {inspector: false}});
	const identity = connect(t, {baseUrl: url});
	const failed = Promise.withResolvers<unknown>();
	identity.on('failed', ({error}) => failed.resolve(error));
	t.like(await identity.cycle('one'), {stateId: 1});
	t.true(await failed.promise instanceof ConfigurationError);
});

test('events of a service that starts later are followed once it is up', async t => {
	const clock = new SimulatedClock();
	const {url, identity: local} = await serveWhole(t);
	let isUp = false;
	const paused = Promise.withResolvers<void>();
	const identity = connect(t, {
		baseUrl: url,
		timers: {
			clearTimeout: id => clock.clearTimeout(id as number),
			setTimeout(callback, milliseconds) {
				if (milliseconds === 1000) {
					paused.resolve();
				}

				return clock.setTimeout(callback, milliseconds);
			},
		},
		async fetch(input, init) {
			if (!isUp) {
				throw new TypeError('fetch failed');
			}

			const response = await fetch(input, init);
			opened.resolve();
			return response;
		},
	});
	const opened = Promise.withResolvers<void>();
	const received = Promise.withResolvers<void>();
	identity.on('cycle.done', () => received.resolve());
	await paused.promise;
	isUp = true;
	clock.increment(1000);
	await opened.promise;
	await local.cycle('one');
	await t.notThrowsAsync(received.promise);
});

test("events use the given fetch, which is not called as a method", async t => {
	const {url} = await serveWhole(t);
	const received = Promise.withResolvers<void>();
	const identity = connect(t, {
		baseUrl: url,
		async fetch(this: unknown, input, init) {
			if (this !== undefined) {
				received.reject(new TypeError('Illegal invocation'));
			}

			return fetch(input, init);
		},
	});
	identity.on('cycle.done', () => received.resolve());
	await identity.cycle('one');
	await t.notThrowsAsync(received.promise);
});

test('the first listener opens the stream, and removing the last one closes it', async t => {
	const open = new Set<AbortSignal>();
	const {url} = await serveWhole(t);
	const identity = connect(t, {
		baseUrl: url,
		async fetch(input, init) {
			if (String(input).includes('/events')) {
				open.add(init!.signal!);
			}

			return fetch(input, init);
		},
	});
	const [first, second] = [identity.on('*', () => {}), identity.on('ready', () => {})];
	await identity.cycle('one');
	t.is(open.size, 1);
	first();
	first();
	t.false([...open][0]!.aborted);
	second();
	await settle();
	t.true([...open][0]!.aborted);
	identity.on('*', () => {});
	await identity.cycle('two');
	t.is(open.size, 2);
});

test('its signal ends the connection, but not the identity', async t => {
	const {url, identity: local} = await serveWhole(t);
	const page = new AbortController();
	const identity = connect(t, {baseUrl: url, signal: page.signal});
	await identity.cycle('one');
	page.abort(new Error('the page is closed'));
	await t.throwsAsync(identity.cycle('two'), {message: 'the page is closed'});
	t.like(await local.cycle('three'), {stateId: 2});
});
