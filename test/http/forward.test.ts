/** Forwarding to the owner of an identity while nodes fail in different ways: what the client sees, and what the owners receive. */
import {once} from 'node:events';
import {
	createServer, request as sendRequest, type IncomingHttpHeaders, type IncomingMessage, type RequestListener, type Server,
} from 'node:http';
import type {AddressInfo} from 'node:net';
import {text} from 'node:stream/consumers';
import test, {type ExecutionContext} from 'ava';
import Koa from 'koa';
import {systemTime, unrefTimers} from '../../src/platform/clock.ts';
import {createForwarder, type ForwarderOptions} from '../../src/http/forward.ts';
import {createByteBudget} from '../../src/http/middleware/share-turns.ts';
import {UnavailableError, UnknownIdentityError} from '../../src/platform/errors.ts';
import {errorHandler} from '../../src/http/middleware/error-handler.ts';
import {limitPendingBytes} from '../../src/identity/pending-limits.ts';
import {closedAddress, serve} from '../embedding/server.ts';

const token = 'a token of all nodes';

const ofCluster = {askHandOver: async () => {}, now: () => Date.now()};

type Seen = {method: string; url: string; headers: IncomingHttpHeaders; body: string};

/** A node that owns an identity, gives the given answer, and records its requests. */
const startOwner = async (
	t: ExecutionContext,
	answer: RequestListener = (_request, response) => response.end('{"state_id":1}'),
): Promise<{url: string; seen: Seen[]}> => {
	const seen: Seen[] = [];
	const url = await serve(t, async (request, response) => {
		seen.push({method: request.method!, url: request.url!, headers: request.headers, body: await text(request)});
		response.setHeader('content-type', 'application/json');
		answer(request, response);
	});
	return {url, seen};
};

/** A node that forwards everything: to the first address, then to the next ones. */
const startNode = async (t: ExecutionContext, [first, ...next]: string[], options: Partial<ForwarderOptions> = {}) => {
	const asked: string[] = [];
	const outcomes: string[] = [];
	const forwarder = createForwarder({
		token,
		peers: {
			async findOwner(name, notAt) {
				asked.push(`${name}, not at ${notAt}`);
				return next.shift() ?? notAt;
			},
			lifeOf: () => new AbortController().signal,
			...ofCluster,
		},
		maxBodyBytes: 1000,
		hold: limitPendingBytes(1e6, 'Bodies'),
		readBudget: createByteBudget(1e6),
		time: systemTime,
		timers: unrefTimers,
		onOutcome(outcome) {
			outcomes.push(outcome);
		},
		...options,
	});
	const app = new Koa();
	app.use(errorHandler());
	app.use(async ctx => {
		await forwarder.forward(ctx, 'ada', first!);
	});
	const server: Server = createServer(app.callback()).listen(0, '127.0.0.1');
	await once(server, 'listening');
	t.teardown(() => {
		forwarder.close();
		server.close();
		server.closeAllConnections();
	});
	return {url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, forwarder, asked, outcomes};
};

const post = async (url: string, body: string, headers: Record<string, string> = {}): Promise<Response> =>
	fetch(url, {method: 'POST', headers: {'content-type': 'application/json', ...headers}, body});

const cut: RequestListener = request => {
	request.socket.destroy();
};

const refuse = (body: object): RequestListener => (_request, response) => {
	response.writeHead(503, {'retry-after': '1'}).end(JSON.stringify(body));
};

test('a request is forwarded signed, without the client’s credentials; request and response are otherwise unchanged', async t => {
	const owner = await startOwner(t, (_request, response) => response.writeHead(201, {'x-own': 'yes'}).end('{"a":1}'));
	const node = await startNode(t, [owner.url]);
	const response = await post(`${node.url}/identities/ada/cycle?b=%20c`, '{"content":"é"}', {
		authorization: 'Bearer own',
		cookie: 'session=own',
		'idempotency-key': 'k',
		'processual-forwarded': 'forged',
	});
	t.is(response.status, 201);
	t.is(response.headers.get('x-own'), 'yes');
	t.is(await response.text(), '{"a":1}');
	const [{method, url, headers, body}] = owner.seen as [Seen];
	t.deepEqual([method, url, body], ['POST', '/identities/ada/cycle?b=%20c', '{"content":"é"}']);
	t.is(headers['authorization'], undefined, 'the client’s credentials are checked here');
	t.is(headers['cookie'], undefined);
	t.is(headers['idempotency-key'], 'k');
	t.regex(String(headers['processual-forwarded']), /^\d+\.[\da-f]{64}\.[\da-f]{64}$/);
	t.false(JSON.stringify(headers).includes(token));
	t.is(headers.host, new URL(node.url).host, 'the host that the client named');
	t.deepEqual(node.outcomes, ['answered']);
});

