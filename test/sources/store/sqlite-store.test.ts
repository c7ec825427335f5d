import {existsSync} from 'node:fs';
import {mkdir, mkdtemp, readFile, rm, stat, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import test, {type ExecutionContext} from 'ava';
import fc from '../../helpers/fast-check.ts';
import {often} from '../../helpers/often.ts';
import {StoreError} from '../../../src/platform/errors.ts';
import {openSqliteStore} from '../../../src/sources/store/sqlite/store.ts';
import type {StoredItems} from '../../../src/sources/store/store.ts';
import {cutOffWrite} from './cut-off.ts';
import {conform, stateOf} from './conformance.ts';
import {asWritten, conformWritable, some} from './writable-conformance.ts';
import {deepEqual} from '../../helpers/deep-equal.ts';

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

conformWritable(test, 'sqlite', openNew);

test('reading creates no file; the first write creates it and its folder', async t => {
	const file = path.join(path.dirname(await databasePath(t)), 'a', 'b', 'store.sqlite');
	const store = openAt(t, file);
	t.is(await store.latestState(), null);
	t.deepEqual([...store.everything()], []);
	t.false(existsSync(path.dirname(file)));
	await store.write({states: [stateOf(1)]});
	t.deepEqual(await store.latestState(), stateOf(1));
});

test('a store sees what another writes to the same file, without being opened again', async t => {
	const file = await databasePath(t);
	const reader = openAt(t, file);
	t.is(await reader.latestState(), null);
	const writer = openAt(t, file);
	await writer.write({states: [stateOf(1)]});
	t.deepEqual(await reader.latestState(), stateOf(1));
	await writer.write({states: [stateOf(2)]});
	t.deepEqual(await reader.latestState(), stateOf(2));
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

fails('a text file', async file => writeFile(file, 'state_id,timestamp\n'.repeat(100)), {
	message: /is damaged or is not a store .* Restore a copy of it, or move it away and import its data again/,
	retryable: false,
});
fails('a file of a newer version', database('create table anything (id); pragma user_version = 2'), {
	message: /has version 2, made by a newer version of this software; this one reads up to version 1\. Install the newer version/,
	retryable: false,
});
fails('a database of other tables', database('create table anything (id)'), {
	message: /is not a store \(it has other tables\)/,
	retryable: false,
});
fails('a database with the version of a store, but not its tables,', database('create table anything (id); pragma user_version = 1'), {
	message: /is not a store \(no such table/,
	retryable: false,
});
fails('a folder instead of a file', async file => {
	await mkdir(file);
}, {message: /could not be read or written .*Check the free space of the disk, and the permissions of the file/, retryable: true});

const damaged = (title: string, statement: string, message: RegExp) => {
	test(`${title} is reported as damage`, async t => {
		const file = await databasePath(t);
		await openAt(t, file).write(some);
		await database(statement)(file);
		t.throws(() => [...openAt(t, file).everything()], {instanceOf: StoreError, message});
	});
};

damaged('a vector of seven bytes', 'update thoughts set vector = x\'00000000000000\'', /is damaged .*\(a vector has incomplete floats\)/);
damaged('a tensor of nine floats', 'update states set vectors = zeroblob(36)', /is damaged .*\(a state has an incomplete row\)/);
damaged('an id beyond the safe integers', 'update states set state_id = 9007199254740993 where state_id = 40', /is damaged /);

test('a store that another connection is writing can be read, but not written', async t => {
	const file = await databasePath(t);
	const store = openAt(t, file);
	await store.write(some);
	const other = new DatabaseSync(file);
	t.teardown(() => other.close());
	other.exec('begin immediate; delete from states;');
	t.deepEqual([...store.everything()], asWritten(some));
	const error = await t.throwsAsync(store.write({states: [stateOf(5)]}), {
		instanceOf: StoreError,
		message: /Another process is writing it: try again later/,
	});
	t.true(error.retryable);
});

test('an empty file is an empty store', async t => {
	const file = await databasePath(t);
	await writeFile(file, '');
	const store = openAt(t, file);
	t.is(await store.latestState(), null);
	t.deepEqual(await store.write({states: [stateOf(1)]}), {added: 1, replaced: 0, unchanged: 0});
	t.deepEqual(await store.latestState(), stateOf(1));
});

test('a file of a newer version is not changed', async t => {
	const file = await databasePath(t);
	await database('create table anything (id); pragma user_version = 2; pragma journal_mode = wal;')(file);
	const before = await readFile(file);
	await t.throwsAsync(openAt(t, file).write(some), {instanceOf: StoreError});
	deepEqual(t, await readFile(file), before);
});

test('a file of random bytes causes a StoreError', async t => {
	const file = await databasePath(t);
	// SQLite takes a file of one byte as an empty one.
	await fc.assert(fc.asyncProperty(fc.uint8Array({minLength: 2, maxLength: 5000}), fc.constantFrom(...Object.values(uses)), async (
		bytes,
		use,
	) => {
		await writeFile(file, bytes);
		await t.throwsAsync(use(file), {instanceOf: StoreError, message: /is damaged or is not a store/});
	}), {numRuns: often(25, 100)});
});

test('a read of a damaged file gives a result or a StoreError', async t => {
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
	}), {numRuns: often(50, 200)});
	t.true(outcomes.well > 0 && outcomes.failed > 0);
});

test('a write that was killed halfway is rolled back when the store is read', async t => {
	const file = await databasePath(t);
	const store = openAt(t, file);
	await store.write({states: [stateOf(3)], thoughts: [], directions: []});
	await store.close();
	await cutOffWrite(file);
	t.is((await openAt(t, file).latestState())?.stateId, 3);
});

test('the file of a store is readable by its owner only', async t => {
	const file = await databasePath(t);
	await openAt(t, file).write(some);
	t.is((await stat(file)).mode & 0o077, 0);
});
