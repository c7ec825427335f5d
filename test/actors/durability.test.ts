/** What the process promises about its journal: acknowledged is durable, and what is not durable has not happened. */
import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import test from 'ava';
import {waitFor} from 'xstate';
import {BusyError, ConfigurationError, JournalError, UnavailableError} from '../../src/errors.ts';
import {createIdentity} from '../../src/identity/create-identity.ts';
import {createSqliteJournal} from '../../src/journal/sqlite/sqlite-journal.ts';
import {FakeJournal} from './fake-journal.ts';
import {FakeEncoder, settle, startProcess} from './fixtures.ts';

const startDurable = async (journal = new FakeJournal(), options: Parameters<typeof startProcess>[0] = {}) =>
	({journal, ...await startProcess({journal, ...options})});

test('a new journal begins with the initial state, the reference and the model\'s passport', async t => {
	const {journal, process} = await startDurable();
	const {initial, reference, passport} = journal.genesis!;
	t.is(initial.stateId, process.state().stateId);
	t.is(reference.stateId, -1);
	t.is(passport.model, 'fake');
});

test('a cycle is answered, and readers see it, only when it is durable', async t => {
	const {journal, process} = await startDurable();
	journal.hold();
	let isAnswered = false;
	const cycle = process.cycle({content: 'hello'}).then(result => {
		isAnswered = true;
		return result;
	});
	await settle();
	t.false(isAnswered);
	t.is(process.state().stateId, 0);
	t.is(process.metrics().totalCycles, 0);
	journal.release();
	t.is((await cycle).stateId, 1);
	t.is(process.state().stateId, 1);
});

test('cycles do not wait for each other\'s commit: the next one takes its turn on the living state', async t => {
	const {journal, process} = await startDurable();
	journal.hold();
	const cycles = ['a', 'b', 'c'].map(async content => process.cycle({content}));
	await settle();
	journal.release();
	t.deepEqual((await Promise.all(cycles)).map(({stateId}) => stateId), [1, 2, 3]);
	t.deepEqual(journal.records.map(record => record.kind === 'cycle' && record.stateId), [1, 2, 3]);
});

test('a record holds the cycle whole', async t => {
	const {journal, process} = await startDurable();
	const {deltaMagnitude, dissonanceTotal} = await process.cycle({content: 'hello', trigger: 'veille', metadata: {from: 'a test'}});
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
			cumulativeDrift: process.vigilance().cumulativeDrift,
		},
	});
	t.is(record?.kind === 'cycle' && record.vector.length, 1024);
	t.is(record?.kind === 'cycle' && record.thirdness, process.actor.getSnapshot().context.state!.row('thirdness'));
});

