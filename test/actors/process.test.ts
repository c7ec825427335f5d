/** The whole actor system through its door. */
import {mayFail} from '../../src/sources/source.ts';
import test from 'ava';
import {EmbeddingError, UnavailableError} from '../../src/platform/errors.ts';
import {selectKernel} from '../../src/kernel/select.ts';
import {dimensions} from '../../src/kernel/dimensions.ts';
import {FakeEncoder, joy, settle, startIdentity} from './fixtures.ts';

test('a cycle moves thirdness by at most 0.001 and nothing else', async t => {
	const {identity} = await startIdentity();
	const before = identity.actor.getSnapshot().context.state!;
	const {stateId, deltaMagnitude} = await identity.cycle({content: 'hello'});
	const after = identity.actor.getSnapshot().context.state!;
	t.is(stateId, 1);
	t.true(deltaMagnitude > 0 && deltaMagnitude <= 0.001);
	for (const [d, dimension] of dimensions.entries()) {
		t.is(before.rows[d] === after.rows[d], dimension !== 'thirdness', dimension);
	}
});

test('cycles at once are applied one after another, each on what its predecessor left', async t => {
	const {identity} = await startIdentity();
	const results = await Promise.all(Array.from({length: 50}, async (_, i) => identity.cycle({content: `text ${i}`})));
	t.deepEqual(results.map(({stateId}) => stateId), Array.from({length: 50}, (_, i) => i + 1));
	t.is(identity.state().stateId, 50);
});

test('embeddings run side by side, and cycles are applied in the order in which they were accepted', async t => {
	const {identity, encoder} = await startIdentity();
	const held = encoder.hold('slow');
	const slow = identity.cycle({content: 'slow'});
	const quick = identity.cycle({content: 'quick'});
	await settle();
	t.deepEqual(encoder.asked, ['slow', 'quick']);
	t.is(identity.state().stateId, 0, 'reads are not held up');
	held.resolve();
	t.is((await slow).stateId, 1);
	t.is((await quick).stateId, 2);
});

test('a cycle whose embedding fails is skipped by those that wait for it', async t => {
	const {identity, encoder} = await startIdentity();
	const held = encoder.hold('bad');
	const bad = identity.cycle({content: 'bad'});
	const next = ['b', 'c'].map(async content => identity.cycle({content}));
	await settle();
	held.reject(new Error('the model broke'));
	await t.throwsAsync(bad, {instanceOf: EmbeddingError, message: 'The encoder failed: the model broke'});
	t.deepEqual((await Promise.all(next)).map(({stateId}) => stateId), [1, 2]);
});

test('an embedding that never ends is aborted when others have waited for it during ten minutes', async t => {
	for (const next of ['cycle', 'reset'] as const) {
		const {identity, encoder, clock} = await startIdentity();
		encoder.hold('endless');
		const endless = t.throwsAsync(identity.cycle({content: 'endless'}), {
			instanceOf: EmbeddingError,
			message: /not embedded within 10 minutes/,
		});
		await settle();
		const waiting = next === 'cycle' ? identity.cycle({content: 'next'}) : identity.reset();
		await settle();
		clock.increment(599_999);
		await settle();
		t.is(Object.keys(identity.actor.getSnapshot().children).length, 4, 'all wait');
		clock.increment(1);
		await endless;
		t.is((await waiting).stateId, next === 'cycle' ? 1 : 0);
	}
});

test('a thousand cycles that wait for one have their turns after it', async t => {
	const {identity, encoder} = await startIdentity({maxPendingCycles: 2000});
	const held = encoder.hold('slow');
	const slow = identity.cycle({content: 'slow'});
	const others = Array.from({length: 1000}, async (_, n) => identity.cycle({content: `${n}`}));
	await settle();
	held.resolve();
	await slow;
	t.deepEqual((await Promise.all(others)).map(({stateId}) => stateId), Array.from({length: 1000}, (_, n) => n + 2));
});

