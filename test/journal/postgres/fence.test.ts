/** Only the owner of an identity's journal writes it: tested step by step, with real backends that are stopped and killed. */
import test, {type ExecutionContext} from 'ava';
import {JournalError, MovedError, UnknownIdentityError, UnknownOutcomeError} from '../../../src/platform/errors.ts';
import type {Journal} from '../../../src/journal/journal.ts';
import type {Database} from '../../../src/platform/postgres/database.ts';
import {createPostgresJournal} from '../../../src/journal/postgres/postgres-journal.ts';
import {migrate} from '../../../src/platform/postgres/migrate.ts';
import {lockClass, migrations} from '../../../src/platform/postgres/schema.ts';
import {startPostgres} from '../../helpers/postgres.ts';
import {asStored, bitsOf, cycle, genesis, range, recordOf, stateOf} from '../records.ts';
import {openMigrated, openPatiently, placeIn} from './places.ts';
import {deepEqual} from '../../helpers/deep-equal.ts';

const server = await startPostgres();
test.after.always(async () => server[Symbol.asyncDispose]());

/** A separate database, where every backend belongs to this test. */
const openPlace = async (t: ExecutionContext) => {
	const {url, database} = await openMigrated(server);
	t.teardown(async () => database.close());
	return {url, database, place: await placeIn(database, 'one')};
};

/** A journal with a genesis and records 1 … count. */
const begin = async (journal: Journal, count: number): Promise<void> => {
	await journal.open();
	await journal.begin(genesis);
	await Promise.all(range(1, count).map(async seq => journal.append(recordOf(seq))));
};

/** A node: its number, and the session whose lock shows that it is alive. */
const joinNode = async (database: Database, id: string) => {
	const [{no}] = await database.query<{no: number}>('insert into processual.node (id, url) values ($1, $2) returning no', [
		id,
		`http://${id}:8100`,
	]) as [{no: number}];
	const session = await database.session();
	await session.query('select pg_advisory_lock($1, $2)', [lockClass, no]);
	return {no, leave: async () => session.close()};
};

/** Repeats a query until it returns a row. */
const until = async <Row extends object>(database: Database, text: string, values: unknown[] = []): Promise<Row> => {
	for (;;) {
		const [row] = await database.query<Row>(text, values);
		if (row) {
			return row;
		}
	}
};

const recordsOf = async (database: Database): Promise<unknown[]> => {
	const journal = createPostgresJournal({database, name: 'one'});
	await journal.open();
	const entries = await journal.read(1, 1000);
	await journal.close();
	return entries.map(({record}) => record);
};

test('opening an identity that has no row is refused', async t => {
	const {database} = await openPlace(t);
	await t.throwsAsync(createPostgresJournal({database, name: 'two'}).open(), {
		instanceOf: UnknownIdentityError,
		message: /There is no identity “two”/,
	});
});

test('opening a journal takes it over: the earlier owner can append no further record', async t => {
	const {place} = await openPlace(t);
	const [first, second] = [place(), place()];
	await begin(first, 3);
	const restored = await second.open();
	deepEqual(t, bitsOf(restored!.current), bitsOf(stateOf(3)));
	await t.throwsAsync(first.append(recordOf(4)), {instanceOf: MovedError});
	await t.throwsAsync(first.append(recordOf(4)), {instanceOf: MovedError});
	await second.append(cycle(40));
	await first.close();
	await second.append(cycle(41));
	t.deepEqual((await second.read(4, 10)).map(({record}) => record.id), ['cycle-40', 'cycle-41']);
	await second.close();
});

