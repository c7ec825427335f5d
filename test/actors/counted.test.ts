/** Requests that are not recorded are not counted: the counters are those that a restart restores. */
import test from 'ava';
import {JournalError, UnavailableError} from '../../src/platform/errors.ts';
import {settle} from './fixtures.ts';
import {startDurable} from './start-durable.ts';

test('a reset that is not recorded changes neither counters nor mode', async t => {
	const {journal, identity, clock} = await startDurable();
	await identity.cycle({content: 'one'});
	await identity.cycle({content: 'two', trigger: 'corpus'});
	const before = identity.daemon.status();
	journal.break('disk full');
	await t.throwsAsync(identity.reset(), {instanceOf: JournalError});
	t.deepEqual(identity.daemon.status(), before);
	journal.mend();
	clock.increment(5000);
	await settle();
	await identity.cycle({content: 'three'});
	t.like(identity.daemon.status().cyclesBreakdown, {user: 2, corpus: 1});
	t.like(journal.records.at(-1), {checkpoint: {counters: {user: 2, corpus: 1}}});
});

/** The values that must be as of the last durable record. */
const countsIn = ({identity}: Awaited<ReturnType<typeof startDurable>>) => {
	const {cyclesBreakdown, lastTrigger} = identity.daemon.status();
	const {totalCycles, alerts} = identity.metrics();
	return {cyclesBreakdown, lastTrigger, totalCycles, alerts, state: identity.state(), vigilance: identity.vigilance()};
};

/** Fails the journal with requests pending. Returns the counts after that, after its recovery, and after a restart. */
const afterFailure = async (started: Awaited<ReturnType<typeof startDurable>>, pending: Array<Promise<unknown>>) => {
	const {journal, clock, identity} = started;
	const settled = Promise.allSettled(pending);
	journal.break('disk full');
	journal.release();
	const outcomes = (await settled).map(({status}) => status);
	const live = countsIn(started);
	journal.mend();
	clock.increment(5000);
	await settle();
	const mended = countsIn(started);
	await identity.dispose();
	const {cyclesBreakdown, lastTrigger} = (await startDurable(journal)).identity.daemon.status();
	return {outcomes, live, mended, restarted: {cyclesBreakdown, lastTrigger}};
};

test('cycles that are not recorded are not counted, nor are those accepted behind them', async t => {
	const started = await startDurable();
	const {journal, identity, encoder, clock} = started;
	await identity.cycle({content: 'kept', trigger: 'veille'});
	const durable = countsIn(started);
	clock.increment(1000);
	journal.hold();
	encoder.hold('slow');
	const pending = [
		...['a', 'b'].map(async content => identity.cycle({content})),
		identity.cycle({content: 'slow', trigger: 'dream'}),
		identity.cycle({content: 'behind it', trigger: 'corpus'}),
	];
	await settle();
	t.like(identity.daemon.status(), {cyclesBreakdown: {user: 2, corpus: 1, veille: 1}, lastTrigger: {type: 'corpus'}});
	const {outcomes, live, mended, restarted} = await afterFailure(started, pending);
	t.deepEqual(outcomes, ['rejected', 'rejected', 'rejected', 'rejected']);
	t.deepEqual(live, durable);
	t.deepEqual(mended, durable);
	t.deepEqual(restarted, {cyclesBreakdown: durable.cyclesBreakdown, lastTrigger: durable.lastTrigger});
});

test('requests that wait for their turn when the journal fails are unavailable, and retryable', async t => {
	const {journal, identity, encoder} = await startDurable();
	journal.hold();
	encoder.hold('slow');
	const lost = t.throwsAsync(identity.cycle({content: 'a'}), {instanceOf: JournalError});
	await settle();
	const waiting = [identity.cycle({content: 'slow'}), identity.cycle({content: 'b'}), identity.reset()]
		.map(
			async request => t.throwsAsync<UnavailableError>(request, {instanceOf: UnavailableError, message: /cannot be written: disk full/}),
		);
	await settle();
	journal.break('disk full');
	journal.release();
	await lost;
	t.deepEqual((await Promise.all(waiting)).map(({retryable}) => retryable), [true, true, true]);
});

test('a cycle that is not recorded still changes the mode', async t => {
	const {journal, identity} = await startDurable();
	journal.break('disk full');
	await t.throwsAsync(identity.cycle({content: 'a', trigger: 'corpus'}), {instanceOf: JournalError});
	t.like(identity.daemon.status(), {mode: 'autonomous', cyclesBreakdown: {corpus: 0}, lastTrigger: null});
});

