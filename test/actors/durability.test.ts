/** Durability: an acknowledged request is in the journal, and one that is not in the journal has not happened. */
import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import test from 'ava';
import {waitFor} from 'xstate';
import {BusyError, ConfigurationError, JournalError, UnavailableError} from '../../src/platform/errors.ts';
import {createIdentity} from '../../src/identity/create-identity.ts';
import {createSqliteJournal} from '../helpers/one-thread.ts';
import {FakeJournal} from './fake-journal.ts';
import {FakeEncoder, settle, startIdentity} from './fixtures.ts';
import {startDurable} from './start-durable.ts';

test('a new journal begins with the initial state, the reference and the model\'s passport', async t => {
	const {journal, identity} = await startDurable();
	const {initial, reference, passport} = journal.genesis!;
	t.is(initial.stateId, identity.state().stateId);
	t.is(reference.stateId, -1);
	t.is(passport.model, 'fake');
});

test('a cycle is answered and visible only once it is durable', async t => {
	const {journal, identity} = await startDurable();
	journal.hold();
	let isAnswered = false;
	const cycle = identity.cycle({content: 'hello'}).then(result => {
		isAnswered = true;
		return result;
	});
	await settle();
	t.false(isAnswered);
	t.is(identity.state().stateId, 0);
	t.is(identity.metrics().totalCycles, 0);
	journal.release();
	t.is((await cycle).stateId, 1);
	t.is(identity.state().stateId, 1);
});

test('a cycle does not wait for the commits of those before it', async t => {
	const {journal, identity} = await startDurable();
	journal.hold();
	const cycles = ['a', 'b', 'c'].map(async content => identity.cycle({content}));
	await settle();
	journal.release();
	t.deepEqual((await Promise.all(cycles)).map(({stateId}) => stateId), [1, 2, 3]);
	t.deepEqual(journal.records.map(record => record.kind === 'cycle' && record.stateId), [1, 2, 3]);
});

test('a record has all values of its cycle', async t => {
	const {journal, identity} = await startDurable();
	const {deltaMagnitude, dissonanceTotal} = await identity.cycle({content: 'hello', trigger: 'veille', metadata: {from: 'a test'}});
	const [record] = journal.records;
	t.like(record, {
		kind: 'cycle',
		content: 'hello',
		trigger: 'veille',
		origin: 'caller',
		metadata: {from: 'a test'},
		total: dissonanceTotal,
		deltaMagnitude,
		stateId: 1,
		timestamp: '2026-01-01T00:00:00.000Z',
		checkpoint: {
			counters: {user: 0, veille: 1, corpus: 0, rumination_free: 0},
			lastTrigger: {type: 'veille', timestamp: '2026-01-01T00:00:00.000Z'},
			cumulativeDrift: identity.vigilance().cumulativeDrift,
		},
	});
	t.is(record?.kind === 'cycle' && record.vector.length, 1024);
	t.is(record?.kind === 'cycle' && record.thirdness, identity.actor.getSnapshot().context.state!.row('thirdness'));
});

test('a restart restores state, vigilance and counters of the last acknowledged cycle', async t => {
	const journal = new FakeJournal();
	const {identity: first} = await startDurable(journal);
	for (const [content, trigger] of [['a', 'user'], ['b', 'corpus'], ['c', 'dream']] as const) {
		await first.cycle({content, trigger});
	}

	const before = {state: first.actor.getSnapshot().context.state!, vigilance: first.vigilance(), daemon: first.daemon.status()};
	await first.dispose();

	const {identity: second, clock} = await startDurable(journal);
	clock.increment(60_000);
	const after = second.actor.getSnapshot().context.state!;
	t.deepEqual(after.rows, before.state.rows);
	t.is(after.stateId, 3);
	t.is(after.timestamp, before.state.timestamp);
	t.deepEqual(second.vigilance(), before.vigilance);
	t.like(second.daemon.status(), {
		cyclesBreakdown: before.daemon.cyclesBreakdown,
		lastTrigger: before.daemon.lastTrigger,
		timeSinceLastUserSeconds: 60,
		mode: 'idle',
		daemonRunning: false,
	});
	t.is((await second.reset()).stateId, 0);
	t.deepEqual(second.actor.getSnapshot().context.state!.rows, journal.genesis!.initial.rows);
});

