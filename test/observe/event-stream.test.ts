/** GET /events: the stream on the wire, rejected requests, slow consumers, and resuming. */
import {once} from 'node:events';
import {connect} from 'node:net';
import test from 'ava';
import {createInspection} from '../../src/observe/inspection.ts';
import {settle as turn, startIdentity} from '../actors/fixtures.ts';
import {EventReader} from './event-reader.ts';
import {FakeSource, stream} from './streaming.ts';

test('a stream begins with the delay before reconnecting, then sends events with their ids and types', async (t) => {
	const source = new FakeSource();
	source.past = [{id: 'run-7', type: 'mode.changed', json: '{"mode":"idle"}'}];
	const {open} = await stream(t, source);
	const reader = await open();
	t.deepEqual(await reader.next(), {retry: '2000'});
	t.deepEqual(await reader.next(), {id: 'run-7', event: 'mode.changed', data: {mode: 'idle'}});
	source.emit('cycle.done', {id: '1', line: 'one\ntwo'});
	t.deepEqual(await reader.next(), {id: 'run-1', event: 'cycle.done', data: {id: '1', line: 'one\ntwo'}});
});

test('headers tell proxies and browsers not to buffer the stream', async (t) => {
	const {open} = await stream(t, new FakeSource());
	const {response: {statusCode, headers}} = await open('', {origin: 'http://elsewhere.example'});
	t.is(statusCode, 200);
	t.like(headers, {
		'content-type': 'text/event-stream; charset=utf-8',
		'cache-control': 'no-cache, no-transform',
		'x-accel-buffering': 'no',
		'access-control-allow-origin': '*',
	});
});

test('a stream sends a ping every 15 seconds', async (t) => {
	const source = new FakeSource();
	const {open, clock} = await stream(t, source);
	const reader = await open();
	await reader.next();
	for (let pings = 0; pings < 3; pings++) {
		clock.increment(14_999);
		source.emit('cycle.done');
		t.is((await reader.next()).event, 'cycle.done');
		clock.increment(1);
		t.deepEqual(await reader.next(), {comment: ' ping'});
	}
});

test('a stream whose identity may have moved to another node ends at the next ping, after its pending events', async (t) => {
	const source = new FakeSource();
	let isCurrent = true;
	const {open, clock} = await stream(t, source, {isCurrent: () => isCurrent});
	const reader = await open();
	clock.increment(15_000);
	t.deepEqual(await reader.next(({comment}) => comment !== undefined), {comment: ' ping'});
	isCurrent = false;
	source.emit('cycle.done', {last: true});
	clock.increment(15_000);
	t.deepEqual((await reader.nextOf('cycle.done')).data, {last: true});
	await reader.end();
	t.is(source.listeners.size, 0);
});

const queries: Array<[query: string, types: string[], rest?: object]> = [
	['', ['cycle.done', 'cycle.failed', 'mode.changed', '@xstate.actor', '@xstate.event', 'stream.dropped']],
	['?types=mode.changed', ['mode.changed']],
	['?types=cycle.*,%20@xstate.actor', ['cycle.done', 'cycle.failed', '@xstate.actor']],
	['?types=cycle.done&types=@xstate.*', ['cycle.done', '@xstate.actor', '@xstate.event']],
	['?types=mode.changed&contents=true', ['mode.changed'], {contents: true}],
	['?types=mode.changed&history=true&contents=false', ['mode.changed'], {history: true}],
	['?types=mode.changed&last_event_id=run-12', ['mode.changed'], {after: 'run-12'}],
];

for (const [query, types, rest] of queries) {
	test(`“${query}” asks for ${types.join(', ')}${rest ? ` with ${JSON.stringify(rest)}` : ''}`, async (t) => {
		const source = new FakeSource();
		const {open} = await stream(t, source);
		await open(query);
		t.deepEqual(source.filters, [{types: new Set(types), contents: false, history: false, after: null, ...rest}]);
	});
}

