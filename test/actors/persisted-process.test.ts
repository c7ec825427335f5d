/**
 * Persisted snapshots of a whole process, state by state: with cycles under way, while it waits
 * for its journal, and at its ends. A new system has its own encoder, journal and clock, and
 * comes to the very state that the old one comes to undisturbed.
 */
import test from 'ava';
import {createActor, fromPromise, waitFor, type Actor} from 'xstate';
import {cycleMachine, type CycleServices} from '../../src/actors/cycle.ts';
import type {Handle} from '../../src/actors/handle.ts';
import {snapshotFromJson, snapshotToJson} from '../../src/actors/persisted.ts';
import {processMachine} from '../../src/actors/process.ts';
import {selectDaemon, selectMetrics} from '../../src/actors/selectors.ts';
import type {Embedding} from '../../src/embedding/encoder.ts';
import type {Time} from '../../src/clock.ts';
import {ConfigurationError, JournalError} from '../../src/errors.ts';
import {settle, vectorOf} from './fixtures.ts';
import {atomicStates, run} from './persisting.ts';
import {comparing, cycle, inputOf, nextTo, rehydrate, start} from './persisting-process.ts';

const states = atomicStates(processMachine);

/** The states in which tests found a process that they persisted. A process that boots has a file of tests for itself. */
const persistedIn = new Set(['booting']);

const persist = (process: Actor<typeof processMachine>, time: Time): string => {
	const snapshot = process.getSnapshot();
	for (const state of states.filter(path => snapshot.matches(path as never))) {
		persistedIn.add(state);
	}

	return snapshotToJson(process.getPersistedSnapshot(), time);
};

test.after('a process was persisted in every state', t => {
	t.deepEqual([...persistedIn].toSorted(), states.toSorted());
});

test('a process that accepts goes on with cycles in each of their states, and with a reset among them', async t => {
	const {process: old, ...own} = await start();
	own.encoder.fail('bad', new Error('no'));
	// Of actors that wait, the last one runs first: the turns that follow are not in the order in which their actors were made.
	cycle(old, 'a', 'a', 'a', 'bad');
	await settle();
	const held = own.encoder.hold('slow');
	own.journal.hold();
	cycle(old, 'b', 'c');
	await settle();
	old.send({type: 'reset', id: 'back'});
	cycle(old, 'd', 'e');
	await settle();
	old.send({type: 'reset', id: 'back again'});
	cycle(old, 'f', 'slow', 'g');
	old.send({type: 'reset', id: 'back once more'});
	cycle(old, 'h');
	await settle();
	const values = () => Object.values(old.getSnapshot().children).map(child => (child as {getSnapshot: () => {value: unknown}}).getSnapshot().value);
	t.is(values().filter(value => value === 'recording').length, 7);
	t.true(values().includes('embedding'));
	t.is(values().filter(value => value === 'queued').length, 3);
	const text = persist(old, own.time);

	const next = nextTo(own);
	const {process, heard} = rehydrate(text, next);
	own.journal.release();
	await settle();
	held.resolve();
	await settle();
	t.deepEqual(heard.flatMap(event => 'id' in event ? [event.id] : []), ['b', 'c', 'back', 'd', 'e', 'back again', 'f', 'slow', 'g', 'back once more', 'h']);
	await comparing(t, old, own, process, next);
	t.is(process.getSnapshot().context.services!.value.living.state, process.getSnapshot().context.state!);
});

test('a process goes on with the loop in the midst of its cycle, which is counted', async t => {
	const {process: old, ...own} = await start();
	const held = ['r0', 'r1', 'c0', 'c1'].map(theme => own.encoder.hold(theme));
	old.send({type: 'daemon.start'});
	await settle();
	own.clock.increment(864_000);
	const text = persist(old, own.time);

	const next = nextTo(own);
	const {process} = rehydrate(text, next);
	for (const {resolve} of held) {
		resolve();
	}

	await settle();
	t.is(selectDaemon(process.getSnapshot(), next.time).cyclesSinceLastUser, 1);
	await comparing(t, old, own, process, next);
	next.clock.increment(864_000);
	await settle();
	t.is(next.journal.records.filter(record => record.kind === 'cycle').length, 3, 'the loop thinks again');
});

/** A process whose journal broke while two cycles were on their way to it. */
const halting = async () => {
	const {process, heard, ...own} = await start();
	cycle(process, 'a');
	await settle();
	own.journal.hold();
	cycle(process, 'b', 'c');
	await settle();
	own.journal.break('no room');
	return {process, heard, ...own};
};

test('a halted process fails what was on its way, tries the journal after its pause, and goes on from what lasted', async t => {
	const {process: old, ...own} = await halting();
	const {promise, resolve} = Promise.withResolvers<string>();
	old.subscribe(state => {
		if (state.matches({ready: 'halted'})) {
			resolve(persist(old, own.time));
		}
	});
	own.journal.release();
	const text = await promise;
	t.true(text.includes('"recording"'), 'the second cycle has not heard yet');
	await settle();

	const next = nextTo(own);
	const {process, heard} = rehydrate(text, next);
	t.true(process.getSnapshot().matches({ready: {halted: 'pausing'}}));
	await settle();
	t.like(heard, [{type: 'cycle.failed', id: 'c'}]);
	t.true(heard[0]!.type === 'cycle.failed' && heard[0]!.error instanceof JournalError);
	t.is(next.journal.records.length, 1);
	own.journal.mend();
	own.clock.increment(5000);
	next.clock.increment(5000);
	await settle();
	t.is(heard.at(-1)!.type, 'journal.mended');
	await comparing(t, old, own, process, next);
});

