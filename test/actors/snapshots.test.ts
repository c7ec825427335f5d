/** The snapshots of machines: the daemon is restored from one, the process is not. */
import test from 'ava';
import {createActor, setup, SimulatedClock, type ActorRefFrom} from 'xstate';
import {createDaemonMachine, type DaemonRequest} from '../../src/actors/daemon.ts';
import {defaultLoop} from '../../src/actors/loop.ts';
import {createProcessMachine} from '../../src/actors/process.ts';
import {ConfigurationError, ModelLoadError} from '../../src/platform/errors.ts';
import {createIdentity} from '../../src/identity/create-identity.ts';
import {FakeEncoder, settle, startIdentity, vectorOf} from './fixtures.ts';

test('a daemon is restored from its persisted snapshot in JSON', t => {
	const clock = new SimulatedClock();
	const time = {now: () => clock.now(), elapsed: () => clock.now()};
	const daemonMachine = createDaemonMachine({time, random: () => 0.6});
	const asked: DaemonRequest[] = [];
	const parent = setup({types: {events: {} as DaemonRequest}, actors: {daemon: daemonMachine}}).createMachine({
		invoke: {id: 'daemon', src: 'daemon', input: {loop: defaultLoop, themes: {rumination: ['r0'], corpus: ['c0']}}},
		on: {'*': {actions: ({event}) => asked.push(event)}},
	});
	const daemonIn = (root: {getSnapshot(): {children: object}}) =>
		(root.getSnapshot().children as Record<string, ActorRefFrom<typeof daemonMachine>>)['daemon']!;

	const first = createActor(parent, {clock}).start();
	for (const event of [{type: 'daemon.start'}, {type: 'trigger', trigger: 'user'}] as const) {
		daemonIn(first).send(event);
	}

	const before = daemonIn(first).getSnapshot();
	const json = JSON.stringify(first.getPersistedSnapshot());
	first.stop();
	asked.length = 0;

	const second = createActor(parent, {clock, snapshot: JSON.parse(json)}).start();
	const after = daemonIn(second).getSnapshot();
	t.deepEqual(after.value, before.value);
	t.deepEqual(after.context, before.context);
	daemonIn(second).send({type: 'resume'});
	clock.increment(defaultLoop.cycleIntervalSeconds * 1000);
	t.deepEqual(asked, [{type: 'daemon.cycle', trigger: 'corpus', content: 'c0'}]);
});

test('a process refuses to be restored from a snapshot, and the error names the journal', async t => {
	const {identity} = await startIdentity();
	const machine = identity.actor.logic as ReturnType<typeof createProcessMachine>;
	const actor = createActor(machine, {snapshot: identity.actor.getPersistedSnapshot()});
	t.like(actor.getSnapshot(), {status: 'error'});
	const {error} = actor.getSnapshot();
	t.true(error instanceof ConfigurationError);
	t.regex((error as Error).message, /^A process is restored from its journal, never from a snapshot\./);
});

test('a failed boot is the error of the process, which a subscriber receives', async t => {
	const failure = new ModelLoadError('no such model');
	const identity = createIdentity({
		async encoder() {
			throw failure;
		},
		themes: {rumination: ['r'], corpus: ['c']},
	});
	const errors: unknown[] = [];
	identity.actor.subscribe({error: error => errors.push(error)});
	await t.throwsAsync(identity.ready(), {is: failure});
	t.deepEqual(errors, [failure]);
	t.like(identity.actor.getSnapshot(), {status: 'error', error: failure});
	await identity.dispose();
});

test('the snapshots of the process and its actors are small as JSON', async t => {
	const encoder = new FakeEncoder();
	const {identity} = await startIdentity({
		encoder: async () => encoder,
		directions: Array.from(
			{length: 100},
			(_, n) => ({name: `${n}`, category: 'affective', polePositive: 'p', poleNegative: 'n', vector: vectorOf(`${n}`)}),
		),
		corroborate: async vector => [vector],
	});
	await identity.cycle({content: 'first'});
	const held = encoder.hold('slow');
	const slow = identity.cycle({content: 'slow'});
	const queued = identity.cycle({content: 'queued'});
	await settle();
	const snapshots = [
		identity.actor.getSnapshot(),
		...Object.values(identity.actor.getSnapshot().children).map(child => child!.getSnapshot()),
	];
	t.is(snapshots.length, 5);
	for (const snapshot of snapshots) {
		const {length} = JSON.stringify(snapshot);
		t.true(length < 4096, `${length} characters`);
	}

	held.resolve();
	await Promise.all([slow, queued]);
});
