/** The sources of a process's parts: initial state, person, authority, corroboration, directions, themes and loop. */
import {mayFail} from '../../src/sources/source.ts';
import test from 'ava';
import {defaultLoop} from '../../src/actors/loop.ts';
import {ConfigurationError} from '../../src/platform/errors.ts';
import {dimensions} from '../../src/kernel/dimensions.ts';
import {StateTensor} from '../../src/kernel/state-tensor.ts';
import type {Direction} from '../../src/semiosis/profile.ts';
import {FakeJournal} from './fake-journal.ts';
import {settle, startIdentity, vectorOf} from './fixtures.ts';
import {pattern} from '../helpers/pattern.ts';

const broken = async () => {
	throw new Error('no store');
};

const stored = new StateTensor(41, '2025-05-05T05:05:05.000Z', dimensions.map(name => vectorOf(name)));

test('the process begins with the given initial state, and a reset restores it', async t => {
	const {identity} = await startIdentity({initialState: stored});
	t.like(identity.state(), {stateId: 41, timestamp: stored.timestamp});
	t.is(identity.readiness().parts.store, 'ok');
	await identity.cycle({content: 'hello'});
	t.is((await identity.reset()).stateId, 41);
});

test('a random initial state is reported by the boot and by readiness, and the identity is ready', async t => {
	const {identity} = await startIdentity({initialState: mayFail(async () => broken()), warn() {}});
	const said = (await identity.ready()).flatMap(({warnings}) => warnings).join(' ');
	t.regex(
		said,
		pattern(
			/^No starting state was found, so a random one was made: no store The next start continues with this identity\. To start /,
			/as somebody, give the option initialState, and a journal that has not begun yet\.$/,
		),
	);
	t.like(identity.readiness(), {ready: true, parts: {model: 'ok', state: 'ok', journal: 'ok', store: said}});
	t.is(identity.state().stateId, 0);
});

for (const option of ['initialState', 'person', 'authority', 'translator', 'directions'] as const) {
	test(`a failing ${option} fails the boot with its cause, and no journal is begun`, async t => {
		const journal = new FakeJournal();
		const error = await t.throwsAsync(startIdentity({journal, [option]: broken}), {
			instanceOf: ConfigurationError,
			message: `The option ${option} could not be made: no store`,
		});
		t.like(error, {cause: {message: 'no store'}});
		t.is(await journal.open(), null);
	});
}

test('the warnings of the boot reach the option warn', async t => {
	const said: string[] = [];
	const {identity} = await startIdentity({initialState: null, warn: (message: string) => said.push(message)});
	t.deepEqual(said, (await identity.ready()).flatMap(({warnings}) => warnings));
	t.true(said.includes('This identity began with a random state, because it had no starting state.'));
});

test('a warning of the initial state’s source is reported by readiness', async t => {
	const {identity} = await startIdentity({initialState: async ({warn}) => {
		warn('2 of 9 thoughts were skipped.');
		return stored;
	}});
	t.is(identity.readiness().parts.store, '2 of 9 thoughts were skipped.');
});

test('with requireInitialState, a boot without one fails', async t => {
	await t.throwsAsync(startIdentity({initialState: broken, requireInitialState: true}), {
		instanceOf: ConfigurationError,
		message: /requireInitialState.*no store/,
	});
});

test('a journal with a state needs no initial state, even if one is required', async t => {
	const journal = new FakeJournal();
	const first = await startIdentity({journal});
	await first.identity.cycle({content: 'hello'});
	const {identity} = await startIdentity({journal, initialState: broken, requireInitialState: true});
	t.is(identity.state().stateId, 1);
	t.is(identity.readiness().parts.store, 'ok');
});

const calm: Direction = {name: 'calm', category: 'affective', polePositive: 'calm', poleNegative: 'agitated', vector: vectorOf('calm')};
const directions = async () => [calm];
const referenceCalm = ({profile}: {profile: () => {referenceProfile: Record<string, Record<string, {value: number}>>}}) =>
	profile().referenceProfile['affective']!['calm']!.value;
const declared = [['affective', [['calm', 9], ['unheard', 3]]]] as const;

test('the reference is the vector of the person’s words, in every dimension', async t => {
	const {identity} = await startIdentity({person: async () => ({words: 'My own words.', profile: null}), directions});
	const {reference} = identity.actor.getSnapshot().context.boot!;
	t.is(reference.stateId, -1);
	for (const row of reference.rows) {
		t.deepEqual(row, vectorOf('My own words.'));
	}

	t.is(identity.vigilance().level, 'warning', 'a random state lies far from it');
});

