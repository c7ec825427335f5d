/** examples/monitoring/langfuse.js: alerts of the service's webhook become scores of Langfuse's public API. */
import {spawn} from 'node:child_process';
import {EventEmitter, once} from 'node:events';
import {createServer, type IncomingHttpHeaders} from 'node:http';
import type {AddressInfo} from 'node:net';
import path from 'node:path';
import {createInterface} from 'node:readline';
import {json} from 'node:stream/consumers';
import test, {type ExecutionContext} from 'ava';
import {createWebhook, sendAlerts} from '../../src/commands/webhook.ts';
import {Compile, Type} from '../../src/platform/typebox.ts';
import {startIdentity} from '../actors/fixtures.ts';
import {root} from '../helpers/built-package.ts';
import {childEnvironment} from '../helpers/child-environment.ts';

const secret = Buffer.alloc(32, 7).toString('base64');

/** `CreateScoreRequest` of Langfuse's OpenAPI document. */
const Score = Compile(Type.Object({
	id: Type.Optional(Type.String()),
	traceId: Type.Optional(Type.String()),
	sessionId: Type.Optional(Type.String()),
	observationId: Type.Optional(Type.String()),
	datasetRunId: Type.Optional(Type.String()),
	name: Type.String(),
	value: Type.Union([Type.Number(), Type.String()]),
	comment: Type.Optional(Type.String()),
	metadata: Type.Optional(Type.Object({})),
	environment: Type.Optional(Type.String()),
	dataType: Type.Optional(Type.Enum(['NUMERIC', 'CATEGORICAL', 'BOOLEAN', 'TEXT'])),
	configId: Type.Optional(Type.String()),
}, {additionalProperties: false}));

type Received = {url: string | undefined; headers: IncomingHttpHeaders; score: Record<string, unknown>};

/** The scores endpoint of Langfuse. @param statuses of its first answers; 200 after them */
const startLangfuse = async (t: ExecutionContext, statuses: number[] = []) => {
	const received: Received[] = [];
	const arrivals = new EventEmitter();
	const server = createServer((request, response) => {
		void (async () => {
			const score = await json(request) as Received['score'];
			received.push({url: `${request.method} ${request.url}`, headers: request.headers, score});
			response.writeHead(Score.Check(score) ? statuses.shift() ?? 200 : 400, {'content-type': 'application/json'});
			response.end(JSON.stringify({id: score['id']}));
			arrivals.emit('arrival');
		})();
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	t.teardown(() => server.close());
	return {
		received,
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		async until(count: number): Promise<void> {
			while (received.length < count) {
				await once(arrivals, 'arrival');
			}
		},
	};
};

const startRecipe = async (t: ExecutionContext, langfuse: string): Promise<string> => {
	const child = spawn(process.execPath, [path.join(root, 'examples/monitoring/langfuse.js')], {
		env: {
			...childEnvironment, PORT: '0', ALERT_WEBHOOK_SECRET: secret, LANGFUSE_BASE_URL: langfuse, LANGFUSE_PUBLIC_KEY: 'pk-lf-1',
			LANGFUSE_SECRET_KEY: 'sk-lf-1',
		},
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	t.teardown(() => child.kill());
	const [line] = await once(createInterface(child.stdout), 'line') as [string];
	return line.replace('listening at ', '');
};

/** Sends the alerts of an identity, as the service does. */
const startAlerts = async (t: ExecutionContext, url: string) => {
	// Without the pause before the next attempt.
	const webhook = createWebhook({url, secret, warn() {}, timers: {setTimeout: (call: () => void) => setTimeout(call), clearTimeout}});
	const {identity} = await startIdentity();
	t.teardown(async () => {
		webhook.close();
		await identity.dispose();
	});
	sendAlerts('ada', identity, webhook);
	return identity;
};

test('an alarm of drift and a notice of a source become scores of the identity’s session', async t => {
	const {received, url, until} = await startLangfuse(t);
	const identity = await startAlerts(t, await startRecipe(t, url));
	const conversation = {texts: 1, ids: ['1'], from: '2026-01-01T00:00:00.000Z', to: '2026-01-01T00:00:00.000Z'};
	identity.actor.send({
		type: 'drift.alarm', voice: 'heard', span: 8, reading: 9.5, limit: 4.25, conversation, since: null,
		blame: [{source: 'Mallory', share: 1}], unreadShare: 0, moved: {alike: 1, sources: 2}, averageRunLength: 1000,
	});
	identity.actor.send({type: 'source.noticed', source: 'Mallory', share: 0.9, p: 0.001, driftP: 0.01});
	await until(2);
	t.deepEqual(received.map(({url: asked, headers: {authorization}}) => [asked, authorization]), Array.from({length: 2}, () => [
		'POST /api/public/scores', `Basic ${Buffer.from('pk-lf-1:sk-lf-1').toString('base64')}`,
	]));
	t.true(received.every(({score}) => Score.Check(score)));
	t.like(received.map(({score}) => score), [
		{name: 'drift.alarm', sessionId: 'ada', value: 9.5, dataType: 'NUMERIC'},
		{name: 'source.noticed', sessionId: 'ada', value: 0.001, dataType: 'NUMERIC'},
	]);
	t.notRegex(JSON.stringify(received), /Mallory/);
});

test('a score that Langfuse fails to take is sent again', async t => {
	const {received, url, until} = await startLangfuse(t, [503]);
	const identity = await startAlerts(t, await startRecipe(t, url));
	identity.actor.send({type: 'source.changed', source: 'Mallory', p: 0.01});
	await until(2);
	t.deepEqual(received[1]!.score, received[0]!.score);
	t.is(typeof received[0]!.score['id'], 'string');
});

test('a request without the service’s signature is refused', async t => {
	const {received, url} = await startLangfuse(t);
	const {status} = await fetch(await startRecipe(t, url), {
		method: 'POST', headers: {'webhook-id': '1', 'webhook-timestamp': '1', 'webhook-signature': 'v1,forged'}, body: '{}',
	});
	t.deepEqual([status, received], [401, []]);
});
