/** Databases lose acknowledged records, in each way that real ones do: the loss is reported until an operator accepts it. */
import test, {type ExecutionContext} from 'ava';
import {ConflictError, LostHistoryError, MovedError, UnknownIdentityError} from '../../../src/platform/errors.ts';
import {createPostgresJournal} from '../../../src/journal/postgres/postgres-journal.ts';
import {acceptLoss, findLosses} from '../../../src/journal/postgres/lost-history.ts';
import type {Journal} from '../../../src/journal/journal.ts';
import {dump} from '../../helpers/dump.ts';
import {startPostgres} from '../../helpers/postgres.ts';
import {cycle, genesis, range, recordOf} from '../records.ts';
import {openMigrated, openPatiently, placeIn} from './places.ts';

const server = await startPostgres({settings: {max_connections: 200}});
test.after.always(async () => server[Symbol.asyncDispose]());

/** Two programs on one database, where an identity has 20 records, and a dump made at that time. */
const withDump = async (t: ExecutionContext) => {
	const {url, database} = await openMigrated(server);
	const other = openPatiently(url);
	t.teardown(async () => Promise.all([database.close(), other.close()]));
	await placeIn(database, 'one');
	const [a, b] = [createPostgresJournal({database, name: 'one'}), createPostgresJournal({database: other, name: 'one'})];
	await a.open();
	await a.begin(genesis);
	await appendTo(a, 1, 20);
	const restore = await dump(async (text, values) => server.queryIn(url, text, values));
	return {url, database, other, a, b, restore};
};

const appendTo = async (journal: Journal, first: number, last: number): Promise<void> => {
	await Promise.all(range(first, last).map(async seq => journal.append(recordOf(seq))));
};

const lost = (records: string) => ({
	instanceOf: LostHistoryError,
	message: new RegExp(`lost acknowledged records of “one”: ${records}, the last of .*processual accept-loss one`),
});

test('the next append after an older dump is restored reports the loss, and the identity is refused until it is accepted', async t => {
	const {database, a, b, restore} = await withDump(t);
	await appendTo(a, 21, 30);
	await restore();
	const error = await t.throwsAsync(a.append(recordOf(31)), lost('records 21 to 30'));
	t.false(error!.retryable);
	t.is(database.acknowledged.losses, 1);
	for (const journal of [a, b]) {
		await t.throwsAsync(journal.open(), lost('records 21 to 30'), 'no node continues');
	}

	t.regex(await acceptLoss(database, 'one'), /^“one” continues after record 20\. Lost: records 21 to 30, the last of/);
	await t.throwsAsync(acceptLoss(database, 'one'), {instanceOf: ConflictError});
	await t.throwsAsync(acceptLoss(database, 'two'), {instanceOf: UnknownIdentityError});
	t.is((await a.open())!.records, 20, 'the lost records are no longer remembered');
	await a.append(cycle(21));
	await a.close();
	t.deepEqual(await findLosses(database), []);
});

test('reopening an identity before any comparison reports the loss, and does not forget the lost records', async t => {
	const {database, a, restore} = await withDump(t);
	await appendTo(a, 21, 30);
	await restore();
	await a.close();
	await t.throwsAsync(a.open(), lost('records 21 to 30'));
	t.is(database.acknowledged.losses, 1);
});

test('if the newer database is restored, the identity continues without a loss', async t => {
	const {url, a} = await withDump(t);
	await appendTo(a, 21, 30);
	const restoreNewer = await dump(async (text, values) => server.queryIn(url, text, values));
	await server.queryIn(url, 'delete from processual.record where seq > 25; update processual.identity set seq = 25');
	await t.throwsAsync(a.append(recordOf(31)), lost('records 26 to 30'));
	await restoreNewer();
	t.is((await a.open())!.records, 30);
	await a.append(recordOf(31));
	await a.close();
});

