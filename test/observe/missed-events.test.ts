/** A watcher resumes after the last record that it received: from the journal, even in another run of the service. */
import test, {type ExecutionContext} from 'ava';
import {createInspection} from '../../src/observe/inspection.ts';
import {identityEventTypes} from '../../src/wire/event-types.ts';
import type {SqliteJournalOptions} from '../../src/journal/sqlite/sqlite-journal.ts';
import {createSqliteJournal} from '../helpers/one-thread.ts';
import {createClient} from '../../src/client/index.ts';
import {FakeJournal} from '../actors/fake-journal.ts';
import {FakeEncoder, settle, startIdentity, vectorOf} from '../actors/fixtures.ts';
import {serve} from '../http/service.ts';
import {temporaryFolder} from '../journal/records.ts';
import {EventReader} from './event-reader.ts';
import {FakeSource, stream} from './streaming.ts';
import type {Journal} from '../../src/journal/journal.ts';

type Received = {id: string; type: string; data: Record<string, unknown>};

let runs = 0;

/** An encoder that reports how it read a text. */
const reporting = Object.assign(new FakeEncoder(), {
	embedWithReport: async (text: string) => ({vector: vectorOf(text), report: {tokens: 7, isTruncated: true, unknownShare: 0.25}}),
});

/** One run of the service on a journal, inspected from its start. */
const startRun = async (t: ExecutionContext, journal: Journal) => {
	const {identity} = await startIdentity({journal, encoder: async () => reporting, newId: () => crypto.randomUUID()});
	const inspection = createInspection({actor: identity.actor, read: identity.records, run: `run${++runs}`});
	const watch = (after: string | null, types: readonly string[] = identityEventTypes): Received[] => {
		const received: Received[] = [];
		inspection.watch({types: new Set(types), contents: false, history: false, after}, ({id, type, json}) => {
			received.push({id, type, data: JSON.parse(json)});
		});
		return received;
	};

	const end = async () => {
		inspection.close();
		await identity.dispose();
	};

	t.teardown(end);
	return {identity, watch, end};
};

const onFile = async (t: ExecutionContext, options: Partial<SqliteJournalOptions> = {}) => {
	const folder = await temporaryFolder(t);
	return async () => startRun(t, createSqliteJournal({folder, ...options}));
};

const until = async (received: Received[], isThere: (received: Received) => boolean): Promise<void> => {
	while (!received.some(isThere)) {
		await settle();
	}
};

const lasting = ({type}: Received): boolean => ['cycle.done', 'reset.done', 'identity.validated', 'stream.dropped'].includes(type);

test('the id of an event begins with the number of the newest record', async t => {
	const {identity, watch} = await (await onFile(t))();
	const received = watch(null);
	await Promise.all(['a', 'b', 'c'].map(async content => identity.cycle(content)));
	await identity.daemon.start();
	await identity.reset();
	await identity.cycle('d');
	t.deepEqual(received.filter(lasting).map(({id, type}) => [type, id.split('.')[0]]), [
		['cycle.done', '1'],
		['cycle.done', '2'],
		['cycle.done', '3'],
		['reset.done', '5'],
		['cycle.done', '6'],
	]);
	t.regex(received.at(-1)!.id, /^6\.run\d+-\d+$/);
});

test('after a restart, a watcher receives the events that it missed, then the present, then new events', async t => {
	const start = await onFile(t);
	const first = await start();
	const before = first.watch(null);
	await first.identity.cycle('heard');
	const {id: last} = before.at(-1)!;
	const missed = first.watch(last);
	await first.identity.cycle({content: 'missed', trigger: 'veille'});
	await first.identity.reset();
	await first.end();

	const second = await start();
	await second.identity.cycle('missed too');
	const received = second.watch(last);
	await second.identity.cycle('live');
	await until(received, ({type, id}) => type === 'cycle.done' && id.startsWith('5.'));
	t.deepEqual(received.map(({id, type}) => [type, id.replace(/\..*/, '')]), [
		['cycle.done', '2'],
		['reset.done', '3'],
		['cycle.done', '4'],
		['state', '4'],
		['mode.changed', '4'],
		['cycle.done', '5'],
		['state', '5'],
	]);
	t.is(received[0]!.id, '2');
	const live = missed.find(({type}) => type === 'cycle.done');
	t.deepEqual({...received[0]!.data}, {...live!.data, processing_time_ms: 0, steps: {}});
	t.deepEqual(received[1]!.data, missed.find(({type}) => type === 'reset.done')!.data);
});