test('a request target that names a host goes to the owner, and never to that host', async t => {
	const owner = await startOwner(t);
	const other = await startOwner(t);
	const node = await startNode(t, [owner.url]);
	for (const target of [`${other.url}/state`, `/\\${new URL(other.url).host}/state`, `//${new URL(other.url).host}/state`]) {
		await once(sendRequest(node.url, {path: target, agent: false}).end(), 'response');
	}

	t.is(other.seen.length, 0);
	t.is(owner.seen.length, 3);
});

test('a reused connection keeps no listeners of earlier requests', async t => {
	const owner = await startOwner(t);
	const node = await startNode(t, [owner.url]);
	const warnings: Error[] = [];
	const listener = (warning: Error): void => {
		warnings.push(warning);
	};

	process.on('warning', listener);
	t.teardown(() => process.off('warning', listener));
	for (let i = 0; i < 15; i++) {
		await (await fetch(node.url)).text();
	}

	t.deepEqual(warnings.filter(({name}) => name === 'MaxListenersExceededWarning'), []);
});

test('a refusal that is longer than an error is truncated', async t => {
	const owner = await startOwner(t, (_request, response) => response.writeHead(503).end('x'.repeat(1_000_000)));
	const node = await startNode(t, [owner.url]);
	t.true((await (await post(`${node.url}/reset`, '')).text()).length < 300_000);
});

test('a refusal that breaks off keeps its status, without a body', async t => {
	const owner = await startOwner(t, (request, response) => {
		response.writeHead(503, {'content-length': '100'});
		response.write('{"detail"', () => request.socket.destroy());
	});
	const node = await startNode(t, [owner.url]);
	const response = await post(`${node.url}/reset`, '');
	t.is(response.status, 503);
	t.is(await response.text(), '');
});

test('an error of the owner is passed on unchanged', async t => {
	const owner = await startOwner(t, (_request, response) => response.writeHead(422).end('{"detail":[]}'));
	const node = await startNode(t, [owner.url]);
	const response = await post(`${node.url}/reset`, '');
	t.is(response.status, 422);
	t.is(await response.text(), '{"detail":[]}');
});

test('a request to an owner that is gone goes to the next owner, even a reset', async t => {
	const owner = await startOwner(t);
	const node = await startNode(t, [closedAddress(), owner.url]);
	t.is((await post(`${node.url}/reset`, '')).status, 200);
	t.deepEqual(node.asked, [`ada, not at ${closedAddress()}`]);
	t.deepEqual(node.outcomes, ['retried', 'answered']);
});

test('a cycle whose owner fails midway is repeated under the same key', async t => {
	const first = await startOwner(t, cut);
	const second = await startOwner(t);
	const node = await startNode(t, [first.url, second.url]);
	t.is((await post(`${node.url}/cycle`, '{"content":"a"}')).status, 200);
	const keys = [...first.seen, ...second.seen].map(({headers}) => headers['idempotency-key']);
	t.is(keys.length, 2);
	t.truthy(keys[0]);
	t.is(keys[0], keys[1]);
	t.is(second.seen[0]!.body, '{"content":"a"}');
});

test('a read whose owner fails midway is repeated', async t => {
	const [first, second] = [await startOwner(t, cut), await startOwner(t)];
	const node = await startNode(t, [first.url, second.url]);
	t.is((await fetch(`${node.url}/state`)).status, 200);
});

test('a reset whose owner fails midway is not repeated, and its error is not retryable', async t => {
	const [first, second] = [await startOwner(t, cut), await startOwner(t)];
	const node = await startNode(t, [first.url, second.url]);
	const response = await post(`${node.url}/reset`, '', {'idempotency-key': 'of no use to it'});
	t.is(response.status, 503);
	t.like(await response.json(), {
		detail: 'The node that has this identity ended before it answered. Before you repeat the request, check the state, which shows '
			+ 'whether it was '
			+ 'carried out, and “revisions”, which shows whether texts were left out, held or forgotten.',
		code: 'outcome_unknown', retryable: false,
	});
	t.is(response.headers.get('retry-after'), null);
	t.is(second.seen.length, 0);
	t.deepEqual(node.outcomes, ['failed']);
});