test('requests accepted behind a reset that is not recorded are not counted', async t => {
	const started = await startDurable();
	const {journal, identity, encoder} = started;
	await identity.cycle({content: 'one'});
	const durable = countsIn(started);
	journal.hold();
	encoder.hold('slow');
	const pending = [
		identity.reset(),
		identity.cycle({content: 'slow', trigger: 'corpus'}),
		identity.reset(),
		identity.cycle({content: 'last', trigger: 'veille'}),
	];
	t.like(identity.daemon.status(), {mode: 'conversation', cyclesBreakdown: {user: 0, corpus: 0, veille: 1}});
	const {live, mended} = await afterFailure(started, pending);
	t.deepEqual(live, durable);
	t.deepEqual(mended, durable);
});

test('a cycle that failed to embed is counted, and stays so when the journal fails later', async t => {
	const started = await startDurable();
	const {journal, identity, encoder} = started;
	encoder.fail('bad', new Error('the model broke'));
	await identity.cycle({content: 'one', trigger: 'veille'});
	await t.throwsAsync(identity.cycle({content: 'bad'}));
	t.is(identity.daemon.status().cyclesBreakdown.user, 1);
	journal.hold();
	const lost = [identity.cycle({content: 'a'})];
	await settle();
	lost.push(identity.cycle({content: 'bad', trigger: 'corpus'}));
	await settle();
	const {live, mended} = await afterFailure(started, lost);
	t.like(live, {cyclesBreakdown: {user: 1, veille: 1, corpus: 1}, lastTrigger: {type: 'corpus'}});
	t.like(mended, {cyclesBreakdown: {user: 1, veille: 1, corpus: 1}, lastTrigger: {type: 'corpus'}});
});

test('a record counts the cycles accepted up to its own, including failed ones', async t => {
	const {journal, identity, encoder} = await startDurable();
	const [first, bad] = [encoder.hold('first'), encoder.hold('bad')];
	const cycles = ['first', 'second', 'bad', 'third'].map(async content => identity.cycle({content}));
	await settle();
	bad.reject(new Error('the model broke'));
	first.resolve();
	await Promise.allSettled(cycles);
	t.deepEqual(journal.records.map(record => record.kind === 'cycle' && record.checkpoint.counters.user), [1, 2, 4]);
});

/** An identity whose loop's cycle is being recorded. `restarted` gives its counters after a restart. */
const recordingLoop = async () => {
	const started = await startDurable();
	const {journal, identity, clock} = started;
	identity.daemon.start();
	await settle();
	journal.hold();
	clock.increment(864_000);
	await settle();
	const restarted = async () => {
		journal.release();
		await identity.drain();
		const {identity: next} = await startDurable(journal);
		return next.daemon.status().cyclesBreakdown;
	};
	return {...started, restarted};
};

test('the loop’s cycle is counted from its turn on, as after a restart', async t => {
	const {identity, journal, restarted} = await recordingLoop();
	t.is(identity.daemon.status().cyclesBreakdown.rumination_free + identity.daemon.status().cyclesBreakdown.corpus, 1);
	const cycle = identity.cycle({content: 'said while it was halted'});
	await settle();
	journal.release();
	await cycle;
	const live = identity.daemon.status().cyclesBreakdown;
	t.is(live.user, 1);
	t.deepEqual(await restarted(), live);
});

test('a loop that is stopped while its cycle is being recorded has counted it', async t => {
	const {identity, restarted} = await recordingLoop();
	identity.daemon.stop();
	const live = identity.daemon.status().cyclesBreakdown;
	t.is(live.rumination_free + live.corpus, 1);
	t.deepEqual(await restarted(), live);
});

test('a reset after the loop’s turn clears its count too', async t => {
	const {identity, journal, restarted} = await recordingLoop();
	const reset = identity.reset();
	await settle();
	journal.release();
	await reset;
	const live = identity.daemon.status().cyclesBreakdown;
	t.is(live.rumination_free + live.corpus, 0);
	t.deepEqual(await restarted(), live);
});

test('a loop’s cycle that is not recorded is not counted, with or without a reset behind it', async t => {
	for (const isReset of [false, true]) {
		const {identity, journal} = await recordingLoop();
		const reset = isReset ? identity.reset().catch(() => {}) : null;
		await settle();
		journal.break('disk full');
		journal.release();
		await reset;
		await settle();
		t.like(identity.daemon.status(), {cyclesBreakdown: {user: 0, rumination_free: 0, corpus: 0}, lastTrigger: null});
	}
});
