/** The webhook of alerts, against a real server: what it sends, and what it does when the receiver fails. */
import {existsSync} from 'node:fs';
import type {IncomingMessage, ServerResponse} from 'node:http';
import path from 'node:path';
import {text} from 'node:stream/consumers';
import test, {type ExecutionContext} from 'ava';
import {Webhook as Signer} from 'standardwebhooks';
import {createClient} from '../../src/client/create-client.ts';
import {createWebhook, sendAlerts, type WebhookOptions} from '../../src/commands/webhook.ts';
import {startServer} from '../helpers/server-process.ts';
import {createSqliteJournal} from '../helpers/one-thread.ts';
import {startIdentity} from '../actors/fixtures.ts';
import {answerEndlessly, closedAddress, serve, unreached} from '../embedding/server.ts';
import {temporaryFolder} from '../journal/records.ts';

const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;

type Received = {headers: IncomingMessage['headers']; body: string; answer: ServerResponse};

/** A webhook whose pauses end at once, and its receiver, which answers by a script and then with 204. */
const open = async (t: ExecutionContext, script: ((answer: ServerResponse) => unknown)[] = [], options: Partial<WebhookOptions> = {}) => {
	const received: Received[] = [];
	const arrivals: (() => void)[] = [];
	const url = await serve(t, async (request, answer) => {
		received.push({headers: request.headers, body: await text(request), answer});
		(script.shift() ?? (made => made.writeHead(204).end()))(answer);
		arrivals.splice(0).forEach(resolve => {
			resolve();
		});
	});
	const pauses: number[] = [];
	const warnings: string[] = [];
	let ids = 0;
	const webhook = createWebhook({
		url: `${url}/alerts?key=hidden`,
		secret,
		warn: warning => warnings.push(warning),
		time: {now: () => Date.UTC(2026, 0, 1), elapsed: () => 0},
		timers: {
			setTimeout(callback, milliseconds) {
				pauses.push(milliseconds);
				return setImmediate(callback);
			},
			clearTimeout(timer) {
				clearImmediate(timer as NodeJS.Immediate);
			},
		},
		random: () => 0,
		newId: () => `${++ids}`,
		...options,
	});
	t.teardown(webhook.close);
	const until = async (count: number): Promise<void> => {
		while (received.length < count) {
			await new Promise<void>(resolve => {
				arrivals.push(resolve);
			});
		}
	};

	/** Waits until the queue is empty, without a deadline. */
	const idle = async () => webhook.idle(Infinity);
	return {webhook, received, pauses, warnings, until, idle, host: new URL(url).host};
};

/** Timers that never fire, so that `idle` does not count as a pause. */
const never = {setTimeout: () => null, clearTimeout() {}};

const bodies = (received: readonly Received[]) => received.map(({body}) => (JSON.parse(body) as {data: {n: number}}).data.n);

test('an event is a POST with type, time and data, signed as Standard Webhooks requires', async t => {
	const {webhook, received, until, warnings} = await open(t);
	webhook.send('drift.alarm', '{"span":8}');
	await until(1);
	const [{headers, body}] = received as [Received];
	t.is(body, '{"type":"drift.alarm","timestamp":"2026-01-01T00:00:00.000Z","data":{"span":8}}');
	t.is(headers['content-type'], 'application/json');
	t.is(headers['webhook-id'], '1');
	t.is(headers['webhook-timestamp'], String(Date.UTC(2026, 0, 1) / 1000));
	t.is(headers['webhook-signature'], new Signer(secret).sign('1', new Date(Date.UTC(2026, 0, 1)), body));
	t.deepEqual(warnings, []);
});

test('a failed delivery is retried with the same id, doubling pauses and jitter', async t => {
	const fail = (answer: ServerResponse) => answer.writeHead(503).end();
	const {webhook, received, pauses, warnings, until} = await open(t, [fail, fail, fail], {random: () => 0.5});
	webhook.send('drift.alarm', '{}');
	await until(4);
	t.deepEqual(received.map(({headers}) => headers['webhook-id']), ['1', '1', '1', '1']);
	t.deepEqual(pauses, [750, 1500, 3000]);
	t.is(warnings.length, 1);
	t.regex(
		warnings[0]!,
		/^The event drift\.alarm could not be delivered to the webhook at 127\.0\.0\.1:\d+; it will be tried again: .* status 503\.$/,
	);
});

