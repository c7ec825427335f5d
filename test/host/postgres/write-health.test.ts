/** Whether a node's records can be written, tested without a database. */
import test from 'ava';
import {WriteHealth} from '../../../src/host/postgres/write-health.ts';
import type {DigestStore} from '../../../src/journal/digest-store.ts';
import type {Journal, JournalRecord} from '../../../src/journal/journal.ts';
import {JournalError, MovedError, UnknownOutcomeError} from '../../../src/platform/errors.ts';

const record: JournalRecord = {kind: 'daemon.started', id: 'd', timestamp: 't'};

const start = () => {
	let now = 0;
	let failure: Error | null = null;
	const fail = async () => {
		if (failure) {
			throw failure;
		}
	};
	const health = new WriteHealth({elapsed: () => now}, fail);
	const read = async () => (await fail(), null);
	const journal = health.watch({append: fail, open: read, find: read} as unknown as Journal);
	return {
		health, journal,
		pass: (milliseconds: number) => {
			now += milliseconds;
		},
		set: (error: Error | null) => {
			failure = error;
		},
	};
};

const full = new JournalError('The disk of the database is full.', {retryable: true});

test('the standing is the error of a failed append, until a record is written', async t => {
	const {health, journal, set} = start();
	t.is(health.standing, 'ok');
	set(full);
	await t.throwsAsync(journal.append(record), {is: full});
	t.is(health.standing, full.message);
	set(null);
	await journal.open();
	t.is(health.standing, full.message, 'an opening writes no new page');
	await journal.append(record);
	t.is(health.standing, 'ok');
});

test('a failure lasts while the journal cannot be reopened, and expires if nothing is written', async t => {
	const {health, journal, set, pass} = start();
	set(full);
	await t.throwsAsync(journal.append(record));
	pass(5000);
	await t.throwsAsync(journal.open());
	pass(9000);
	t.is(health.standing, full.message);
	pass(1000);
	t.is(health.standing, 'ok');
});

test('a failure without an answer ends when the database answers, since a balancer that avoids all nodes lets no record come', async t => {
	const {health, journal, set} = start();
	const lost = new UnknownOutcomeError('The connection broke.');
	const behind = new JournalError('The journal accepts no records until it is opened again.', {cause: lost, retryable: true});
	for (const error of [lost, behind]) {
		set(error);
		await t.throwsAsync(journal.append(record), {is: error});
		set(behind);
		await t.throwsAsync(journal.open());
		t.is(health.standing, behind.message);
		set(null);
		await journal.open();
		t.is(health.standing, 'ok');
	}

	set(lost);
	await t.throwsAsync(journal.append(record));
	health.noteAnswer();
	t.is(health.standing, 'ok', 'the node has joined again');
});

test('the standing is the error of a failed lookup of a cycle, until the database answers', async t => {
	const {health, journal, set} = start();
	const away = new JournalError('The database cannot be reached.', {retryable: true});
	set(away);
	await t.throwsAsync(journal.find('c-1'), {is: away});
	t.is(health.standing, away.message);
	set(null);
	await journal.find('c-1');
	t.is(health.standing, 'ok');
});

test('an error that concerns one identity leaves the standing ok', async t => {
	const {health, journal, set} = start();
	for (const error of [new MovedError('elsewhere'), new JournalError('The journal is damaged.'), new Error('a defect')]) {
		set(error);
		await t.throwsAsync(journal.append(record), {is: error});
		t.is(health.standing, 'ok');
	}
});

test('a watched journal has its digests', t => {
	const digests = {} as DigestStore;
	t.is(new WriteHealth({elapsed: () => 0}, async () => {}).watch({digests} as unknown as Journal).digests, digests);
});

/** Polls once, and lets the query of the poll settle. */
const poll = async (health: WriteHealth) => {
	health.requireAnswer();
	await new Promise(setImmediate);
};

test('a poll fails once the database has answered nothing for 3 s, not even a query, until it answers', async t => {
	const {health, journal, set, pass} = start();
	const away = new JournalError('The database cannot be reached.', {retryable: true});
	set(away);
	await t.throwsAsync(journal.append(record));
	await poll(health);
	pass(2999);
	await poll(health);
	await poll(health);
	pass(1);
	await poll(health);
	t.throws(() => health.requireAnswer(), {is: away});
	set(null);
	await new Promise(setImmediate);
	t.throws(() => health.requireAnswer(), {is: away}, 'it queries again');
	await new Promise(setImmediate);
	t.notThrows(() => health.requireAnswer());
});

test('polls do not fail under a load in which some records are acknowledged', async t => {
	const {health, journal, set, pass} = start();
	const late = new UnknownOutcomeError('The database did not answer in time.');
	for (let second = 0; second < 6; second += 2) {
		set(late);
		await t.throwsAsync(journal.append(record));
		await poll(health);
		pass(2000);
		set(null);
		await journal.append(record);
	}

	t.notThrows(() => health.requireAnswer());
});
