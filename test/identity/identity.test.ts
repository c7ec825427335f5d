/** How an application uses an identity: open, calls and their signals, events, dispose, the parts it passes, and errors. */
import test from 'ava';
import {createIdentity, openIdentity} from '../../src/identity/create-identity.ts';
import type {IdentityEvent, EventsDropped} from '../../src/identity/events.ts';
import type {IdentityOptions} from '../../src/identity/options.ts';
import {
	ConfigurationError, EmbeddingError, JournalError, LanguageError, ModelLoadError, StoreError, UnavailableError,
} from '../../src/platform/errors.ts';
import {dimensions} from '../../src/kernel/dimensions.ts';
import {FakeJournal} from '../actors/fake-journal.ts';
import {FakeEncoder, settle, startIdentity} from '../actors/fixtures.ts';
import {collectWarnings} from '../helpers/collect-warnings.ts';

const themes = {rumination: ['r'], corpus: ['c']};

test('openIdentity resolves with a ready identity', async t => {
	const identity = await openIdentity({encoder: new FakeEncoder(), themes});
	t.true(identity.readiness().ready);
	t.like(await identity.cycle('A first thought.'), {stateId: 1});
	await identity.dispose();
});

test('a failed openIdentity disposes of the encoder and closes the journal', async t => {
	const encoder = new FakeEncoder();
	const journal = new FakeJournal();
	const failing = async () => {
		throw new Error('no themes');
	};

	await t.throwsAsync(openIdentity({encoder: () => encoder, journal, themes: failing}), {message: /no themes/});
	t.true(encoder.disposed);
	t.true(journal.isClosed);
});

test('aborting the signal before or during the boot rejects openIdentity with the reason', async t => {
	for (const isEarly of [true, false]) {
		const encoder = new FakeEncoder();
		const opening = new AbortController();
		const loading = Promise.withResolvers<FakeEncoder>();
		if (isEarly) {
			opening.abort(new Error('changed my mind'));
		}

		const opened = openIdentity({encoder: async () => loading.promise, themes, signal: opening.signal});
		await settle();
		opening.abort(new Error('changed my mind'));
		loading.resolve(encoder);
		await t.throwsAsync(opened, {message: 'changed my mind'});
		t.is(encoder.disposed, true);
	}
});

test('aborting the signal after the boot has no effect', async t => {
	const opening = new AbortController();
	const identity = await openIdentity({encoder: new FakeEncoder(), themes, signal: opening.signal});
	opening.abort();
	await settle();
	t.is((await identity.cycle('still here')).stateId, 1);
});

test('calls made before the end of the boot wait for it, and run in order', async t => {
	const loading = Promise.withResolvers<FakeEncoder>();
	const identity = createIdentity({
		encoder: async () => loading.promise,
		themes,
		translator: {translate: async () => ({text: 'calm', reasoningDetected: false})},
	});
	const answers = Promise.all([
		identity.cycle('one'),
		identity.reset(),
		identity.cycle('two'),
		identity.translate(),
		identity.daemon.start(),
	]);
	await settle();
	loading.resolve(new FakeEncoder());
	const [one, reset, two, {text}, {started}] = await answers;
	t.deepEqual([one.stateId, reset.stateId, two.stateId, text, started], [1, 0, 1, 'calm', true]);
	await identity.dispose();
});

test('a call that waits for a failed boot rejects with the cause, and is not retryable', async t => {
	const identity = createIdentity({
		async encoder() {
			throw new Error('no such model');
		},
		themes,
	});
	const error = await t.throwsAsync(identity.cycle('early'), {instanceOf: UnavailableError, message: /could not start: .*no such model/});
	t.false(error.retryable);
});

test('cycles that wait for the boot count towards maxPendingCycles', async t => {
	const identity = createIdentity({encoder: async () => new Promise<never>(() => {}), themes, maxPendingCycles: 1});
	const waiting = t.throwsAsync(identity.cycle('one'));
	await t.throwsAsync(identity.cycle('two'), {code: 'busy'});
	// Not awaited: this encoder never settles.
	void identity.dispose();
	await waiting;
});