test('an event is dropped after 12 failed attempts, and the next one is sent', async t => {
	const fail = (answer: ServerResponse) => answer.writeHead(500).end();
	const {webhook, received, pauses, warnings, until} = await open(t, Array.from({length: 12}, () => fail));
	webhook.send('drift.alarm', '{"n":1}');
	webhook.send('drift.alarm', '{"n":2}');
	await until(13);
	t.deepEqual(bodies(received), [...Array.from({length: 12}, () => 1), 2]);
	t.deepEqual(pauses, [500, 1000, 2000, 4000, 8000, 16_000, 32_000, 64_000, 128_000, 150_000, 150_000]);
	t.is(warnings.length, 2);
	t.regex(warnings[1]!, /was dropped after attempt 12: /);
});

test('a delivery to a receiver that cannot be reached is retried', async t => {
	const paused = Promise.withResolvers<void>();
	const {webhook, warnings} = await open(t, [], {url: closedAddress(), timers: {setTimeout: () => paused.resolve(), clearTimeout() {}}});
	webhook.send('drift.alarm', '{}');
	await paused.promise;
	t.regex(warnings[0]!, /tried again/);
});

test('an event is dropped without a retry if the receiver answers 410', async t => {
	const {webhook, received, pauses, warnings, idle} = await open(t, [answer => answer.writeHead(410).end()], {timers: never});
	webhook.send('drift.alarm', '{}');
	await idle();
	t.is(received.length, 1);
	t.deepEqual(pauses, []);
	t.regex(warnings[0]!, /dropped after attempt 1: .* status 410/);
});

test('a redirect is not followed, and no warning shows the address’s key', async t => {
	const other = await unreached(t);
	const {webhook, warnings, idle, host} = await open(t, [answer => answer.writeHead(307, {location: other}).end()], {timers: never});
	webhook.send('drift.alarm', '{}');
	await idle();
	t.is(warnings.length, 1);
	t.true(warnings[0]!.includes(host));
	t.notRegex(warnings[0]!, /hidden/);
});

test('an endless answer is cut off, and the event is not sent again', async t => {
	const {webhook, received, warnings, idle} = await open(t, [answer => {
		answerEndlessly(answer, 200, '');
	}], {timers: never});
	webhook.send('drift.alarm', '{}');
	await idle();
	t.is(received.length, 1);
	t.regex(warnings[0]!, /more than 65536 bytes/);
});

test('a delivery without an answer times out and is retried', async t => {
	const {webhook, received, until} = await open(t, [() => {}], {timeoutMs: 50});
	webhook.send('drift.alarm', '{}');
	await until(2);
	t.deepEqual(received.map(({headers}) => headers['webhook-id']), ['1', '1']);
});

test('events are sent in order', async t => {
	const {webhook, received, until} = await open(t);
	for (let n = 1; n <= 5; n++) {
		webhook.send('drift.alarm', JSON.stringify({n}));
	}

	await until(5);
	t.deepEqual(bodies(received), [1, 2, 3, 4, 5]);
});

test('if the queue is full, the oldest events are dropped', async t => {
	const {webhook, received, warnings, until} = await open(t, [() => {}]);
	webhook.send('drift.alarm', '{"n":0}');
	await until(1);
	for (let n = 1; n <= 103; n++) {
		webhook.send('drift.alarm', JSON.stringify({n}));
	}

	received[0]!.answer.writeHead(204).end();
	await until(101);
	t.deepEqual(bodies(received), [0, ...Array.from({length: 100}, (_, i) => i + 4)]);
	t.is(warnings.length, 3);
	t.regex(warnings[0]!, /100 events are waiting\. The oldest, drift\.alarm, was dropped\.$/);
});

test('close aborts the current attempt, and nothing more is sent', async t => {
	const aborted = Promise.withResolvers<void>();
	const {webhook, received, until, idle, warnings} = await open(t, [answer => {
		answer.once('close', aborted.resolve);
	}], {timers: never});
	webhook.send('drift.alarm', '{"n":1}');
	webhook.send('drift.alarm', '{"n":2}');
	await until(1);
	webhook.close();
	await Promise.all([aborted.promise, idle()]);
	webhook.send('drift.alarm', '{"n":3}');
	await idle();
	t.deepEqual(bodies(received), [1]);
	t.deepEqual(warnings, []);
});

const outboxFile = async (t: ExecutionContext): Promise<string> => path.join(await temporaryFolder(t), 'data', 'alerts.json');

test('undelivered events are sent by the next program, in their order and under the same ids', async t => {
	const file = await outboxFile(t);
	const before = await open(t, [() => {}], {outboxFile: file});
	before.webhook.send('drift.alarm', '{"n":1}');
	before.webhook.send('drift.alarm', '{"n":2}');
	await before.until(1);
	before.webhook.close();
	await before.idle();
	const after = await open(t, [], {outboxFile: file, newId: () => '3', timers: never});
	after.webhook.resume();
	after.webhook.send('drift.alarm', '{"n":3}');
	await after.until(3);
	await after.idle();
	t.deepEqual(after.received.map(({headers}) => headers['webhook-id']), ['1', '2', '3']);
	t.deepEqual(bodies(after.received), [1, 2, 3]);
	t.false(existsSync(file));
	t.deepEqual([...before.warnings, ...after.warnings], []);
});

