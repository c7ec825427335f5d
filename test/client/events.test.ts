import test from 'ava';
import {SimulatedClock} from 'xstate';
import {ClientError, createClient, type EventData, type ServiceEventType, type ServiceEvent} from '../../src/client/index.ts';
import {eventTypes} from '../../src/wire/event-types.ts';
import {FakeEncoder, settle} from '../actors/fixtures.ts';
import {serveWhole} from './served.ts';

/** Reads events until one matches. */
const until = async (events: AsyncIterator<ServiceEvent>, fits: (event: ServiceEvent) => boolean): Promise<ServiceEvent[]> => {
	const read: ServiceEvent[] = [];
	for (;;) {
		const {value} = await events.next() as IteratorYieldResult<ServiceEvent>;
		read.push(value);
		if (fits(value)) {
			return read;
		}
	}
};

const isOf = (wanted: ServiceEventType) => ({type}: ServiceEvent) => type === wanted;

/** A minimal `data` of each type, which the compiler checks against the client's types. */
const distances = {firstness: 0, secondness: 0, thirdness: 0, dispositions: 0, orientations: 0, engagements: 0, pertinences: 0, valeurs: 0};
const frame = {sessionId: 'x:0', rootId: 'x:0', createdAt: '0'};
const cycleEnd = {
	id: '1',
	trigger: 'user',
	origin: 'caller' as const,
	stateId: 1,
	deltaMagnitude: 0,
	dissonanceTotal: 0,
	isChoc: false,
	dimensionsAffected: [],
	scores: distances,
	cumulativeDrift: 0,
	level: 'ok' as const,
	processingTimeMs: 0,
	steps: {},
	timestamp: '',
};
const samples: EventData = {
	'boot.step': {step: 'model', milliseconds: 1, warnings: []},
	ready: {report: []},
	failed: {message: ''},
	stopped: {},
	'cycle.done': cycleEnd,
	'cycle.held': {...cycleEnd, held: ''},
	'cycle.failed': {id: '1', trigger: 'user', origin: 'caller', message: '', code: 'embedding', retryable: false, steps: {}},
	'cycle.cancelled': {id: '1'},
	'reset.done': {id: '1', stateId: 0},
	'reset.failed': {id: '1', message: ''},
	'identity.validated': {
		id: '1', timestamp: '', stateId: 1, note: '', baseline: {texts: 400, heard: 300, conversations: 40, sources: null, from: ''},
	},
	'validation.failed': {id: '1', message: ''},
	'identity.revised': {id: '1', stateId: 1},
	'revision.failed': {id: '1', message: ''},
	'replay.progress': {id: null, step: 'replaying', records: 5000, of: 10_000},
	'held.released': {id: '1', stateId: 1, texts: 1},
	'held.dropped': {id: '1', stateId: 1, texts: 1},
	'settlement.failed': {id: '1', message: ''},
	'mode.changed': {mode: 'idle', isRuminating: false, daemonRunning: false},
	'daemon.started': {},
	'daemon.stopped': {},
	'vigilance.level': {level: 'ok', cumulativeDrift: 0},
	state: {stateId: 0, timestamp: '', level: 'ok', cumulativeDrift: 0, distances},
	'journal.failed': {message: ''},
	'journal.recovered': {},
	moved: {},
	'translation.done': {id: '1'},
	'translation.failed': {id: '1', message: ''},
	'drift.alarm': {
		voice: 'heard',
		span: 8,
		reading: 2,
		limit: 1.5,
		conversation: {texts: 1, ids: ['1'], from: '', to: ''},
		since: {id: '1', source: 'user', timestamp: ''},
		blame: [{source: 'user', share: 1}],
		unreadShare: 0,
		moved: {alike: 1, sources: 6},
		averageRunLength: 1000,
	},
	'echo.noticed': {id: '1', source: 'user', cosine: 0.9, threshold: 0.8, own: {id: null, timestamp: ''}},
	'source.changed': {source: 'user', p: 0.01},
	'source.noticed': {source: 'user', share: 0.6, p: 0.005, driftP: 0.01},
	'source.taken_up': {source: 'user', p: 0.01, effect: 0.3, since: '2026-10-04T08:00:00.000Z'},
	'stream.dropped': {missed: null, reason: ''},
	'@xstate.actor': {type: '@xstate.actor', ...frame},
	'@xstate.event': {type: '@xstate.event', ...frame},
	'@xstate.snapshot': {type: '@xstate.snapshot', ...frame},
};

test('every event type of the service has a type in the client', t => {
	t.deepEqual(Object.keys(samples).toSorted(), eventTypes.toSorted());
});

test('the event of a cycle has the encoder’s report on its text, if there is one', async t => {
	const report = {tokens: 128, isTruncated: true, unknownShare: 0.25};
	const inner = new FakeEncoder();
	const encoder = Object.assign(inner, {
		embedWithReport: async (text: string) => ({vector: await inner.embed(text), report: text === 'long' ? report : {}}),
	});
	const {client} = await serveWhole(t, {identity: {encoder: async () => encoder}});
	await client.cycle({content: 'long'});
	await client.cycle({content: 'short'});
	const events = client.events({types: ['cycle.done'], history: true});
	const read = [await events.next(), await events.next()].map(({value}) => value as ServiceEvent);
	await events.return();
	const reports = read.map(event => event.type === 'cycle.done' && [event.data.tokens, event.data.truncated, event.data.unknownShare]);
	t.deepEqual(reports, [[128, true, 0.25], [undefined, undefined, undefined]]);
});

