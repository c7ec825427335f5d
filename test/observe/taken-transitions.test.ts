/** The transitions that a machine takes between two snapshots. */
import test from 'ava';
import {assign, createActor, raise, setup, type AnyStateMachine, type EventObject} from 'xstate';
import {TakenTransitions} from '../../src/observe/frames.ts';

/** The transitions of each snapshot after the first, as `from → to`. */
const pathsOf = (machine: AnyStateMachine, ...events: EventObject[]): string[][] => {
	const taken = new TakenTransitions();
	const paths: string[][] = [];
	const actor = createActor(machine, {
		inspect(event) {
			if (event.type === '@xstate.microstep') {
				taken.collect(event);
			} else if (event.type === '@xstate.snapshot') {
				paths.push(taken.take(event.actorRef).map(({from, to}) => `${from} → ${to}`));
			}
		},
	}).start();
	paths.length = 0;
	for (const event of events) {
		actor.send(event);
	}

	actor.stop();
	return paths.slice(0, events.length);
};

test('a path includes transient states', (t) => {
	const machine = setup({}).createMachine({
		id: 'm',
		initial: 'a',
		states: {a: {on: {go: 'b'}}, b: {always: 'c'}, c: {always: '#m.d'}, d: {}},
	});
	t.deepEqual(pathsOf(machine, {type: 'go'}), [['m.a → m.b', 'm.b → m.c', 'm.c → m.d']]);
});

test('transitions of raised events follow those of the event that raised them', (t) => {
	const machine = setup({}).createMachine({
		id: 'm',
		initial: 'a',
		states: {a: {on: {go: {target: 'b', actions: raise({type: 'on'})}}}, b: {on: {on: 'c'}}, c: {}},
	});
	t.deepEqual(pathsOf(machine, {type: 'go'}), [['m.a → m.b', 'm.b → m.c']]);
});

test('each parallel region has its transition', (t) => {
	const region = {initial: 'off', states: {off: {on: {go: 'on'}}, on: {}}};
	const machine = setup({}).createMachine({id: 'm', type: 'parallel', states: {left: region, right: region}});
	t.deepEqual(pathsOf(machine, {type: 'go'}), [['m.left.off → m.left.on', 'm.right.off → m.right.on']]);
});

test('an event that a guard refuses, that nothing handles, or that only runs an action takes no transition', (t) => {
	const machine = setup({types: {context: {} as {n: number}}}).createMachine({
		id: 'm',
		context: {n: 0},
		initial: 'a',
		states: {a: {on: {go: {target: 'b', guard: () => false}, count: {actions: assign({n: ({context}) => context.n + 1})}}}, b: {}},
	});
	t.deepEqual(pathsOf(machine, {type: 'go'}, {type: 'unknown'}, {type: 'count'}), [[], [], []]);
});

test('a transition from a state to itself is included', (t) => {
	const machine = setup({}).createMachine({id: 'm', initial: 'a', states: {a: {on: {again: {target: 'a', reenter: true}}}}});
	t.deepEqual(pathsOf(machine, {type: 'again'}, {type: 'again'}), [['m.a → m.a'], ['m.a → m.a']]);
});

test('one snapshot names at most 64 transitions', (t) => {
	const machine = setup({types: {context: {} as {n: number}}}).createMachine({
		id: 'm',
		context: {n: 0},
		initial: 'a',
		states: {
			a: {on: {go: 'b'}},
			b: {always: {target: 'b', reenter: true, guard: ({context}) => context.n < 200, actions: assign({n: ({context}) => context.n + 1})}},
		},
	});
	t.is(pathsOf(machine, {type: 'go'})[0]!.length, 64);
});
