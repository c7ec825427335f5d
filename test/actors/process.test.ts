/** The whole actor system, through the identity. */
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

test('concurrent cycles are applied one after another', async t => {
	const {identity} = await startIdentity();
	const results = await Promise.all(Array.from({length: 50}, async (_, i) => identity.cycle({content: `text ${i}`})));
	t.deepEqual(results.map(({stateId}) => stateId), Array.from({length: 50}, (_, i) => i + 1));
	t.is(identity.state().stateId, 50);
});

test('embeddings run concurrently, and cycles are applied in the order of their acceptance', async t => {
	const {identity, encoder} = await startIdentity();
	const held = encoder.hold('slow');
	const slow = identity.cycle({content: 'slow'});
	const quick = identity.cycle({content: 'quick'});
	await settle();
	t.deepEqual(encoder.asked, ['slow', 'quick']);
	t.is(identity.state().stateId, 0, 'reads do not wait');
	held.resolve();
	t.is((await slow).stateId, 1);
	t.is((await quick).stateId, 2);
});

test('when an embedding fails, the cycles behind it run', async t => {
	const {identity, encoder} = await startIdentity();
	const held = encoder.hold('bad');
	const bad = identity.cycle({content: 'bad'});
	const next = ['b', 'c'].map(async content => identity.cycle({content}));
	await settle();
	held.reject(new Error('the model broke'));
	await t.throwsAsync(bad, {instanceOf: EmbeddingError, message: 'The encoder failed: the model broke'});
	t.deepEqual((await Promise.all(next)).map(({stateId}) => stateId), [1, 2]);
});

test('an embedding that never ends is aborted once another request has waited 10 minutes for it', async t => {
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

test('a thousand cycles that wait for a slow one run after it, in order', async t => {
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

test('a failed cycle rejects with the reason and is counted, but does not move the state', async t => {
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
	'of NaN': new Float32Array(1024).fill(Number.NaN),
})) {
	test(`a vector ${what} fails its cycle and does not move the state`, async t => {
		const encoder = new FakeEncoder();
		encoder.embed = async () => vector;
		const {identity} = await startIdentity({encoder: async () => encoder});
		await t.throwsAsync(identity.cycle({content: 'hello'}), {code: 'embedding'});
		t.is(identity.state().stateId, 0);
	});
}

test('a defect in a cycle fails only that cycle, and the next one runs', async t => {
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
	t.deepEqual(Object.keys(identity.actor.getSnapshot().children), ['resources', 'daemon'], 'the failed actor is gone');
});

test('the message of vigilance gives the drift, the path and the net distance', async t => {
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

test('a reset takes its turn between the cycles accepted before it and those accepted after it', async t => {
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

test('a reset does not count as drift', async t => {
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

test('without directions, the profile is unavailable', async t => {
	const {identity} = await startIdentity();
	t.throws(() => identity.profile(), {instanceOf: UnavailableError, message: /Directions are not loaded/});
});

test('the loop runs 100 cycles a day, about 30 of them over the corpus', async t => {
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

test('a failed cycle of the loop pauses it for 5 seconds, and is not counted', async t => {
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

test('stopping the daemon cancels its queued cycle, and the cycles behind it run', async t => {
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

test('a completed or failed cycle leaves no actor', async t => {
	const {identity, encoder} = await startIdentity();
	encoder.fail('bad', new Error('no'));
	await identity.cycle({content: 'good'});
	await t.throwsAsync(identity.cycle({content: 'bad'}));
	t.deepEqual(Object.keys(identity.actor.getSnapshot().children), ['resources', 'daemon']);
});

test('before the end of the boot, health has the state id −1, reads are unavailable, and cycles wait', async t => {
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

test('a model that cannot be loaded fails the boot with its error', async t => {
	await t.throwsAsync(startIdentity({
		async encoder() {
			throw new Error('no such model');
		},
	}), {code: 'model_load', message: 'The embedding model could not be loaded: no such model'});
});

test('a step of the boot that may fail falls back, and the report has its warning', async t => {
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

test('dispose fails pending cycles, aborts their embeddings and disposes of the model', async t => {
	const {identity, encoder} = await startIdentity();
	const aborted = t.throwsAsync(encoder.hold('slow').promise);
	const cycle = identity.cycle({content: 'slow'});
	await settle();
	const failing = t.throwsAsync(cycle, {instanceOf: UnavailableError, message: /stopping/});
	await identity.dispose();
	await Promise.all([failing, aborted]);
	t.true(encoder.disposed);
	t.throws(() => identity.state(), {instanceOf: UnavailableError, message: /stopped/});
	await t.throwsAsync(identity.cycle({content: 'late'}), {instanceOf: UnavailableError});
});

test('a defect of the kernel fails the reset or the translation, and the process continues', async t => {
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
