/** The initial state, loaded from a store. */
import test from 'ava';
import {originalModel} from '../../src/embedding/use-lite/identifier.ts';
import {StoreError} from '../../src/platform/errors.ts';
import {randomState} from '../../src/semiosis/initial-state.ts';
import {loadInitialState} from '../../src/sources/initial-state.ts';
import type {StoredThought} from '../../src/sources/store/store.ts';
import {mulberry32, vectorOf} from '../actors/fixtures.ts';
import {collectWarnings} from '../helpers/collect-warnings.ts';
import {memoryStore} from './store/memory-store.ts';

const known = {stateId: 41, timestamp: '2025-05-05T05:05:05.000Z', model: null};
const thought = (content: string, changed: Partial<StoredThought> = {}): StoredThought =>
	({type: 'reflection', content, model: null, vector: vectorOf(content), ...changed});
const encoder = {passport: {model: 'fake'}};
const begin = async (holdings: Parameters<typeof memoryStore>[0]) => {
	const {warnings, warn} = collectWarnings();
	return {state: await loadInitialState(memoryStore(holdings), {encoder, random: mulberry32(3), warn}), warnings};
};

const cosine = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, i) => sum + value * b[i]!, 0);

test('the state is made from the base and the thoughts, with the stored id and time', async t => {
	const {state, warnings} = await begin({
		state: {...known, vector: vectorOf('base')},
		thoughts: [thought('a'), thought('b', {type: 'dream'})],
	});
	t.is(state.stateId, 41);
	t.is(state.timestamp, known.timestamp);
	const mixed = (content: string) => 0.7 * cosine(vectorOf('base'), vectorOf(content)) + 0.3;
	t.true(Math.abs(cosine(
		state.row('firstness'),
		vectorOf('a'),
	) - mixed('a') / Math.hypot(...vectorOf('base').map((value, i) => 0.7 * value + 0.3 * vectorOf('a')[i]!))) < 1e-6);
	t.true(cosine(state.row('thirdness'), vectorOf('b')) > 0.3, 'an unknown type belongs to thirdness');
	t.true(cosine(state.row('valeurs'), vectorOf('base')) < 0.9, 'a dimension without thoughts is noisy');
	t.deepEqual(warnings, []);
});

test('a stored tensor becomes the state bit for bit', async t => {
	const {rows} = randomState(mulberry32(9), known.timestamp);
	const {state} = await begin({state: {...known, rows}, thoughts: [thought('a')]});
	t.deepEqual(state.rows, rows);
});

test('the rows of a stored tensor are normalised to unit length', async t => {
	const {rows} = randomState(mulberry32(9), known.timestamp);
	const {state} = await begin({state: {...known, rows: rows.map(row => row.map(value => value * 3))}});
	for (const row of state.rows) {
		t.true(Math.abs(Math.hypot(...row) - 1) < 1e-6);
	}
});

test('thoughts of a wrong width or another model are skipped, and warnings count them', async t => {
	const {state, warnings} = await begin({
		state: {...known, vector: vectorOf('base')},
		thoughts: [
			thought('short', {vector: new Float32Array(512).fill(0.1)}),
			thought('other', {model: 'another'}),
			thought('none', {vector: new Float32Array()}),
			thought('own', {model: 'fake', type: 'principle'}),
		],
	});
	t.deepEqual(warnings, [
		'1 of 4 thoughts are skipped: their vectors are of another embedding model.',
		'2 of 4 thoughts are skipped: their vectors are not 1024 finite floats.',
	]);
	t.true(cosine(state.row('valeurs'), vectorOf('own')) > 0.3);
	t.true(cosine(state.row('firstness'), vectorOf('other')) < 0.2);
});

test('at most 500 thoughts are read', async t => {
	const limits: number[] = [];
	const store = {...memoryStore({state: {...known, vector: vectorOf('base')}}), async thoughts(limit: number) {
		limits.push(limit);
		return [];
	}};
	await loadInitialState(store, {encoder, random: mulberry32(3)});
	t.deepEqual(limits, [500]);
});

test('loading fails without a state or with one of another width or model, and the error says so', async t => {
	await t.throwsAsync(begin({}), {instanceOf: StoreError, message: /has no state\..*processual import state/});
	await t.throwsAsync(begin({state: {...known, vector: new Float32Array(768).fill(0.1)}}), {
		instanceOf: StoreError,
		message: /768 components instead of 1024/,
	});
	await t.throwsAsync(begin({state: {...known, model: 'another', vector: vectorOf('base')}}), {
		instanceOf: StoreError,
		message: /“another”, but .* is “fake”\. Run “processual reembed” .*export the state again; or set encoder\.model to “another”\./,
	});
	// This model is no longer offered, so the error names no setting for it.
	await t.throwsAsync(begin({state: {...known, model: originalModel, vector: vectorOf('base')}}), {
		instanceOf: StoreError,
		message: /Run “processual reembed” with “fake” where its journal is, and export the state again\.$/,
	});
});