test('a run with a restart reaches the same bits as one without', async t => {
	const journal = new FakeJournal();
	const {identity: first} = await startDurable(journal);
	await first.cycle({content: 'a'});
	await first.dispose();
	const {identity: second} = await startDurable(journal);
	await second.cycle({content: 'b'});

	const {identity: whole} = await startDurable();
	await whole.cycle({content: 'a'});
	await whole.cycle({content: 'b'});
	t.deepEqual(second.actor.getSnapshot().context.state!.rows, whole.actor.getSnapshot().context.state!.rows);
	t.is(second.vigilance().cumulativeDrift, whole.vigilance().cumulativeDrift);
});

test('another model on the same journal is refused; the error names both models and the remedy', async t => {
	const {journal, identity} = await startDurable();
	await identity.dispose();
	const other = Object.assign(new FakeEncoder(), {passport: {...new FakeEncoder().passport, model: 'other'}});
	await t.throwsAsync(startIdentity({journal, encoder: async () => other}), {
		instanceOf: ConfigurationError,
		message: /begun with model “fake” .* has model “other”.*processual reembed/,
	});
});

test('a journal that cannot be opened fails the boot', async t => {
	const journal = new FakeJournal();
	journal.break('the disk is gone');
	await t.throwsAsync(startIdentity({journal}), {instanceOf: JournalError, message: 'the disk is gone'});
});

test('a boot that fails after the model was loaded disposes of the model', async t => {
	const journal = new FakeJournal();
	journal.break('the disk is gone');
	const encoder = new FakeEncoder();
	const identity = createIdentity({encoder: async () => encoder, themes: {rumination: ['r'], corpus: ['c']}, journal});
	await t.throwsAsync(identity.ready());
	await identity.dispose();
	t.true(encoder.disposed);
	t.false(journal.isClosed, 'it was never open');
});

test('a process that is refused a journal in use does not close it', async t => {
	const folder = await mkdtemp(path.join(tmpdir(), 'shared-'));
	t.teardown(async () => rm(folder, {recursive: true, force: true}));
	const journal = createSqliteJournal({folder});
	const first = await startIdentity({journal});
	t.teardown(async () => first.identity.dispose());
	const second = createIdentity({encoder: async () => new FakeEncoder(), themes: {rumination: ['r'], corpus: ['c']}, journal});
	await t.throwsAsync(second.ready(), {instanceOf: JournalError, message: /already open/});
	await second.dispose();
	t.is((await first.identity.cycle({content: 'still here'})).stateId, 1);
});

test('a process that is stopped while it opens its journal closes it', async t => {
	const folder = await mkdtemp(path.join(tmpdir(), 'stopped-'));
	t.teardown(async () => rm(folder, {recursive: true, force: true}));
	const stopped = createIdentity({
		encoder: async () => new FakeEncoder(),
		themes: {rumination: ['r'], corpus: ['c']},
		journal: createSqliteJournal({folder}),
	});
	await waitFor(stopped.actor, snapshot => snapshot.children['boot']?.getSnapshot().value === 'journal');
	await stopped.dispose();
	const {identity} = await startIdentity({journal: createSqliteJournal({folder})});
	t.is(identity.state().stateId, 0);
	await identity.dispose();
});

test('when the journal fails, the pending cycles change neither state nor metrics', async t => {
	const {journal, identity} = await startDurable();
	await identity.cycle({content: 'kept'});
	const kept = identity.actor.getSnapshot().context.state!;
	journal.hold();
	const lost = ['a', 'b'].map(async content => t.throwsAsync(identity.cycle({content}), {instanceOf: JournalError}));
	await settle();
	journal.break('the disk is full');
	journal.release();
	await Promise.all(lost);
	t.is(identity.actor.getSnapshot().context.state, kept);
	t.is(identity.metrics().totalCycles, 1);
});

