/** What a watcher receives: the present, the buffered past, and every event from then on, with ids to resume by. */
import test, {type ExecutionContext} from 'ava';
import {createActor, sendTo, setup} from 'xstate';
import {createProcessMachine, processParts} from '../../src/actors/index.ts';
import {identityOf} from '../../src/index.ts';
import {createIdentity} from '../../src/identity/create-identity.ts';
import {createInspection} from '../../src/observe/inspection.ts';
import {machineFrameTypes} from '../../src/wire/event-types.ts';
import {FakeEncoder, startIdentity} from '../actors/fixtures.ts';
import {latestOf, numberOf, watching, type Received} from './watching.ts';

const start = async (t: ExecutionContext) => {
	const started = await startIdentity();
	const inspection = createInspection({
		actor: started.identity.actor,
		timers: started.clock,
		time: {now: () => 1000, elapsed: () => 0},
		run: 'run',
	});
	t.teardown(async () => {
		inspection.close();
		await started.identity.dispose();
	});
	return {...started, inspection};
};

/** Longer than machines stay observed after the last watcher has left. */
const graceIsOver = 15_001;

const names = (received: readonly Received[]) => received.map(({type, data}) => type === '@xstate.actor' ? data['name'] : type);

test('a new watcher receives the present: every actor, the state, the mode', async (t) => {
	const {identity, encoder, inspection} = await start(t);
	await identity.cycle({content: 'before'});
	encoder.hold('slow');
	const cycle = t.throwsAsync(identity.cycle({content: 'slow'}));
	const {received} = watching(inspection);
	t.deepEqual(names(received), ['process', 'resources', 'daemon', 'cycle-2', '0.cycle.embedding', 'state', 'mode.changed']);
	t.like(received[2]!.data, {snapshot: {value: {mode: 'conversation', loop: 'stopped'}}});
	t.like(received[3]!.data, {snapshot: {value: 'embedding'}});
	t.like(received[5]!.data, {state_id: 1});
	t.like(received[6]!.data, {mode: 'conversation'});
	await identity.dispose();
	await cycle;
});

test('before the identity is ready, the present has its actors, without a state or a mode', async (t) => {
	const identity = createIdentity({encoder: async () => new FakeEncoder(), themes: {rumination: ['r'], corpus: ['c']}});
	const {received} = watching(createInspection({actor: identity.actor}));
	t.deepEqual(names(received).slice(0, 2), ['process', 'resources']);
	t.false(names(received).includes('state'));
	t.false(names(received).includes('mode.changed'));
	await identity.ready();
	await identity.dispose();
});

test('after the present, a watcher receives the machines’ frames and the identity’s events as they happen', async (t) => {
	const {identity, inspection} = await start(t);
	const {received, types} = watching(inspection);
	received.length = 0;
	await identity.cycle({content: 'one'});
	t.is(received[0]!.data['event'].type, 'cycle');
	t.deepEqual([...new Set(types())].toSorted(), [...machineFrameTypes, 'cycle.done', 'mode.changed', 'state']);
	t.is(received.at(-1)!.type, '@xstate.snapshot');
});

test('a snapshot’s frame names the transitions that led to it, in order', async (t) => {
	const {identity, inspection} = await start(t);
	const {of, stop} = watching(inspection);
	identity.daemon.start();
	await identity.cycle({content: 'one'});
	const transitionsOn = (type: string) => of('@xstate.snapshot').flatMap(({event, transitions = []}) => event.type === type
		? transitions as Array<{from: string; to: string}>
		: []);
	t.deepEqual(transitionsOn('daemon.start').filter(({from}) => from.startsWith('daemon')), [
		{from: 'daemon.mode', to: 'daemon.mode.autonomous'},
		{from: 'daemon.loop.stopped', to: 'daemon.loop.running'},
	]);
	const path = transitionsOn('xstate.done.actor.0.cycle.embedding');
	t.true(path.length > 2, 'through transient states');
	t.true(path.every(({from}, index) => index === 0 || from === path[index - 1]!.to));
	stop();
});

test('ids increase by one from event to event, after the name of the run', async (t) => {
	const {identity, inspection} = await start(t);
	const {received} = watching(inspection);
	received.length = 0;
	const before = latestOf(inspection);
	await identity.cycle({content: 'one'});
	t.deepEqual(received.map(numberOf), received.map((_, place) => before + place + 1));
	t.is(received.at(-1)!.id, `run-${latestOf(inspection)}`);
});

test('only the types of the filter are sent, also as the present', async (t) => {
	const {identity, inspection} = await start(t);
	const {types} = watching(inspection, {types: ['state', 'cycle.done']});
	await identity.cycle({content: 'one'});
	identity.daemon.start();
	t.deepEqual(types(), ['state', 'cycle.done', 'state']);
});

