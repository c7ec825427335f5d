/**
 * The page's modules without a browser: parsing, the history, formatting.
 */
import {readFile} from 'node:fs/promises';
import test, {type ExecutionContext} from 'ava';
import {History} from '../../inspector/machines/history.js';
import {layOut, mergeTransitions, variants} from '../../inspector/machines/layout.js';
import {readMachine} from '../../inspector/machines/machine.js';
import {formatChance, formatDate, formatNumber, formatShare, formatTime, formatTimes, isolate, toTimes} from '../../inspector/format.js';
import {createInspection} from '../../src/observe/inspection.ts';
import {describeMachines} from '../../src/http/pages/inspector-page.ts';
import {startIdentity} from '../actors/fixtures.ts';

const layouts = JSON.parse(await readFile(new URL('../../vendor/layouts.json', import.meta.url), 'utf8'));

test('texts that are older than the identity, or than those before them, do not turn the time axis back', (t) => {
	const toPoint = (day: number) => ({timestamp: new Date(Date.UTC(2026, 0, day)).toISOString()});
	const timesOf = (...days: number[]): number[] => toTimes(days.map(toPoint)).map((time) => new Date(time * 1000).getUTCDate());
	t.deepEqual(timesOf(20, 1, 2, 3), [1, 1, 2, 3]);
	t.deepEqual(timesOf(1, 5, 2, 9), [1, 5, 5, 9]);
	t.deepEqual(timesOf(4), [4]);
	t.deepEqual(timesOf(), []);
});

test('labels of the time axis have the year if they are months apart, the day if days, and else the time', (t) => {
	const from = Date.UTC(2025, 6, 15, 12) / 1000;
	const hour = 3600;
	t.deepEqual(formatTimes([from, from + 365 * 24 * hour]), ['Jul 2025', 'Jul 2026']);
	t.deepEqual(formatTimes([from, from + 31 * 24 * hour]), ['Jul 2025', 'Aug 2025']);
	t.deepEqual(formatTimes([from, from + 24 * hour, from + 48 * hour]), ['15 Jul', '16 Jul', '17 Jul']);
	t.is(formatTimes([from, from + 12 * hour])[0], '12:00');
	t.regex(formatTimes([from, from + 1])[1]!, /:01$/);
	t.deepEqual([formatTimes([from]).length, formatTimes([])], [1, []]);
});

test.serial('moments are formatted in UTC in every time zone', (t) => {
	const {TZ} = process.env;
	t.teardown(() => TZ === undefined ? delete process.env['TZ'] : process.env['TZ'] = TZ);
	for (const zone of ['America/New_York', 'Asia/Kolkata', 'UTC']) {
		process.env['TZ'] = zone;
		t.is(formatDate('2006-08-06T02:33:59.000Z'), '2006-08-06 02:33 UTC');
		t.is(formatTime(Date.parse('2006-08-06T02:33:59.120Z')), '02:33:59.120Z');
		t.deepEqual(formatTimes([0, 3600]), ['00:00', '01:00']);
	}
});

test('a machine is read with its delayed transitions, and with targets named by an id', (t) => {
	const [processMachine, , daemon] = describeMachines().map((definition) => readMachine(definition));
	t.deepEqual(daemon!.transitions.map(({label}) => label).filter((label) => label.startsWith('after')), [
		'after untilDue', 'after pauseAfterErrorMs',
	]);
	t.true(processMachine!.transitions.some(({from, to}) => from === 'process.ready.halted.reopening' && to === 'process.ready.accepting'));
});

test('every machine has a layout for every width, made from its present states and transitions', (t) => {
	for (const definition of describeMachines()) {
		const machine = readMachine(definition);
		for (const {name} of variants) {
			const {boxes, edges} = layOut(machine, layouts[machine.id][name]);
			t.deepEqual(
				new Set(boxes.filter(({kind}) => kind === 'state' || kind === 'group').map(({id}) => id)),
				new Set([...machine.states.keys()].filter((id) => id !== machine.id)),
			);
			t.deepEqual(
				edges.map(({id}) => id).toSorted(),
				mergeTransitions(machine).map(({id}) => id).toSorted(),
				`${machine.id} ${name}: run npm run build:layouts`,
			);
			t.true(edges.every(({points}) => points.length >= 2));
		}
	}
});

test('a machine without a layout, or with that of another machine, is drawn as nested boxes', (t) => {
	const machine = readMachine({
		id: 'lamp',
		initial: 'off',
		states: {off: {on: {press: 'on'}}, on: {initial: 'dim', states: {dim: {on: {turn: 'bright'}}, bright: {}}}},
	});
	for (const stored of [undefined, layouts.cycle.wide]) {
		const {width, height, boxes, edges} = layOut(machine, stored);
		t.deepEqual(edges, []);
		const [off, on, dim, bright] = [
			'lamp.off', 'lamp.on', 'lamp.on.dim', 'lamp.on.bright',
		].map((id) => boxes.find((box) => box.id === id)!);
		t.is(boxes.length, 4);
		t.true(off!.y + off!.height < on!.y && dim!.y + dim!.height < bright!.y);
		for (const [inner, outer] of [[dim, on], [bright, on], [off, {x: 0, y: 0, width, height}], [on, {x: 0, y: 0, width, height}]]) {
			t.true(inner!.x > outer!.x
				&& inner!.y > outer!.y
				&& inner!.x + inner!.width < outer!.x + outer!.width
				&& inner!.y + inner!.height < outer!.y + outer!.height);
		}
	}
});