test('while the journal cannot write, cycles and resets are refused with the reason, and reads work', async t => {
	const {journal, identity} = await startDurable();
	journal.break('the disk is full');
	await t.throwsAsync(identity.cycle({content: 'a'}), {instanceOf: JournalError});
	t.deepEqual(identity.readiness(), {
		ready: false,
		isTemporary: true,
		parts: {model: 'ok', state: 'ok', journal: 'the disk is full', store: 'ok'},
	});
	await t.throwsAsync(identity.cycle({content: 'b'}), {instanceOf: UnavailableError, message: /cannot be written: the disk is full/});
	await t.throwsAsync(identity.reset(), {instanceOf: UnavailableError});
	t.is(identity.state().stateId, 0);
	t.is(identity.daemon.status().cyclesBreakdown.user, 0, 'neither the lost cycle nor the refused one has counted');
});

test('while the journal cannot write, questions about the past fail with the reason, and are retryable', async t => {
	const {journal, identity} = await startDurable();
	journal.break('the disk is full');
	await t.throwsAsync(identity.cycle({content: 'a'}));
	journal.decisions = async () => {
		throw new JournalError('The journal is closed.');
	};
	const {retryable, message} = await t.throwsAsync<UnavailableError>(identity.revisions(), {instanceOf: UnavailableError});
	t.true(retryable);
	t.is(message, 'The past cannot be read while the journal cannot be written: the disk is full');
	journal.read = journal.decisions as () => Promise<never>;
	await t.throwsAsync(identity.records(1, 1), {instanceOf: UnavailableError, message});
});

test('the journal is reopened until it can write, and the next cycle continues from the durable state', async t => {
	const {journal, identity, clock} = await startDurable();
	await identity.cycle({content: 'kept'});
	journal.break('the disk is full');
	await t.throwsAsync(identity.cycle({content: 'a'}));
	clock.increment(5000);
	await settle();
	t.false(identity.readiness().ready);
	journal.mend();
	clock.increment(5000);
	await settle();
	t.true(identity.readiness().ready);
	t.is((await identity.cycle({content: 'b'})).stateId, 2);
	t.is(journal.records.length, 2);
});

test('a journal that became empty is not begun again', async t => {
	const {journal, identity, clock} = await startDurable();
	journal.break('the disk is gone');
	await t.throwsAsync(identity.cycle({content: 'a'}));
	journal.mend();
	journal.genesis = null;
	clock.increment(5000);
	await settle();
	t.regex(identity.readiness().parts.journal, /empty, but it had records/);
});

test('the loop continues after a failure of the journal', async t => {
	const {journal, identity, clock} = await startDurable();
	identity.daemon.start();
	await settle();
	journal.break('the disk is full');
	clock.increment(864_000);
	await settle();
	t.false(identity.readiness().ready);
	journal.mend();
	clock.increment(5000);
	await settle();
	clock.increment(864_000);
	await settle();
	t.is(identity.state().stateId, 1);
});

test('a reset becomes durable in its turn, after the cycles before it', async t => {
	const {journal, identity} = await startDurable();
	journal.hold();
	const before = identity.cycle({content: 'a'});
	await settle();
	const reset = identity.reset();
	const after = identity.cycle({content: 'b'});
	await settle();
	t.is(identity.state().stateId, 0);
	journal.release();
	t.is((await before).stateId, 1);
	t.is((await reset).stateId, 0);
	t.is((await after).stateId, 1);
	t.deepEqual(journal.records.map(({kind}) => kind), ['cycle', 'reset', 'cycle']);
	t.like(journal.records[1], {checkpoint: {counters: {user: 0}, lastTrigger: {type: 'user'}, cumulativeDrift: 0}});
});

test('a loop that is stopped or started while the journal cannot be written is recorded when it can', async t => {
	const {journal, identity, clock} = await startDurable();
	const fault = async (change: () => Promise<unknown>) => {
		journal.break('The disk is full.');
		await change();
		await settle();
		journal.mend();
		clock.increment(5000);
		await settle();
	};

	await identity.daemon.start();
	await fault(async () => {
		await t.throwsAsync(identity.cycle('lost'));
		await identity.daemon.stop();
	});
	t.is(journal.records.at(-1)?.kind, 'daemon.stopped');
	// A disk may also fail with the record of the loop itself.
	await fault(async () => identity.daemon.start());
	t.is(journal.records.at(-1)?.kind, 'daemon.started');
	await identity.cycle('kept');
	t.deepEqual(journal.records.map(({kind}) => kind), ['daemon.started', 'daemon.stopped', 'daemon.started', 'cycle']);
});

