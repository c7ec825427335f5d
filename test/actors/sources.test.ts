/** Where a process's parts come from: initial state, reference person, authority, science. */
import test from 'ava';
import {defaultLoop} from '../../src/actors/loop.ts';
import {ConfigurationError} from '../../src/errors.ts';
import {dimensions} from '../../src/tensor/dimensions.ts';
import {StateTensor} from '../../src/tensor/state-tensor.ts';
import type {Direction} from '../../src/semiosis/profile.ts';
import {FakeJournal} from './fake-journal.ts';
import {settle, startProcess, vectorOf} from './fixtures.ts';

const broken = async () => {
	throw new Error('no store');
};

const stored = new StateTensor(41, '2025-05-05T05:05:05.000Z', dimensions.map(name => vectorOf(name)));

test('the process begins with the state that its source gives', async t => {
	const {process} = await startProcess({initialState: async () => ({state: stored, warnings: []})});
	t.like(process.state(), {stateId: 41, timestamp: stored.timestamp});
	t.is(process.readiness().parts.store, 'ok');
	await process.cycle({content: 'hello'});
	t.is((await process.reset()).stateId, 41);
});

test('a random identity is told in the report and to whoever asks for readiness, and hinders nothing', async t => {
	const {process} = await startProcess({initialState: broken});
	const said = (await process.ready()).flatMap(({warnings}) => warnings).join(' ');
	t.regex(said, /^THE INITIAL STATE IS RANDOM: no store The next start goes on with this identity\. To begin as somebody, .* “processual begin --again”\.$/);
	t.like(process.readiness(), {ready: true, parts: {model: 'ok', state: 'ok', journal: 'ok', store: said}});
	t.is(process.state().stateId, 0);
});

test('what the source had to pass over is told too', async t => {
	const {process} = await startProcess({initialState: async () => ({state: stored, warnings: ['2 of 9 thoughts were skipped.']})});
	t.is(process.readiness().parts.store, '2 of 9 thoughts were skipped.');
});

test('where the initial state is required, a boot without one ends', async t => {
	await t.throwsAsync(startProcess({initialState: broken, requireInitialState: true}), {instanceOf: ConfigurationError, message: /REQUIRE_STORE.*no store/});
});

test('a journal that has a state needs no store, required or not', async t => {
	const journal = new FakeJournal();
	const first = await startProcess({journal});
	await first.process.cycle({content: 'hello'});
	const {process} = await startProcess({journal, initialState: broken, requireInitialState: true});
	t.is(process.state().stateId, 1);
	t.is(process.readiness().parts.store, 'ok');
});

const calm: Direction = {name: 'calm', category: 'affective', polePositive: 'calm', poleNegative: 'agitated', vector: vectorOf('calm')};
const directions = async () => ({directions: [calm], warnings: []});
const referenceCalm = ({profile}: {profile: () => {referenceProfile: Record<string, Record<string, {value: number}>>}}) => profile().referenceProfile['affective']!['calm']!.value;
const declared = [['affective', [['calm', 9], ['unheard', 3]]]] as const;

test('the reference is what the person wrote, in every dimension', async t => {
	const {process} = await startProcess({person: async () => ({person: {words: 'My own words.', profile: null}, warnings: []}), directions});
	const {reference} = process.actor.getSnapshot().context.boot!;
	t.is(reference.stateId, -1);
	for (const row of reference.rows) {
		t.deepEqual(row, vectorOf('My own words.'));
	}

	t.is(process.vigilance().level, 'warning', 'a random state lies far from it');
});

test('a declared profile draws the reference towards itself, and a name that no direction has is told', async t => {
	const person = async () => ({person: {words: 'My own words.', profile: declared}, warnings: []});
	const {process: without} = await startProcess({person, directions, calibrate: false});
	const {process} = await startProcess({person, directions});
	const distance = (value: number) => Math.abs(value - 9 / 60);
	t.true(distance(referenceCalm(process)) < distance(referenceCalm(without)));
	t.regex((await process.ready()).flatMap(({warnings}) => warnings).join(), /affective\.unheard/);
	t.deepEqual((await without.ready()).flatMap(({warnings}) => warnings), []);
});