test('the Last-Event-ID header of a browser overrides the one in the address', async (t) => {
	const source = new FakeSource();
	const {open} = await stream(t, source);
	await open('?last_event_id=run-1', {'last-event-id': 'run-5'});
	t.is(source.filters[0]!.after, 'run-5');
});

const refused: Array<[query: string, loc: string, input: string, type: string]> = [
	['?types=cycle.undone', 'types', 'cycle.undone', 'enum'],
	['?types=mode.changed,dream.*', 'types', 'dream.*', 'enum'],
	['?types=', 'types', '', 'enum'],
	['?contents=yes', 'contents', 'yes', 'bool_parsing'],
	['?history=', 'history', '', 'bool_parsing'],
];

for (const [query, field, input, type] of refused) {
	test(`“${query}” is rejected`, async (t) => {
		const source = new FakeSource();
		const {url} = await stream(t, source);
		const response = await fetch(url + query);
		const {detail} = await response.json() as {detail: Array<Record<string, unknown>>};
		t.is(response.status, 422);
		t.is(detail.length, 1);
		t.like(detail[0], {type, loc: ['query', field], input});
		t.deepEqual(source.filters, []);
	});
}

test('every fault of a query is listed', async (t) => {
	const {url} = await stream(t, new FakeSource());
	const {detail} = await (await fetch(`${url}?types=a,b&contents=c`)).json() as {detail: Array<{input: string}>};
	t.deepEqual(detail.map(({input}) => input), ['a', 'b', 'c']);
});

/** Small requests that would need much work. */
const expensive: Array<[name: string, query: string, fault: object]> = [
	['thousands of types', `?types=${','.repeat(2000)}`, {type: 'too_long', loc: ['query', 'types'], ctx: {max_length: 32}}],
	['types in many parameters', `?${'types=x&'.repeat(200)}`, {type: 'too_long', loc: ['query', 'types'], ctx: {max_length: 32}}],
	['a long query', `?types=${'x'.repeat(2048)}`, {type: 'string_too_long', loc: ['query'], ctx: {max_length: 2048}}],
	['a long query of other parameters', `?${'a=b&'.repeat(3000)}`, {type: 'string_too_long', loc: ['query']}],
];

for (const [name, query, fault] of expensive) {
	test(`${name} are rejected with one fault and a small answer`, async (t) => {
		const source = new FakeSource();
		const {url} = await stream(t, source);
		const response = await fetch(url + query);
		const text = await response.text();
		t.is(response.status, 422);
		t.true(text.length < 1500, `${text.length} characters`);
		const {detail} = JSON.parse(text) as {detail: object[]};
		t.is(detail.length, 1);
		t.like(detail[0], fault);
		t.deepEqual(source.filters, []);
	});
}

test('at most 20 faults of types are listed', async (t) => {
	const {url} = await stream(t, new FakeSource());
	const {detail} = await (await fetch(
		`${url}?types=${Array.from({length: 32}, (_, i) => `x${i}`).join()}`,
	)).json() as {detail: Array<{input: string}>};
	t.deepEqual(detail.map(({input}) => input), Array.from({length: 20}, (_, i) => `x${i}`));
});

test('at the limit of open streams, a query is not parsed', async (t) => {
	const source = new FakeSource();
	const {open, url} = await stream(t, source);
	for (let i = 0; i < 100; i++) {
		await open('');
	}

	const response = await fetch(`${url}?types=cycle.undone`);
	t.is(response.status, 429);
	t.is(response.headers.get('retry-after'), '30');
	await response.arrayBuffer();
	t.is(source.filters.length, 100);
});

test('HEAD is answered, and opens no stream', async (t) => {
	const source = new FakeSource();
	const {url} = await stream(t, source);
	const response = await fetch(url, {method: 'HEAD'});
	t.is(response.status, 200);
	t.is(response.headers.get('content-type'), 'text/event-stream; charset=utf-8');
	t.deepEqual(source.filters, []);
});

