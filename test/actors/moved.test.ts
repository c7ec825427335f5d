/** If another node takes the identity over, the process ends in `moved` and pending requests fail. A failed journal is reopened. */
import test, {type ExecutionContext} from 'ava';
import {JournalError, MovedError, UnavailableError} from '../../src/platform/errors.ts';
import type {CycleRecord} from '../../src/journal/journal.ts';
import {FakeJournal} from './fake-journal.ts';
import {settle, startIdentity} from './fixtures.ts';

const start = async (t: ExecutionContext) => {
	const journal = new FakeJournal();
	const started = await startIdentity({journal});
	const types: string[] = [];
	started.identity.on('*', ({type}) => types.push(type));
	t.teardown(() => started.identity.dispose());
	return {...started, journal, types};
};

const taken = () => new MovedError('Taken over.', {owner: 'http://10.0.0.2:8100'});

test('a record that the fence refuses ends the process, and all pending requests fail as moved', async t => {
	const {identity, journal, encoder, types} = await start(t);
	await identity.cycle('kept');
	encoder.hold('slow');
	journal.hold();
	const calls = [identity.cycle('first'), identity.cycle('slow'), identity.reset(), identity.validate({note: 'a'})];
	const outcomes = Promise.allSettled(calls);
	await settle();
	journal.break(taken());
	journal.release();
	for (const outcome of await outcomes) {
		t.true(outcome.status === 'rejected' && outcome.reason instanceof MovedError, JSON.stringify(outcome));
	}

	t.true(identity.actor.getSnapshot().matches('moved'));
	t.is(identity.actor.getSnapshot().status, 'done');
	t.deepEqual(types, ['cycle.done', 'cycle.failed', 'moved']);
	t.true(journal.isClosed);
	t.is(journal.records.length, 1);
});

test('streams of events end with the event moved, also one that is opened later', async t => {
	const {identity, journal} = await start(t);
	const readTypes = async () => (await Array.fromAsync(identity.events())).map(({type}) => type);
	const reading = readTypes();
	journal.break(taken());
	await t.throwsAsync(identity.cycle('a'), {instanceOf: MovedError});
	t.deepEqual(await reading, ['cycle.failed', 'moved']);
	t.deepEqual(await readTypes(), []);
});

test('a moved identity fails every request as moved', async t => {
	const {identity, journal} = await start(t);
	journal.break(taken());
	await t.throwsAsync(identity.cycle('a'), {instanceOf: MovedError});
	await t.throwsAsync(identity.cycle('a'), {instanceOf: MovedError, code: 'moved'});
	await t.throwsAsync(identity.cycle({content: 'a', id: 'x'}), {instanceOf: MovedError});
	await t.throwsAsync(identity.reset(), {instanceOf: MovedError});
	t.throws(() => identity.state(), {instanceOf: MovedError});
	t.throws(() => identity.daemon.status(), {instanceOf: MovedError});
	t.like(identity.readiness(), {ready: false});
	await identity.drain();
	await identity.dispose();
});

test('the loop ends with the process, even if the refused record is its own', async t => {
	const {identity, journal, clock, types} = await start(t);
	await identity.daemon.start();
	await settle();
	journal.break(taken());
	clock.increment(864_000);
	await settle();
	t.true(identity.actor.getSnapshot().matches('moved'));
	const before = types.length;
	clock.increment(86_400_000);
	await settle();
	t.is(types.length, before);
});

test('a failed journal that another node takes before it is reopened ends the process', async t => {
	const {identity, journal, clock, types} = await start(t);
	journal.break('The database is away.');
	await t.throwsAsync(identity.cycle('a'), {instanceOf: JournalError, code: 'journal'});
	journal.break(taken());
	clock.increment(250);
	await settle();
	t.true(identity.actor.getSnapshot().matches('moved'));
	t.deepEqual(types, ['cycle.failed', 'journal.failed', 'moved']);
});

test('a boot fails as moved if another node has the journal', async t => {
	const journal = new FakeJournal();
	journal.break(taken());
	await t.throwsAsync(startIdentity({journal}), {instanceOf: MovedError});
});

test('a failed journal is reopened after 250 ms, then after twice as long each time, up to 5 s', async t => {
	const {identity, journal, clock} = await start(t);
	let openings = 0;
	const open = journal.open.bind(journal);
	journal.open = async () => {
		openings++;
		return open();
	};

	journal.break('The disk is full.');
	await t.throwsAsync(identity.cycle('a'));
	const pauses: number[] = [];
	for (let waited = 0; pauses.length < 8; waited += 50) {
		clock.increment(50);
		await settle();
		if (openings > pauses.length) {
			pauses.push(waited + 50);
			waited = -50;
		}
	}

	t.deepEqual(pauses, [250, 500, 1000, 2000, 4000, 5000, 5000, 5000]);
	journal.mend();
	clock.increment(5000);
	await settle();
	await identity.cycle('b');
	journal.break('The disk is full.');
	await t.throwsAsync(identity.cycle('c'), {instanceOf: JournalError});
	await t.throwsAsync(identity.cycle('d'), {instanceOf: UnavailableError});
	journal.mend();
	clock.increment(250);
	await settle();
	t.true(identity.readiness().ready, 'a cycle was durable, so the pause is short again');
});

test('reopening a journal restores state, drift, counters and last trigger from its newest record', async t => {
	const {identity, journal, clock} = await start(t);
	await identity.cycle({content: 'a', trigger: 'veille'});
	journal.break('The database is away.');
	await t.throwsAsync(identity.cycle('lost'));
	// Another node had the identity and released it.
	const last = journal.records[0] as CycleRecord;
	const lastTrigger = {type: 'corpus', timestamp: '2026-01-01T00:00:00.100Z'};
	journal.records.push({
		...last,
		id: 'elsewhere',
		stateId: 2,
		checkpoint: {counters: {...last.checkpoint.counters, corpus: 4}, lastTrigger, cumulativeDrift: 0.25},
	});
	journal.mend();
	clock.increment(250);
	await settle();
	t.like(identity.daemon.status(), {lastTrigger, cyclesBreakdown: {veille: 1, corpus: 4, user: 0}, timeSinceLastUserSeconds: 0.15});
	t.is(identity.state().stateId, 2);
	t.is(identity.vigilance().cumulativeDrift, 0.25);
	await identity.cycle('next');
	t.like(journal.records.at(-1), {checkpoint: {counters: {veille: 1, corpus: 4, user: 1}}});
});