test('vigilance measures against the calibrated reference', async t => {
	const {process} = await startProcess({person: async () => ({person: {words: 'My own words.', profile: declared}, warnings: []}), directions});
	const {boot, vigilance, state} = process.actor.getSnapshot().context;
	const {reference} = boot!;
	const dispositions = dimensions.indexOf('dispositions');
	const cosine = state!.rows[dispositions]!.reduce((sum, value, i) => sum + value * reference.rows[dispositions]![i]!, 0);
	t.true(Math.abs(vigilance!.report.distances[dispositions]! - (1 - cosine)) < 1e-5);
});

test('without messages the reference is made of sentences about the declared traits', async t => {
	const {process, encoder} = await startProcess({person: async () => ({person: {words: null, profile: declared}, warnings: []}), directions});
	t.true(encoder.asked.some(text => text.includes('calm')));
	t.is(new Set(encoder.asked).size, encoder.asked.length, 'a sentence is embedded once');
	t.is(process.actor.getSnapshot().context.boot!.reference.stateId, -1);
});

test('sources of the person that fail are told, and the reference stays what it was', async t => {
	const journal = new FakeJournal();
	await startProcess({journal, person: async () => ({person: {words: 'My own words.', profile: null}, warnings: []})});
	const {process} = await startProcess({journal, person: async () => ({person: {words: null, profile: null}, warnings: ['no messages']})});
	t.deepEqual(process.actor.getSnapshot().context.boot!.reference.rows[0], vectorOf('My own words.'));
	t.deepEqual((await process.ready()).flatMap(({warnings}) => warnings), ['no messages']);
});