test('the record of a loop’s cycle counts that cycle', async t => {
	const {journal, identity, clock} = await startDurable();
	identity.daemon.start();
	clock.increment(864_000);
	await settle();
	identity.daemon.stop();
	await settle();
	t.deepEqual(journal.records.map(({kind}) => kind), ['daemon.started', 'cycle', 'daemon.stopped']);
	const [, cycle] = journal.records;
	t.true(cycle?.kind === 'cycle' && cycle.origin === 'daemon');
	t.is(cycle?.kind === 'cycle' && Object.values(cycle.checkpoint.counters).reduce((sum, count) => sum + count), 1);
});

test('a cycle over maxPendingCycles is refused and not counted; daemon.start and reset are accepted', async t => {
	const {identity, encoder} = await startDurable(new FakeJournal(), {maxPendingCycles: 2});
	const held = encoder.hold('slow');
	const cycles = [1, 2].map(async () => identity.cycle({content: 'slow'}));
	await t.throwsAsync(identity.cycle({content: 'one more'}), {instanceOf: BusyError});
	t.is(identity.daemon.status().cyclesBreakdown.user, 2);
	t.true((await identity.daemon.start()).started);
	const reset = identity.reset();
	held.resolve();
	await Promise.all([...cycles, reset]);
	t.is((await identity.cycle({content: 'one more'})).stateId, 1);
});

test('pending texts with their metadata are limited by maxPendingBytes until they are answered', async t => {
	const {identity, encoder} = await startDurable(new FakeJournal(), {maxPendingBytes: 1000});
	const held = encoder.hold('slow'.repeat(100));
	const cycle = identity.cycle({content: 'slow'.repeat(100), metadata: {note: 'a'.repeat(300)}});
	await t.throwsAsync(identity.cycle({content: 'b'.repeat(300)}), {
		instanceOf: BusyError,
		message: /Texts of 711 bytes are already under way, and the limit is 1000/,
	});
	t.is(identity.daemon.status().cyclesBreakdown.user, 1);
	const next = identity.cycle({content: 'b'.repeat(200)});
	held.resolve();
	await cycle;
	t.is((await next).stateId, 2);
	t.is((await identity.cycle({content: 'c'.repeat(5000)})).stateId, 3, 'one alone is accepted, however long');
});

test('drain refuses new cycles, and waits until the accepted ones are durable', async t => {
	const {journal, identity, encoder} = await startDurable();
	const held = encoder.hold('slow');
	const cycle = identity.cycle({content: 'slow'});
	await settle();
	let isDrained = false;
	const drained = (async () => {
		await identity.drain();
		isDrained = true;
	})();
	t.false(identity.readiness().ready);
	t.is(identity.readiness().parts.state, 'stopping');
	await t.throwsAsync(identity.cycle({content: 'late'}), {instanceOf: UnavailableError, message: /stopping/});
	await settle();
	t.false(isDrained);
	held.resolve();
	await drained;
	t.is((await cycle).stateId, 1);
	t.is(journal.records.length, 1);
	await identity.dispose();
	t.true(journal.isClosed);
});

test('any error of append counts as a failure of the journal, and does not move the state', async t => {
	const journal = new FakeJournal();
	const {identity} = await startDurable(journal);
	await identity.cycle({content: 'kept'});
	const append = journal.append.bind(journal);
	journal.append = async () => {
		throw new Error('ENOSPC');
	};
	await t.throwsAsync(identity.cycle({content: 'lost'}), {instanceOf: JournalError, message: /ENOSPC/});
	t.is(identity.state().stateId, 1);
	t.regex(identity.readiness().parts.journal, /ENOSPC/);
	journal.append = append;
});