test('mode and counters change when a cycle is accepted, before it is embedded', async t => {
	const {identity, encoder} = await startIdentity();
	const held = encoder.hold('slow');
	const cycle = identity.cycle({content: 'slow', trigger: 'user'});
	await settle();
	const {mode, cyclesBreakdown, lastTrigger} = identity.daemon.status();
	t.is(mode, 'conversation');
	t.is(cyclesBreakdown.user, 1);
	t.is(lastTrigger?.type, 'user');
	t.is(identity.state().stateId, 0);
	held.resolve();
	await cycle;
});

test('a cycle that fails rejects with the reason, has counted, and changes no state', async t => {
	const {identity, encoder} = await startIdentity();
	encoder.fail('bad', new Error('the model broke'));
	await t.throwsAsync(identity.cycle({content: 'bad'}), {instanceOf: EmbeddingError, message: 'The encoder failed: the model broke'});
	t.is(identity.state().stateId, 0);
	t.is(identity.daemon.status().cyclesBreakdown.user, 1);
	t.is(identity.metrics().totalCycles, 0);
	t.is((await identity.cycle({content: 'good'})).stateId, 1);
});

for (const [what, vector] of Object.entries({
	'of another width': new Float32Array(512).fill(1),
	'of zeros': new Float32Array(1024),
	'with a hole': new Float32Array(1024).fill(Number.NaN),
})) {
	test(`a vector ${what} fails its cycle and leaves the state alone`, async t => {
		const encoder = new FakeEncoder();
		encoder.embed = async () => vector;
		const {identity} = await startIdentity({encoder: async () => encoder});
		await t.throwsAsync(identity.cycle({content: 'hello'}), {code: 'embedding'});
		t.is(identity.state().stateId, 0);
	});
}

test('a cycle that breaks in its turn fails alone, and the next one runs', async t => {
	const kernel = selectKernel('js');
	let broken = true;
	const {identity} = await startIdentity({kernel: {...kernel, move(...given) {
		if (broken) {
			broken = false;
			throw new RangeError('a defect');
		}

		return kernel.move(...given);
	}}});
	await t.throwsAsync(identity.cycle({content: 'first'}), {message: 'a defect'});
	t.is((await identity.cycle({content: 'second'})).stateId, 1);
	t.deepEqual(Object.keys(identity.actor.getSnapshot().children), ['resources', 'daemon'], 'the actor that broke is gone');
});

test('vigilance’s message says what the drift is made of', async t => {
	const {identity} = await startIdentity();
	for (let i = 0; i < 80; i++) {
		await identity.cycle({content: `text ${i}`});
	}

	t.regex(
		identity.vigilance().message!,
		/^The state has drifted 2\.\d\d % in all, over the critical 2\.00 %\. Path travelled 2\.\d % in 80 cycles; net distance \d\.\d %\.$/,
	);
});

test('reset restores the initial state and clears counters, metrics, drift and mode, but not the last trigger', async t => {
	const {identity} = await startIdentity();
	const initial = identity.state();
	for (const content of ['a', 'b', 'c']) {
		await identity.cycle({content});
	}

	t.true(identity.vigilance().cumulativeDrift > 0);
	t.deepEqual(await identity.reset(), {stateId: 0});
	t.deepEqual(identity.state(), initial);
	t.like(identity.vigilance(), {cumulativeDrift: 0, level: 'ok', message: null});
	t.is(identity.metrics().totalCycles, 0);
	const {mode, cyclesBreakdown, lastTrigger} = identity.daemon.status();
	t.is(mode, 'idle');
	t.is(cyclesBreakdown.user, 0);
	t.is(lastTrigger?.type, 'user');
});

test('a reset takes its turn like a cycle: after what was accepted before it, before what was accepted after it', async t => {
	const {identity, encoder} = await startIdentity();
	await identity.cycle({content: 'first'});
	const held = encoder.hold('slow');
	const slow = identity.cycle({content: 'slow'});
	const reset = identity.reset();
	const after = identity.cycle({content: 'after'});
	await settle();
	t.is(identity.state().stateId, 1);
	t.is(identity.daemon.status().cyclesBreakdown.user, 1, 'what is accepted after the reset counts from zero');
	held.resolve();
	t.is((await slow).stateId, 2);
	t.is((await reset).stateId, 0);
	t.is((await after).stateId, 1);
	t.is(identity.daemon.status().cyclesBreakdown.user, 1);
});