test('a client that leaves is unsubscribed, and no error is reported', async (t) => {
	const source = new FakeSource();
	const {open, errors, clock} = await stream(t, source);
	const leaving = await open();
	const staying = await open();
	t.is(source.listeners.size, 2);
	leaving.leave();
	while (source.listeners.size > 1) {
		await turn();
	}

	source.emit('cycle.done');
	await staying.nextOf('cycle.done');
	clock.increment(15_000);
	t.deepEqual(await staying.next(), {comment: ' ping'});
	t.deepEqual(errors, []);
});

test('events of one turn of the event loop are sent in order', async (t) => {
	const source = new FakeSource();
	const {open} = await stream(t, source);
	const reader = await open();
	for (let n = 1; n <= 500; n++) {
		source.emit('cycle.done', {n});
	}

	for (let n = 1; n <= 500; n++) {
		t.is((await reader.nextOf('cycle.done')).data.n, n);
	}
});

/** A client that sends a request and reads nothing until `read` is called. */
const idleClient = async (url: string) => {
	const {hostname, port, pathname} = new URL(url);
	const socket = connect({host: hostname, port: Number(port)});
	await once(socket, 'connect');
	socket.pause();
	socket.write(`GET ${pathname} HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`);
	return {
		socket,
		async read(): Promise<string> {
			let text = '';
			socket.setEncoding('utf8');
			socket.on('data', (piece: string) => {
				text += piece;
			});
			socket.resume();
			while (!text.includes('stream.dropped')) {
				await once(socket, 'data');
			}

			return text;
		},
	};
};

test('a consumer that does not read is sent the number of events that it missed and disconnected; it can resume after the '
	+ 'last one', async (t) => {
	const source = new FakeSource();
	const {url} = await stream(t, source, {maxBacklogBytes: 10_000});
	const slow = await idleClient(url);
	while (source.listeners.size === 0) {
		await turn();
	}

	let emitted = 0;
	while (source.listeners.size > 0) {
		emitted++;
		source.emit('cycle.done', {n: emitted, text: 'a'.repeat(100_000)});
		await turn();
	}

	const text = await slow.read();
	const [, id, json] = /id: ?(\S+)\nevent: ?stream\.dropped\ndata: ?(.*)\n/.exec(text)!;
	const delivered = [...text.matchAll(/"n":(\d+)/g)].map(([, n]) => Number(n));
	t.deepEqual(delivered, delivered.map((_, place) => place + 1));
	t.is(id, `run-${delivered.length}`);
	t.deepEqual(JSON.parse(json!), {missed: emitted - delivered.length, reason: 'Events are read more slowly than they happen.'});
	t.true(emitted > delivered.length);
});

test('a long history does not count as backlog', async (t) => {
	const source = new FakeSource();
	source.past = Array.from(
		{length: 300},
		(_, n) => ({id: `run-${n}`, type: 'cycle.done', json: JSON.stringify({text: 'a'.repeat(100_000)})}),
	);
	const {url} = await stream(t, source, {maxBacklogBytes: 1000});
	const {socket} = await idleClient(url);
	while (source.listeners.size === 0) {
		await turn();
	}

	source.emit('cycle.done');
	await turn();
	t.is(source.listeners.size, 1);
	socket.destroy();
});

test('a dropped consumer that never reads is disconnected after 10 seconds', async (t) => {
	const source = new FakeSource();
	const {url, clock} = await stream(t, source, {maxBacklogBytes: 10_000});
	const {socket} = await idleClient(url);
	while (source.listeners.size === 0) {
		await turn();
	}

	while (source.listeners.size > 0) {
		source.emit('cycle.done', {text: 'a'.repeat(100_000)});
		await turn();
	}

	clock.increment(10_000);
	socket.on('error', () => {});
	socket.resume();
	await once(socket, 'close');
	t.pass();
});

