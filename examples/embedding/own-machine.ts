/**
 * A test of your own machine, with the daemon as its child: a lighthouse keeper who writes down
 * what the daemon would think about while its loop runs. The clock is simulated, so a day takes
 * no time.
 *
 * The daemon runs no cycle itself. It asks its parent for one (`daemon.cycle`, with a text), and
 * continues when it receives `loop.succeeded`. Add `xstate` to your own dependencies.
 */
import assert from 'node:assert/strict';
import test from 'node:test';
import {defaultLoop} from 'processual-state';
import {createDaemonMachine, type DaemonRequest} from 'processual-state/actors';
import {assign, createActor, sendTo, setup, SimulatedClock} from 'xstate';

const keeperMachine = setup({
	types: {
		context: {} as {notes: string[]},
		events: {} as DaemonRequest | {type: 'night falls'} | {type: 'day breaks'},
	},
	actors: {daemon: createDaemonMachine({time: {now: () => 0, elapsed: () => 0}, random: () => 0.9})},
}).createMachine({
	id: 'keeper',
	context: {notes: []},
	invoke: {
		id: 'daemon',
		src: 'daemon',
		input: {
			loop: defaultLoop,
			themes: {rumination: ['Who keeps the keeper?'], corpus: ['The sea.']},
		},
	},
	initial: 'day',
	states: {
		day: {
			on: {'night falls': {target: 'night', actions: sendTo('daemon', {type: 'daemon.start'})}},
		},
		night: {
			on: {
				'daemon.cycle': {
					actions: [
						assign({notes: ({context, event}) => [...context.notes, event.content]}),
						sendTo('daemon', {type: 'loop.succeeded'}),
					],
				},
				'day breaks': {target: 'day', actions: sendTo('daemon', {type: 'daemon.stop'})},
			},
		},
	},
});

test('the keeper writes by night, and sleeps by day', () => {
	const clock = new SimulatedClock();
	const keeper = createActor(keeperMachine, {clock}).start();
	const halfADay = 12 * 60 * 60 * 1000;
	const pass = (milliseconds: number): void => {
		for (let passed = 0; passed < milliseconds; passed += 1000) {
			clock.increment(1000);
		}
	};

	pass(halfADay);
	assert.equal(keeper.getSnapshot().context.notes.length, 0);

	keeper.send({type: 'night falls'});
	pass(halfADay);
	const {notes} = keeper.getSnapshot().context;
	assert.equal(notes.length, halfADay / 1000 / defaultLoop.cycleIntervalSeconds);
	assert.equal(notes[0], 'Who keeps the keeper?');

	keeper.send({type: 'day breaks'});
	pass(halfADay);
	assert.equal(keeper.getSnapshot().context.notes.length, notes.length);
	keeper.stop();
});