test('a program that remembers records that another has overwritten finds the loss, and the writer is stopped', async t => {
	const {database, a, b, restore} = await withDump(t);
	await appendTo(a, 21, 30);
	await restore();
	await b.open();
	await appendTo(b, 21, 35);
	t.deepEqual((await findLosses(database)).map(({message}) => /: (records .*?),/.exec(message)![1]), ['records 21 to 30']);
	t.deepEqual(await findLosses(database), [], 'it is reported once');
	await t.throwsAsync(b.append(recordOf(36)), lost('records 21 to 30'));
	await acceptLoss(database, 'one');
	t.is((await b.open())!.records, 35);
	await b.close();
});

test('a late append is refused by another history with the same number of records and takeovers', async t => {
	const {a, b, restore} = await withDump(t);
	await appendTo(a, 21, 21);
	await restore();
	// As many takeovers as before, and as many records.
	await b.open();
	await appendTo(b, 21, 21);
	await t.throwsAsync(a.append(recordOf(22)), {instanceOf: LostHistoryError});
});

test('a head with another newest record refuses an append, even with the owner\'s fence and number', async t => {
	const {database, a} = await withDump(t);
	await database.query('update processual.identity set tip = tip + 1');
	await t.throwsAsync(a.append(recordOf(21)), {instanceOf: LostHistoryError});
	t.deepEqual(await database.query('select max(seq) as last from processual.record'), [{last: 20}]);
});

test('a new identity is not taken for an old one whose number a restored sequence reuses', async t => {
	const {database, a, restore} = await withDump(t);
	await placeIn(database, 'late');
	const late = createPostgresJournal({database, name: 'late'});
	await late.open();
	await late.begin(genesis);
	await appendTo(late, 1, 5);
	await restore();
	await placeIn(database, 'new');
	const fresh = createPostgresJournal({database, name: 'new'});
	t.is(await fresh.open(), null);
	await fresh.begin(genesis);
	await fresh.append(recordOf(1));
	t.deepEqual((await findLosses(database)).map(({message}) => message.split(':')[0]), [
		'The database no longer has the identity “late”, which has acknowledged records',
	]);
	await Promise.all([a.close(), fresh.close(), late.close()]);
});

test('an ordinary change of owner is no loss', async t => {
	const {database, other, a, b} = await withDump(t);
	await b.open();
	await t.throwsAsync(a.append(recordOf(21)), {instanceOf: MovedError});
	await appendTo(b, 21, 25);
	t.deepEqual([await findLosses(database), await findLosses(other)], [[], []]);
	t.is(database.acknowledged.losses, 0);
	await b.close();
});

test('records lost in a crash because the database acknowledges before it syncs are reported', async t => {
	t.timeout(120_000);
	await using own = await startPostgres({settings: {synchronous_commit: 'off', wal_writer_delay: '10s', fsync: 'on'}});
	const {database} = await openMigrated(own);
	t.teardown(async () => database.close());
	const journal = (await placeIn(database, 'one'))();
	await journal.open();
	await journal.begin(genesis);
	await appendTo(journal, 1, 5);
	// A synchronous commit and a checkpoint write the log.
	await database.query('set local synchronous_commit = on; checkpoint');
	let seq = 6;
	for (let isLost = false; !isLost; seq += 2) {
		await appendTo(journal, seq, seq + 1);
		await own.kill();
		await own.start();
		isLost = (await database.query<{isBack: boolean}>('select seq < $1 as "isBack" from processual.identity', [seq + 1]))[0]!.isBack;
	}

	const [error] = await findLosses(database);
	t.true(error instanceof LostHistoryError, 'found by the next comparison');
	await t.throwsAsync(journal.append(recordOf(seq)), {instanceOf: LostHistoryError});
	await t.throwsAsync(journal.open(), {instanceOf: LostHistoryError});
	await acceptLoss(database, 'one');
	t.true((await journal.open())!.records < seq);
	await journal.close();
});