test('a watcher that was cut off during past events resumes after the last record that it received', async t => {
	const start = await onFile(t);
	const first = await start();
	for (const content of ['a', 'b', 'c', 'd']) {
		await first.identity.cycle(content);
	}

	await first.end();
	const second = await start();
	const received = second.watch('2');
	await until(received, ({type}) => type === 'mode.changed');
	t.deepEqual(received.filter(lasting).map(({id}) => id), ['3', '4']);
});

test('only missed events of the requested types are sent', async t => {
	const start = await onFile(t);
	const first = await start();
	await first.identity.cycle('a');
	await first.identity.reset();
	await first.end();
	const second = await start();
	const received = second.watch('0.other-7', ['reset.done', 'state']);
	await until(received, ({type}) => type === 'state');
	t.deepEqual(received.map(({type}) => type), ['reset.done', 'state']);
});

test('compacted records are missing, and the watcher receives their number', async t => {
	const start = await onFile(t, {compaction: {keepRecords: 3, snapshotEvery: 2}});
	const first = await start();
	for (let i = 0; i < 10; i++) {
		await first.identity.cycle(`${i}`);
	}

	await first.end();
	const second = await start();
	const [oldest] = await second.identity.records(1, 1);
	t.is(oldest!.record.kind, 'snapshot');
	const received = second.watch('1.other-7');
	await until(received, ({type}) => type === 'mode.changed');
	t.deepEqual(received.filter(lasting).map(({id, type, data}) => [id, type, ...(type === 'stream.dropped' ? [data['missed']] : [])]), [
		['1', 'stream.dropped', 5],
		...['7', '8', '9', '10'].map(id => [id, 'cycle.done']),
	]);
});

test('of more than 1,000 missed records, the newest 1,000 are sent', async t => {
	const journal = new FakeJournal();
	const {identity, end} = await startRun(t, journal);
	await identity.cycle('a');
	const [record] = journal.records;
	await end();
	journal.records = Array.from({length: 1500}, (_, i) => ({...record!, id: `${i + 1}`}));
	const second = await startRun(t, journal);
	const received = second.watch('200.other-7', ['cycle.done']);
	await until(received, ({id}) => id === '1500');
	t.is(received.length, 1001);
	t.like(received[0], {type: 'stream.dropped', data: {missed: 300}});
	t.is(received[1]!.id, '501');
});

test('an id that is ahead of the journal, or invalid, counts as one of another run', async t => {
	const {identity, watch} = await startRun(t, new FakeJournal());
	await identity.cycle('a');
	for (const after of ['2', '7.other-1', 'other-1', 'x.1', '.', '-1', '1e0', '1x.run-1']) {
		t.like(
			watch(after, ['cycle.done'])[0],
			{type: 'stream.dropped', data: {missed: null, reason: 'The last event seen is from another run of the service.'}},
			after,
		);
	}
});

test('a watcher that leaves during past events receives nothing more, and a journal that cannot be read is reported', async t => {
	const journal = new FakeJournal();
	const {identity} = await startRun(t, journal);
	await identity.cycle('a');
	const inspection = createInspection({actor: identity.actor, read: identity.records, run: 'late'});
	const received: string[] = [];
	const listen = (after: string) =>
		inspection.watch({types: new Set(['cycle.done']), contents: false, history: false, after}, ({type}) => received.push(type));
	listen('0.other-1')();
	await settle();
	t.deepEqual(received, []);
	journal.read = async () => {
		throw new Error('The disk is gone.');
	};

	listen('0.other-1');
	await settle();
	t.deepEqual(received, ['stream.dropped']);
});