test('closing ends every stream after its pending events, and lets the server close', async (t) => {
	const source = new FakeSource();
	const {open, events, server} = await stream(t, source);
	const readers = await Promise.all([open(), open()]);
	source.emit('cycle.done', {last: true});
	events.close();
	const closed = once(server, 'close');
	server.close();
	for (const reader of readers) {
		t.deepEqual((await reader.nextOf('cycle.done')).data, {last: true});
		await reader.end();
	}

	await closed;
	t.is(source.listeners.size, 0);
});

test('after closing, no stream is opened', async (t) => {
	const source = new FakeSource();
	const {url, events} = await stream(t, source);
	events.close();
	const response = await fetch(url);
	t.is(response.status, 503);
	t.deepEqual(await response.json(), {detail: 'The service is stopping.', code: 'unavailable', retryable: false});
	t.deepEqual(source.filters, []);
});

test('at most 100 streams are open, and one more when one has ended', async (t) => {
	const source = new FakeSource();
	const {open, url} = await stream(t, source);
	const readers = await Promise.all(Array.from({length: 100}, () => open()));
	const response = await fetch(url);
	t.is(response.status, 429);
	t.is(response.headers.get('retry-after'), '30');
	await response.body?.cancel();
	readers[0]!.leave();
	while (source.listeners.size > 99) {
		await turn();
	}

	t.is((await open()).response.statusCode, 200);
});

test('streams are open for at most maxIdentities identities, and for another when those of one have ended', async (t) => {
	const all = {open: 0, identities: 0, maxIdentities: 1};
	const [ada, ben] = [await stream(t, new FakeSource(), {all}), await stream(t, new FakeSource(), {all})];
	const readers = [await ada.open(), await ada.open()];
	const response = await fetch(ben.url);
	t.is(response.status, 429);
	t.is(response.headers.get('retry-after'), '30');
	t.like(await response.json(), {code: 'busy'});
	for (const reader of readers) {
		reader.leave();
	}

	while (all.open > 0) {
		await turn();
	}

	t.is((await ben.open()).response.statusCode, 200);
	t.is(all.identities, 1);
});

test('at most 500 streams are open for all identities together, and one more when one has ended', async (t) => {
	const all = {open: 498, identities: 0, maxIdentities: Infinity};
	const [ada, ben] = [await stream(t, new FakeSource(), {all}), await stream(t, new FakeSource(), {all})];
	const reader = await ada.open();
	await ben.open();
	const response = await fetch(ben.url);
	t.is(response.status, 429);
	t.is(response.headers.get('retry-after'), '30');
	t.like(await response.json(), {detail: '500 event streams are already open; try again when one has ended.'});
	reader.leave();
	while (all.open > 499) {
		await turn();
	}

	t.is((await ben.open()).response.statusCode, 200);
});

test('a request with an invalid Host header gets its stream', async (t) => {
	const {url} = await stream(t, new FakeSource());
	const reader = await EventReader.open(url, {host: 'a b:c'});
	t.is(reader.response.statusCode, 200);
});

test('a reloaded page receives the history, and a page that lost its connection the events that it missed', async (t) => {
	const {identity, clock} = await startIdentity();
	const inspection = createInspection({actor: identity.actor, timers: clock});
	const {open} = await stream(t, inspection);
	const first = await open();
	await identity.cycle({content: 'one'});
	const {id} = await first.nextOf('state');
	await first.nextOf('cycle.done');
	first.leave();
	await identity.cycle({content: 'two'});

	const reloaded = await open('?history=true&types=cycle.*');
	t.is((await reloaded.nextOf('cycle.done')).data.id, '1');
	t.is((await reloaded.nextOf('cycle.done')).data.id, '2');
	const resumed = await open('?types=cycle.*,@xstate.event', {'last-event-id': id!});
	const resumedEvents = [await resumed.nextOf('@xstate.event'), await resumed.nextOf('cycle.done')];
	t.true(resumedEvents.every(message => Number(message.id!.split('-')[1]) > Number(id!.split('-')[1])));
	t.is(resumedEvents[1]!.data.id, '1');
	t.is((await resumed.nextOf('cycle.done')).data.id, '2');
	inspection.close();
	await identity.dispose();
});