test('science asks for what corroborates a text, and moves the state by it', async t => {
	const asked: Float32Array[] = [];
	const run = async (corroborate: null | ((vector: Float32Array) => Promise<Array<Float32Array | null>>)) => {
		const {process} = await startProcess({initialState: async () => ({state: stored, warnings: []}), corroborate});
		await process.cycle({content: 'hello'});
		return process.actor.getSnapshot().context.state!.row('thirdness');
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

test('science that cannot be asked fails its cycle and nothing else', async t => {
	const {process} = await startProcess({
		async corroborate(vector) {
			if (vector[0] === vectorOf('bad')[0]) {
				throw new Error('the store is gone');
			}

			return [];
		},
	});
	await t.throwsAsync(process.cycle({content: 'bad'}), {message: 'the store is gone'});
	t.is((await process.cycle({content: 'good'})).stateId, 1);
});

test('a daemon that is stopped cancels what science asks', async t => {
	const signals: AbortSignal[] = [];
	const {process, clock} = await startProcess({
		async corroborate(_, signal) {
			signals.push(signal);
			return new Promise<never>(() => {});
		},
	});
	process.daemon.start();
	clock.increment(864_000);
	await settle();
	await settle();
	process.daemon.stop();
	t.deepEqual(signals.map(({aborted}) => aborted), [true]);
});

test('authority moves the state when it holds something to be true', async t => {
	const thirdness = async (articles: Array<{vector: Float32Array; critical: boolean}>) => {
		const {process} = await startProcess({initialState: async () => ({state: stored, warnings: []}), authority: async () => ({articles, anchors: []})});
		await process.cycle({content: 'hello'});
		return process.actor.getSnapshot().context.state!.row('thirdness');
	};

	t.notDeepEqual(await thirdness([{vector: vectorOf('against'), critical: true}]), await thirdness([]));
});

test('a translation is measured against the state, and is one even when it cannot be', async t => {
	const many = async () => ({directions: ['a', 'b', 'c', 'd', 'e'].map(name => ({...calm, name, vector: vectorOf(name)})), warnings: []});
	const {process, encoder} = await startProcess({
		directions: many,
		translator: async () => ({translate: async ({context}) => ({text: context ?? 'said', reasoningDetected: false})}),
	});
	const {faithfulness} = await process.translate({context: null});
	t.true(faithfulness !== null && Math.abs(faithfulness) <= 1);
	encoder.fail('unreadable', new Error('no vector'));
	t.like(await process.translate({context: 'unreadable'}), {text: 'unreadable', faithfulness: null});
});

test('an identity that began at random says so at every start, and is refused where a beginning is required', async t => {
	const journal = new FakeJournal();
	const first = await startProcess({journal, initialState: broken});
	await first.process.dispose();
	const again = await startProcess({journal, initialState: async () => ({state: stored, warnings: []})});
	t.regex(again.process.readiness().parts.store, /^THE INITIAL STATE IS RANDOM: .* when this identity began/);
	t.true(again.process.readiness().ready);
	await again.process.dispose();
	await t.throwsAsync(startProcess({journal, requireInitialState: true}), {instanceOf: ConfigurationError, message: /REQUIRE_STORE.*began at random.*processual begin --again/});
});

test('an identity that began from a state says nothing of chance', async t => {
	const journal = new FakeJournal();
	const initialState = async () => ({state: stored, warnings: []});
	const first = await startProcess({journal, initialState});
	await first.process.dispose();
	const again = await startProcess({journal, initialState: broken, requireInitialState: true});
	t.is(again.process.readiness().parts.store, 'ok');
});

for (const [what, rows] of Object.entries({
	'not finite': dimensions.map(() => new Float32Array(1024).fill(Number.NaN)),
	'without a direction': dimensions.map(() => new Float32Array(1024)),
})) {
	test(`an initial state that is ${what} is none`, async t => {
		const initialState = async () => ({state: new StateTensor(3, stored.timestamp, rows), warnings: []});
		const {process} = await startProcess({initialState});
		t.regex(process.readiness().parts.store, /THE INITIAL STATE IS RANDOM.* has no direction/);
		await t.throwsAsync(startProcess({initialState, requireInitialState: true}), {instanceOf: ConfigurationError});
	});
}

test('rows of an initial state that have another length are brought to 1', async t => {
	const long = new StateTensor(3, stored.timestamp, stored.rows.map(row => row.map(value => value * 3)));
	const {process} = await startProcess({initialState: async () => ({state: long, warnings: []})});
	for (const row of process.actor.getSnapshot().context.state!.rows) {
		t.true(Math.abs(Math.hypot(...row) - 1) < 1e-6);
	}
});

test('a direction that no state can be projected on is named, and none is loaded', async t => {
	const {process} = await startProcess({directions: async () => ({directions: [calm, {...calm, name: 'short', vector: new Float32Array(512)}], warnings: []})});
	t.true((await process.ready()).flatMap(({warnings}) => warnings).includes('No directions are loaded: the vector of affective.short is not 1024 finite floats'));
});

test('a daemon without anything to think about does not start', async t => {
	await t.throwsAsync(startProcess({themes: {rumination: [], corpus: ['c']}}), {instanceOf: ConfigurationError, message: /themes\.rumination/});
});

for (const [wrong, message] of [
	[{cycleIntervalSeconds: 30 * 86_400}, /cycleIntervalSeconds is 2592000; .* at most 2,000,000/],
	[{cycleIntervalSeconds: 0}, /cycleIntervalSeconds/],
	[{cycleIntervalSeconds: Number.NaN}, /cycleIntervalSeconds/],
	[{probCorpus: 0.9}, /their sum 1/],
	[{probRuminationFree: -0.5, probUnresolved: 1.2}, /from 0 to 1/],
] as const) {
	test(`a loop with ${JSON.stringify(wrong)} is refused`, async t => {
		await t.throwsAsync(startProcess({loop: {...defaultLoop, ...wrong}}), {instanceOf: ConfigurationError, message});
	});
}
