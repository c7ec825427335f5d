/** The daemon machine alone: the mode table row by row, and the loop under a simulated clock. */
import test from 'ava';
import {createActor, SimulatedClock, setup, type ActorRefFrom} from 'xstate';
import {createDaemonMachine, type DaemonEvent, type DaemonRequest} from '../../src/actors/daemon.ts';
import {defaultLoop} from '../../src/actors/loop.ts';

const themes = {rumination: ['r0', 'r1'], corpus: ['c0', 'c1']};

/** A parent that records the daemon's requests, and answers none by itself. */
const withDaemon = (draws: number[] = []) => {
	const clock = new SimulatedClock();
	const asked: DaemonRequest[] = [];
	const reported: string[] = [];
	const daemonMachine = createDaemonMachine({
		time: {now: () => Date.UTC(2026, 0, 1) + clock.now(), elapsed: () => clock.now()},
		random: () => draws.shift() ?? 0,
	});
	const parent = setup({types: {events: {} as DaemonRequest}, actors: {daemon: daemonMachine}}).createMachine({
		invoke: {id: 'daemon', src: 'daemon', input: {loop: defaultLoop, themes}},
		on: {
			'daemon.started': {actions: () => reported.push('started')},
			'daemon.stopped': {actions: () => reported.push('stopped')},
			'*': {actions: ({event}) => asked.push(event)},
		},
	});
	const root = createActor(parent, {clock}).start();
	const daemon = root.getSnapshot().children['daemon'] as ActorRefFrom<ReturnType<typeof createDaemonMachine>>;
	const see = () => {
		const {value, context} = daemon.getSnapshot();
		return {
			mode: value.mode,
			loop: typeof value.loop === 'string' ? value.loop : value.loop.running,
			counters: context.counters,
			last: context.lastTrigger,
		};
	};

	return {
		clock,
		asked,
		reported,
		see,
		send(...events: DaemonEvent[]) {
			for (const event of events) {
				daemon.send(event);
			}

			return see();
		},
	};
};

const trigger = (name: string): DaemonEvent => ({type: 'trigger', trigger: name});

// The events that lead to each mode: every row of the table is tested from each.
const ways: Record<'idle' | 'conversation' | 'autonomous', DaemonEvent[]> = {
	idle: [],
	conversation: [trigger('user')],
	autonomous: [trigger('corpus')],
};

for (const [mode, way] of Object.entries(ways)) {
	const row = (title: string, events: DaemonEvent[], next: string) => {
		test(`from ${mode}: ${title} → ${next}`, t => {
			const {send} = withDaemon();
			t.is(send(...way).mode, mode as 'idle');
			t.is(send(...events).mode, next as 'idle');
		});
	};

	row('a cycle of a user', [trigger('user')], 'conversation');
	row('a cycle of free rumination', [trigger('rumination_free')], 'autonomous');
	row('a cycle of the corpus', [trigger('corpus')], 'autonomous');
	row('a cycle of veille', [trigger('veille')], 'conversation');
	row('a cycle of an unknown trigger', [trigger('dream')], 'conversation');
	row('starting the daemon', [{type: 'daemon.start'}], 'autonomous');
	row('stopping a running daemon', [{type: 'daemon.start'}, ...way, {type: 'daemon.stop'}], 'idle');
	row('stopping a stopped daemon', [{type: 'daemon.stop'}], mode);
	row('starting a running daemon', [{type: 'daemon.start'}, ...way, {type: 'daemon.start'}], mode === 'idle' ? 'autonomous' : mode);
	row('a reset', [{type: 'reset'}], 'idle');
}

test('a known trigger is counted; an unknown one only becomes the last trigger', t => {
	const {send} = withDaemon();
	const {counters, last} = send(trigger('user'), trigger('user'), trigger('veille'), trigger('dream'));
	t.deepEqual(counters, {user: 2, veille: 1, corpus: 0, rumination_free: 0});
	t.is(last?.type, 'dream');
	t.is(last?.timestamp, '2026-01-01T00:00:00.000Z');
});

test('a trigger named like a property of Object.prototype is not counted', t => {
	const {send} = withDaemon();
	t.deepEqual(send(trigger('constructor'), trigger('__proto__')).counters, {user: 0, veille: 0, corpus: 0, rumination_free: 0});
});

test('a reset clears the counters, keeps the last trigger and leaves the loop running', t => {
	const {send} = withDaemon();
	const {counters, last, loop} = send({type: 'daemon.start'}, trigger('user'), {type: 'reset'});
	t.deepEqual(counters, {user: 0, veille: 0, corpus: 0, rumination_free: 0});
	t.is(last?.type, 'user');
	t.is(loop, 'waiting');
});

test('a user’s cycle during the loop changes the mode and leaves the loop running', t => {
	const {send} = withDaemon();
	const {mode, loop} = send({type: 'daemon.start'}, trigger('user'));
	t.is(mode, 'conversation');
	t.is(loop, 'waiting');
});

