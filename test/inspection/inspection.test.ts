/** What a watcher hears: the living picture, the buffered past, and everything from then on, with ids to come back by. */
import test, {type ExecutionContext} from 'ava';
import {createProcess} from '../../src/identity/create-identity.ts';
import {createInspection} from '../../src/inspection/inspection.ts';
import {machineFrameTypes} from '../../src/inspection/event-types.ts';
import {FakeEncoder, startProcess} from '../actors/fixtures.ts';
import {latestOf, numberOf, watching, type Heard} from './watching.ts';

const start = async (t: ExecutionContext) => {
	const started = await startProcess();
	const inspection = createInspection({actor: started.process.actor, timers: started.clock, time: {now: () => 1000, elapsed: () => 0}, run: 'run'});
	t.teardown(async () => {
		inspection.close();
		await started.process.dispose();
	});
	return {...started, inspection};
};

/** Longer than machines are observed after the last watcher. */
const forgotten = 15_001;

const names = (heard: readonly Heard[]) => heard.map(({type, data}) => type === '@xstate.actor' ? data['name'] : type);

test('a beginner hears the living picture: every actor, the state, the mode', async (t) => {
	const {process, inspection} = await start(t);
	await process.cycle({content: 'before'});
	const {heard} = watching(inspection);
	t.deepEqual(names(heard), ['process', 'daemon', 'cycle-1', 'state', 'mode.changed']);
	t.like(heard[1]!.data, {snapshot: {value: {mode: 'conversation', loop: 'stopped'}}});
	t.like(heard[2]!.data, {snapshot: {value: 'done'}});
	t.like(heard[3]!.data, {state_id: 1});
	t.like(heard[4]!.data, {mode: 'conversation'});
});

test('before the process is ready the picture has what there is', async (t) => {
	const process = createProcess({embeddingModel: 'fake', loadEncoder: async () => new FakeEncoder(), themes: {rumination: ['r'], corpus: ['c']}});
	const {heard} = watching(createInspection({actor: process.actor}));
	t.deepEqual(names(heard).slice(0, 2), ['process', 'boot']);
	t.false(names(heard).includes('state'));
	t.false(names(heard).includes('mode.changed'));
	await process.ready();
	await process.dispose();
});

test('after the picture come the machines’ frames and what came of them, as they happen', async (t) => {
	const {process, inspection} = await start(t);
	const {heard, types} = watching(inspection);
	heard.length = 0;
	await process.cycle({content: 'one'});
	t.is(heard[0]!.data['event'].type, 'cycle');
	t.deepEqual([...new Set(types())].toSorted(), [...machineFrameTypes, 'cycle.done', 'mode.changed', 'state']);
	t.is(heard.at(-1)!.type, '@xstate.snapshot');
});

test('ids increase by one from event to event, within the name of the run', async (t) => {
	const {process, inspection} = await start(t);
	const {heard} = watching(inspection);
	heard.length = 0;
	const before = latestOf(inspection);
	await process.cycle({content: 'one'});
	t.deepEqual(heard.map(numberOf), heard.map((_, place) => before + place + 1));
	t.is(heard.at(-1)!.id, `run-${latestOf(inspection)}`);
});

test('only the types that are wished for are told, of the picture too', async (t) => {
	const {process, inspection} = await start(t);
	const {types} = watching(inspection, {types: ['state', 'cycle.done']});
	await process.cycle({content: 'one'});
	process.daemon.start();
	t.deepEqual(types(), ['state', 'cycle.done', 'state']);
});

test('the past is told from the beginning to whoever asks for it, then the picture', async (t) => {
	const {process, inspection} = await start(t);
	await process.cycle({content: 'one'});
	const first = watching(inspection, {history: true});
	t.deepEqual(names(first.heard), ['mode.changed', 'cycle.done', 'state', 'process', 'daemon', 'cycle-1', 'state', 'mode.changed']);
	await process.cycle({content: 'two'});
	const second = watching(inspection, {history: true});
	t.deepEqual(second.heard.slice(0, 6), first.heard.slice(0, 6));
	t.deepEqual(second.heard.slice(6, -2), first.heard.slice(8));
	t.deepEqual(names(second.heard.slice(-2)), ['state', 'mode.changed']);
});

test('the process’s own events are kept with nobody watching, the machines’ are not', async (t) => {
	const {process, inspection} = await start(t);
	await process.cycle({content: 'one'});
	await process.cycle({content: 'two'});
	const {types} = watching(inspection, {history: true});
	t.deepEqual(types().slice(0, 5), ['mode.changed', 'cycle.done', 'state', 'cycle.done', 'state']);
	t.false(types().includes('@xstate.event'));
});

test('whoever watches the process alone has no machine observed', async (t) => {
	const {process, inspection} = await start(t);
	watching(inspection, {types: ['cycle.done']});
	await process.cycle({content: 'one'});
	const {types} = watching(inspection, {history: true});
	t.false(types().includes('@xstate.event'));
});

test('whoever comes back hears what followed the last event, once, and no picture', async (t) => {
	const {process, inspection, clock} = await start(t);
	const steady = watching(inspection);
	const first = watching(inspection);
	await process.cycle({content: 'one'});
	first.stop();
	const {id} = first.heard.at(-1)!;
	await process.cycle({content: 'two'});
	clock.increment(1);
	const second = watching(inspection, {after: id});
	await process.cycle({content: 'three'});
	t.deepEqual([...first.heard, ...second.heard], steady.heard);
});

