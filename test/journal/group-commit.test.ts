/** Group commit, and a thread that ends unexpectedly. */
import {spawnSync} from 'node:child_process';
import {fileURLToPath} from 'node:url';
import test, {type ExecutionContext} from 'ava';
import {JournalError} from '../../src/platform/errors.ts';
import {createSqliteJournal} from '../../src/journal/sqlite/sqlite-journal.ts';
import {deepEqual} from '../helpers/deep-equal.ts';
import {withWorkers} from '../helpers/with-workers.ts';
import {asStored, ignored, journalsOf, range, recordOf, recordsIn, temporaryFolder} from './records.ts';

/** Each journal has a separate thread. */
const {openJournal, reopen} = journalsOf(createSqliteJournal);

/** A new journal that counts its commits. */
const openCounted = async (t: ExecutionContext) => {
	const folder = await temporaryFolder(t);
	const counted = {commits: 0, records: 0};
	const journal = await openJournal(t, {
		folder,
		onCommit(_, records) {
			counted.commits++;
			counted.records += records;
		},
	});
	return {folder, journal, counted};
};

test('records appended at the same time share one commit', async t => {
	const {journal, counted} = await openCounted(t);
	await Promise.all(range(1, 500).map(async seq => journal.append(recordOf(seq))));
	t.deepEqual(counted, {commits: 1, records: 500});
});

test('records are durable and acknowledged even if onCommit throws', async t => {
	const journal = await openJournal(t, {
		folder: await temporaryFolder(t),
		onCommit() {
			throw new Error('The metrics are closed.');
		},
	});
	await t.notThrowsAsync(Promise.all(range(1, 3).map(async seq => journal.append(recordOf(seq)))));
	await t.notThrowsAsync(journal.append(recordOf(4)));
	t.is((await journal.read(1, 9)).length, 4);
});

test('records that arrive during a commit share the next one', async t => {
	const {folder, journal, counted} = await openCounted(t);
	const first = journal.append(recordOf(1));
	await Promise.resolve();
	await Promise.resolve();
	const others = range(2, 100).map(async seq => journal.append(recordOf(seq)));
	await first;
	t.is(counted.commits, 1);
	await Promise.all(others);
	t.is(counted.commits, 2);
	await journal.close();
	deepEqual(t, await recordsIn(folder), range(1, 100).map(seq => asStored(recordOf(seq))));
});

test('records appended one by one have one commit each', async t => {
	const {journal, counted} = await openCounted(t);
	for (const seq of range(1, 5)) {
		await journal.append(recordOf(seq));
	}

	t.is(counted.commits, 5);
});

test('records are acknowledged in the order of the calls', async t => {
	const journal = await openJournal(t, {folder: await temporaryFolder(t)});
	const acknowledged: number[] = [];
	await Promise.all(range(1, 50).map(async seq => {
		await journal.append(recordOf(seq));
		acknowledged.push(seq);
	}));
	t.deepEqual(acknowledged, range(1, 50));
});

test.serial('if the thread ends, pending and later records are rejected, and reopening restores the durable ones', async t => {
	const folder = await temporaryFolder(t);
	let journal!: Awaited<ReturnType<typeof openJournal>>;
	const [worker] = await withWorkers(async () => {
		journal = await openJournal(t, {folder}, 3);
	});
	const pending = range(4, 9).map(async seq => journal.append(recordOf(seq)));
	// Before the group is sent, a microtask later: a thread that still runs might commit it first.
	void worker!.terminate();
	const outcomes = await Promise.allSettled(pending);
	t.true(outcomes.every(outcome => outcome.status === 'rejected' && outcome.reason instanceof JournalError && outcome.reason.retryable));
	await t.throwsAsync(journal.append(recordOf(10)), {instanceOf: JournalError, message: /until it is opened again/});

	// The thread may have ended after the commit: the unacknowledged group is there as a whole, or not at all.
	const {records} = (await journal.open())!;
	t.true(records === 3 || records === 9, `${records}`);
	await journal.append(recordOf(records + 1));
	await journal.close();
	deepEqual(t, await recordsIn(folder), range(1, records + 1).map(seq => asStored(recordOf(seq))));
});

test.serial('the end of a thread is detected and logged even if no request is pending', async t => {
	const folder = await temporaryFolder(t);
	const errors: string[] = [];
	const logger = {info: ignored, warn: ignored, error: (_: object, message: string) => errors.push(message)};
	let journal!: Awaited<ReturnType<typeof openJournal>>;
	const [worker] = await withWorkers(async () => {
		journal = await openJournal(t, {folder, logger}, 3);
	});
	await worker!.terminate();
	await t.throwsAsync(journal.append(recordOf(4)), {instanceOf: JournalError, message: /ended unexpectedly/});
	t.is(errors.length, 1);
	t.is((await journal.open())!.records, 3);
});

test('Node can exit after close', async t => {
	const folder = await temporaryFolder(t);
	const script = fileURLToPath(new URL('append-forever.ts', import.meta.url));
	const {status, stdout} = spawnSync(process.execPath, [script, folder, '20'], {encoding: 'utf8', timeout: 600_000});
	t.is(status, 0);
	t.is(stdout, range(1, 20).map(seq => `${seq}\n`).join(''));
	t.is((await reopen(t, folder)).records, 20);
});