test('the loop waits its interval before the first cycle', t => {
	const {send, clock, asked} = withDaemon();
	send({type: 'daemon.start'});
	clock.increment(863_999);
	t.is(asked.length, 0);
	clock.increment(1);
	t.is(asked.length, 1);
});

const drawing = test.macro({
	exec(t, r: number, expected: string) {
		const {send, clock, asked} = withDaemon([r, 0.75]);
		send({type: 'daemon.start'});
		clock.increment(864_000);
		t.deepEqual(asked, [{type: 'daemon.cycle', trigger: expected as 'corpus', content: expected === 'corpus' ? 'c1' : 'r1'}]);
	},
	title: (_, r, expected) => `a draw of ${r} gives ${expected}`,
});

test(drawing, 0, 'rumination_free');
test(drawing, 0.4999, 'rumination_free');
test(drawing, 0.5, 'corpus');
test(drawing, 0.7999, 'corpus');
test(drawing, 0.8, 'rumination_free');
test(drawing, 0.9999, 'rumination_free');

test('the loop counts its cycle when it has succeeded, and does not change the mode', t => {
	const {send, clock, see} = withDaemon([0.6]);
	send({type: 'daemon.start'}, trigger('user'));
	clock.increment(864_000);
	t.is(see().counters.corpus, 0);
	const {counters, last, mode, loop} = send({type: 'loop.succeeded'});
	t.is(counters.corpus, 1);
	t.is(last?.type, 'corpus');
	t.is(mode, 'conversation');
	t.is(loop, 'waiting');
});

test('after a failed cycle the loop pauses for 5 seconds, counts nothing, and continues', t => {
	const {send, clock, asked, see} = withDaemon();
	send({type: 'daemon.start'});
	clock.increment(864_000);
	t.is(send({type: 'loop.failed'}).loop, 'pausing');
	clock.increment(4999);
	t.is(see().loop, 'pausing');
	clock.increment(1);
	t.is(see().loop, 'waiting');
	t.deepEqual(see().counters, {user: 0, veille: 0, corpus: 0, rumination_free: 0});
	clock.increment(864_000);
	t.is(asked.length, 2);
});

test('stopping the daemon during a cycle cancels it', t => {
	const {send, clock, asked} = withDaemon();
	send({type: 'daemon.start'});
	clock.increment(864_000);
	t.is(send({type: 'daemon.stop'}).loop, 'stopped');
	t.deepEqual(asked.map(({type}) => type), ['daemon.cycle', 'daemon.cancel']);
});

test('a stopped loop requests no cycle, and can be started again', t => {
	const {send, clock, asked} = withDaemon();
	send({type: 'daemon.start'}, {type: 'daemon.stop'});
	clock.increment(10 * 864_000);
	t.is(asked.length, 0);
	send({type: 'daemon.start'});
	clock.increment(864_000);
	t.is(asked.length, 1);
});

test('a start and a stop of the loop are reported once each, and not when nothing changes', t => {
	const {send, clock, reported} = withDaemon();
	send(
		{type: 'daemon.stop'},
		{type: 'daemon.start'},
		{type: 'daemon.start'},
		{type: 'daemon.stop'},
		{type: 'daemon.stop'},
		{type: 'daemon.start'},
	);
	clock.increment(864_000);
	send({type: 'daemon.stop'});
	t.deepEqual(reported, ['started', 'stopped', 'started', 'stopped']);
});

test('the loop requests a hundred cycles a day', t => {
	const {send, clock, asked, see} = withDaemon();
	send({type: 'daemon.start'});
	for (let cycle = 0; cycle < 100; cycle++) {
		clock.increment(864_000);
		send({type: 'loop.succeeded'});
	}

	t.is(clock.now(), 24 * 3600 * 1000);
	t.is(asked.length, 100);
	t.is(see().counters.rumination_free, 100);
});

test('a resumed loop runs its first cycle at the due time, then at its interval, and reports no start', t => {
	const {clock, asked, reported, see, send} = withDaemon();
	send({type: 'daemon.resume', dueMs: 1000});
	t.is(see().mode, 'autonomous');
	clock.increment(999);
	t.is(asked.length, 0);
	clock.increment(1);
	t.is(asked.length, 1);
	send({type: 'loop.succeeded'});
	clock.increment(defaultLoop.cycleIntervalSeconds * 1000 - 1);
	t.is(asked.length, 1);
	clock.increment(1);
	t.is(asked.length, 2);
	t.deepEqual(reported, []);
});

test('resuming a running loop changes nothing', t => {
	const {see, send} = withDaemon();
	send({type: 'daemon.start'});
	const before = see();
	t.deepEqual(send({type: 'daemon.resume', dueMs: 1}), before);
});