test('aborting the signal while a text is embedded cancels its cycle', async t => {
	const journal = new FakeJournal();
	const {identity, encoder} = await startIdentity({journal});
	encoder.hold('slow');
	const caller = new AbortController();
	const cycle = identity.cycle('slow', {signal: caller.signal});
	const next = identity.cycle('next');
	await settle();
	caller.abort();
	await t.throwsAsync(cycle, {name: 'AbortError'});
	t.is((await next).stateId, 1);
	t.is(journal.records.length, 1);
});

test('a cycle that is being recorded completes even if its signal aborts', async t => {
	const journal = new FakeJournal();
	const {identity} = await startIdentity({journal});
	journal.hold();
	const caller = new AbortController();
	const cycle = identity.cycle('kept', {signal: caller.signal});
	await settle();
	caller.abort();
	journal.release();
	t.is((await cycle).stateId, 1);
	t.is(journal.records.length, 1);
});

test('a call with an aborted signal is refused, and no cycle is counted', async t => {
	const {identity} = await startIdentity();
	await t.throwsAsync(identity.cycle('late', {signal: AbortSignal.abort()}), {name: 'AbortError'});
	t.is(identity.daemon.status().cyclesBreakdown.user, 0);
});

test('aborting a call that waits for the boot ends only that call', async t => {
	const loading = Promise.withResolvers<FakeEncoder>();
	const identity = createIdentity({encoder: async () => loading.promise, themes});
	const caller = new AbortController();
	const cycle = identity.cycle('early', {signal: caller.signal});
	caller.abort();
	await t.throwsAsync(cycle, {name: 'AbortError'});
	loading.resolve(new FakeEncoder());
	await identity.ready();
	t.is(identity.daemon.status().cyclesBreakdown.user, 0);
});

test('the answer, the record and the event of a cycle have the same id', async t => {
	const journal = new FakeJournal();
	const {identity} = await startIdentity({journal});
	const ids: string[] = [];
	identity.on('cycle.done', ({id}) => ids.push(id));
	const {id} = await identity.cycle('hello');
	t.deepEqual(ids, [id]);
	t.is(journal.records[0]!.id, id);
});

test('tensor() returns a copy: writing to it does not change the state', async t => {
	const {identity} = await startIdentity();
	const {stateId, timestamp, dimensions: rows} = identity.tensor();
	t.like(identity.state(), {stateId, timestamp});
	t.deepEqual(Object.keys(rows), [...dimensions]);
	t.true(Object.values(rows).every(row => row.length === 1024 && Math.abs(Math.hypot(...row) - 1) < 1e-6));
	rows.firstness.fill(0);
	t.notDeepEqual(identity.tensor().dimensions.firstness, rows.firstness);
});

test('events report that an identity is ready, completes a cycle, stops, or fails to boot', async t => {
	const types: string[] = [];
	const identity = createIdentity({encoder: new FakeEncoder(), themes});
	identity.on('*', ({type}) => types.push(type));
	await identity.ready();
	await identity.cycle('hello');
	await identity.dispose();
	t.deepEqual(types.filter(type => type !== 'boot.step'), ['ready', 'cycle.done', 'stopped']);

	const failures: unknown[] = [];
	const broken = createIdentity({
		async encoder() {
			throw new Error('no such model');
		},
		themes,
	});
	broken.on('failed', ({error}) => failures.push(error));
	t.deepEqual([await t.throwsAsync(broken.ready())], failures);
});

test('a listener receives only its event type, until it is removed', async t => {
	const {identity} = await startIdentity();
	const types: string[] = [];
	const off = identity.on('reset.done', ({type}) => types.push(type));
	await identity.cycle('hello');
	await identity.reset();
	off();
	await identity.reset();
	t.deepEqual(types, ['reset.done']);
});