test('the jump back of a reset is no drift', async t => {
	const {identity} = await startIdentity();
	for (const content of ['a', 'b', 'c']) {
		await identity.cycle({content});
	}

	await identity.reset();
	await identity.cycle({content: 'a'});
	const {cumulativeDrift} = identity.vigilance();
	t.true(cumulativeDrift < 0.0004, `${cumulativeDrift}`);
});

test('the profile projects the state and the reference on the loaded directions', async t => {
	const {identity} = await startIdentity({directions: async () => [joy]});
	const {profile, referenceProfile, directionsCount, referenceSimilarity} = identity.profile();
	t.is(directionsCount, 1);
	t.is(referenceSimilarity, 1);
	t.deepEqual(profile, referenceProfile);
	t.like(profile, {affective: {joy: {dimension: 'dispositions', polePositive: 'joyful', poleNegative: 'sad'}}});
});

test('without directions the profile is unavailable', async t => {
	const {identity} = await startIdentity();
	t.throws(() => identity.profile(), {instanceOf: UnavailableError, message: /Directions are not loaded/});
});

test('the loop runs its cycles on the state, through a day', async t => {
	const {identity, clock} = await startIdentity();
	t.true((await identity.daemon.start()).started);
	t.false((await identity.daemon.start()).started);
	for (let cycle = 0; cycle < 100; cycle++) {
		clock.increment(864_000);
		await settle();
	}

	t.is(identity.state().stateId, 100);
	const {cyclesBreakdown, mode, isRuminating, daemonRunning, cyclesSinceLastUser} = identity.daemon.status();
	t.is(cyclesBreakdown.corpus + cyclesBreakdown.rumination_free, 100);
	t.is(cyclesSinceLastUser, 100);
	t.true(cyclesBreakdown.corpus > 15 && cyclesBreakdown.corpus < 45, `${cyclesBreakdown.corpus}`);
	t.is(mode, 'autonomous');
	t.true(isRuminating && daemonRunning);
	t.is(identity.metrics().cyclesLastHour, 5);
	t.true((await identity.daemon.stop()).stopped);
	t.false((await identity.daemon.stop()).stopped);
	t.is(identity.daemon.status().mode, 'idle');
});

test('a cycle of the loop that fails pauses it 5 seconds and counts nothing', async t => {
	const {identity, encoder, clock} = await startIdentity();
	for (const theme of ['r0', 'r1', 'c0', 'c1']) {
		encoder.fail(theme, new Error('the model broke'));
	}

	identity.daemon.start();
	clock.increment(864_000);
	await settle();
	t.is(identity.daemon.status().cyclesSinceLastUser, 0);
	clock.increment(5000);
	clock.increment(864_000);
	await settle();
	t.is(encoder.asked.length, 2);
});

test('stopping the daemon cancels the embedding of its cycle', async t => {
	const {identity, encoder, clock} = await startIdentity();
	for (const theme of ['r0', 'r1', 'c0', 'c1']) {
		encoder.hold(theme);
	}

	identity.daemon.start();
	clock.increment(864_000);
	await settle();
	identity.daemon.stop();
	await settle();
	t.is(identity.state().stateId, 0);
	t.deepEqual(Object.keys(identity.actor.getSnapshot().children), ['resources', 'daemon']);
});

test('stopping the daemon cancels its cycle that waits for its turn, and those behind it go on', async t => {
	const {identity, encoder, clock} = await startIdentity();
	const held = encoder.hold('slow');
	const slow = identity.cycle({content: 'slow'});
	identity.daemon.start();
	clock.increment(864_000);
	const after = identity.cycle({content: 'after'});
	await settle();
	const names = () => Object.keys(identity.actor.getSnapshot().children);
	t.like(identity.actor.getSnapshot().children['cycle-2']!.getSnapshot(), {value: 'queued', context: {order: {origin: 'daemon'}}});
	identity.daemon.stop();
	t.deepEqual(names(), ['resources', 'daemon', 'cycle-1', 'cycle-3']);
	held.resolve();
	t.is((await slow).stateId, 1);
	t.is((await after).stateId, 2);
	t.is(identity.daemon.status().cyclesSinceLastUser, 0);
});