test('a watcher that asks for the history receives it from the beginning, then the present', async (t) => {
	const {identity, inspection} = await start(t);
	await identity.cycle({content: 'one'});
	const first = watching(inspection, {history: true});
	t.deepEqual(names(first.received), ['mode.changed', 'cycle.done', 'state', 'process', 'resources', 'daemon', 'state', 'mode.changed']);
	await identity.cycle({content: 'two'});
	const second = watching(inspection, {history: true});
	t.deepEqual(second.received.slice(0, 6), first.received.slice(0, 6));
	t.deepEqual(second.received.slice(6, -2), first.received.slice(8));
	t.deepEqual(names(second.received.slice(-2)), ['state', 'mode.changed']);
});

test('without watchers, the identity’s events are buffered, but the machines’ frames are not', async (t) => {
	const {identity, inspection} = await start(t);
	await identity.cycle({content: 'one'});
	await identity.cycle({content: 'two'});
	const {types} = watching(inspection, {history: true});
	t.deepEqual(types().slice(0, 5), ['mode.changed', 'cycle.done', 'state', 'cycle.done', 'state']);
	t.false(types().includes('@xstate.event'));
});

test('machines are not observed for a watcher of the identity’s events alone', async (t) => {
	const {identity, inspection} = await start(t);
	watching(inspection, {types: ['cycle.done']});
	await identity.cycle({content: 'one'});
	const {types} = watching(inspection, {history: true});
	t.false(types().includes('@xstate.event'));
});

test('a watcher that resumes receives the events after its last one, once, and not the present', async (t) => {
	const {identity, inspection, clock} = await start(t);
	const steady = watching(inspection);
	const first = watching(inspection);
	await identity.cycle({content: 'one'});
	first.stop();
	const {id} = first.received.at(-1)!;
	await identity.cycle({content: 'two'});
	clock.increment(1);
	const second = watching(inspection, {after: id});
	await identity.cycle({content: 'three'});
	t.deepEqual([...first.received, ...second.received], steady.received);
});

test('a single watcher that resumes within the grace period misses no frame', async (t) => {
	const {identity, inspection, clock} = await start(t);
	const first = watching(inspection);
	first.stop();
	clock.increment(graceIsOver - 2);
	await identity.cycle({content: 'between'});
	const second = watching(inspection, {after: first.received.at(-1)!.id});
	t.is(second.received[0]!.data['event'].type, 'cycle');
	t.deepEqual(second.received.map(numberOf), second.received.map((_, place) => numberOf(first.received.at(-1)!) + place + 1));
});

test('after the grace period machines are no longer observed; a watcher that resumes receives the present actors', async (t) => {
	const {identity, inspection, clock} = await start(t);
	const first = watching(inspection);
	first.stop();
	clock.increment(graceIsOver);
	identity.daemon.start();
	const second = watching(inspection, {after: first.received.at(-1)!.id});
	t.deepEqual(names(second.received), ['daemon.started', 'mode.changed', 'process', 'resources', 'daemon']);
	t.like(second.received.at(-1)!.data, {snapshot: {value: {mode: 'autonomous', loop: {running: 'waiting'}}}});
});

test('a watcher that leaves does not end the observation for another', async (t) => {
	const {identity, inspection, clock} = await start(t);
	const stays = watching(inspection);
	watching(inspection).stop();
	clock.increment(graceIsOver);
	stays.received.length = 0;
	await identity.cycle({content: 'one'});
	t.is(stays.received[0]!.type, '@xstate.event');
});

test('a watcher that has left receives nothing more', async (t) => {
	const {identity, inspection} = await start(t);
	const {received, stop} = watching(inspection);
	stop();
	stop();
	const before = received.length;
	await identity.cycle({content: 'one'});
	t.is(received.length, before);
});

test('a watcher that resumes too late receives the number of lost events, then the rest and the present', async (t) => {
	const {identity, inspection} = await start(t);
	const {received, stop} = watching(inspection);
	const {id} = received[0]!;
	stop();
	const before = latestOf(inspection);
	for (let cycles = 0; cycles < 150; cycles++) {
		await identity.cycle({content: 'again'});
	}

	const late = watching(inspection, {after: id});
	const [report, ...rest] = late.received;
	t.is(report!.type, 'stream.dropped');
	t.is(report!.id, id);
	const present = 5;
	const happened = latestOf(inspection) - before;
	t.is(report!.data['missed'] + rest.length - present, happened);
	t.regex(report!.data['reason'], /no longer buffered/);
	t.deepEqual(names(rest.slice(-present)), ['process', 'resources', 'daemon', 'state', 'mode.changed']);
	t.is(rest.filter(({type}) => type.startsWith('@')).length - 3, 1000);
});

test('many frames of the machines do not displace the identity’s events', async (t) => {
	const {identity, inspection} = await start(t);
	watching(inspection);
	for (let cycles = 0; cycles < 150; cycles++) {
		await identity.cycle({content: 'again'});
	}

	const {of, types} = watching(inspection, {after: 'run-0', types: ['cycle.done']});
	t.is(of('cycle.done').length, 150);
	t.false(types().includes('stream.dropped'));
});