test('if a cycle’s owner fails and no next one is found, the error has the key under which the client can repeat it', async t => {
	const owner = await startOwner(t, cut);
	const node = await startNode(t, [owner.url], {peers: {
		...ofCluster, lifeOf: () => new AbortController().signal,
		async findOwner() {
			throw new UnavailableError('The database is away.', {retryable: true});
		},
	}});
	const response = await post(`${node.url}/cycle`, '{"content":"a"}');
	t.is(response.status, 503);
	t.like(await response.json(), {code: 'outcome_unknown', retryable: true, id: owner.seen[0]!.headers['idempotency-key'] as string});
});

test('a request to a fenced owner is repeated, since that owner kept nothing of it', async t => {
	const first = await startOwner(t, refuse({detail: 'moved', code: 'moved', retryable: true}));
	const second = await startOwner(t);
	const node = await startNode(t, [first.url, second.url]);
	t.is((await post(`${node.url}/reset`, '')).status, 200);
});

test('while an owner stops, a read waits for the next one; a validation gets its 503', async t => {
	const stopping = {detail: 'stopping', code: 'unavailable', retryable: true};
	const first = await startOwner(t, refuse(stopping));
	const second = await startOwner(t);
	t.is((await fetch(`${(await startNode(t, [first.url, first.url, second.url])).url}/state`)).status, 200);
	const response = await post(`${(await startNode(t, [first.url, second.url])).url}/validate`, '{"note":"n"}');
	t.is(response.status, 503);
	t.is(response.headers.get('retry-after'), '1');
	t.deepEqual(await response.json(), stopping);
});

test('a refusal that is not retryable is passed on at once', async t => {
	const owner = await startOwner(t, refuse({detail: 'no translator', code: 'unavailable', retryable: false}));
	const node = await startNode(t, [owner.url]);
	t.is((await post(`${node.url}/translate`, '{}')).status, 503);
	t.deepEqual(node.asked, []);
});

test('a silent owner is given up when its node is gone', async t => {
	const frozen = Promise.withResolvers<void>();
	const first = await startOwner(t, () => {
		frozen.resolve();
	});
	const second = await startOwner(t);
	const gone = new AbortController();
	const node = await startNode(t, [first.url], {
		peers: {...ofCluster, findOwner: async () => second.url, lifeOf: url => url === first.url ? gone.signal : new AbortController().signal},
	});
	const answer = post(`${node.url}/cycle`, '{"content":"a"}');
	await frozen.promise;
	gone.abort();
	t.is((await answer).status, 200);
	t.is(first.seen[0]!.headers['idempotency-key'], second.seen[0]!.headers['idempotency-key']);
});

test('a request is given up after eight seconds without a next owner', async t => {
	let now = 0;
	const node = await startNode(t, [closedAddress()], {
		time: {now: () => now, elapsed: () => now},
		timers: {
			setTimeout(callback, milliseconds) {
				now += milliseconds;
				return setImmediate(callback);
			},
			clearTimeout() {},
		},
	});
	const response = await fetch(`${node.url}/state`);
	t.is(response.status, 503);
	t.like(await response.json(), {code: 'unavailable', retryable: true});
	t.true(now >= 8000 && now < 9000);
});

test('events stream as they arrive, and the owner’s stream ends when the client leaves', async t => {
	const ended = Promise.withResolvers<void>();
	const owner = await startOwner(t, (_request, response) => {
		response.writeHead(200, {'content-type': 'text/event-stream'}).write('id: 1\n\n');
		response.on('close', () => {
			ended.resolve();
		});
	});
	const node = await startNode(t, [owner.url]);
	const leaving = new AbortController();
	const {body, headers} = await fetch(`${node.url}/events`, {headers: {'last-event-id': '7'}, signal: leaving.signal});
	t.is(headers.get('content-type'), 'text/event-stream');
	const {value} = await body!.getReader().read();
	t.is(new TextDecoder().decode(value), 'id: 1\n\n');
	t.is(owner.seen[0]!.headers['last-event-id'], '7');
	leaving.abort();
	await ended.promise;
	t.pass();
});

