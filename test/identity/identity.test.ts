/** An identity in the hands of an application: opened, asked, heard and closed. */
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

test('an identity that is opened is ready', async t => {
	const identity = await openIdentity({encoder: new FakeEncoder(), themes});
	t.true(identity.readiness().ready);
	t.like(await identity.cycle('A first thought.'), {stateId: 1});
	await identity.dispose();
});

test('an identity that cannot be opened has freed what it held', async t => {
	const encoder = new FakeEncoder();
	const journal = new FakeJournal();
	const failing = async () => {
		throw new Error('no themes');
	};

	await t.throwsAsync(openIdentity({encoder: () => encoder, journal, themes: failing}), {message: /no themes/});
	t.true(encoder.disposed);
	t.true(journal.isClosed);
});

test('a signal that aborts while an identity opens ends it, with its reason', async t => {
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

test('a signal that aborts after the boot changes nothing', async t => {
	const opening = new AbortController();
	const identity = await openIdentity({encoder: new FakeEncoder(), themes, signal: opening.signal});
	opening.abort();
	await settle();
	t.is((await identity.cycle('still here')).stateId, 1);
});

test('what is asked before the boot is done waits for it, in its order', async t => {
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

test('what waits for a boot that fails is told why, and that another try is useless', async t => {
	const identity = createIdentity({
		async encoder() {
			throw new Error('no such model');
		},
		themes,
	});
	const error = await t.throwsAsync(identity.cycle('early'), {instanceOf: UnavailableError, message: /could not start: .*no such model/});
	t.false(error.retryable);
});

test('cycles that wait for the boot count among those under way', async t => {
	const identity = createIdentity({encoder: async () => new Promise<never>(() => {}), themes, maxPendingCycles: 1});
	const waiting = t.throwsAsync(identity.cycle('one'));
	await t.throwsAsync(identity.cycle('two'), {code: 'busy'});
	// An encoder that never settles is not waited for here.
	void identity.dispose();
	await waiting;
});

test('a signal that aborts before a cycle has its turn cancels it', async t => {
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

test('a cycle that is being recorded is completed, whatever its signal says', async t => {
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

test('a signal that aborted before the call refuses it, and nothing is counted', async t => {
	const {identity} = await startIdentity();
	await t.throwsAsync(identity.cycle('late', {signal: AbortSignal.abort()}), {name: 'AbortError'});
	t.is(identity.daemon.status().cyclesBreakdown.user, 0);
});

test('a signal that aborts while the boot is waited for ends the call alone', async t => {
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

test('the answer of a cycle has the id of its record and of its event', async t => {
	const journal = new FakeJournal();
	const {identity} = await startIdentity({journal});
	const ids: string[] = [];
	identity.on('cycle.done', ({id}) => ids.push(id));
	const {id} = await identity.cycle('hello');
	t.deepEqual(ids, [id]);
	t.is(journal.records[0]!.id, id);
});

test('the whole tensor is a copy: writing it changes no state', async t => {
	const {identity} = await startIdentity();
	const {stateId, timestamp, dimensions: rows} = identity.tensor();
	t.like(identity.state(), {stateId, timestamp});
	t.deepEqual(Object.keys(rows), [...dimensions]);
	t.true(Object.values(rows).every(row => row.length === 1024 && Math.abs(Math.hypot(...row) - 1) < 1e-6));
	rows.firstness.fill(0);
	t.notDeepEqual(identity.tensor().dimensions.firstness, rows.firstness);
});

test('events tell how the life of an identity goes on', async t => {
	const heard: string[] = [];
	const identity = createIdentity({encoder: new FakeEncoder(), themes});
	identity.on('*', ({type}) => heard.push(type));
	await identity.ready();
	await identity.cycle('hello');
	await identity.dispose();
	t.deepEqual(heard.filter(type => type !== 'boot.step'), ['ready', 'cycle.done', 'stopped']);

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

test('a listener hears its own type until it is taken away', async t => {
	const {identity} = await startIdentity();
	const heard: string[] = [];
	const off = identity.on('reset.done', ({type}) => heard.push(type));
	await identity.cycle('hello');
	await identity.reset();
	off();
	await identity.reset();
	t.deepEqual(heard, ['reset.done']);
});

test('a listener that fails is a warning: others hear, the cycle is answered, and the host lives on', async t => {
	const {warnings, warn} = collectWarnings();
	const {identity} = await startIdentity({warn});
	const heard: string[] = [];
	identity.on('cycle.done', () => {
		throw new Error('at once');
	});
	identity.on('cycle.done', async () => {
		throw new Error('later');
	});
	identity.on('*', ({type}) => heard.push(type));
	t.is((await identity.cycle('hello')).stateId, 1);
	await settle();
	t.deepEqual(heard, ['cycle.done']);
	t.deepEqual(warnings, ['A listener of the event cycle.done failed: at once', 'A listener of the event cycle.done failed: later']);
});

test.serial('a warn that fails ends nothing: the console has the warning', async t => {
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

test('events can be read in a loop, from the call on, until the identity ends', async t => {
	const {identity} = await startIdentity();
	const events = identity.events();
	await identity.cycle('one');
	const types = typesOf(events);
	await settle();
	await identity.reset();
	await identity.dispose();
	t.deepEqual(await types, ['cycle.done', 'reset.done', 'stopped']);
});

test('events that are asked for after a boot that failed are over', async t => {
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

test('a signal ends the loop, with its reason', async t => {
	const {identity} = await startIdentity();
	const reader = new AbortController();
	const types = typesOf(identity.events({signal: reader.signal}));
	await settle();
	reader.abort();
	await t.throwsAsync(types, {name: 'AbortError'});
});

test('a reader that falls behind is told how many events it missed', async t => {
	const {identity} = await startIdentity();
	const events = identity.events();
	for (let n = 0; n < 1005; n++) {
		await identity.reset();
	}

	t.deepEqual((await events.next()).value, {type: 'stream.dropped', missed: 5});
	t.like((await events.next()).value, {type: 'reset.done'});
});

test('disposed of by its scope, an identity first does what it accepted', async t => {
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

test('what was accepted is not waited for longer than drainTimeoutMs', async t => {
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

test('an encoder that is given as a value is lent, one that a function makes is owned', async t => {
	const lent = new FakeEncoder();
	const owned = new FakeEncoder();
	for (const encoder of [lent, () => owned]) {
		const identity = await openIdentity({encoder, themes});
		await identity.dispose();
	}

	t.deepEqual([lent.disposed, owned.disposed], [false, true]);
});

test('a translator that is given as a value is lent, one that a function makes is owned', async t => {
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

test('an encoder needs a model’s name and embed alone', async t => {
	const journal = new FakeJournal();
	const {embed} = FakeEncoder.prototype;
	const identity = await openIdentity({encoder: {passport: {model: 'mine'}, embed: embed.bind(new FakeEncoder())}, themes, journal});
	t.is((await identity.cycle('hello')).stateId, 1);
	t.deepEqual(journal.genesis!.passport, {model: 'mine', width: 1024, pooling: 'none', prefix: '', dtype: 'fp32'});
	await identity.dispose();
});

test('a journal can be made during the boot, by a function that knows the encoder', async t => {
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

test('what a part of the application throws comes as an error of its kind, with its cause', async t => {
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