test('a single watcher who comes back soon has missed nothing of the machines', async (t) => {
	const {process, inspection, clock} = await start(t);
	const first = watching(inspection);
	first.stop();
	clock.increment(forgotten - 2);
	await process.cycle({content: 'meanwhile'});
	const second = watching(inspection, {after: first.heard.at(-1)!.id});
	t.is(second.heard[0]!.data['event'].type, 'cycle');
	t.deepEqual(second.heard.map(numberOf), second.heard.map((_, place) => numberOf(first.heard.at(-1)!) + place + 1));
});

test('machines that nobody watched for a while are no longer observed; whoever comes back hears who lives now', async (t) => {
	const {process, inspection, clock} = await start(t);
	const first = watching(inspection);
	first.stop();
	clock.increment(forgotten);
	process.daemon.start();
	const second = watching(inspection, {after: first.heard.at(-1)!.id});
	t.deepEqual(names(second.heard), ['daemon.started', 'mode.changed', 'process', 'daemon']);
	t.like(second.heard.at(-1)!.data, {snapshot: {value: {mode: 'autonomous', loop: {running: 'waiting'}}}});
});

test('one watcher who leaves does not end the observation for another', async (t) => {
	const {process, inspection, clock} = await start(t);
	const stays = watching(inspection);
	watching(inspection).stop();
	clock.increment(forgotten);
	stays.heard.length = 0;
	await process.cycle({content: 'one'});
	t.is(stays.heard[0]!.type, '@xstate.event');
});

test('whoever has left hears nothing more', async (t) => {
	const {process, inspection} = await start(t);
	const {heard, stop} = watching(inspection);
	stop();
	stop();
	const before = heard.length;
	await process.cycle({content: 'one'});
	t.is(heard.length, before);
});

test('whoever comes back too late is told how much is gone, then what is left and the picture', async (t) => {
	const {process, inspection} = await start(t);
	const {heard, stop} = watching(inspection);
	const {id} = heard[0]!;
	stop();
	const before = latestOf(inspection);
	for (let cycles = 0; cycles < 150; cycles++) {
		await process.cycle({content: 'again'});
	}

	const late = watching(inspection, {after: id});
	const [told, ...rest] = late.heard;
	t.is(told!.type, 'stream.dropped');
	t.is(told!.id, id);
	const picture = 5;
	const happened = latestOf(inspection) - before;
	t.is(told!.data['missed'] + rest.length - picture, happened);
	t.regex(told!.data['reason'], /does not reach back/);
	t.deepEqual(names(rest.slice(-picture)), ['process', 'daemon', 'cycle-1', 'state', 'mode.changed']);
	t.is(rest.filter(({type}) => type.startsWith('@')).length - 3, 1000);
});

test('a flood of the machines’ frames does not crowd out the process’s own past', async (t) => {
	const {process, inspection} = await start(t);
	watching(inspection);
	for (let cycles = 0; cycles < 150; cycles++) {
		await process.cycle({content: 'again'});
	}

	const {of, types} = watching(inspection, {after: 'run-0', types: ['cycle.done']});
	t.is(of('cycle.done').length, 150);
	t.false(types().includes('stream.dropped'));
});

test('an id of another run, or none at all, is told, and all of this run follows', async (t) => {
	const {process, inspection} = await start(t);
	await process.cycle({content: 'one'});
	for (const after of ['other-2', 'run-', 'run-x', 'run-99', 'run--1', '…']) {
		const {heard} = watching(inspection, {after, types: ['cycle.done', 'state']});
		t.deepEqual(heard.map(({type}) => type), ['stream.dropped', 'cycle.done', 'state', 'state'], after);
		t.deepEqual(heard[0]!.data, {missed: null, reason: 'The last event seen is of another run of the process.'});
		t.true(heard[0]!.id.startsWith('run-'));
	}
});

test('texts are told to whoever asks for them, and to nobody else', async (t) => {
	const {process, inspection} = await start(t);
	const without = watching(inspection);
	const withTexts = watching(inspection, {contents: true});
	await process.cycle({content: 'my secret', metadata: {place: 'home'}});
	const json = (heard: readonly Heard[]) => heard.map(told => told.json).join('\n');
	t.false(json(without.heard).includes('my secret'));
	t.false(json(without.heard).includes('home'));
	t.true(json(withTexts.heard).includes('"content":"my secret"'));
	t.true(json(withTexts.heard).includes('{"place":"home"}'));
	t.deepEqual(withTexts.types().slice(-20), without.types().slice(-20));
});

test('texts are not kept for those who ask for them later', async (t) => {
	const {process, inspection} = await start(t);
	watching(inspection);
	await process.cycle({content: 'my secret'});
	const {heard} = watching(inspection, {contents: true, history: true});
	t.false(heard.some(({json}) => json.includes('my secret')));
});

test('an event whose texts are huge is kept without them', async (t) => {
	const {process, inspection} = await start(t);
	const {heard} = watching(inspection, {contents: true});
	const place = Object.fromEntries(Array.from({length: 60}, (_, i) => [`page ${i}`, Array.from({length: 32}, () => 'a'.repeat(500))]));
	await process.cycle({content: 'short', metadata: place});
	t.true(heard.every(({json}) => json.length <= 64 * 1024));
	t.is(heard.find(({data}) => data['event']?.type === 'cycle')!.data['event'].metadata, '…');
});

test('frames tell when they were made', async (t) => {
	const {process, inspection} = await start(t);
	const {of} = watching(inspection);
	await process.cycle({content: 'one'});
	t.true(machineFrameTypes.flatMap(type => of(type)).every(({createdAt}) => createdAt === '1000'));
});

test('once closed, nobody hears anything more', async (t) => {
	const {process, inspection} = await start(t);
	const {heard} = watching(inspection);
	inspection.close();
	const before = heard.length;
	await process.cycle({content: 'one'});
	t.is(heard.length, before);
});