test('a listener that throws or rejects causes a warning, and affects neither other listeners nor the cycle', async t => {
	const {warnings, warn} = collectWarnings();
	const {identity} = await startIdentity({warn});
	const types: string[] = [];
	identity.on('cycle.done', () => {
		throw new Error('at once');
	});
	identity.on('cycle.done', async () => {
		throw new Error('later');
	});
	identity.on('*', ({type}) => types.push(type));
	t.is((await identity.cycle('hello')).stateId, 1);
	await settle();
	t.deepEqual(types, ['cycle.done']);
	t.deepEqual(warnings, ['A listener of the event cycle.done failed: at once', 'A listener of the event cycle.done failed: later']);
});

test.serial('if warn throws or rejects, the console gets the warning and the identity works', async t => {
	const {warnings, warn} = collectWarnings();
	const {warn: before} = console;
	console.warn = warn;
	t.teardown(() => Object.assign(console, {warn: before}));
	const broken = () => {
		throw new Error('no log');
	};

	for (const failing of [broken, async () => broken()]) {
		const identity = await openIdentity({encoder: new FakeEncoder(), themes, warn: failing});
		t.like(await identity.cycle('still here'), {stateId: 1});
	}

	t.is(warnings.filter(warning => /^This identity began with a random state.* The option warn failed: no log$/.test(warning)).length, 2);
});

const typesOf = async (events: AsyncIterable<IdentityEvent | EventsDropped>): Promise<string[]> => {
	const types: string[] = [];
	for await (const {type} of events) {
		types.push(type);
	}

	return types;
};

test('events() yields events from its call until the identity ends', async t => {
	const {identity} = await startIdentity();
	const events = identity.events();
	await identity.cycle('one');
	const types = typesOf(events);
	await settle();
	await identity.reset();
	await identity.dispose();
	t.deepEqual(await types, ['cycle.done', 'reset.done', 'stopped']);
});

test('events() ends at once after a failed boot', async t => {
	const identity = createIdentity({
		async encoder() {
			throw new Error('no model');
		},
		themes,
	});
	await t.throwsAsync(identity.ready(), {message: /no model/});
	t.deepEqual(await typesOf(identity.events()), []);
	await identity.dispose();
});

test('aborting the signal of events() rejects the loop', async t => {
	const {identity} = await startIdentity();
	const reader = new AbortController();
	const types = typesOf(identity.events({signal: reader.signal}));
	await settle();
	reader.abort();
	await t.throwsAsync(types, {name: 'AbortError'});
});

test('a slow reader of events() receives the number of events it missed', async t => {
	const {identity} = await startIdentity();
	const events = identity.events();
	for (let n = 0; n < 1005; n++) {
		await identity.reset();
	}

	t.deepEqual((await events.next()).value, {type: 'stream.dropped', missed: 5});
	t.like((await events.next()).value, {type: 'reset.done'});
});

test('asyncDispose completes the accepted cycles, then closes the journal', async t => {
	const journal = new FakeJournal();
	const {identity, encoder} = await startIdentity({journal});
	const held = encoder.hold('slow');
	const cycle = identity.cycle('slow');
	await settle();
	const disposed = identity[Symbol.asyncDispose]();
	held.resolve();
	await disposed;
	t.is((await cycle).stateId, 1);
	t.true(journal.isClosed);
});

test('asyncDispose waits for accepted cycles at most drainTimeoutMs', async t => {
	const {identity, encoder, clock} = await startIdentity({drainTimeoutMs: 5000});
	encoder.hold('endless');
	const cycle = t.throwsAsync(identity.cycle('endless'), {instanceOf: UnavailableError});
	await settle();
	const disposed = identity[Symbol.asyncDispose]();
	await settle();
	clock.increment(5000);
	await disposed;
	await cycle;
});

test('dispose releases an encoder if a function created it, and not if it was passed as a value', async t => {
	const lent = new FakeEncoder();
	const owned = new FakeEncoder();
	for (const encoder of [lent, () => owned]) {
		const identity = await openIdentity({encoder, themes});
		await identity.dispose();
	}

	t.deepEqual([lent.disposed, owned.disposed], [false, true]);
});