test('a client keeps its place across a restart of the service', async t => {
	const start = await onFile(t);
	const first = await start();
	await first.identity.cycle('heard');
	const {url, close} = await serve(t, first.identity, {inspector: true});
	const client = createClient({baseUrl: url});
	let last = '';
	for await (const {id, type} of client.events({history: true, types: ['state']})) {
		last = id;
		if (type === 'state') {
			break;
		}
	}

	await first.identity.cycle('missed');
	await close();
	await first.end();
	const second = await start();
	const again = await serve(t, second.identity, {inspector: true});
	const types: string[] = [];
	for await (const event of createClient({baseUrl: again.url}).events({lastEventId: last, types: ['cycle.done', 'state']})) {
		types.push(event.type === 'cycle.done' ? `${event.id}: state ${event.data.stateId}` : event.type);
		if (event.type === 'state') {
			break;
		}
	}

	t.deepEqual(types, ['2: state 2', 'state']);
});

test('a stream that has sent no event yet says where it begins, and can resume there after a restart', async t => {
	const start = await onFile(t);
	const first = await start();
	await first.identity.cycle('before');
	const {url, close} = await serve(t, first.identity, {inspector: true});
	const begun = await EventReader.open(`${url}/events?types=cycle.done`);
	const {id} = await begun.next();
	begun.leave();
	await first.identity.cycle('missed');
	await close();
	await first.end();
	const second = await start();
	const again = await serve(t, second.identity, {inspector: true});
	const resumed = await EventReader.open(`${again.url}/events?types=cycle.done`, {'last-event-id': id!});
	t.like(await resumed.nextOf('cycle.done'), {id: '2', data: {state_id: 2}});
	resumed.leave();
});

test('a stream without past events of its types says where it begins, so that a break before its first event loses nothing', async t => {
	const source = Object.assign(new FakeSource(), {latestId: '7.run-3'});
	const {open} = await stream(t, source);
	for (const query of ['?types=cycle.done', '?types=cycle.done&history=true']) {
		t.deepEqual(await (await open(query)).next(), {retry: '2000', id: '7.run-3'}, query);
	}

	// Before past events, it would skip those that a break holds back.
	source.past = [{id: '6.run-2', type: 'cycle.done', json: '{}'}];
	t.deepEqual(await (await open('?types=cycle.done&history=true')).next(), {retry: '2000'});
});

test('the events of held and released texts say the same live as when they are resumed', async t => {
	const {identity, clock} = await startIdentity({journal: new FakeJournal()});
	const inspection = createInspection({actor: identity.actor, read: identity.records});
	const watch = (after: string | null) => {
		const received: Array<Record<string, unknown>> = [];
		inspection.watch({types: new Set(['cycle.done', 'cycle.held']), contents: false, history: false, after}, ({type, json}) => {
			const {processing_time_ms: _, steps: __, ...data} = JSON.parse(json) as Record<string, unknown>;
			received.push({type, ...data});
		});
		return received;
	};

	const live = watch(null);
	await identity.hold({note: 'Until it is clear.', sources: ['viktor']});
	for (const content of ['a', 'b']) {
		clock.increment(1000);
		await identity.cycle({content, source: 'viktor'});
	}

	await identity.releaseHeld({sources: ['viktor']});
	t.deepEqual(live.map(({type, timestamp}) => [type, timestamp]), [
		['cycle.held', '2026-01-01T00:00:01.000Z'], ['cycle.held', '2026-01-01T00:00:02.000Z'],
		['cycle.done', '2026-01-01T00:00:02.000Z'], ['cycle.done', '2026-01-01T00:00:02.000Z'],
	]);
	t.not(live[2]!['cumulative_drift'], live[3]!['cumulative_drift']);
	const resumed = watch('0.another-1');
	while (resumed.length < live.length) {
		await settle();
	}

	t.deepEqual(resumed, live);
	await identity.dispose();
});
