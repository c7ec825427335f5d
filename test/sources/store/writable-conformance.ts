/** The write contract of a store (`WritableStore`), as a suite that each adapter must pass. */
import type {ExecutionContext, SerialFn, TestFn} from 'ava';
import fc from '../../helpers/fast-check.ts';
import {StoreError} from '../../../src/platform/errors.ts';
import type {StoredItem, StoredItems, StoredState, WritableStore} from '../../../src/sources/store/store.ts';
import {anyThoughts, directionOf, stateOf, thoughtOf} from './conformance.ts';

const rows = Array.from({length: 8}, (_, i) => Float32Array.of(i, -0, 0.1));

const tensor: StoredState = {stateId: 40, timestamp: '2026-03-01T10:00:00.000Z', model: 'a model', rows};

export const some = {
	states: [stateOf(3), tensor],
	thoughts: [thoughtOf('first', Float32Array.of(1, 2)), {...thoughtOf('second', Float32Array.of(3)), model: 'a model'}],
	directions: [directionOf('joy'), {...directionOf('calm'), model: 'a model'}],
};

/** What `everything` gives for a store with these items. */
export const asWritten = ({states = [], thoughts = [], directions = []}: StoredItems): StoredItem[] => [
	...states.map(item => ({kind: 'state' as const, ...item})),
	...thoughts.map(item => ({kind: 'thought' as const, ...item})),
	...directions.map(item => ({kind: 'direction' as const, ...item})),
];