test('while the owning node is alive, other openers get its address; when it is gone, one takes over', async t => {
	const {database} = await openPlace(t);
	const [a, b] = [await joinNode(database, 'a'), await joinNode(database, 'b')];
	const first = createPostgresJournal({database, name: 'one', taker: {node: a.no, untilGone: async () => {}}});
	const second = createPostgresJournal({database, name: 'one', taker: {node: b.no, untilGone: async () => {}}});
	const alone = createPostgresJournal({database, name: 'one'});
	await begin(first, 2);
	for (const other of [second, alone]) {
		const error = await t.throwsAsync(other.open(), {instanceOf: MovedError});
		t.is(error!.owner, 'http://a:8100');
	}

	await first.append(recordOf(3));
	await a.leave();
	t.is((await second.open())!.records, 3);
	const error = await t.throwsAsync(first.append(recordOf(4)), {instanceOf: MovedError});
	t.is(error!.owner, 'http://b:8100');
	await second.close();
	t.is((await alone.open())!.records, 3);
	await alone.close();
	await b.leave();
});

test('an append whose backend is stopped, and resumes after another owner has taken over, writes nothing', async t => {
	const {url, database, place} = await openPlace(t);
	await using stale = openPatiently(url);
	const first = createPostgresJournal({database: stale, name: 'one'});
	await begin(first, 3);

	// The statement waits for the lock on the head, and its backend is stopped there.
	const holder = await database.session({isBounded: false});
	await holder.query('begin');
	await holder.query('select 1 from processual.identity for update');
	const late = first.append(recordOf(4));
	const outcome = t.throwsAsync(late, {instanceOf: JournalError});
	const {pid} = await until<{pid: number}>(
		database,
		'select pid from pg_stat_activity where datname = current_database() and wait_event_type = \'Lock\'',
	);
	process.kill(pid, 'SIGSTOP');
	await holder.query('update processual.identity set fence = gen_random_uuid()');
	await holder.query('commit');
	await holder.close();

	const second = place();
	t.is((await second.open())!.records, 3);
	await second.append(cycle(40));
	process.kill(pid, 'SIGCONT');
	await outcome;
	await until(database, 'select 1 as ended where not exists (select from pg_stat_activity where pid = $1 and state = \'active\')', [pid]);
	await second.append(cycle(41));
	t.deepEqual((await second.read(4, 10)).map(({seq, record}) => [seq, record.id]), [[4, 'cycle-40'], [5, 'cycle-41']]);
	await second.close();
});

test('an append whose backend is killed is either written or never will be, and the journal continues after reopening', async t => {
	const {url, database} = await openPlace(t);
	await using other = openPatiently(url);
	const journal = createPostgresJournal({database: other, name: 'one'});
	await begin(journal, 3);
	const acknowledged = [1, 2, 3];
	for (let seq = 4; seq < 30;) {
		const appended = journal.append(recordOf(seq));
		if (seq % 5 === 0) {
			await server.query(
				'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and query like \'%written as%\'',
				[new URL(url).pathname.slice(1)],
			);
		}

		try {
			await appended;
			acknowledged.push(seq++);
		} catch (error) {
			t.true(error instanceof UnknownOutcomeError, (error as Error).message);
			// Opening may meet terminated connections, too.
			let restored;
			while (!restored) {
				restored = await journal.open().catch(() => undefined);
			}

			t.true(restored.records >= acknowledged.length);
			seq = restored.records + 1;
		}
	}

	await journal.close();
	t.deepEqual(await recordsOf(database), range(1, 29).map(seq => asStored(recordOf(seq))));
});

test('after the database is killed and restarted, the journal opens with every acknowledged record', async t => {
	await using own = await startPostgres();
	const {database} = await openMigrated(own);
	t.teardown(async () => database.close());
	const place = await placeIn(database, 'one');
	const journal = place();
	await begin(journal, 10);
	await own.kill();
	const error = await t.throwsAsync(journal.append(recordOf(11)), {
		instanceOf: JournalError,
		message: /Nothing that was acknowledged is lost/,
	});
	t.true(error!.retryable);
	await t.throwsAsync(journal.open(), {instanceOf: JournalError});
	await own.start();
	t.is((await journal.open())!.records, 10);
	await journal.append(recordOf(11));
	await journal.close();
	t.deepEqual(await recordsOf(database), range(1, 11).map(seq => asStored(recordOf(seq))));
});

