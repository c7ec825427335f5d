/**
 * A load balancer for tests and benchmarks, used if haproxy is not installed. Like the example's configuration of haproxy,
 * it goes round robin over the ready nodes, and sends a request that may be repeated to another node after a failed
 * connection, no answer or a 503.
 */
import {createServer, request as sendRequest, type IncomingMessage, type ServerResponse} from 'node:http';
import {once} from 'node:events';
import type {AddressInfo} from 'node:net';
import {buffer} from 'node:stream/consumers';
import {pipeline} from 'node:stream/promises';

export type Balancer = AsyncDisposable & {url: string; seesAll(): Promise<boolean>};

const checkMs = 500;
const maxTries = 5;

export const startNodeBalancer = async (nodes: ReadonlyArray<{url: string}>): Promise<Balancer> => {
	/** By address: aborts the requests of a node that is no longer ready. */
	const ready = new Map<string, AbortController>();
	const check = async (url: string): Promise<void> => {
		const isReady = await fetch(`${url}/readyz`, {signal: AbortSignal.timeout(checkMs)}).then(({ok}) => ok, () => false);
		if (!isReady) {
			ready.get(url)?.abort();
			ready.delete(url);
		} else if (!ready.has(url)) {
			ready.set(url, new AbortController());
		}
	};

	const ask = async ({method, url, headers}: IncomingMessage, body: Buffer, node: string, left: AbortSignal): Promise<IncomingMessage> => {
		const signal = AbortSignal.any([left, ready.get(node)!.signal]);
		const upstream = sendRequest(new URL(url!, node), {method, headers, signal}).end(body);
		return (await once(upstream, 'response'))[0] as IncomingMessage;
	};

	let turn = 0;
	const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
		const left = new AbortController();
		response.once('close', () => left.abort());
		const body = await buffer(request);
		const mayRepeat = request.method === 'GET' || request.headers['idempotency-key'] !== undefined;
		for (let tries = 1; !left.signal.aborted; tries++) {
			const node = [...ready.keys()][turn++ % Math.max(1, ready.size)];
			const given = node === undefined ? null : await ask(request, body, node, left.signal).catch(() => null);
			if (given && (given.statusCode !== 503 || !mayRepeat || tries === maxTries)) {
				response.writeHead(given.statusCode!, given.headers);
				await pipeline(given, response).catch(() => {});
				return;
			}

			given?.resume();
			if (!mayRepeat || tries === maxTries) {
				response.writeHead(503, {'content-type': 'application/json'}).end('{"detail":"No node answers.","retryable":true}');
				return;
			}
		}
	};

	const server = createServer((request, response) => {
		answer(request, response).catch(() => response.destroy());
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const checking = setInterval(() => nodes.forEach(async ({url}) => check(url)), checkMs);
	await Promise.all(nodes.map(async ({url}) => check(url)));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		seesAll: async () => ready.size === nodes.length,
		async [Symbol.asyncDispose]() {
			clearInterval(checking);
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
};