test('events have the fields of their types', async t => {
	const {client, encoder} = await serveWhole(t);
	encoder.fail('bad', new Error('no'));
	const events = client.events({history: true});
	const seen = await until(events, isOf('state'));
	await client.cycle({content: 'A first thought.'});
	await t.throwsAsync(client.cycle({content: 'bad'}));
	await client.daemonStart();
	await client.daemonStop();
	await client.translate();
	await client.reset();
	seen.push(...await until(events, isOf('reset.done')));
	await events.return();

	const emitted = [
		'boot.step', 'cycle.done', 'cycle.failed', 'daemon.started', 'daemon.stopped', 'mode.changed', 'state',
		'translation.done', 'reset.done', '@xstate.actor', '@xstate.event', '@xstate.snapshot',
	];
	t.deepEqual(emitted.filter(type => !seen.some(event => event.type === type)), []);
	for (const {id, type, data} of seen) {
		t.regex(id, /^(\d+\.)?\w+-\d+$/);
		const promised = Object.keys(samples[type]).toSorted();
		const given = Object.keys(data).toSorted();
		t.deepEqual(type.startsWith('@') ? given.filter(key => promised.includes(key)) : given, promised, type);
	}
});

test('only events of the requested types arrive', async t => {
	const {client} = await serveWhole(t);
	const events = client.events({types: ['cycle.*', 'reset.done'], history: true});
	await client.cycle({content: 'A first thought.'});
	await client.reset();
	const seen = await until(events, isOf('reset.done'));
	t.deepEqual(seen.map(({type}) => type), ['cycle.done', 'reset.done']);
	await events.return();
});

test('texts are included on request', async t => {
	const {client} = await serveWhole(t);
	const events = client.events({types: ['@xstate.event'], contents: true});
	const found = until(events, ({data}) => JSON.stringify(data).includes('The sea is quiet.'));
	for (let cycles = 0; cycles < 3; cycles++) {
		await client.cycle({content: 'The sea is quiet.'});
	}

	t.true((await found).length > 0);
	await events.return();
});

test('a refused stream throws the service’s error', async t => {
	const {client} = await serveWhole(t);
	const error = await t.throwsAsync(client.events({types: ['nonsense*']}).next(), {instanceOf: ClientError});
	t.is(error.status, 422);
});

test('the stream resumes after a known last id', async t => {
	const {client} = await serveWhole(t);
	await client.cycle({content: 'one'});
	await client.cycle({content: 'two'});
	const events = client.events({types: ['cycle.done'], history: true});
	const {value: first} = await events.next() as IteratorYieldResult<ServiceEvent>;
	await events.return();

	const later = client.events({types: ['cycle.done'], lastEventId: first.id});
	const {value} = await later.next() as IteratorYieldResult<ServiceEvent>;
	t.is(value.type === 'cycle.done' && value.data.stateId, 2);
	await later.return();
});

/** A service with a script of responses, one for each connection. */
const scripted = (...answers: Array<(signal: AbortSignal) => Response>) => {
	const clock = new SimulatedClock();
	const asked: Array<{headers: Record<string, string>; at: number}> = [];
	const client = createClient({
		baseUrl: 'http://service.example',
		timers: clock,
		async fetch(_input, init) {
			asked.push({headers: init!.headers as Record<string, string>, at: clock.now()});
			return answers.shift()!(init!.signal!);
		},
	});
	return {
		client,
		clock,
		asked,
		/** Advances simulated time by quarters of a second until there were that many connections. */
		async connections(count: number): Promise<void> {
			while (asked.length < count) {
				await settle();
				await settle();
				clock.increment(250);
			}
		},
	};
};

const headers = {'Content-Type': 'text/event-stream; charset=utf-8'};
const message = (n: number, run = 'run') => `id: ${run}-${n}\nevent: daemon.started\ndata: {}\n\n`;

/** A stream that sends text, then ends. */
const ending = (...pieces: string[]) => () => new Response(pieces.join(''), {headers});

/** A stream that sends text, then stays open until the client aborts. */
const open = (text = '') => (signal: AbortSignal) => new Response(new ReadableStream({
	start(controller) {
		controller.enqueue(new TextEncoder().encode(text));
		signal.addEventListener('abort', () => {
			controller.error(signal.reason);
		});
	},
}), {headers});

const refusing = (status: number, extra: Record<string, string> = {}) => () => Response.json({detail: 'not now'}, {status, headers: extra});

const failing = () => {
	throw new TypeError('fetch failed');
};