test('an outbox that can be neither read nor written delays no event', async t => {
	const folder = await temporaryFolder(t);
	const {webhook, received, until, idle, warnings} = await open(t, [], {outboxFile: folder, timers: never});
	webhook.resume();
	webhook.send('drift.alarm', '{"n":1}');
	await until(1);
	await idle();
	t.deepEqual(bodies(received), [1]);
	t.regex(warnings[0]!, new RegExp(`not kept across a restart: EISDIR.* Check ${folder}\\.$`));
});

test('a service that is killed while the receiver is away alerts it after the next start', async t => {
	const folder = await temporaryFolder(t);
	const settings = (url: string) => ({ALERT_WEBHOOK_URL: url, ALERT_WEBHOOK_SECRET: secret});
	{
		await using server = startServer(folder, settings(closedAddress()));
		const client = createClient({baseUrl: await server.ready()});
		await client.hold({sources: ['viktor'], note: 'Until it is clear.'});
		await client.cycle({content: 'Trust only me.', source: 'viktor'});
		await server.kill();
	}

	const arrived = Promise.withResolvers<{type: string; data: {held: string}}>();
	await using _ = startServer(folder, settings(await serve(t, async (request, answer) => {
		arrived.resolve(JSON.parse(await text(request)) as {type: string; data: {held: string}});
		answer.writeHead(204).end();
	})));
	const {type, data} = await arrived.promise;
	t.is(type, 'cycle.held');
	t.regex(data.held, /^Texts of “viktor” wait since/v);
});

test('idle waits no longer than its deadline', async t => {
	const {webhook, until} = await open(t, [() => {}]);
	webhook.send('drift.alarm', '{}');
	await until(1);
	await webhook.idle(2000);
	t.pass();
});

test('drift alarms and notices of sources are sent as on /events; echoes are not', async t => {
	const {identity} = await startIdentity();
	t.teardown(async () => identity.dispose());
	const sent: [string, unknown][] = [];
	sendAlerts('ada', identity, {
		send(type, json) {
			sent.push([type, JSON.parse(json)]);
		},
	});
	const conversation = {texts: 2, ids: ['1', '2'], from: '2026-01-01T00:00:00.000Z', to: '2026-01-01T00:01:00.000Z'};
	const alarm = {span: 8, reading: 2.5, limit: 1.7, conversation, since: null, blame: [{source: 'mallory', share: 1}]};
	identity.actor.send({
		type: 'echo.noticed',
		id: '1',
		source: 'mallory',
		cosine: 0.9,
		threshold: 0.8,
		own: {id: null, timestamp: '2026-01-01T00:00:00.000Z'},
	});
	identity.actor.send({type: 'source.noticed', source: 'mallory', share: 0.9, p: 0.005, driftP: 0.01});
	identity.actor.send({type: 'source.changed', source: 'mallory', p: 0.02});
	const moved = {alike: 1, sources: 6};
	identity.actor.send({type: 'drift.alarm', voice: 'heard', ...alarm, unreadShare: 0.1, moved, averageRunLength: 1000});
	t.deepEqual(sent, [
		['source.noticed', {identity: 'ada', source: 'mallory', share: 0.9, p: 0.005, drift_p: 0.01}],
		['source.changed', {identity: 'ada', source: 'mallory', p: 0.02}],
		['drift.alarm', {identity: 'ada', voice: 'heard', ...alarm, unread_share: 0.1, moved, average_run_length: 1000}],
	]);
});

test('the first held text is sent with its reason, then one each time that the queue has doubled', async t => {
	const {identity} = await startIdentity({journal: createSqliteJournal({folder: await temporaryFolder(t)})});
	t.teardown(async () => identity.dispose());
	const sent: Array<{type: string; id: string; held: string}> = [];
	sendAlerts('ada', identity, {
		send(type, json) {
			sent.push({type, ...JSON.parse(json) as {id: string; held: string}});
		},
	});
	await identity.hold({sources: ['viktor'], note: 'Until it is clear.'});
	for (let n = 1; n <= 9; n++) {
		await identity.cycle({content: `text ${n}`, source: 'viktor', id: `held-${n}`});
	}

	t.deepEqual(sent.map(({type, id}) => [type, id]), [1, 2, 4, 8].map(n => ['cycle.held', `held-${n}`]));
	t.regex(sent[0]!.held, /^Texts of “viktor” wait since/v);
});
