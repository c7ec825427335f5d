/**
 * What the page's modules make of what they are told, without a browser.
 */
import test, {type ExecutionContext} from 'ava';
import fc from 'fast-check';
import {History} from '../../inspector/history.js';
import {activeStates, readMachine} from '../../inspector/machine.js';
import {messageReader} from '../../inspector/event-messages.js';
import {figure} from '../../inspector/format.js';
import {takenPath} from '../../inspector/taken-path.js';
import {createInspection} from '../../src/inspection/inspection.ts';
import {describeMachines} from '../../src/inspection/machines.ts';
import {startProcess} from '../actors/fixtures.ts';

const [processMachine, , daemon, cycle] = describeMachines().map((definition) => readMachine(definition));

/** The path as `from event to`. */
const path = (machine: ReturnType<typeof readMachine>, before: unknown, event: string, after: unknown): string[] =>
	takenPath(machine, activeStates(machine, before), event, activeStates(machine, after)).map(({from, label, to}) => `${from} ${label} ${to}`);

test('a path goes on through the states that a snapshot does not tell of', (t) => {
	t.deepEqual(path(cycle!, 'embedding', 'xstate.done.actor.0.cycle.embedding', 'recording'), [
		'cycle.embedding done cycle.dissonance',
		'cycle.dissonance  cycle.fixation',
		'cycle.fixation  cycle.applying',
		'cycle.applying  cycle.recording',
	]);
});

test('of two guarded ways, the one that leads to where the machine is was taken', (t) => {
	t.deepEqual(path(cycle!, 'embedding', 'xstate.done.actor.0.cycle.embedding', 'corroborating'), ['cycle.embedding done cycle.corroborating']);
	t.deepEqual(path(daemon!, {mode: 'idle', loop: 'stopped'}, 'trigger', {mode: 'autonomous', loop: 'stopped'}), ['daemon.mode trigger daemon.mode.autonomous']);
	t.deepEqual(path(daemon!, {mode: 'idle', loop: 'stopped'}, 'trigger', {mode: 'conversation', loop: 'stopped'}), ['daemon.mode trigger daemon.mode.conversation']);
});

test('regions take their paths side by side', (t) => {
	t.deepEqual(path(daemon!, {mode: 'conversation', loop: 'stopped'}, 'daemon.start', {mode: 'autonomous', loop: {running: 'waiting'}}), [
		'daemon.mode daemon.start daemon.mode.autonomous',
		'daemon.loop.stopped daemon.start daemon.loop.running',
	]);
});

test('an event that changed nothing behind a guard took no way', (t) => {
	const running = {mode: 'autonomous', loop: {running: 'waiting'}};
	t.deepEqual(path(daemon!, running, 'daemon.start', running), []);
	t.deepEqual(path(processMachine!, {ready: 'accepting'}, 'cycle', {ready: 'accepting'}), []);
});

test('a timer’s event is told by its delay, and a way by an id leads there', (t) => {
	const {ways} = daemon!;
	t.deepEqual(ways.filter(({label}) => label.startsWith('after')).map(({type}) => type), ['xstate.after.cycleInterval.daemon.loop.running.waiting', 'xstate.after.pauseAfterError.daemon.loop.running.pausing']);
	t.true(processMachine!.ways.some(({from, to}) => from === 'process.ready.halted.reopening' && to === 'process.ready.accepting'));
});

test('however a stream is cut into pieces, the same messages come', (t) => {
	const message = fc.record({id: fc.stringMatching(/^[a-f\d]{4}-\d{1,3}$/), type: fc.stringMatching(/^[a-z.@]{1,12}$/), data: fc.object()});
	fc.assert(fc.property(fc.array(message), fc.array(fc.nat()), (messages, cuts) => {
		const text = `retry:2000\n\n${messages.map(({id, type, data}) => `: ping\n\nid:${id}\nevent: ${type}\ndata:${JSON.stringify(data)}\n\n`).join('')}`;
		const places = [0, ...cuts.map((cut) => cut % text.length), text.length].toSorted((a, b) => a - b);
		const read = messageReader();
		const come = places.slice(1).flatMap((end, index) => read(text.slice(places[index], end)));
		t.deepEqual(come, JSON.parse(JSON.stringify(messages)));
	}));
});