test('a declared profile moves the reference towards it, and a name without a direction becomes a warning', async t => {
	const person = async () => ({words: 'My own words.', profile: declared});
	const {identity: without} = await startIdentity({person, directions, calibrate: false});
	const {identity} = await startIdentity({person, directions});
	const distance = (value: number) => Math.abs(value - 9 / 60);
	t.true(distance(referenceCalm(identity)) < distance(referenceCalm(without)));
	t.regex((await identity.ready()).flatMap(({warnings}) => warnings).join(), /affective\.unheard/);
	t.deepEqual((await without.ready()).flatMap(({warnings}) => warnings), []);
});

test('vigilance measures against the calibrated reference', async t => {
	const {identity} = await startIdentity({person: async () => ({words: 'My own words.', profile: declared}), directions});
	const {boot, vigilance, state} = identity.actor.getSnapshot().context;
	const {reference} = boot!;
	const dispositions = dimensions.indexOf('dispositions');
	const cosine = state!.rows[dispositions]!.reduce((sum, value, i) => sum + value * reference.rows[dispositions]![i]!, 0);
	t.true(Math.abs(vigilance!.report.distances[dispositions]! - (1 - cosine)) < 1e-5);
});

test('without the person’s words, the reference is made of sentences about the declared traits', async t => {
	const {identity, encoder} = await startIdentity({person: async () => ({words: null, profile: declared}), directions});
	t.true(encoder.asked.some(text => text.includes('calm')));
	t.is(new Set(encoder.asked).size, encoder.asked.length, 'a sentence is embedded once');
	t.is(identity.actor.getSnapshot().context.boot!.reference.stateId, -1);
});

test('a warning of the person’s source is reported, and the journal’s reference stays', async t => {
	const journal = new FakeJournal();
	await startIdentity({journal, person: async () => ({words: 'My own words.', profile: null})});
	const {identity} = await startIdentity({journal, person: async ({warn}) => {
		warn('no messages');
		return {words: null, profile: null};
	}});
	t.deepEqual(identity.actor.getSnapshot().context.boot!.reference.rows[0], vectorOf('My own words.'));
	t.deepEqual((await identity.ready()).flatMap(({warnings}) => warnings), ['no messages']);
});

test('science asks for vectors that corroborate a text, and they change how the state moves', async t => {
	const asked: Float32Array[] = [];
	const run = async (corroborate: null | ((vector: Float32Array) => Promise<Array<Float32Array | null>>)) => {
		const {identity} = await startIdentity({initialState: stored, corroborate});
		await identity.cycle({content: 'hello'});
		return identity.actor.getSnapshot().context.state!.row('thirdness');
	};

	const neutral = await run(null);
	const empty = await run(async () => []);
	const corroborated = await run(async vector => {
		asked.push(vector);
		return [vector, null];
	});
	t.deepEqual(asked, [vectorOf('hello')]);
	t.deepEqual(empty, neutral);
	t.notDeepEqual(corroborated, neutral);
});

test('a failed corroboration fails its cycle and nothing else', async t => {
	const {identity} = await startIdentity({
		async corroborate(vector) {
			if (vector[0] === vectorOf('bad')[0]) {
				throw new Error('the store is gone');
			}

			return [];
		},
	});
	await t.throwsAsync(identity.cycle({content: 'bad'}), {
		code: 'store',
		message: 'What corroborates the text could not be found: the store is gone',
	});
	t.is((await identity.cycle({content: 'good'})).stateId, 1);
});

test('stopping the daemon cancels the corroboration of its cycle', async t => {
	const signals: AbortSignal[] = [];
	const {identity, clock} = await startIdentity({
		async corroborate(_, signal) {
			signals.push(signal);
			return new Promise<never>(() => {});
		},
	});
	identity.daemon.start();
	clock.increment(864_000);
	await settle();
	await settle();
	identity.daemon.stop();
	t.deepEqual(signals.map(({aborted}) => aborted), [true]);
});

test('an article of authority changes how the state moves', async t => {
	const thirdness = async (articles: Array<{vector: Float32Array; critical: boolean}>) => {
		const {identity} = await startIdentity({initialState: stored, authority: async () => ({articles, anchors: []})});
		await identity.cycle({content: 'hello'});
		return identity.actor.getSnapshot().context.state!.row('thirdness');
	};

	t.notDeepEqual(await thirdness([{vector: vectorOf('against'), critical: true}]), await thirdness([]));
});

test('a translation has a faithfulness to the state, which is null if its text cannot be embedded', async t => {
	const many = ['a', 'b', 'c', 'd', 'e'].map(name => ({...calm, name, vector: vectorOf(name)}));
	const {identity, encoder} = await startIdentity({
		directions: many,
		translator: async () => ({translate: async ({context}) => ({text: context ?? 'said', reasoningDetected: false})}),
	});
	const {faithfulness} = await identity.translate({context: null});
	t.true(faithfulness !== null && Math.abs(faithfulness) <= 1);
	encoder.fail('unreadable', new Error('no vector'));
	t.like(await identity.translate({context: 'unreadable'}), {text: 'unreadable', faithfulness: null});
});