export const conformWritable = (
	test: TestFn | SerialFn,
	name: string,
	open: (t: ExecutionContext, items: StoredItems) => Promise<WritableStore>,
): void => {
	test(`${name}: a whole tensor is read back bit for bit`, async t => {
		t.deepEqual(await (await open(t, {states: [tensor]})).latestState(), tensor);
	});

	test(`${name}: the model of each vector is kept`, async t => {
		const store = await open(t, some);
		t.deepEqual((await store.thoughts(9)).map(({model}) => model), ['a model', null]);
		t.deepEqual((await store.directions()).map(({model}) => model), [null, 'a model']);
	});

	test(`${name}: a write returns how many items were new`, async t => {
		t.deepEqual(await (await open(t, {})).write(some), {added: 6, replaced: 0, unchanged: 0});
	});

	test(`${name}: writing the same items again changes nothing`, async t => {
		const store = await open(t, some);
		t.deepEqual(await store.write(some), {added: 0, replaced: 0, unchanged: 6});
		t.deepEqual(await Array.fromAsync(store.everything()), asWritten(some));
	});

	test(`${name}: a state replaces the one with the same id`, async t => {
		const store = await open(t, {states: [stateOf(3), stateOf(4)]});
		const other = {...stateOf(3), vector: Float32Array.of(9)};
		t.deepEqual(await store.write({states: [other, stateOf(4), stateOf(5)]}), {added: 1, replaced: 1, unchanged: 1});
		t.deepEqual(await Array.fromAsync(store.everything()), asWritten({states: [other, stateOf(4), stateOf(5)]}));
	});

	test(`${name}: a direction replaces the one with the same category and name, and takes its place in the order`, async t => {
		const store = await open(t, {directions: [directionOf('joy'), directionOf('calm')]});
		const other = {...directionOf('joy'), polePositive: 'glad'};
		const elsewhere = {...directionOf('joy'), category: 'ethical'};
		t.deepEqual(await store.write({directions: [other, elsewhere]}), {added: 1, replaced: 1, unchanged: 0});
		t.deepEqual(await store.directions(), [other, directionOf('calm'), elsewhere]);
	});

	test(`${name}: thoughts are distinct by type, content or vector, and not by model`, async t => {
		const thought = thoughtOf('a thought', Float32Array.of(1));
		const store = await open(t, {thoughts: [thought]});
		const others = [{...thought, type: null}, {...thought, content: 'another'}, {...thought, vector: Float32Array.of(2)}];
		t.deepEqual(await store.write({thoughts: [...others, {...thought, model: 'a model'}, thought]}), {added: 3, replaced: 0, unchanged: 2});
	});

	test(`${name}: a write that fails in the middle writes nothing`, async t => {
		const store = await open(t, {states: [stateOf(1)]});
		const ragged = {...tensor, rows: rows.with(3, Float32Array.of(1))};
		await t.throwsAsync(store.write({states: [stateOf(2), ragged]}), {
			instanceOf: StoreError,
			message: /needs 8 rows of equal width; .* 3, 3, 3, 1, 3/,
		});
		t.deepEqual(await Array.fromAsync(store.everything()), asWritten({states: [stateOf(1)]}));
	});

	test(`${name}: everything in a store, written to another, gives the same contents`, async t => {
		await fc.assert(fc.asyncProperty(anyThoughts, fc.uniqueArray(fc.integer()), fc.uniqueArray(fc.string({unit: 'grapheme'})), async (
			thoughts,
			ids,
			names,
		) => {
			const first = await open(t, {thoughts, states: [tensor, ...ids.map(id => stateOf(id % 1e9))], directions: names.map(directionOf)});
			const items = await Array.fromAsync(first.everything());
			const second = await open(t, {
				states: items.filter(item => item.kind === 'state'),
				thoughts: items.filter(item => item.kind === 'thought'),
				directions: items.filter(item => item.kind === 'direction'),
			});
			t.deepEqual(await Array.fromAsync(second.everything()), items);
			t.deepEqual(await second.thoughts(500), await first.thoughts(500));
			await Promise.all([first.close(), second.close()]);
		}), {numRuns: 20});
	});

	test(`${name}: a text with a lone surrogate is stored once, with a replacement character`, async t => {
		const thought = thoughtOf('\uD800', Float32Array.of(1));
		const store = await open(t, {thoughts: [thought]});
		const [stored] = await store.thoughts(1);
		t.is(stored!.content, '\uFFFD');
		t.deepEqual(await store.write({thoughts: [thought, stored!]}), {added: 0, replaced: 0, unchanged: 2});
	});

	test(`${name}: the signal aborts a search among many thoughts`, async t => {
		const store = await open(t, {thoughts: Array.from({length: 600}, (_, i) => thoughtOf(`${i}`, Float32Array.of(i, 1)))});
		const reason = new Error('no longer wanted');
		const abort = new AbortController();
		const search = store.nearestThoughts(Float32Array.of(1, 0), {limit: 5, signal: abort.signal});
		abort.abort(reason);
		t.is(await t.throwsAsync(search), reason);
	});

	test(`${name}: every thought of the width is compared once, even among many of other widths`, async t => {
		const thoughts = Array.from({length: 900}, (_, i) => thoughtOf(`${i}`, new Float32Array(i % 3 + 1).fill(i)));
		const store = await open(t, {thoughts});
		const found = await store.nearestThoughts(Float32Array.of(1, 0), {limit: 1000});
		t.deepEqual(
			found.map(([value]) => value).toSorted((a, b) => a! - b!),
			thoughts.filter(({vector}) => vector.length === 2).map(({vector}) => vector[0]),
		);
	});

	test(`${name}: a zero vector has a cosine of 0, and a vector that is not finite is not found`, async t => {
		const [ahead, nowhere, behind, broken] = [
			Float32Array.of(2, 0),
			Float32Array.of(0, 0),
			Float32Array.of(-3, 0),
			Float32Array.of(Number.NaN, 1),
		];
		const store = await open(t, {thoughts: [behind, nowhere, broken, ahead].map((vector, i) => thoughtOf(`${i}`, vector))});
		t.deepEqual(await store.nearestThoughts(Float32Array.of(1, 0), {limit: 9}), [ahead, nowhere, behind]);
	});

	test(`${name}: a search finds newly written thoughts, and a change to its results does not affect the next`, async t => {
		const store = await open(t, {thoughts: [thoughtOf('far', Float32Array.of(0, 1))]});
		const [found] = await store.nearestThoughts(Float32Array.of(1, 0), {limit: 1});
		found!.fill(7);
		await store.write({thoughts: [thoughtOf('near', Float32Array.of(1, 0.1))]});
		t.deepEqual(await store.nearestThoughts(Float32Array.of(1, 0), {limit: 2}), [Float32Array.of(1, 0.1), Float32Array.of(0, 1)]);
	});

	test(`${name}: concurrent searches of several widths each find all thoughts of their width`, async t => {
		const store = await open(t, {thoughts: Array.from({length: 600}, (_, i) => thoughtOf(`${i}`, new Float32Array(1 + i % 2).fill(i)))});
		const found = await Promise.all([1, 2, 1, 2].map(async width => store.nearestThoughts(new Float32Array(width).fill(1), {limit: 1000})));
		t.deepEqual(found.map(({length}) => length), [300, 300, 300, 300]);
	});

	test(`${name}: a search for a vector of more than 1024 floats is refused`, async t => {
		const store = await open(t, {});
		await t.throwsAsync(
			store.nearestThoughts(new Float32Array(1025), {limit: 1}), {code: 'store', message: /at most 1024 floats, not 1025/},
		);
	});

	test(`${name}: a search for a model skips thoughts that are known to be of another model`, async t => {
		const [own, unknown, other] = [1, 2, 3].map(x => Float32Array.of(x, 0)) as [Float32Array, Float32Array, Float32Array];
		const store = await open(t, {thoughts: [
			{...thoughtOf('own', own), model: 'a model'},
			thoughtOf('unknown', unknown),
			{...thoughtOf('other', other), model: 'another'},
		]});
		t.deepEqual(new Set(await store.nearestThoughts(Float32Array.of(1, 0), {limit: 9, model: 'a model'})), new Set([own, unknown]));
		t.is((await store.nearestThoughts(Float32Array.of(1, 0), {limit: 9})).length, 3);
	});
};