test('an id of another run, or an invalid one, is reported, and all events of this run follow', async (t) => {
	const {identity, inspection} = await start(t);
	await identity.cycle({content: 'one'});
	for (const after of ['other-2', 'run-', 'run-x', 'run-99', 'run--1', '…']) {
		const {received} = watching(inspection, {after, types: ['cycle.done', 'state']});
		t.deepEqual(received.map(({type}) => type), ['stream.dropped', 'cycle.done', 'state', 'state'], after);
		t.deepEqual(received[0]!.data, {missed: null, reason: 'The last event seen is from another run of the service.'});
		t.true(received[0]!.id.startsWith('run-'));
	}
});

test('a watcher that asks for texts receives them, and no other does', async (t) => {
	const {identity, inspection} = await start(t);
	const without = watching(inspection);
	const withTexts = watching(inspection, {contents: true});
	await identity.cycle({content: 'my secret', metadata: {place: 'home'}});
	const json = (received: readonly Received[]) => received.map(({json: text}) => text).join('\n');
	t.false(json(without.received).includes('my secret'));
	t.false(json(without.received).includes('home'));
	t.true(json(withTexts.received).includes('"content":"my secret"'));
	t.true(json(withTexts.received).includes('{"place":"home"}'));
	t.deepEqual(withTexts.types().slice(-20), without.types().slice(-20));
});

test('texts are not buffered for watchers that ask for them later', async (t) => {
	const {identity, inspection} = await start(t);
	watching(inspection);
	await identity.cycle({content: 'my secret'});
	const {received} = watching(inspection, {contents: true, history: true});
	t.false(received.some(({json}) => json.includes('my secret')));
});

test('a frame with large texts is cut to at most 64 KiB', async (t) => {
	const {identity, inspection} = await start(t);
	const {received} = watching(inspection, {contents: true});
	const place = Object.fromEntries(Array.from({length: 60}, (_, i) => [`page ${i}`, Array.from({length: 32}, () => 'a'.repeat(500))]));
	await identity.cycle({content: 'short', metadata: place});
	t.true(received.every(({json}) => json.length <= 64 * 1024));
	const {metadata} = received.find(({data}) => data['event']?.type === 'cycle')!.data['event'];
	t.regex(metadata['…'], /^\d+ more entries$/);
});

test('frames have the time when they were made', async (t) => {
	const {identity, inspection} = await start(t);
	const {of} = watching(inspection);
	await identity.cycle({content: 'one'});
	t.true(machineFrameTypes.flatMap(type => of(type)).every(({createdAt}) => createdAt === '1000'));
});

test('after close, no watcher receives anything more', async (t) => {
	const {identity, inspection} = await start(t);
	const {received} = watching(inspection);
	inspection.close();
	const before = received.length;
	await identity.cycle({content: 'one'});
	t.is(received.length, before);
});

test('the frames of an identity in an application’s system show none of the application’s other actors', async t => {
	const parts = processParts({encoder: new FakeEncoder(), themes: {rumination: ['r'], corpus: ['c']}});
	const application = createActor(setup({
		types: {children: {} as {identity: 'identity'; login: 'login'}},
		actors: {identity: createProcessMachine(parts), login: setup({}).createMachine({on: {password: {}}})},
	}).createMachine({
		invoke: [{id: 'identity', src: 'identity'}, {id: 'login', src: 'login'}],
		on: {submit: {actions: sendTo('login', {type: 'password', value: 'open sesame'})}},
	})).start();
	const identity = identityOf(application.getSnapshot().children.identity!, {warn() {}});
	await identity.ready();
	const {received} = watching(createInspection({actor: identity.actor}));
	application.send({type: 'submit'});
	await identity.cycle('one');
	const frames = received.filter(({type}) => type.startsWith('@xstate.'));
	t.true(names(frames).some(name => name.startsWith('cycle-')));
	t.false(JSON.stringify(frames).includes('sesame'));
	t.deepEqual(new Set(frames.map(({data}) => data['rootId'])), new Set([identity.actor.sessionId]));
	t.false('parentId' in frames[0]!.data);
	application.stop();
});

test('a closed inspection leaves no listener on the identity', async t => {
	const {identity} = await startIdentity();
	let listeners = 0;
	const {on} = identity.actor;
	const actor = Object.assign(Object.create(identity.actor) as typeof identity.actor, {
		on(...given: Parameters<typeof on>) {
			const {unsubscribe} = on.apply(identity.actor, given);
			listeners++;
			return {
				unsubscribe() {
					listeners--;
					unsubscribe();
				},
			};
		},
	});
	createInspection({actor}).close();
	t.is(listeners, 0);
	await identity.dispose();
});