/** An identity, and a history of its frames. */
const watched = async (t: ExecutionContext) => {
	const {identity, clock} = await startIdentity();
	const inspection = createInspection({actor: identity.actor});
	const history = new History();
	inspection.watch({types: new Set(inspection.types), contents: false, history: true, after: null}, ({type, json}) => {
		if (type.startsWith('@xstate.')) {
			history.add(JSON.parse(json));
		}
	});
	t.teardown(() => {
		inspection.close();
		return identity.dispose();
	});
	return {
		identity,
		clock,
		history,
		daemonAt: (number?: number) => history.getSnapshot(number).get('daemon')?.map(({status}) => status.value),
	};
};

test('the history holds the status of every actor after every event', async (t) => {
	const {identity, history, daemonAt} = await watched(t);
	await identity.cycle({content: 'The sea.'});
	identity.daemon.start();
	identity.daemon.stop();
	t.deepEqual(daemonAt(), [{mode: 'idle', loop: 'stopped'}]);
	const at = (type: string) =>
		daemonAt(history.entries.findLast((entry) => entry.type === type && history.getActor(entry.to)?.machine === 'daemon')!.number);
	t.deepEqual(at('trigger'), [{mode: 'conversation', loop: 'stopped'}]);
	t.deepEqual(at('daemon.start'), [{mode: 'autonomous', loop: {running: 'waiting'}}]);
	t.deepEqual(at('daemon.stop'), [{mode: 'idle', loop: 'stopped'}]);
	t.deepEqual(history.getSnapshot().get('cycle')?.map(({status}) => status), [{value: 'done', isActive: false}]);
});

test('the last 1000 events are kept, with the status of every actor before them', async (t) => {
	const {identity, history, daemonAt} = await watched(t);
	identity.daemon.start();
	const burst = 100;
	await Promise.all(Array.from({length: burst}, async (_, n) => identity.cycle({content: `Thought ${n}.`})));
	t.is(history.getSnapshot().get('cycle')!.length, burst);
	for (let n = 0; n < 400; n++) {
		await identity.cycle({content: `Thought ${n}.`});
	}

	t.true(history.count > 2000);
	t.is(history.entries.length, 1000);
	t.deepEqual(daemonAt(history.entries[0]!.number), [{mode: 'conversation', loop: {running: 'waiting'}}]);
	const cycles = history.getSnapshot().get('cycle')!;
	t.true(cycles.length < 400, 'actors that ended before these events are deleted');
	t.true(cycles.every(({status}) => !status.isActive));
});

test('later frames do not change a frozen history', async (t) => {
	const {identity, history} = await watched(t);
	const frozen = history.freeze();
	await identity.cycle({content: 'The sea.'});
	t.is(frozen.entries.length, 0);
	t.is(frozen.getSnapshot().get('cycle'), undefined);
	t.true(history.entries.length > 0);
});

test('an actor that is missing from a new list of all present actors has ended', (t) => {
	const history = new History();
	const actor = (sessionId: string, parentId: string | undefined, id: string, value: string) =>
		history.add({
			type: '@xstate.actor',
			sessionId,
			parentId,
			name: id,
			definition: JSON.stringify({id}),
			snapshot: {status: 'active', value},
		});
	actor('x:0', undefined, 'process', 'ready');
	actor('x:1', 'x:0', 'cycle', 'embedding');
	actor('x:0', undefined, 'process', 'ready');
	t.deepEqual(history.getSnapshot().get('process')?.map(({status}) => status.isActive), [true]);
	t.deepEqual(history.getSnapshot().get('cycle')?.map(({status}) => status.isActive), [false]);
});

for (const [value, text] of [
	[0, '0'],
	[0.9956342, '0.996'],
	[0.0123, '0.0123'],
	[8.3e-7, '8.3 × 10⁻⁷'],
	[-0.25, '−0.250'],
	[-4.5e-10, '−4.5 × 10⁻¹⁰'],
] as const) {
	test(`${value} is formatted as ${text}`, (t) => {
		t.is(formatNumber(value), text);
	});
}

test('a negative share has as many digits as a positive one', (t) => {
	t.deepEqual([0.007, -0.007, -0.02, -0.0004, 0, -0.25].map(formatShare), ['0.7 %', '−0.7 %', '−2.0 %', '0 %', '0 %', '−25 %']);
});

test('p has as many digits as in the sentence of the drift', (t) => {
	t.deepEqual([0.0002, 0.005, 0.04, 0.4].map(formatChance), ['p under 0.001', 'p 0.005', 'p 0.040', 'p 0.40']);
});

test('a right-to-left name is isolated, so that the number after it keeps its place', (t) => {
	t.deepEqual(['Ada', '王小明', 'محمد'].map(isolate), ['Ada', '王小明', '\u2068محمد\u2069']);
});