test('a cycle that has ended, well or not, leaves no actor', async t => {
	const {identity, encoder} = await startIdentity();
	encoder.fail('bad', new Error('no'));
	await identity.cycle({content: 'good'});
	await t.throwsAsync(identity.cycle({content: 'bad'}));
	t.deepEqual(Object.keys(identity.actor.getSnapshot().children), ['resources', 'daemon']);
});

test('before boot is done health tells −1, reads are unavailable, and requests wait', async t => {
	const encoder = new FakeEncoder();
	const loading = Promise.withResolvers<typeof encoder>();
	const {createIdentity} = await import('../../src/identity/create-identity.ts');
	const identity = createIdentity({encoder: async () => loading.promise, themes: {rumination: ['r'], corpus: ['c']}});
	t.deepEqual(identity.health(), {uptimeSeconds: 0, stateId: -1, embeddingModel: 'not loaded yet'});
	for (const read of [identity.state, identity.vigilance, identity.metrics, identity.daemon.status, identity.profile]) {
		t.throws(read, {instanceOf: UnavailableError, message: /still starting/});
	}

	const early = identity.cycle('early');
	loading.resolve(encoder);
	await identity.ready();
	t.is(identity.health().stateId, 0);
	t.is((await early).stateId, 1);
});

test('a model that does not load ends the boot with its error', async t => {
	await t.throwsAsync(startIdentity({
		async encoder() {
			throw new Error('no such model');
		},
	}), {code: 'model_load', message: 'The embedding model could not be loaded: no such model'});
});

test('another step that may fail falls back, and the report says what that means', async t => {
	const {identity} = await startIdentity({
		initialState: mayFail(async () => {
			throw new Error('no store');
		}),
		directions: mayFail(async () => {
			throw new Error('no catalogue');
		}),
		warn() {},
	});
	const report = await identity.ready();
	t.deepEqual(report.map(({step}) => step), [
		'model', 'journal', 'initialState', 'reference', 'vigilance', 'metrics', 'authority', 'translator', 'directions',
		'themes', 'calibration', 'genesis',
	]);
	t.deepEqual(report.flatMap(({warnings}) => warnings), [
		'No starting state was found, so a random one was made: no store',
		'The next start continues with this identity. To start as somebody, give the option initialState, and a journal that has not '
			+ 'begun yet.',
		'No directions are loaded: no catalogue',
	]);
	t.is(identity.state().stateId, 0);
});

test('disposing fails what is under way, aborts its embedding and frees the model', async t => {
	const {identity, encoder} = await startIdentity();
	encoder.hold('slow');
	const cycle = identity.cycle({content: 'slow'});
	await settle();
	const failing = t.throwsAsync(cycle, {instanceOf: UnavailableError, message: /stopping/});
	await identity.dispose();
	await failing;
	t.true(encoder.disposed);
	t.throws(() => identity.state(), {instanceOf: UnavailableError, message: /stopped/});
	await t.throwsAsync(identity.cycle({content: 'late'}), {instanceOf: UnavailableError});
});

test('a kernel that breaks fails the reset or the translation, and the process lives on', async t => {
	const kernel = selectKernel('js');
	let broken = false;
	const breaking = <Given extends unknown[], Made>(method: (...given: Given) => Made) => (...given: Given): Made => {
		if (broken) {
			throw new RangeError('a defect');
		}

		return method(...given);
	};
	const {identity} = await startIdentity({
		kernel: {...kernel, drift: breaking(kernel.drift), project: breaking(kernel.project)},
		translator: async () => ({translate: async () => ({text: 'calm', reasoningDetected: false})}),
		directions: async () => [joy],
	});
	await identity.cycle({content: 'hello'});
	broken = true;
	await t.throwsAsync(identity.reset(), {message: 'a defect'});
	await t.throwsAsync(identity.translate({context: null}), {message: 'a defect'});
	broken = false;
	t.is((await identity.cycle({content: 'hello'})).stateId, 2);
	t.is((await identity.reset()).stateId, 0);
});