test('after a restart all is as it was after the last acknowledged cycle', async t => {
	const journal = new FakeJournal();
	const {process: first} = await startDurable(journal);
	for (const [content, trigger] of [['a', 'user'], ['b', 'corpus'], ['c', 'dream']] as const) {
		await first.cycle({content, trigger});
	}

	const before = {state: first.actor.getSnapshot().context.state!, vigilance: first.vigilance(), daemon: first.daemon.status()};
	await first.dispose();

	const {process: second, clock} = await startDurable(journal);
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

test('a restart that goes on reaches the very bits of a run without one', async t => {
	const journal = new FakeJournal();
	const {process: first} = await startDurable(journal);
	await first.cycle({content: 'a'});
	await first.dispose();
	const {process: second} = await startDurable(journal);
	await second.cycle({content: 'b'});

	const {process: whole} = await startDurable();
	await whole.cycle({content: 'a'});
	await whole.cycle({content: 'b'});
	t.deepEqual(second.actor.getSnapshot().context.state!.rows, whole.actor.getSnapshot().context.state!.rows);
	t.is(second.vigilance().cumulativeDrift, whole.vigilance().cumulativeDrift);
});

test('another model on the same journal is refused with both names and the way out', async t => {
	const {journal, process} = await startDurable();
	await process.dispose();
	const other = Object.assign(new FakeEncoder(), {passport: {...new FakeEncoder().passport, model: 'other'}});
	await t.throwsAsync(startProcess({journal, loadEncoder: async () => other}), {
		instanceOf: ConfigurationError,
		message: /begun with model “fake” .* has model “other”.*processual reembed/,
	});
});

test('a journal that cannot be opened ends the boot: no state begins anew because the old one is out of reach', async t => {
	const journal = new FakeJournal();
	journal.break('the disk is gone');
	await t.throwsAsync(startProcess({journal}), {instanceOf: JournalError, message: 'the disk is gone'});
});

test('a boot that fails after the model was loaded frees it', async t => {
	const journal = new FakeJournal();
	journal.break('the disk is gone');
	const encoder = new FakeEncoder();
	const process = createIdentity({embeddingModel: 'fake', loadEncoder: async () => encoder, themes: {rumination: ['r'], corpus: ['c']}, journal});
	await t.throwsAsync(process.ready());
	await process.dispose();
	t.true(encoder.disposed);
	t.false(journal.isClosed, 'it was never open');
});

test('a process that is refused a journal leaves it to the one that has it', async t => {
	const folder = await mkdtemp(path.join(tmpdir(), 'shared-'));
	t.teardown(async () => rm(folder, {recursive: true, force: true}));
	const journal = createSqliteJournal({folder});
	const first = await startProcess({journal});
	t.teardown(async () => first.process.dispose());
	const second = createIdentity({embeddingModel: 'fake', loadEncoder: async () => new FakeEncoder(), themes: {rumination: ['r'], corpus: ['c']}, journal});
	await t.throwsAsync(second.ready(), {instanceOf: JournalError, message: /open already/});
	await second.dispose();
	t.is((await first.process.cycle({content: 'still here'})).stateId, 1);
});

test('a process that is stopped while it opens its journal closes it', async t => {
	const folder = await mkdtemp(path.join(tmpdir(), 'stopped-'));
	t.teardown(async () => rm(folder, {recursive: true, force: true}));
	const stopped = createIdentity({embeddingModel: 'fake', loadEncoder: async () => new FakeEncoder(), themes: {rumination: ['r'], corpus: ['c']}, journal: createSqliteJournal({folder})});
	await waitFor(stopped.actor, snapshot => snapshot.children['boot']?.getSnapshot().value === 'journal');
	await stopped.dispose();
	const {process} = await startProcess({journal: createSqliteJournal({folder})});
	t.is(process.state().stateId, 0);
	await process.dispose();
});

test('when the journal cannot write, nothing of the cycles under way has happened', async t => {
	const {journal, process} = await startDurable();
	await process.cycle({content: 'kept'});
	const kept = process.actor.getSnapshot().context.state!;
	journal.hold();
	const lost = ['a', 'b'].map(async content => t.throwsAsync(process.cycle({content}), {instanceOf: JournalError}));
	await settle();
	journal.break('the disk is full');
	journal.release();
	await Promise.all(lost);
	t.is(process.actor.getSnapshot().context.state, kept);
	t.is(process.metrics().totalCycles, 1);
});

test('while the journal cannot write, cycles and resets are refused with the reason and reads go on', async t => {
	const {journal, process} = await startDurable();
	journal.break('the disk is full');
	await t.throwsAsync(process.cycle({content: 'a'}), {instanceOf: JournalError});
	t.deepEqual(process.readiness(), {ready: false, parts: {model: 'ok', state: 'ok', journal: 'the disk is full', store: 'ok'}});
	await t.throwsAsync(process.cycle({content: 'b'}), {instanceOf: UnavailableError, message: /cannot be written: the disk is full/});
	await t.throwsAsync(process.reset(), {instanceOf: UnavailableError});
	t.is(process.state().stateId, 0);
	t.is(process.daemon.status().cyclesBreakdown.user, 0, 'neither the lost cycle nor the refused one has counted');
});

test('the journal is tried again until it can write, and the next cycle goes on from what is durable', async t => {
	const {journal, process, clock} = await startDurable();
	await process.cycle({content: 'kept'});
	journal.break('the disk is full');
	await t.throwsAsync(process.cycle({content: 'a'}));
	clock.increment(5000);
	await settle();
	t.false(process.readiness().ready);
	journal.mend();
	clock.increment(5000);
	await settle();
	t.true(process.readiness().ready);
	t.is((await process.cycle({content: 'b'})).stateId, 2);
	t.is(journal.records.length, 2);
});

test('a journal that became empty is not begun anew behind one\'s back', async t => {
	const {journal, process, clock} = await startDurable();
	journal.break('the disk is gone');
	await t.throwsAsync(process.cycle({content: 'a'}));
	journal.mend();
	journal.genesis = null;
	clock.increment(5000);
	await settle();
	t.regex(process.readiness().parts.journal, /empty, though it was not/);
});

test('the loop stumbles while the journal cannot write, and goes on when it can', async t => {
	const {journal, process, clock} = await startDurable();
	process.daemon.start();
	await settle();
	journal.break('the disk is full');
	clock.increment(864_000);
	await settle();
	t.false(process.readiness().ready);
	journal.mend();
	clock.increment(5000);
	await settle();
	clock.increment(864_000);
	await settle();
	t.is(process.state().stateId, 1);
});

test('a reset is durable in its turn, after the cycles before it', async t => {
	const {journal, process} = await startDurable();
	journal.hold();
	const before = process.cycle({content: 'a'});
	await settle();
	const reset = process.reset();
	const after = process.cycle({content: 'b'});
	await settle();
	t.is(process.state().stateId, 0);
	journal.release();
	t.is((await before).stateId, 1);
	t.is((await reset).stateId, 0);
	t.is((await after).stateId, 1);
	t.deepEqual(journal.records.map(({kind}) => kind), ['cycle', 'reset', 'cycle']);
	t.like(journal.records[1], {checkpoint: {counters: {user: 0}, lastTrigger: {type: 'user'}, cumulativeDrift: 0}});
});

test('a cycle of the loop counts in its own record', async t => {
	const {journal, process, clock} = await startDurable();
	process.daemon.start();
	clock.increment(864_000);
	await settle();
	process.daemon.stop();
	await settle();
	t.deepEqual(journal.records.map(({kind}) => kind), ['daemon.started', 'cycle', 'daemon.stopped']);
	const [, cycle] = journal.records;
	t.true(cycle?.kind === 'cycle' && cycle.origin === 'daemon');
	t.is(cycle?.kind === 'cycle' && Object.values(cycle.checkpoint.counters).reduce((sum, count) => sum + count), 1);
});

test('over the limit of cycles under way the next one is refused and has not counted; controls pass', async t => {
	const {process, encoder} = await startDurable(new FakeJournal(), {queueLimit: 2});
	const held = encoder.hold('slow');
	const cycles = [1, 2].map(async () => process.cycle({content: 'slow'}));
	await t.throwsAsync(process.cycle({content: 'one more'}), {instanceOf: BusyError});
	t.is(process.daemon.status().cyclesBreakdown.user, 2);
	t.true(process.daemon.start().started);
	const reset = process.reset();
	held.resolve();
	await Promise.all([...cycles, reset]);
	t.is((await process.cycle({content: 'one more'})).stateId, 1);
});

test('texts under way are bounded in bytes too, with their metadata, and until they are answered', async t => {
	const {process, encoder} = await startDurable(new FakeJournal(), {queueBytes: 1000});
	const held = encoder.hold('slow'.repeat(100));
	const cycle = process.cycle({content: 'slow'.repeat(100), metadata: {note: 'a'.repeat(300)}});
	await t.throwsAsync(process.cycle({content: 'b'.repeat(300)}), {instanceOf: BusyError, message: /Texts of 711 bytes are under way already, and 1000 are the limit/});
	t.is(process.daemon.status().cyclesBreakdown.user, 1);
	const behind = process.cycle({content: 'b'.repeat(200)});
	held.resolve();
	await cycle;
	t.is((await behind).stateId, 2);
	t.is((await process.cycle({content: 'c'.repeat(5000)})).stateId, 3, 'one alone is taken, however long');
});

test('draining accepts nothing more and waits for what was accepted to be durable', async t => {
	const {journal, process, encoder} = await startDurable();
	const held = encoder.hold('slow');
	const cycle = process.cycle({content: 'slow'});
	await settle();
	let isDrained = false;
	const drained = (async () => {
		await process.drain();
		isDrained = true;
	})();
	t.false(process.readiness().ready);
	t.is(process.readiness().parts.state, 'stopping');
	await t.throwsAsync(process.cycle({content: 'late'}), {instanceOf: UnavailableError, message: /stopping/});
	await settle();
	t.false(isDrained);
	held.resolve();
	await drained;
	t.is((await cycle).stateId, 1);
	t.is(journal.records.length, 1);
	await process.dispose();
	t.true(journal.isClosed);
});

test('whatever a journal fails with, nothing goes on that builds on what is not kept', async t => {
	const journal = new FakeJournal();
	const {process} = await startDurable(journal);
	await process.cycle({content: 'kept'});
	const append = journal.append.bind(journal);
	journal.append = async () => {
		throw new Error('ENOSPC');
	};
	await t.throwsAsync(process.cycle({content: 'lost'}), {instanceOf: JournalError, message: /ENOSPC/});
	t.is(process.state().stateId, 1);
	t.regex(process.readiness().parts.journal, /ENOSPC/);
	journal.append = append;
});

test('a reset that is not kept leaves counters and mode as they were', async t => {
	const {journal, process, clock} = await startDurable();
	await process.cycle({content: 'one'});
	await process.cycle({content: 'two', trigger: 'corpus'});
	const before = process.daemon.status();
	journal.break('disk full');
	await t.throwsAsync(process.reset(), {instanceOf: JournalError});
	t.deepEqual(process.daemon.status(), before);
	journal.mend();
	clock.increment(5000);
	await settle();
	await process.cycle({content: 'three'});
	t.like(process.daemon.status().cyclesBreakdown, {user: 2, corpus: 1});
	t.like(journal.records.at(-1), {checkpoint: {counters: {user: 2, corpus: 1}}});
});

/** What must be as after the last durable record. */
const countsIn = ({process}: Awaited<ReturnType<typeof startDurable>>) => {
	const {cyclesBreakdown, lastTrigger} = process.daemon.status();
	const {totalCycles, alerts} = process.metrics();
	return {cyclesBreakdown, lastTrigger, totalCycles, alerts, state: process.state(), vigilance: process.vigilance()};
};

/** Counts after the journal has failed under whatever is under way, after it is mended, and after a restart. */
const afterFailure = async (started: Awaited<ReturnType<typeof startDurable>>, underWay: Array<Promise<unknown>>) => {
	const {journal, clock, process} = started;
	const settled = Promise.allSettled(underWay);
	journal.break('disk full');
	journal.release();
	const outcomes = (await settled).map(({status}) => status);
	const live = countsIn(started);
	journal.mend();
	clock.increment(5000);
	await settle();
	const mended = countsIn(started);
	await process.dispose();
	const {cyclesBreakdown, lastTrigger} = (await startDurable(journal)).process.daemon.status();
	return {outcomes, live, mended, restarted: {cyclesBreakdown, lastTrigger}};
};

test('cycles that are not kept have not counted, nor what was accepted behind them', async t => {
	const started = await startDurable();
	const {journal, process, encoder, clock} = started;
	await process.cycle({content: 'kept', trigger: 'veille'});
	const durable = countsIn(started);
	clock.increment(1000);
	journal.hold();
	encoder.hold('slow');
	const underWay = [
		...['a', 'b'].map(async content => process.cycle({content})),
		process.cycle({content: 'slow', trigger: 'dream'}),
		process.cycle({content: 'behind it', trigger: 'corpus'}),
	];
	await settle();
	t.like(process.daemon.status(), {cyclesBreakdown: {user: 2, corpus: 1, veille: 1}, lastTrigger: {type: 'corpus'}});
	const {outcomes, live, mended, restarted} = await afterFailure(started, underWay);
	t.deepEqual(outcomes, ['rejected', 'rejected', 'rejected', 'rejected']);
	t.deepEqual(live, durable);
	t.deepEqual(mended, durable);
	t.deepEqual(restarted, {cyclesBreakdown: durable.cyclesBreakdown, lastTrigger: durable.lastTrigger});
});

test('what waits for its turn when the journal fails is unavailable, and may be tried again', async t => {
	const {journal, process, encoder} = await startDurable();
	journal.hold();
	encoder.hold('slow');
	const lost = t.throwsAsync(process.cycle({content: 'a'}), {instanceOf: JournalError});
	await settle();
	const waiting = [process.cycle({content: 'slow'}), process.cycle({content: 'b'}), process.reset()]
		.map(async request => t.throwsAsync<UnavailableError>(request, {instanceOf: UnavailableError, message: /cannot be written: disk full/}));
	await settle();
	journal.break('disk full');
	journal.release();
	await lost;
	t.deepEqual((await Promise.all(waiting)).map(({retryable}) => retryable), [true, true, true]);
});

test('a failed cycle still changes the mode', async t => {
	const {journal, process} = await startDurable();
	journal.break('disk full');
	await t.throwsAsync(process.cycle({content: 'a', trigger: 'corpus'}), {instanceOf: JournalError});
	t.like(process.daemon.status(), {mode: 'autonomous', cyclesBreakdown: {corpus: 0}, lastTrigger: null});
});

test('what came after a reset that is not kept is not kept either', async t => {
	const started = await startDurable();
	const {journal, process, encoder} = started;
	await process.cycle({content: 'one'});
	const durable = countsIn(started);
	journal.hold();
	encoder.hold('slow');
	const underWay = [process.reset(), process.cycle({content: 'slow', trigger: 'corpus'}), process.reset(), process.cycle({content: 'last', trigger: 'veille'})];
	t.like(process.daemon.status(), {mode: 'conversation', cyclesBreakdown: {user: 0, corpus: 0, veille: 1}});
	const {live, mended} = await afterFailure(started, underWay);
	t.deepEqual(live, durable);
	t.deepEqual(mended, durable);
});

test('a cycle that failed to embed has counted, and counts on when the journal fails later', async t => {
	const started = await startDurable();
	const {journal, process, encoder} = started;
	encoder.fail('bad', new Error('the model broke'));
	await process.cycle({content: 'one', trigger: 'veille'});
	await t.throwsAsync(process.cycle({content: 'bad'}));
	t.is(process.daemon.status().cyclesBreakdown.user, 1);
	journal.hold();
	const lost = [process.cycle({content: 'a'})];
	await settle();
	lost.push(process.cycle({content: 'bad', trigger: 'corpus'}));
	await settle();
	const {live, mended} = await afterFailure(started, lost);
	t.like(live, {cyclesBreakdown: {user: 1, veille: 1, corpus: 1}, lastTrigger: {type: 'corpus'}});
	t.like(mended, {cyclesBreakdown: {user: 1, veille: 1, corpus: 1}, lastTrigger: {type: 'corpus'}});
});

test('a record counts what was accepted before its cycle, whatever was accepted or failed since', async t => {
	const {journal, process, encoder} = await startDurable();
	const [first, bad] = [encoder.hold('first'), encoder.hold('bad')];
	const cycles = ['first', 'second', 'bad', 'third'].map(async content => process.cycle({content}));
	await settle();
	bad.reject(new Error('the model broke'));
	first.resolve();
	await Promise.allSettled(cycles);
	t.deepEqual(journal.records.map(record => record.kind === 'cycle' && record.checkpoint.counters.user), [1, 2, 4]);
});

/** A daemon whose cycle is on its way to the journal, and what is alike in it and in its restart. */
const recordingLoop = async () => {
	const started = await startDurable();
	const {journal, process, clock} = started;
	process.daemon.start();
	await settle();
	journal.hold();
	clock.increment(864_000);
	await settle();
	const restarted = async () => {
		journal.release();
		await process.drain();
		const {process: next} = await startDurable(journal);
		return next.daemon.status().cyclesBreakdown;
	};
	return {...started, restarted};
};

test('the loop’s cycle counts from its turn on, as after a restart', async t => {
	const {process, journal, restarted} = await recordingLoop();
	t.is(process.daemon.status().cyclesBreakdown.rumination_free + process.daemon.status().cyclesBreakdown.corpus, 1);
	const cycle = process.cycle({content: 'said meanwhile'});
	await settle();
	journal.release();
	await cycle;
	const live = process.daemon.status().cyclesBreakdown;
	t.is(live.user, 1);
	t.deepEqual(await restarted(), live);
});

test('a loop that is stopped while its cycle is on its way has counted it', async t => {
	const {process, restarted} = await recordingLoop();
	process.daemon.stop();
	const live = process.daemon.status().cyclesBreakdown;
	t.is(live.rumination_free + live.corpus, 1);
	t.deepEqual(await restarted(), live);
});

test('a reset after the loop’s turn clears its count too', async t => {
	const {process, journal, restarted} = await recordingLoop();
	const reset = process.reset();
	await settle();
	journal.release();
	await reset;
	const live = process.daemon.status().cyclesBreakdown;
	t.is(live.rumination_free + live.corpus, 0);
	t.deepEqual(await restarted(), live);
});

test('a loop’s cycle that is not kept has not counted, with a reset behind it or not', async t => {
	for (const isReset of [false, true]) {
		const {process, journal} = await recordingLoop();
		const reset = isReset ? process.reset().catch(() => {}) : null;
		await settle();
		journal.break('disk full');
		journal.release();
		await reset;
		await settle();
		t.like(process.daemon.status(), {cyclesBreakdown: {user: 0, rumination_free: 0, corpus: 0}, lastTrigger: null});
	}
});