test('a body over the limit is refused before it is forwarded', async t => {
	const owner = await startOwner(t);
	const node = await startNode(t, [owner.url]);
	t.is((await post(`${node.url}/cycle`, 'x'.repeat(1001))).status, 413);
	t.is(owner.seen.length, 0);
});

test('an owner that cannot be reached or does not answer is asked through the database to hand over the identity', async t => {
	const asked: string[] = [];
	const peers = (next: string) => ({
		...ofCluster, lifeOf: () => new AbortController().signal, findOwner: async () => next,
		async askHandOver(name: string, url: string) {
			asked.push(`${name} of ${url}`);
		},
	});
	const owner = await startOwner(t);
	const nowhere = closedAddress();
	const refused = await startNode(t, [nowhere], {peers: peers(owner.url)});
	t.is((await post(`${refused.url}/cycle`, '{"content":"a"}')).status, 200);

	// It accepts connections, and the network is cut after that.
	const silent = await serve(t, () => {});
	const timers = {...unrefTimers, setTimeout: (callback: () => void) => unrefTimers.setTimeout(callback, 1)};
	const cutOff = await startNode(t, [silent], {peers: peers(owner.url), timers});
	t.is((await post(`${cutOff.url}/cycle`, '{"content":"b"}')).status, 200);

	// It resets connections, as a proxy does that cannot reach the node.
	const broken = await serve(t, ({socket}) => socket.destroy());
	const reset = await startNode(t, [broken], {peers: peers(owner.url)});
	t.is((await post(`${reset.url}/cycle`, '{"content":"c"}')).status, 200);
	t.deepEqual(asked, [nowhere, silent, broken].map(url => `ada of ${url}`));
});

test('the error for an owner that cannot be reached has its address', async t => {
	const nowhere = closedAddress();
	let now = 0;
	const node = await startNode(t, [nowhere], {time: {now: () => 0, elapsed: () => now += 5000}});
	const response = await post(`${node.url}/cycle`, '{"content":"a"}');
	t.is(response.status, 503);
	t.true((await response.json() as {detail: string}).detail.includes(`cannot be reached at ${nowhere}`));
});

test('a deletion whose answer was lost succeeds if the identity is gone', async t => {
	const first = await startOwner(t, cut);
	const gone = await startOwner(t, (_request, response) => response.writeHead(404).end('{"detail":"unknown"}'));
	const repeated = await startNode(t, [first.url, gone.url]);
	t.is((await fetch(`${repeated.url}/identities/ada`, {method: 'DELETE'})).status, 204);
	t.is(gone.seen.length, 1);

	const unknown = await startNode(t, [first.url], {peers: {
		...ofCluster,
		async findOwner() {
			throw new UnknownIdentityError('There is no identity “ada”.');
		},
		lifeOf: () => new AbortController().signal,
	}});
	t.is((await fetch(`${unknown.url}/identities/ada`, {method: 'DELETE'})).status, 204);
	t.is((await fetch(`${unknown.url}/identities/ada/state`)).status, 404);

	const never = await startNode(t, [gone.url]);
	t.is((await fetch(`${never.url}/identities/ada`, {method: 'DELETE'})).status, 404);
});

test('a node forwards requests beside 2,000 event streams, and refuses one more stream', async t => {
	const opened: Array<ReturnType<typeof sendRequest>> = [];
	const owner = await startOwner(t, (request, response) => {
		if (request.url!.endsWith('/events')) {
			response.writeHead(200, {'content-type': 'text/event-stream'}).flushHeaders();
		} else {
			response.end('{"state_id":1}');
		}
	});
	const node = await startNode(t, [owner.url]);
	const openStream = async () => {
		const request = sendRequest(`${node.url}/identities/ada/events`, {agent: false}).end();
		opened.push(request);
		const [response] = await once(request, 'response') as [IncomingMessage];
		response.on('error', () => {});
		return response;
	};
	for (let i = 0; i < 2000; i += 100) {
		const responses = await Promise.all(Array.from({length: 100}, openStream));
		t.true(responses.every(({statusCode}) => statusCode === 200));
	}

	const refused = await openStream();
	t.is(refused.statusCode, 429);
	t.is(refused.headers['retry-after'], '30');
	t.is((await post(`${node.url}/identities/ada/cycle`, '{"content":"é"}')).status, 200);
	for (const request of opened) {
		request.destroy();
	}
});
