/** How a process ends: drained, disposed of in the midst of something, or before it began. */
import {getEventListeners} from 'node:events';
import test from 'ava';
import {createIdentity} from '../../src/identity/create-identity.ts';
import {ConfigurationError, UnavailableError} from '../../src/errors.ts';
import {FakeJournal} from './fake-journal.ts';
import {FakeEncoder, settle, startProcess} from './fixtures.ts';

const mute = {translate: async () => ({text: 'calm', reasoningDetected: false})};
const themes = {rumination: ['r'], corpus: ['c']};

test('draining stops the daemon, whose cycle may still become durable', async t => {
	const journal = new FakeJournal();
	const {process, clock} = await startProcess({journal});
	process.daemon.start();
	await settle();
	journal.hold();
	clock.increment(864_000);
	await settle();
	let isDrained = false;
	const drained = (async () => {
		await process.drain();
		isDrained = true;
	})();
	await settle();
	t.false(process.daemon.status().daemonRunning);
	t.false(isDrained);
	journal.release();
	await drained;
	t.deepEqual(journal.records.map(({kind}) => kind), ['daemon.started', 'cycle', 'daemon.stopped']);
	clock.increment(864_000);
	await settle();
	t.is(process.state().stateId, 1);
});

test('while it drains, a process takes no translation and starts no daemon', async t => {
	const {process} = await startProcess({translator: async () => mute});
	await process.drain();
	await t.throwsAsync(process.translate({context: null}), {instanceOf: UnavailableError, message: /stopping/});
	t.throws(() => process.daemon.start(), {instanceOf: UnavailableError, message: /stopping/});
});

test('a cycle on its way to the journal may be kept, and its error says not to try again', async t => {
	const journal = new FakeJournal();
	const {process, encoder} = await startProcess({journal});
	journal.hold();
	encoder.hold('slow');
	const recording = process.cycle({content: 'hello'});
	const embedding = process.cycle({content: 'slow'});
	await settle();
	const told = Promise.all([
		t.throwsAsync(recording, {instanceOf: UnavailableError, message: /journal tells/}),
		t.throwsAsync(embedding, {instanceOf: UnavailableError}),
	]);
	journal.release();
	await process.dispose();
	t.deepEqual((await told).map(error => (error as UnavailableError).retryable), [false, true]);
});

test('a model that cannot be freed does not keep the journal open', async t => {
	const journal = new FakeJournal();
	const {process, encoder} = await startProcess({journal});
	encoder.dispose = async () => {
		throw new Error('the model holds on');
	};
	await t.throwsAsync(process.dispose(), {message: 'the model holds on'});
	t.true(journal.isClosed);
});

test('a process is disposed of once, however often it is asked', async t => {
	let times = 0;
	const {process} = await startProcess({
		loadEncoder: async () => Object.assign(new FakeEncoder(), {
			async dispose() {
				times++;
			},
		}),
	});
	await Promise.all([process.dispose(), process.dispose()]);
	await process[Symbol.asyncDispose]();
	t.is(times, 1);
});

test('a process that is disposed of while its model loads is never ready, and frees the model', async t => {
	const encoder = new FakeEncoder();
	const loading = Promise.withResolvers<FakeEncoder>();
	const process = createIdentity({loadEncoder: async () => loading.promise, themes});
	const ready = t.throwsAsync(process.ready(), {instanceOf: UnavailableError, message: /stopped/});
	const disposed = process.dispose();
	await ready;
	loading.resolve(encoder);
	await disposed;
	t.true(encoder.disposed);
});

test('a process that could not start says why', async t => {
	const process = createIdentity({
		async loadEncoder() {
			throw new Error('no such model');
		},
		themes,
	});
	await t.throwsAsync(process.ready());
	await t.throwsAsync(process.cycle({content: 'hello'}), {instanceOf: UnavailableError, message: /could not start: no such model/});
	t.like(process.readiness(), {ready: false, parts: {state: 'no such model'}});
	await process.dispose();
});

test('a translation that is over leaves no listener on its caller’s signal', async t => {
	const {process} = await startProcess({translator: async () => mute});
	const {signal} = new AbortController();
	await process.translate({context: null}, signal);
	t.deepEqual(getEventListeners(signal, 'abort'), []);
});

test('an id that names something under way is refused', async t => {
	const {process, encoder} = await startProcess({newId: () => 'same'});
	const held = encoder.hold('slow');
	const first = process.cycle({content: 'slow'});
	await t.throwsAsync(process.cycle({content: 'hello'}), {instanceOf: ConfigurationError, message: /newId gave “same”/});
	held.resolve();
	t.is((await first).stateId, 1);
});