test('an identity that began with a random state says so after a restart, and is refused with requireInitialState', async t => {
	const journal = new FakeJournal();
	const first = await startIdentity({journal, initialState: null});
	await first.identity.dispose();
	const again = await startIdentity({journal, initialState: stored});
	t.regex(again.identity.readiness().parts.store, /^This identity began with a random state.*give the option initialState, and a journal/);
	t.true(again.identity.readiness().ready);
	await again.identity.dispose();
	await t.throwsAsync(startIdentity({journal, requireInitialState: true}), {
		instanceOf: ConfigurationError,
		message: /requireInitialState.*began with a random state.*give the option initialState/,
	});
});

test('an identity that began with a given state has no warning', async t => {
	const journal = new FakeJournal();
	const initialState = async () => stored;
	const first = await startIdentity({journal, initialState});
	await first.identity.dispose();
	const again = await startIdentity({journal, initialState: broken, requireInitialState: true});
	t.is(again.identity.readiness().parts.store, 'ok');
});

for (const [what, rows] of Object.entries({
	'not finite': dimensions.map(() => new Float32Array(1024).fill(Number.NaN)),
	'without a direction': dimensions.map(() => new Float32Array(1024)),
})) {
	test(`a stored initial state that is ${what} is not used, and a given one fails the boot`, async t => {
		const initialState = new StateTensor(3, stored.timestamp, rows);
		const storedOne = mayFail(async () => initialState);
		const {identity} = await startIdentity({initialState: storedOne});
		t.regex(identity.readiness().parts.store, /a random one was made: .* has no direction/);
		await t.throwsAsync(startIdentity({initialState: storedOne, requireInitialState: true}), {instanceOf: ConfigurationError});
		const message = /^The option initialState could not be (?:used|made): .* has no direction\.$/;
		await t.throwsAsync(startIdentity({initialState}), {name: 'GivenPartError', message});
		await t.throwsAsync(startIdentity({initialState: async () => initialState}), {name: 'GivenPartError', message});
	});
}

test('the rows of an initial state are normalised to length 1', async t => {
	const long = new StateTensor(3, stored.timestamp, stored.rows.map(row => row.map(value => value * 3)));
	const {identity} = await startIdentity({initialState: async () => long});
	for (const row of identity.actor.getSnapshot().context.state!.rows) {
		t.true(Math.abs(Math.hypot(...row) - 1) < 1e-6);
	}
});

test('a catalogue with a direction of another width is not loaded, and the warning names it; a given one fails the boot', async t => {
	const short = [calm, {...calm, name: 'short', vector: new Float32Array(512)}];
	const {identity} = await startIdentity({directions: mayFail(async () => short)});
	t.true((await identity.ready())
		.flatMap(({warnings}) => warnings)
		.includes('No directions are loaded: the vector of affective.short is not 1024 finite floats'));
	await t.throwsAsync(startIdentity({directions: short}), {
		name: 'GivenPartError',
		message: 'The option directions could not be used: the vector of affective.short is not 1024 finite floats',
	});
});

for (const [option, value] of [
	['initialState', {rows: [1]}], ['initialState', {...stored, rows: [[1, 2]]}], ['initialState', () => 7],
	['directions', [1]], ['directions', [null]], ['directions', [{category: 'affective', vector: calm.vector}]], ['directions', () => 7],
] as const) {
	test(`an invalid ${option} fails the boot, and no journal is begun: ${JSON.stringify(value)?.slice(0, 40) ?? 'a number'}`, async t => {
		const journal = new FakeJournal();
		await t.throwsAsync(startIdentity({journal, [option]: value}), {
			instanceOf: ConfigurationError,
			message: new RegExp(`^The option ${option} could not be (?:made|used): `),
		});
		t.is(await journal.open(), null);
	});
}

test('themes without a rumination sentence fail the boot', async t => {
	await t.throwsAsync(startIdentity({themes: {rumination: [], corpus: ['c']}}), {
		instanceOf: ConfigurationError,
		message: /themes\.rumination/,
	});
});

for (const [wrong, message] of [
	[{cycleIntervalSeconds: 30 * 86_400}, /cycleIntervalSeconds is 2592000; .* at most 2,000,000/],
	[{cycleIntervalSeconds: 0}, /cycleIntervalSeconds/],
	[{cycleIntervalSeconds: Number.NaN}, /cycleIntervalSeconds/],
	[{probCorpus: 0.9}, /their sum 1/],
	[{probRuminationFree: -0.5, probUnresolved: 1.2}, /from 0 to 1/],
	[{cycleIntervalSecond: 5}, /The loop has no option “cycleIntervalSecond”; the nearest is “cycleIntervalSeconds”/],
] as const) {
	test(`a loop with ${JSON.stringify(wrong)} is refused`, async t => {
		await t.throwsAsync(startIdentity({loop: {...defaultLoop, ...wrong}}), {instanceOf: ConfigurationError, message});
	});
}