test('dispose releases a translator once if a function created it, and not if it was passed as a value', async t => {
	const disposed: string[] = [];
	const make = (name: string) => ({
		translate: async () => ({text: 'I am calm.', reasoningDetected: false}),
		dispose() {
			disposed.push(name);
		},
	});
	for (const translator of [make('lent'), () => make('owned')]) {
		const identity = await openIdentity({encoder: new FakeEncoder(), themes, translator});
		await identity.dispose();
		await identity.dispose();
	}

	t.deepEqual(disposed, ['owned']);
});

test('an encoder needs only a model name and embed', async t => {
	const journal = new FakeJournal();
	const {embed} = FakeEncoder.prototype;
	const identity = await openIdentity({encoder: {passport: {model: 'mine'}, embed: embed.bind(new FakeEncoder())}, themes, journal});
	t.is((await identity.cycle('hello')).stateId, 1);
	t.deepEqual(journal.genesis!.passport, {model: 'mine', width: 1024, pooling: 'none', prefix: '', dtype: 'fp32'});
	await identity.dispose();
});

test('a function that receives the encoder can create the journal during the boot', async t => {
	const journal = new FakeJournal();
	const models: string[] = [];
	const identity = await openIdentity({
		encoder: new FakeEncoder(),
		themes,
		journal({encoder}) {
			models.push(encoder.passport.model);
			return journal;
		},
	});
	await identity.cycle('hello');
	await identity.dispose();
	t.deepEqual(models, ['fake']);
	t.deepEqual([journal.records.length, journal.isClosed], [1, true]);
});

const fails = async (): Promise<never> => {
	throw new Error('it broke');
};

test('an error of the encoder, store, translator or journal is wrapped in that part’s class, with its cause', async t => {
	const {identity: broken} = await startIdentity({encoder: {passport: {model: 'mine'}, embed: fails}});
	t.like(await t.throwsAsync(broken.cycle('hello'), {instanceOf: EmbeddingError, message: /it broke/}), {
		cause: {message: 'it broke'},
		retryable: false,
	});
	const {identity: unsupported} = await startIdentity({corroborate: fails, translator: {translate: fails}});
	t.like(await t.throwsAsync(unsupported.cycle('hello'), {instanceOf: StoreError, message: /it broke/}), {cause: {message: 'it broke'}});
	t.like(await t.throwsAsync(unsupported.translate(), {instanceOf: LanguageError, message: /it broke/}), {cause: {message: 'it broke'}});
	t.like(await t.throwsAsync(openIdentity({encoder: fails, themes}), {instanceOf: ModelLoadError}), {cause: {message: 'it broke'}});
	t.like(
		await t.throwsAsync(openIdentity({encoder: new FakeEncoder(), themes, journal: fails}), {instanceOf: JournalError}),
		{cause: {message: 'it broke'}},
	);
});

const wrong: Array<[options: object, message: RegExp]> = [
	[{jornal: null}, /no option “jornal”; the nearest is “journal”.* journal,/],
	[{maxPendingCycles: 0}, /option maxPendingCycles must be a whole number/],
	[{journal: {open() {}, begin() {}, append() {}, read() {}, close() {}}}, /option journal must be a journal/],
	[{kernel: 'js'}, /option kernel must be a kernel, such as one of selectKernel; this one is “js”/],
	[{encoder: {embed() {}}}, /option encoder must be an encoder, with a passport.*an object with embed/],
	[{directions: {directions: [], warnings: []}}, /option directions must be a list of directions.*an object with directions, warnings/],
	[{maxPendingCycles: '7'}, /option maxPendingCycles must be a whole number from 1 on; this one is “7”/],
	[{loop: {}}, /loop\.cycleIntervalSeconds/],
	[{loop: {...themes}}, /The loop has no option “rumination”.* cycleIntervalSeconds,/],
];

for (const [options, message] of wrong) {
	test(`${JSON.stringify(options)} is refused at once, with the option's name`, async t => {
		t.throws(() => createIdentity(options as IdentityOptions), {instanceOf: ConfigurationError, message});
		await t.throwsAsync(openIdentity(options as IdentityOptions), {instanceOf: ConfigurationError, message});
	});
}