test('a process that reopens its journal opens the new one', async t => {
	const {process: old, ...own} = await halting();
	own.journal.release();
	await settle();
	const opening = own.journal.open.bind(own.journal);
	own.journal.mend();
	const held = Promise.withResolvers<void>();
	own.journal.open = async () => {
		await held.promise;
		return opening();
	};

	own.clock.increment(5000);
	t.true(old.getSnapshot().matches({ready: {halted: 'reopening'}}));
	const text = persist(old, own.time);
	held.resolve();
	const next = nextTo(own);
	const {process, heard} = rehydrate(text, next);
	t.true(process.getSnapshot().matches({ready: {halted: 'reopening'}}));
	await settle();
	t.deepEqual(heard, [{type: 'journal.mended'}]);
	await comparing(t, old, own, process, next);
});

test('a process that failed tells why', async t => {
	const own = run();
	const input = inputOf(own);
	input.sources.loadEncoder = async () => {
		throw new ConfigurationError('no such model');
	};

	const old = createActor(processMachine, {input}).start();
	await waitFor(old, state => state.matches('failed'));
	const {process} = rehydrate(persist(old, own.time), run());
	t.true(process.getSnapshot().matches('failed'));
	t.is(process.getSnapshot().status, 'done');
	const {failure} = process.getSnapshot().context;
	t.true(failure instanceof ConfigurationError);
	t.like(failure, {message: 'no such model', code: 'configuration'});
});

test('a process that was stopped is stopped', async t => {
	const {process: old, ...own} = await start();
	own.encoder.hold('slow');
	cycle(old, 'a', 'slow');
	await settle();
	old.send({type: 'stop'});
	const next = nextTo(own);
	const {process} = rehydrate(persist(old, own.time), next);
	await settle();
	t.true(process.getSnapshot().matches('stopped'));
	t.deepEqual(next.encoder.asked, []);
	t.is(next.journal.records.length, 1);
});

test('a translation that was under way is asked for again', async t => {
	const {process: old, ...own} = await start();
	old.send({type: 'translate', id: 'words', context: null});
	const {heard} = rehydrate(persist(old, own.time), nextTo(own));
	await settle();
	t.like(heard, [{type: 'translation.done', id: 'words', translation: {text: 'calm'}}]);
});

test('the time between two runs counts, as the wall clock has it', async t => {
	const {process: old, ...own} = await start();
	own.clock.increment(1_800_000);
	cycle(old, 'a');
	await settle();
	const next = nextTo(own);
	const text = persist(old, own.time);
	next.clock.increment(1_800_000);
	const {process} = rehydrate(text, next);
	const {uptimeHours, cyclesLastHour} = selectMetrics(process.getSnapshot());
	t.is(uptimeHours, 1);
	t.is(cyclesLastHour, 1);
	const {time} = process.getSnapshot().context.services!.value;
	t.is(selectDaemon(process.getSnapshot(), time).timeSinceLastUserSeconds, 1800);
});

for (const missing of ['input', 'encoder', 'translator'] as const) {
	test(`a process is not read without its ${missing}`, async t => {
		const {process: old, ...own} = await start();
		const next = nextTo(own);
		const text = persist(old, own.time);
		const {[missing]: _, ...rest} = {input: inputOf(next), encoder: next.encoder, translator: {translate: async () => ({text: '', reasoningDetected: false})}};
		t.throws(() => snapshotFromJson(text, rest), {instanceOf: ConfigurationError, message: new RegExp(`“${missing}”`)});
	});
}

test('an application’s own actors, given by name, run a process’s cycles by a simulated clock', async t => {
	const embed = fromPromise<Embedding, {content: string; services: Handle<CycleServices>}>(async ({input: {content}}) => ({vector: vectorOf(`my own ${content}`), report: {}}));
	const own = processMachine.provide({actors: {cycle: cycleMachine.provide({actors: {embed}})}, delays: {journalPause: 10}});
	const {clock, encoder, ...parts} = run();
	const process = createActor(own, {input: inputOf({clock, encoder, ...parts}), clock}).start();
	await waitFor(process, state => state.matches('ready'));
	const embedded = encoder.asked.length;
	process.send({type: 'daemon.start'});
	await settle();
	clock.increment(864_000);
	await settle();
	t.is(process.getSnapshot().context.state!.stateId, 1);
	t.is(encoder.asked.length, embedded, 'the encoder was not asked');
	parts.journal.break('no room');
	cycle(process, 'a');
	await settle();
	t.true(process.getSnapshot().matches({ready: {halted: 'pausing'}}));
	parts.journal.mend();
	clock.increment(10);
	await settle();
	t.true(process.getSnapshot().matches({ready: 'accepting'}));
});
