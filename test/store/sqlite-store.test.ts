import {existsSync} from 'node:fs';
import {mkdir, mkdtemp, readFile, rm, stat, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import test, {type ExecutionContext} from 'ava';
import fc from 'fast-check';
import {StoreError} from '../../src/errors.ts';
import type {StoredItems} from '../../src/store/sqlite/rows.ts';
import {openSqliteStore, type StoredItem} from '../../src/store/sqlite/store.ts';
import type {StoredState} from '../../src/store/store.ts';
import {cutOffWrite} from './cut-off.ts';
import {anyThoughts, conform, directionOf, stateOf, thoughtOf} from './conformance.ts';

const databasePath = async (t: ExecutionContext): Promise<string> => {
	const folder = await mkdtemp(path.join(tmpdir(), 'store-'));
	t.teardown(async () => rm(folder, {recursive: true, force: true}));
	return path.join(folder, 'store.sqlite');
};

const openAt = (t: ExecutionContext, file: string) => {
	const store = openSqliteStore(file);
	t.teardown(async () => store.close());
	return store;
};

const openNew = async (t: ExecutionContext, items?: StoredItems) => {
	const store = openAt(t, await databasePath(t));
	if (items) {
		await store.write(items);
	}

	return store;
};

conform(test, 'sqlite', openNew);

const rows = Array.from({length: 8}, (_, i) => Float32Array.of(i, -0, 0.1));

const tensor: StoredState = {stateId: 40, timestamp: '2026-03-01T10:00:00.000Z', model: 'a model', rows};

const some = {
	states: [stateOf(3), tensor],
	thoughts: [thoughtOf('first', Float32Array.of(1, 2)), {...thoughtOf('second', Float32Array.of(3)), model: 'a model'}],
	directions: [directionOf('joy'), {...directionOf('calm'), model: 'a model'}],
};

/** What comes when a store that holds these items is written out. */
const asWritten = ({states = [], thoughts = [], directions = []}: StoredItems): StoredItem[] => [
	...states.map(item => ({kind: 'state' as const, ...item})),
	...thoughts.map(item => ({kind: 'thought' as const, ...item})),
	...directions.map(item => ({kind: 'direction' as const, ...item})),
];

test('a whole tensor comes back row by row', async t => {
	t.deepEqual(await (await openNew(t, {states: [tensor]})).latestState(), tensor);
});

test('the model that vectors are of is kept', async t => {
	const store = await openNew(t, some);
	t.deepEqual((await store.thoughts(9)).map(({model}) => model), ['a model', null]);
	t.deepEqual((await store.directions()).map(({model}) => model), [null, 'a model']);
});

test('reading makes no file, and the first write makes it and its folder', async t => {
	const file = path.join(path.dirname(await databasePath(t)), 'a', 'b', 'store.sqlite');
	const store = openAt(t, file);
	t.is(await store.latestState(), null);
	t.deepEqual([...store.everything()], []);
	t.false(existsSync(path.dirname(file)));
	await store.write({states: [stateOf(1)]});
	t.deepEqual(await store.latestState(), stateOf(1));
});

test('what another process brings in is seen without opening the store again', async t => {
	const file = await databasePath(t);
	const reader = openAt(t, file);
	t.is(await reader.latestState(), null);
	const writer = openAt(t, file);
	await writer.write({states: [stateOf(1)]});
	t.deepEqual(await reader.latestState(), stateOf(1));
	await writer.write({states: [stateOf(2)]});
	t.deepEqual(await reader.latestState(), stateOf(2));
});

test('a write says how many items were new', async t => {
	t.deepEqual(await (await openNew(t)).write(some), {added: 6, replaced: 0, unchanged: 0});
});

test('what is written again stays as it is', async t => {
	const store = await openNew(t, some);
	t.deepEqual(await store.write(some), {added: 0, replaced: 0, unchanged: 6});
	t.deepEqual([...store.everything()], asWritten(some));
});

test('a state takes the place of the one of the same id', async t => {
	const store = await openNew(t, {states: [stateOf(3), stateOf(4)]});
	const other = {...stateOf(3), vector: Float32Array.of(9)};
	t.deepEqual(await store.write({states: [other, stateOf(4), stateOf(5)]}), {added: 1, replaced: 1, unchanged: 1});
	t.deepEqual([...store.everything()], asWritten({states: [other, stateOf(4), stateOf(5)]}));
});

test('a direction takes the place, and the turn, of the one of the same category and name', async t => {
	const store = await openNew(t, {directions: [directionOf('joy'), directionOf('calm')]});
	const other = {...directionOf('joy'), polePositive: 'glad'};
	const elsewhere = {...directionOf('joy'), category: 'ethical'};
	t.deepEqual(await store.write({directions: [other, elsewhere]}), {added: 1, replaced: 1, unchanged: 0});
	t.deepEqual(await store.directions(), [other, directionOf('calm'), elsewhere]);
});

test('a thought is another one by its type, its content or its vector, and not by its model', async t => {
	const thought = thoughtOf('a thought', Float32Array.of(1));
	const store = await openNew(t, {thoughts: [thought]});
	const others = [{...thought, type: null}, {...thought, content: 'another'}, {...thought, vector: Float32Array.of(2)}];
	t.deepEqual(await store.write({thoughts: [...others, {...thought, model: 'a model'}, thought]}), {added: 3, replaced: 0, unchanged: 2});
});

test('a write that fails in the middle writes nothing', async t => {
	const store = await openNew(t, {states: [stateOf(1)]});
	const ragged = {...tensor, rows: rows.with(3, Float32Array.of(1))};
	await t.throwsAsync(store.write({states: [stateOf(2), ragged]}), {instanceOf: StoreError, message: /needs 8 rows of equal width; .* 3, 3, 3, 1, 3/});
	t.deepEqual([...store.everything()], asWritten({states: [stateOf(1)]}));
});

test('all that is stored, written to another store, makes the same store', async t => {
	await fc.assert(fc.asyncProperty(anyThoughts, fc.uniqueArray(fc.integer()), fc.uniqueArray(fc.string({unit: 'grapheme'})), async (thoughts, ids, names) => {
		const first = await openNew(t, {thoughts, states: [tensor, ...ids.map(id => stateOf(id % 1e9))], directions: names.map(directionOf)});
		const items = [...first.everything()];
		const second = await openNew(t, {
			states: items.filter(item => item.kind === 'state'),
			thoughts: items.filter(item => item.kind === 'thought'),
			directions: items.filter(item => item.kind === 'direction'),
		});
		t.deepEqual([...second.everything()], items);
		t.deepEqual(await second.thoughts(500), await first.thoughts(500));
		await Promise.all([first.close(), second.close()]);
	}), {numRuns: 20});
});

test('a text with half a character is stored as the whole it becomes, once', async t => {
	const thought = thoughtOf('\uD800', Float32Array.of(1));
	const store = await openNew(t, {thoughts: [thought]});
	const [stored] = await store.thoughts(1);
	t.is(stored!.content, '\uFFFD');
	t.deepEqual(await store.write({thoughts: [thought, stored!]}), {added: 0, replaced: 0, unchanged: 2});
});

test('the signal ends a search among many thoughts', async t => {
	const store = await openNew(t, {thoughts: Array.from({length: 600}, (_, i) => thoughtOf(`${i}`, Float32Array.of(i, 1)))});
	const reason = new Error('no longer wanted');
	const abort = new AbortController();
	const search = store.nearestThoughts(Float32Array.of(1, 0), {limit: 5, signal: abort.signal});
	abort.abort(reason);
	t.is(await t.throwsAsync(search), reason);
});

test('every thought of the width is compared once, however many there are between', async t => {
	const thoughts = Array.from({length: 900}, (_, i) => thoughtOf(`${i}`, new Float32Array(i % 3 + 1).fill(i)));
	const store = await openNew(t, {thoughts});
	const found = await store.nearestThoughts(Float32Array.of(1, 0), {limit: 1000});
	t.deepEqual(found.map(([value]) => value).toSorted((a, b) => a! - b!), thoughts.filter(({vector}) => vector.length === 2).map(({vector}) => vector[0]));
});

test('vectors without a direction, or that are not finite, are no nearer than they are', async t => {
	const [ahead, nowhere, behind, broken] = [Float32Array.of(2, 0), Float32Array.of(0, 0), Float32Array.of(-3, 0), Float32Array.of(Number.NaN, 1)];
	const store = await openNew(t, {thoughts: [behind, nowhere, broken, ahead].map((vector, i) => thoughtOf(`${i}`, vector))});
	t.deepEqual(await store.nearestThoughts(Float32Array.of(1, 0), {limit: 9}), [ahead, nowhere, behind]);
});

test('a search finds what was stored since the one before it, and its answers are the caller\'s own', async t => {
	const store = await openNew(t, {thoughts: [thoughtOf('far', Float32Array.of(0, 1))]});
	const [found] = await store.nearestThoughts(Float32Array.of(1, 0), {limit: 1});
	found!.fill(7);
	await store.write({thoughts: [thoughtOf('near', Float32Array.of(1, 0.1))]});
	t.deepEqual(await store.nearestThoughts(Float32Array.of(1, 0), {limit: 2}), [Float32Array.of(1, 0.1), Float32Array.of(0, 1)]);
});

test('searches side by side, of several widths, find all of theirs', async t => {
	const store = await openNew(t, {thoughts: Array.from({length: 600}, (_, i) => thoughtOf(`${i}`, new Float32Array(1 + i % 2).fill(i)))});
	const found = await Promise.all([1, 2, 1, 2].map(async width => store.nearestThoughts(new Float32Array(width).fill(1), {limit: 1000})));
	t.deepEqual(found.map(({length}) => length), [300, 300, 300, 300]);
});

test('a vector that is wider than any that is searched is refused', async t => {
	const store = await openNew(t, {});
	await t.throwsAsync(store.nearestThoughts(new Float32Array(1025), {limit: 1}), {code: 'store', message: /at most 1024 floats, not 1025/});
});

test('thoughts that are known to be of another model are not compared where one is asked for', async t => {
	const [own, unknown, other] = [1, 2, 3].map(x => Float32Array.of(x, 0)) as [Float32Array, Float32Array, Float32Array];
	const store = await openNew(t, {thoughts: [{...thoughtOf('own', own), model: 'a model'}, thoughtOf('unknown', unknown), {...thoughtOf('other', other), model: 'another'}]});
	t.deepEqual(new Set(await store.nearestThoughts(Float32Array.of(1, 0), {limit: 9, model: 'a model'})), new Set([own, unknown]));
	t.is((await store.nearestThoughts(Float32Array.of(1, 0), {limit: 9})).length, 3);
});

/** Every way of using a store. */
const uses: Record<string, (file: string) => Promise<unknown>> = {
	latestState: async file => openSqliteStore(file).latestState(),
	thoughts: async file => openSqliteStore(file).thoughts(500),
	nearestThoughts: async file => openSqliteStore(file).nearestThoughts(Float32Array.of(1, 0), {limit: 5}),
	directions: async file => openSqliteStore(file).directions(),
	everything: async file => [...openSqliteStore(file).everything()],
	write: async file => openSqliteStore(file).write(some),
};

const fails = (title: string, make: (file: string) => Promise<void>, {message, retryable}: {message: RegExp; retryable: boolean}) => {
	for (const [what, use] of Object.entries(uses)) {
		test(`${what} of ${title} fails`, async t => {
			const file = await databasePath(t);
			await make(file);
			const error = await t.throwsAsync(use(file), {instanceOf: StoreError, message});
			t.true(error.message.includes(file));
			t.is(error.retryable, retryable);
		});
	}
};

const database = (statements: string) => async (file: string) => {
	const made = new DatabaseSync(file);
	made.exec(statements);
	made.close();
};

fails('a text file', async file => writeFile(file, 'state_id,timestamp\n'.repeat(100)), {message: /is damaged or is not a store .* Restore a copy of it, or move it away and import its data again/, retryable: false});
fails('a file of a newer version', database('create table anything (id); pragma user_version = 2'), {message: /has version 2, made by a newer version of this software; this one reads up to version 1\. Install the newer version/, retryable: false});
fails('a database of other tables', database('create table anything (id)'), {message: /is not a store \(it has other tables\)/, retryable: false});
fails('a database that only claims the version', database('create table anything (id); pragma user_version = 1'), {message: /is not a store \(no such table/, retryable: false});
fails('a folder of that name', async file => {
	await mkdir(file);
}, {message: /could not be read or written .*Check the free space of the disk, and the permissions of the file/, retryable: true});

const damaged = (title: string, statement: string, message: RegExp) => {
	test(`${title} is damage`, async t => {
		const file = await databasePath(t);
		await openAt(t, file).write(some);
		await database(statement)(file);
		t.throws(() => [...openAt(t, file).everything()], {instanceOf: StoreError, message});
	});
};

damaged('a vector of seven bytes', 'update thoughts set vector = x\'00000000000000\'', /is damaged .*\(a vector has incomplete floats\)/);
damaged('a tensor of nine floats', 'update states set vectors = zeroblob(36)', /is damaged .*\(a state has an incomplete row\)/);
damaged('an id past all integers', 'update states set state_id = 9007199254740993 where state_id = 40', /is damaged /);

test('a store that another process is writing can be read, and is not written', async t => {
	const file = await databasePath(t);
	const store = openAt(t, file);
	await store.write(some);
	const other = new DatabaseSync(file);
	t.teardown(() => other.close());
	other.exec('begin immediate; delete from states;');
	t.deepEqual([...store.everything()], asWritten(some));
	const error = await t.throwsAsync(store.write({states: [stateOf(5)]}), {instanceOf: StoreError, message: /Another process is writing it: try again later/});
	t.true(error.retryable);
});

test('a file that nothing was written to yet is an empty store', async t => {
	const file = await databasePath(t);
	await writeFile(file, '');
	const store = openAt(t, file);
	t.is(await store.latestState(), null);
	t.deepEqual(await store.write({states: [stateOf(1)]}), {added: 1, replaced: 0, unchanged: 0});
	t.deepEqual(await store.latestState(), stateOf(1));
});

test('a newer version is left as it is', async t => {
	const file = await databasePath(t);
	await database('create table anything (id); pragma user_version = 2; pragma journal_mode = wal;')(file);
	const before = await readFile(file);
	await t.throwsAsync(openAt(t, file).write(some), {instanceOf: StoreError});
	t.deepEqual(await readFile(file), before);
});

test('random bytes in the file\'s place are a StoreError', async t => {
	const file = await databasePath(t);
	// SQLite takes a file of one byte as an empty one.
	await fc.assert(fc.asyncProperty(fc.uint8Array({minLength: 2, maxLength: 5000}), fc.constantFrom(...Object.values(uses)), async (bytes, use) => {
		await writeFile(file, bytes);
		await t.throwsAsync(use(file), {instanceOf: StoreError, message: /is damaged or is not a store/});
	}), {numRuns: 100});
});

test('damage anywhere in a file is a StoreError, or gives what still has its form', async t => {
	const file = await databasePath(t);
	const whole = openAt(t, file);
	await whole.write(some);
	await whole.close();
	const bytes = await readFile(file);
	const damage = fc.array(fc.record({at: fc.nat({max: bytes.length - 1}), byte: fc.nat({max: 255})}), {minLength: 1, maxLength: 50});
	const outcomes = {well: 0, failed: 0};
	await fc.assert(fc.asyncProperty(damage, fc.nat({max: bytes.length}), fc.boolean(), async (changes, length, isCut) => {
		const broken = Buffer.from(isCut ? bytes.subarray(0, Math.max(1, length)) : bytes);
		for (const {at, byte} of changes.filter(change => change.at < broken.length)) {
			broken[at] = byte;
		}

		await writeFile(file, broken);
		for (const use of [uses['latestState']!, uses['everything']!, uses['nearestThoughts']!]) {
			try {
				await use(file);
				outcomes.well++;
			} catch (error) {
				outcomes.failed++;
				t.true(error instanceof StoreError);
			}
		}
	}), {numRuns: 200});
	t.true(outcomes.well > 0 && outcomes.failed > 0);
});

test('what a kill in the middle of a write left is rolled back when the store is read', async t => {
	const file = await databasePath(t);
	const store = openAt(t, file);
	await store.write({states: [stateOf(3)], thoughts: [], directions: []});
	await store.close();
	await cutOffWrite(file);
	t.is((await openAt(t, file).latestState())?.stateId, 3);
});

test('a store is readable by its owner alone', async t => {
	const file = await databasePath(t);
	await openAt(t, file).write(some);
	t.is((await stat(file)).mode & 0o077, 0);
});
