/** The store in PostgreSQL, which all nodes share. */
import test, {type ExecutionContext} from 'ava';
import {StoreError} from '../../../src/platform/errors.ts';
import type {Database} from '../../../src/platform/postgres/database.ts';
import {openPostgresStore} from '../../../src/sources/store/postgres/store.ts';
import type {StoredItems, WritableStore} from '../../../src/sources/store/store.ts';
import {startPostgres} from '../../helpers/postgres.ts';
import {openMigrated, openPatiently} from '../../journal/postgres/places.ts';
import {conform, stateOf, thoughtOf} from './conformance.ts';
import {asWritten, conformWritable, some} from './writable-conformance.ts';

const server = await startPostgres();
/** Two databases, for tests that copy from one store to another. */
const databases: Database[] = [];
let opened = 0;

test.before(async () => {
	databases.push((await openMigrated(server)).database, (await openMigrated(server)).database);
});

test.after.always(async () => {
	await Promise.all(databases.map(async database => database.close()));
	await server[Symbol.asyncDispose]();
});

/** A store with these items. The next call but one empties it. */
const openNew = async (t: ExecutionContext, items: StoredItems): Promise<WritableStore> => {
	const database = databases[opened++ % databases.length]!;
	await database.query('truncate processual.state, processual.thought, processual.direction');
	const store = openPostgresStore(database);
	t.teardown(async () => store.close());
	await store.write(items);
	return store;
};

conform(test.serial, 'postgres', openNew);
conformWritable(test.serial, 'postgres', openNew);

test.serial('a node sees what another node imports', async t => {
	const {url, database} = await openMigrated(server);
	await using other = openPatiently(url);
	const [writer, reader] = [openPostgresStore(database), openPostgresStore(other)];
	t.is(await reader.latestState(), null);
	await writer.write(some);
	t.deepEqual(await Array.fromAsync(reader.everything()), asWritten(some));
	await database.close();
});

test.serial('two concurrent imports run one after another, and a search finds each import whole or not at all', async t => {
	const store = await openNew(t, {});
	const reader = openPostgresStore(databases[(opened - 1) % databases.length]!);
	const halves = ['a', 'b'].map(half => Array.from(
		{length: 300},
		(_, i) => thoughtOf(`${half}${i}`, Float32Array.of(i, half === 'a' ? 1 : -1)),
	));
	const counts: number[] = [];
	const imports = Promise.all(halves.map(async thoughts => store.write({thoughts})));
	for (let found = -1; found < 600;) {
		found = (await reader.nearestThoughts(Float32Array.of(1, 0), {limit: 1000})).length;
		counts.push(found);
	}

	t.deepEqual(await imports, [{added: 300, replaced: 0, unchanged: 0}, {added: 300, replaced: 0, unchanged: 0}]);
	t.true(counts.every(count => [0, 300, 600].includes(count)), `${counts}`);
});

test.serial('a database without tables and an unreachable database each cause a StoreError that says so', async t => {
	const url = await server.createDatabase();
	await using bare = openPatiently(url);
	const missing = await t.throwsAsync(openPostgresStore(bare).latestState(), {
		instanceOf: StoreError,
		message: /^the store in the database could not be read or written\. .*Run “processual migrate”/,
	});
	t.false(missing!.retryable);
	await using gone = openPatiently(url.replace(/:\d+\//, ':1/'));
	const unreachable = await t.throwsAsync(openPostgresStore(gone).write({states: [stateOf(1)]}), {
		instanceOf: StoreError,
		message: /cannot be reached/,
	});
	t.true(unreachable!.retryable);
});

test.serial('a vector of seven bytes is reported as damage', async t => {
	const store = await openNew(t, some);
	await databases[(opened - 1) % databases.length]!.query('update processual.thought set vector = \'\\x00000000000000\'');
	await t.throwsAsync(Array.fromAsync(store.everything()), {
		instanceOf: StoreError,
		message: /is damaged \(a vector has incomplete floats\)\. Restore a backup/,
	});
});