test('once the tables are migrated to a newer version, this version neither appends to a journal nor opens it', async t => {
	const {database, place} = await openPlace(t);
	const journal = place();
	await begin(journal, 3);
	await migrate(database);
	await journal.append(recordOf(4));
	await migrate(database, [...migrations, 'alter table processual.record add later text']);
	await t.throwsAsync(journal.append(recordOf(5)), {instanceOf: MovedError});
	await t.throwsAsync(place().open(), {instanceOf: JournalError, message: /made by a newer version of this software/});
	t.deepEqual(await database.query('select seq from processual.identity'), [{seq: 4}]);
	t.deepEqual(await database.query('select max(seq) as last from processual.record'), [{last: 4}]);
});

const damages: Record<string, [string, RegExp]> = {
	'a changed text': [
		'update processual.record set content = \'something else\' where seq = 12',
		/record 12 is not what was written/,
	],
	'a changed vector': ['update processual.record set vector = \'\\x00\' where seq = 12', /record 12 is not what was written/],
	'a missing record': ['delete from processual.record where seq = 12', /record 12 is missing/],
	'a row in the place of another': [
		'update processual.record set seq = 1000 where seq = 12; update processual.record set seq = 12 where seq = 13',
		/record 12 is not what was written/,
	],
};

for (const [what, [change, message]] of Object.entries(damages)) {
	test(`reading detects ${what}`, async t => {
		const {database, place} = await openPlace(t);
		const journal = place();
		await begin(journal, 20);
		await database.query(change);
		const error = await t.throwsAsync(journal.read(1, 20), {instanceOf: JournalError, message});
		t.regex(error!.message, /The journal of “one” is damaged/);
		await journal.append(cycle(21));
		t.is((await journal.read(21, 1)).length, 1);
		await journal.close();
	});
}

test('opening a journal verifies its genesis, newest record and validation, and that its head is at the newest record', async t => {
	const changes: Array<[string, RegExp]> = [
		['update processual.genesis set reference_state = 7', /the genesis is not what was written/],
		['update processual.record set thirdness = thirdness || \'\\x00\' where seq = 20', /record 20 is not what was written/],
		['delete from processual.record where seq = 20', /record 20 is missing/],
		['update processual.validation set details = \'{}\'', /the validation is not what was written/],
		['delete from processual.validation', /its validation is missing/],
		['update processual.identity set seq = 19', /it has a record 20, but its head says 19/],
	];
	for (const [change, message] of changes) {
		const {url, database, place} = await openPlace(t);
		const journal = place();
		await begin(journal, 20);
		await journal.close();
		await database.query(change);
		await using other = openPatiently(url);
		await t.throwsAsync(createPostgresJournal({database: other, name: 'one'}).open(), {instanceOf: JournalError, message}, change);
	}
});

test('the head says whether the loop runs, and when it last ran a cycle', async t => {
	const {database, place} = await openPlace(t);
	const journal = place();
	await begin(journal, 0);
	const loop = async () =>
		(await database.query<{loop_on: boolean; at: boolean}>('select loop_on, loop_at is not null as at from processual.identity'))[0];
	await journal.append(cycle(1));
	t.deepEqual(await loop(), {loop_on: false, at: false});
	await journal.append({kind: 'daemon.started', id: 'd', timestamp: 't'});
	t.deepEqual(await loop(), {loop_on: true, at: true});
	await database.query('update processual.identity set loop_at = null');
	await journal.append(cycle(3, {origin: 'caller'}));
	t.deepEqual(await loop(), {loop_on: true, at: false});
	await journal.append(cycle(4, {origin: 'daemon'}));
	t.deepEqual(await loop(), {loop_on: true, at: true});
	await Promise.all([journal.append({kind: 'daemon.stopped', id: 'e', timestamp: 't'}), journal.append(cycle(6))]);
	t.deepEqual(await loop(), {loop_on: false, at: true});
	await journal.close();
});
