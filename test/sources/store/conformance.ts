/** The read contract of a store (`store.ts`), as a suite that each adapter must pass. */
import type {ExecutionContext, SerialFn, TestFn} from 'ava';
import fc from '../../helpers/fast-check.ts';
import {StoreError} from '../../../src/platform/errors.ts';
import type {Store, StoredDirection, StoredState, StoredThought} from '../../../src/sources/store/store.ts';

/** The contents of a store, in the order in which they were written. */
export type Holdings = {states?: StoredState[]; thoughts?: StoredThought[]; directions?: StoredDirection[]};

export const stateOf = (stateId: number, vector = Float32Array.of(stateId, 1)): StoredState => ({
	stateId,
	timestamp: new Date(1_800_000_000_000 + stateId).toISOString(),
	model: null,
	vector,
});

export const thoughtOf = (content: string, vector: Float32Array): StoredThought => ({type: 'insight', content, model: null, vector});

export const directionOf = (name: string): StoredDirection => ({
	category: 'affective',
	name,
	polePositive: `very ${name}`,
	poleNegative: `not ${name} at all`,
	model: null,
	vector: Float32Array.of(name.length, 0.1),
});

/** Any text that UTF-8 can hold. */
const anyText = fc.string({unit: 'grapheme', maxLength: 40});

/** Without minus zero, which JSON does not have. */
const anyVector = fc.array(
	fc.float({noNaN: true, noDefaultInfinity: true}),
	{minLength: 1, maxLength: 8},
).map(values => Float32Array.from(values, value => value + 0));

export const anyThoughts = fc.array(
	fc.record({type: fc.option(anyText), content: fc.option(anyText), model: fc.constant(null), vector: anyVector}),
	{minLength: 1, maxLength: 5},
);

const at = (angle: number, length: number): Float32Array => Float32Array.of(length * Math.cos(angle), length * Math.sin(angle));

/** Every read, once. */
const readings = (store: Store, signal?: AbortSignal): Array<Promise<unknown>> => [
	store.latestState(signal),
	store.thoughts(5, signal),
	store.nearestThoughts(Float32Array.of(1, 0), {limit: 5, signal}),
	store.directions(signal),
];

export const conform = (test: TestFn | SerialFn, name: string, open: (t: ExecutionContext, holdings: Holdings) => Promise<Store>): void => {
	test(`${name}: the latest state is the one with the highest id, in whatever order they were written`, async t => {
		const store = await open(t, {states: [stateOf(9), stateOf(12), stateOf(10)]});
		t.deepEqual(await store.latestState(), stateOf(12));
	});

	test(`${name}: an empty store has no state, thoughts or directions`, async t => {
		const store = await open(t, {});
		t.is(await store.latestState(), null);
		t.deepEqual(await store.thoughts(500), []);
		t.deepEqual(await store.nearestThoughts(Float32Array.of(1, 0), {limit: 5}), []);
		t.deepEqual(await store.directions(), []);
	});

	test(`${name}: thoughts are read newest first, up to the requested number`, async t => {
		const thoughts = Array.from({length: 560}, (_, i) => thoughtOf(`thought ${i}`, Float32Array.of(i, 1)));
		const store = await open(t, {thoughts});
		t.deepEqual(await store.thoughts(500), thoughts.toReversed().slice(0, 500));
		t.deepEqual(await store.thoughts(3), thoughts.toReversed().slice(0, 3));
		t.is((await store.thoughts(1000)).length, 560);
		t.deepEqual(await store.thoughts(0), []);
	});

	test(`${name}: a thought may have no type, no content and no vector`, async t => {
		const thoughts = [{type: null, content: null, model: null, vector: new Float32Array()}];
		t.deepEqual(await (await open(t, {thoughts})).thoughts(5), thoughts);
	});

	test(`${name}: vectors of any width are read back`, async t => {
		const thoughts = [thoughtOf('wide', new Float32Array(1024).fill(0.1)), thoughtOf('narrow', Float32Array.of(1, 2, 3))];
		const store = await open(t, {states: [stateOf(7, new Float32Array(384).fill(0.2))], thoughts});
		t.deepEqual(await store.latestState(), stateOf(7, new Float32Array(384).fill(0.2)));
		t.deepEqual(await store.thoughts(2), thoughts.toReversed());
	});

	test(`${name}: texts and vectors are read back bit for bit`, async t => {
		await fc.assert(fc.asyncProperty(anyThoughts, async thoughts => {
			const distinct = [...new Map(thoughts.map(thought => [JSON.stringify(thought), thought])).values()];
			const store = await open(t, {thoughts: distinct});
			t.deepEqual(await store.thoughts(500), distinct.toReversed());
			await store.close();
		}), {numRuns: 30});
	});

	test(`${name}: the nearest thoughts have the highest cosine, whatever their length; other widths are skipped`, async t => {
		const angles = [2.5, 0.4, 1.2, 0.1, 3.1];
		const vectors = angles.map((angle, i) => at(angle, 10 ** i));
		const store = await open(t, {thoughts: [
			thoughtOf('wider', Float32Array.of(1, 0, 0)),
			thoughtOf('narrower', Float32Array.of(1)),
			...vectors.map((vector, i) => thoughtOf(`${i}`, vector)),
		]});
		t.deepEqual(await store.nearestThoughts(at(0, 1), {limit: 3}), [vectors[3], vectors[1], vectors[2]]);
		t.deepEqual(await store.nearestThoughts(at(Math.PI, 5), {limit: 1}), [vectors[4]]);
		t.is((await store.nearestThoughts(at(0, 1), {limit: 100})).length, 5);
	});

	test(`${name}: directions are read in the order they were written, with poles and vectors`, async t => {
		const directions = Array.from({length: 230}, (_, i) => directionOf(`direction ${i}`));
		t.deepEqual(await (await open(t, {directions})).directions(), directions);
	});

	test(`${name}: an aborted read throws the signal's reason`, async t => {
		const store = await open(t, {states: [stateOf(1)]});
		const reason = new Error('no longer wanted');
		for (const outcome of await Promise.allSettled(readings(store, AbortSignal.abort(reason)))) {
			t.is((outcome as PromiseRejectedResult).reason, reason);
		}

		t.deepEqual(await store.latestState(new AbortController().signal), stateOf(1));
	});

	test(`${name}: after close every read fails, and the error says why`, async t => {
		const store = await open(t, {states: [stateOf(1)]});
		t.deepEqual(await store.latestState(), stateOf(1));
		await store.close();
		await t.notThrowsAsync(store.close());
		for (const outcome of await Promise.allSettled(readings(store))) {
			const {reason} = outcome as PromiseRejectedResult;
			t.true(reason instanceof StoreError);
			t.regex(reason.message, /closed/);
		}
	});
};
