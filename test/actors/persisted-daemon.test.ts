/** Persisted snapshots of a daemon, in each mode and each state of the loop; how it goes on in a new system. */
import test from 'ava';
import {createActor, setup, type ActorRefFrom} from 'xstate';
import {daemonMachine, type DaemonEvent, type DaemonInput} from '../../src/actors/daemon.ts';
import {defaultLoop} from '../../src/actors/loop.ts';
import {snapshotFromJson, snapshotToJson} from '../../src/actors/persisted.ts';
import {coversAll, run} from './persisting.ts';

const daemonWith = (input: DaemonInput, asked: unknown[]) => setup({types: {events: {} as {type: string}}, actors: {daemon: daemonMachine}}).createMachine({
	invoke: {id: 'daemon', src: 'daemon', input},
	on: {'*': {actions: ({event}) => asked.push(event)}},
});

const modes: Record<string, DaemonEvent[]> = {
	'mode.idle': [{type: 'reset'}],
	'mode.conversation': [{type: 'trigger', trigger: 'user'}],
	'mode.autonomous': [{type: 'trigger', trigger: 'corpus'}],
};

type LoopCase = {events: DaemonEvent[]; wait: number; further: DaemonEvent[]; asksAfter: number | null; goesOn?: DaemonEvent};

const interval = defaultLoop.cycleIntervalSeconds * 1000;

const loops: Record<string, LoopCase> = {
	'loop.stopped': {events: [], wait: 0, further: [], asksAfter: null},
	'loop.running.waiting': {events: [{type: 'daemon.start'}], wait: 1000, further: [], asksAfter: interval},
	'loop.running.cycling': {events: [{type: 'daemon.start'}], wait: interval, further: [], asksAfter: interval, goesOn: {type: 'loop.cycled'}},
	'loop.running.pausing': {events: [{type: 'daemon.start'}], wait: interval, further: [{type: 'loop.stumbled'}], asksAfter: 5000 + interval},
};

coversAll(daemonMachine, {...modes, ...loops});

for (const [mode, way] of Object.entries(modes)) {
	for (const [loop, {events, wait, further, asksAfter, goesOn}] of Object.entries(loops)) {
		test(`a daemon in ${mode} and ${loop} goes on in a new system`, t => {
			const old = run();
			const input = {loop: defaultLoop, themes: {rumination: ['r0', 'r1'], corpus: ['c0', 'c1']}, time: old.time, random: old.random};
			const parent = createActor(daemonWith(input, []), {clock: old.clock}).start();
			const daemonOf = (actor: typeof parent) => actor.getSnapshot().children['daemon'] as ActorRefFrom<typeof daemonMachine>;
			const send = (...all: DaemonEvent[]) => {
				for (const event of all) {
					daemonOf(parent).send(event);
				}
			};

			send({type: 'trigger', trigger: 'veille'}, ...events);
			old.clock.increment(wait);
			send(...further, ...way);
			const before = daemonOf(parent).getSnapshot();
			const text = snapshotToJson(parent.getPersistedSnapshot(), old.time);
			parent.stop();

			const asked: Array<{type: string}> = [];
			// A minute later, by the wall clock.
			const next = run(old.time.now() + 60_000);
			const revived = createActor(daemonWith(input, asked), {clock: next.clock, snapshot: snapshotFromJson(text, {time: next.time, random: () => 0.6})}).start();
			daemonOf(revived).send({type: 'resume'});
			const after = daemonOf(revived).getSnapshot();
			t.deepEqual(after.value, before.value);
			t.true(after.matches(Object.fromEntries([mode.split('.')]) as never));
			t.deepEqual({...after.context, means: null}, {...before.context, means: null});
			t.is(after.context.means.value.time.elapsed(), old.time.elapsed() + 60_000, 'the monotonic clock has gone on');
			t.deepEqual(asked, []);
			if (goesOn) {
				daemonOf(revived).send(goesOn);
			}

			for (let passed = 0; passed < (asksAfter ?? 3 * interval) - 1000; passed += 1000) {
				next.clock.increment(1000);
			}

			t.deepEqual(asked, [], 'the wait begins anew');
			next.clock.increment(1000);
			t.deepEqual(asked, asksAfter === null ? [] : [{type: 'daemon.cycle', trigger: 'corpus', content: 'c1'}]);
		});
	}
}
