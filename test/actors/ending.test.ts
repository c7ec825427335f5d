/** How a process ends: by drain, or by dispose, with pending work or before it is ready. */
import {getEventListeners} from 'node:events';
import test, {type ExecutionContext} from 'ava';
import {createIdentity} from '../../src/identity/create-identity.ts';
import type {LocalIdentity} from '../../src/identity/identity.ts';
import {ConfigurationError, UnavailableError} from '../../src/platform/errors.ts';
import {FakeJournal} from './fake-journal.ts';
import {FakeEncoder, settle, startIdentity} from './fixtures.ts';

const mute = {translate: async () => ({text: 'calm', reasoningDetected: false})};
const themes = {rumination: ['r'], corpus: ['c']};

/** An identity that drains, and waits for its loop's cycle until `finish` lets the journal write it. */
const drainInCycle = async (t: ExecutionContext, options?: Parameters<LocalIdentity['drain']>[0]) => {
	const journal = new FakeJournal();
	const {identity, clock} = await startIdentity({journal});
	identity.daemon.start();
	await settle();
	journal.hold();
	clock.increment(864_000);
	await settle();
	let isDrained = false;
	const drained = (async () => {
		await identity.drain(options);
		isDrained = true;
	})();
	await settle();
	t.false(isDrained);
	const finish = async () => {
		journal.release();
		await drained;
	};

	return {identity, clock, journal, finish};
};

test('drain stops the daemon, whose pending cycle still becomes durable', async t => {
	const {identity, clock, journal, finish} = await drainInCycle(t);
	t.false(identity.daemon.status().daemonRunning);
	await finish();
	t.deepEqual(journal.records.map(({kind}) => kind), ['daemon.started', 'cycle', 'daemon.stopped']);
	clock.increment(864_000);
	await settle();
	t.is(identity.state().stateId, 1);
});

test('drain with keepsLoop waits for the loop’s cycle, and records no stop of the loop', async t => {
	const {identity, journal, finish} = await drainInCycle(t, {keepsLoop: true});
	await finish();
	await identity.dispose();
	t.deepEqual(journal.records.map(({kind}) => kind), ['daemon.started', 'cycle']);
});

test('drain resolves if the identity is disposed of in between', async t => {
	const {identity, finish} = await drainInCycle(t);
	await identity.dispose();
	await t.notThrowsAsync(finish());
});

test('a resumed loop is not recorded as started again', async t => {
	const journal = new FakeJournal();
	const {identity, clock} = await startIdentity({journal});
	identity.actor.send({type: 'daemon.resume', dueMs: 1000});
	t.true(identity.daemon.status().daemonRunning);
	clock.increment(1000);
	await settle();
	t.deepEqual(journal.records.map(({kind}) => kind), ['cycle']);
});

test('after drain, a process accepts no translation and does not start the daemon', async t => {
	const {identity} = await startIdentity({translator: async () => mute});
	await identity.drain();
	await t.throwsAsync(identity.translate({context: null}), {instanceOf: UnavailableError, message: /stopping/});
	await t.throwsAsync(identity.daemon.start(), {instanceOf: UnavailableError, message: /stopping/});
});

test('dispose fails a cycle that is being recorded, and the error says that the journal may have it', async t => {
	const journal = new FakeJournal();
	const {identity, encoder} = await startIdentity({journal});
	journal.hold();
	encoder.hold('slow');
	const recording = identity.cycle({content: 'hello'});
	const embedding = identity.cycle({content: 'slow'});
	await settle();
	const failures = Promise.all([
		t.throwsAsync(recording, {instanceOf: UnavailableError, message: /journal says/}),
		t.throwsAsync(embedding, {instanceOf: UnavailableError}),
	]);
	journal.release();
	await identity.dispose();
	t.deepEqual((await failures).map(error => (error as UnavailableError).retryable), [false, false]);
});

test('dispose closes the journal even if the model cannot be disposed of', async t => {
	const journal = new FakeJournal();
	const {identity, encoder} = await startIdentity({journal});
	encoder.dispose = async () => {
		throw new Error('the model holds on');
	};
	await t.throwsAsync(identity.dispose(), {message: 'the model holds on'});
	t.true(journal.isClosed);
});

test('a process that is disposed of repeatedly disposes of its model once', async t => {
	let times = 0;
	const {identity} = await startIdentity({
		encoder: async () => Object.assign(new FakeEncoder(), {
			async dispose() {
				times++;
			},
		}),
	});
	await Promise.all([identity.dispose(), identity.dispose()]);
	await identity[Symbol.asyncDispose]();
	t.is(times, 1);
});

test('a process that is disposed of while its model loads is never ready, and disposes of the model', async t => {
	const encoder = new FakeEncoder();
	const loading = Promise.withResolvers<FakeEncoder>();
	const identity = createIdentity({encoder: async () => loading.promise, themes});
	const ready = t.throwsAsync(identity.ready(), {instanceOf: UnavailableError, message: /stopped/});
	const disposed = identity.dispose();
	await ready;
	loading.resolve(encoder);
	await disposed;
	t.true(encoder.disposed);
});

test('a process that could not start says why', async t => {
	const identity = createIdentity({
		async encoder() {
			throw new Error('no such model');
		},
		themes,
	});
	await t.throwsAsync(identity.ready());
	await t.throwsAsync(identity.cycle({content: 'hello'}), {instanceOf: UnavailableError, message: /could not start: .*no such model/});
	t.like(identity.readiness(), {ready: false, parts: {state: 'The embedding model could not be loaded: no such model'}});
	await identity.dispose();
});

test('a finished translation leaves no listener on its caller’s signal', async t => {
	const {identity} = await startIdentity({translator: async () => mute});
	const {signal} = new AbortController();
	await identity.translate({}, {signal: signal});
	t.deepEqual(getEventListeners(signal, 'abort'), []);
});

for (const id of [7, '', undefined, 'x'.repeat(256)]) {
	test(`an invalid id of newId is refused, and the state does not move: ${typeof id}${String(id).length}`, async t => {
		const {identity} = await startIdentity({newId: () => id as string});
		await t.throwsAsync(identity.cycle('hello'), {instanceOf: ConfigurationError, message: /The option newId must give a text/});
		t.is(identity.state().stateId, 0);
	});
}

test('an id of newId that is in use is refused', async t => {
	const {identity, encoder} = await startIdentity({newId: () => 'same'});
	const held = encoder.hold('slow');
	const first = identity.cycle({content: 'slow'});
	await t.throwsAsync(identity.cycle({content: 'hello'}), {instanceOf: ConfigurationError, message: /newId gave “same”/});
	held.resolve();
	t.is((await first).stateId, 1);
});