/** A process, and a history that hears of it. */
const watched = async (t: ExecutionContext) => {
	const {process, clock} = await startProcess();
	const inspection = createInspection({actor: process.actor});
	const history = new History();
	inspection.watch({types: new Set(inspection.types), contents: false, history: true, after: null}, ({type, json}) => {
		if (type.startsWith('@xstate.')) {
			history.take(JSON.parse(json));
		}
	});
	t.teardown(() => {
		inspection.close();
		return process.dispose();
	});
	return {process, clock, history, daemonAt: (number?: number) => history.picture(number).get('daemon')?.map(({rest}) => rest.value)};
};

test('the history knows every picture that there was', async (t) => {
	const {process, history, daemonAt} = await watched(t);
	await process.cycle({content: 'The sea.'});
	process.daemon.start();
	process.daemon.stop();
	t.deepEqual(daemonAt(), [{mode: 'idle', loop: 'stopped'}]);
	const at = (type: string) => daemonAt(history.entries.findLast((entry) => entry.type === type && history.session(entry.to)?.machine === 'daemon')!.number);
	t.deepEqual(at('trigger'), [{mode: 'conversation', loop: 'stopped'}]);
	t.deepEqual(at('daemon.start'), [{mode: 'autonomous', loop: {running: 'waiting'}}]);
	t.deepEqual(at('daemon.stop'), [{mode: 'idle', loop: 'stopped'}]);
	t.deepEqual(history.picture().get('cycle')?.map(({rest}) => rest), [{value: 'done', isLiving: true}]);
});

test('the last thousand events are kept, with the pictures before them', async (t) => {
	const {process, history, daemonAt} = await watched(t);
	process.daemon.start();
	const rush = 100;
	await Promise.all(Array.from({length: rush}, async (_, n) => process.cycle({content: `Thought ${n}.`})));
	t.is(history.picture().get('cycle')!.length, rush);
	for (let n = 0; n < 400; n++) {
		await process.cycle({content: `Thought ${n}.`});
	}

	t.true(history.count > 2000);
	t.is(history.entries.length, 1000);
	t.deepEqual(daemonAt(history.entries[0]!.number), [{mode: 'conversation', loop: {running: 'waiting'}}]);
	const cycles = history.picture().get('cycle')!;
	t.true(cycles.length < rush, 'actors long gone are forgotten');
	t.true(cycles.every(({rest}) => rest.isLiving));
});

test('a frozen history stays as it is', async (t) => {
	const {process, history} = await watched(t);
	const frozen = history.frozen();
	await process.cycle({content: 'The sea.'});
	t.is(frozen.entries.length, 0);
	t.is(frozen.picture().get('cycle'), undefined);
	t.true(history.entries.length > 0);
});

test('who is not among the living when all are told of anew has ended unseen', (t) => {
	const history = new History();
	const actor = (sessionId: string, parentId: string | undefined, id: string, value: string) =>
		history.take({type: '@xstate.actor', sessionId, parentId, name: id, definition: JSON.stringify({id}), snapshot: {status: 'active', value}});
	actor('x:0', undefined, 'process', 'ready');
	actor('x:1', 'x:0', 'cycle', 'embedding');
	actor('x:0', undefined, 'process', 'ready');
	t.deepEqual(history.picture().get('process')?.map(({rest}) => rest.isLiving), [true]);
	t.deepEqual(history.picture().get('cycle')?.map(({rest}) => rest.isLiving), [false]);
});

for (const [value, text] of [[0, '0'], [0.9956342, '0.996'], [0.0123, '0.0123'], [8.3e-7, '8.3 × 10⁻⁷'], [-0.25, '−0.250'], [-4.5e-10, '−4.5 × 10⁻¹⁰']] as const) {
	test(`${value} is read as ${text}`, (t) => {
		t.is(figure(value), text);
	});
}