test('a stream that breaks resumes after the last event, without duplicates', async t => {
	const {client, asked, connections} = scripted(ending('retry: 2000\n\n', message(1), message(2)), open(message(3)));
	const events = client.events();
	const reading = until(events, ({id}) => id === 'run-3');
	await connections(2);
	t.deepEqual((await reading).map(({id}) => id), ['run-1', 'run-2', 'run-3']);
	t.is(asked[0]!.headers['Last-Event-ID'], undefined);
	t.is(asked[1]!.headers['Last-Event-ID'], 'run-2');
	await events.return();
});

test('a stream that breaks before its first event resumes where it began', async t => {
	const {client, asked, connections} = scripted(ending('retry: 2000\nid: run-1\n\n'), open(message(2)));
	const events = client.events();
	const reading = until(events, ({id}) => id === 'run-2');
	await connections(2);
	await reading;
	t.is(asked[1]!.headers['Last-Event-ID'], 'run-1');
	await events.return();
});

test('it reconnects after the service’s retry time, then with doubled delays up to 5 seconds', async t => {
	const failures = Array.from({length: 7}, () => failing);
	const {client, asked, connections} = scripted(ending('retry: 2000\n\n', message(1)), ...failures, open(message(2)));
	const events = client.events();
	const reading = until(events, ({id}) => id === 'run-2');
	await connections(9);
	await reading;
	t.deepEqual(asked.slice(1).map(({at}, index) => at - asked[index]!.at), [2000, 4000, ...Array.from({length: 6}, () => 5000)]);
	await events.return();
});

test('a reconnect waits for Retry-After', async t => {
	const {client, asked, connections} = scripted(ending(message(1)), refusing(429, {'Retry-After': '60'}), open(message(2)));
	const events = client.events();
	const reading = until(events, ({id}) => id === 'run-2');
	await connections(3);
	await reading;
	t.is(asked[2]!.at - asked[1]!.at, 60_000);
	await events.return();
});

test('a wait beyond the range of a timer is cut to the longest possible one', async t => {
	const waits: number[] = [];
	const answers = [ending(message(1)), refusing(503, {'Retry-After': '2592000'}), open(message(2))];
	const events = createClient({
		baseUrl: 'http://service.example',
		timers: {
			setTimeout(callback, milliseconds) {
				waits.push(milliseconds);
				// The timeout for silence is 40 s.
				return milliseconds === 40_000 ? null : setImmediate(callback);
			},
			clearTimeout() {},
		},
		fetch: async (_input, init) => answers.shift()!(init!.signal!),
	}).events();
	await until(events, ({id}) => id === 'run-2');
	t.deepEqual(waits.filter(each => each !== 40_000), [1000, 2 ** 31 - 1]);
	await events.return();
});

test('after 40 seconds of silence the client reconnects', async t => {
	const {client, asked, connections} = scripted(open(message(1)), open(message(2)));
	const events = client.events();
	const reading = until(events, ({id}) => id === 'run-2');
	await connections(2);
	await reading;
	t.true(asked[1]!.at >= 40_000);
	t.is(asked[1]!.headers['Last-Event-ID'], 'run-1');
	await events.return();
});

test('a slow consumer keeps its connection', async t => {
	const {client, clock, asked} = scripted(open(message(1) + message(2)));
	const events = client.events();
	await events.next();
	clock.increment(3_600_000);
	t.is((await events.next() as IteratorYieldResult<ServiceEvent>).value.id, 'run-2');
	t.is(asked.length, 1);
	await events.return();
});

test('a failure of the first connection throws', async t => {
	await t.throwsAsync(scripted(failing).client.events().next(), {instanceOf: TypeError});
	await t.throwsAsync(scripted(refusing(503)).client.events().next(), {instanceOf: ClientError, message: 'not now'});
});

test('a later error that a retry cannot solve throws', async t => {
	const {client, connections} = scripted(ending(message(1)), refusing(401));
	const events = client.events();
	await events.next();
	const next = t.throwsAsync(events.next(), {instanceOf: ClientError});
	await connections(2);
	t.is((await next).status, 401);
});

test('a response that is not a stream is an error that says so', async t => {
	const {client} = scripted(() => new Response('<h1>Welcome</h1>', {headers: {'Content-Type': 'text/html'}}));
	await t.throwsAsync(client.events().next(), {instanceOf: ClientError, message: /not an event stream/});
});

test('leaving the loop ends the connection', async t => {
	let ended: AbortSignal | undefined;
	const {client} = scripted(signal => {
		ended = signal;
		return open(message(1))(signal);
	});
	for await (const event of client.events()) {
		t.is(event.id, 'run-1');
		break;
	}

	t.true(ended!.aborted);
});

test('an abort ends the stream with its reason, while reading and between two connections', async t => {
	const reason = new Error('enough');
	const reading = new AbortController();
	const first = scripted(open(message(1))).client.events({signal: reading.signal});
	await first.next();
	const next = first.next();
	reading.abort(reason);
	t.is(await t.throwsAsync(next), reason);

	const waiting = new AbortController();
	const {client, asked} = scripted(ending(message(1)));
	const second = client.events({signal: waiting.signal});
	await second.next();
	const later = second.next();
	await settle();
	waiting.abort(reason);
	t.is(await t.throwsAsync(later), reason);
	t.is(asked.length, 1);
});
