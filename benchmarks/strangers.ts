/**
 * What unknown clients can cost: the memory and the latency of a real service under requests that are
 * designed to be expensive. Each case has a separate service process.
 *
 * - `/events` with thousands of words, from 300 clients that do not read
 * - 200 bodies of 1 MiB of each kind that is expensive to parse, check or refuse
 * - 660 bodies of 1 MiB behind an embedding server that does not answer
 */
import {once} from 'node:events';
import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {createServer, request, type ServerResponse} from 'node:http';
import {connect, type AddressInfo} from 'node:net';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {setTimeout as wait} from 'node:timers/promises';
import {Worker} from 'node:worker_threads';
import {startServer} from '../test/helpers/server-process.ts';
import {residentOf} from './process-use.ts';

const mebi = 2 ** 20;

const post = (url: string, body: string): Promise<number> => new Promise(resolve => {
	const sent = request(`${url}/cycle`, {method: 'POST', agent: false, headers: {'content-type': 'application/json', 'content-length': Buffer.byteLength(body)}}, response => {
		response.resume().once('end', () => {
			resolve(response.statusCode!);
		});
	});
	sent.once('error', () => {
		resolve(0);
	});
	sent.end(body);
});

/** Requests paths in turn from a separate thread. @returns a function that stops it, and returns the milliseconds of each, sorted */
const probe = (url: string, paths: readonly string[]) => {
	const worker = new Worker(`
		const {parentPort, workerData: {url, paths}} = require('node:worker_threads');
		const times = [];
		let isOver = false;
		parentPort.once('message', () => { isOver = true; });
		(async () => {
			for (let i = 0; !isOver; i++) {
				const began = performance.now();
				await (await fetch(url + paths[i % paths.length])).arrayBuffer();
				times.push(performance.now() - began);
				await new Promise(resolve => setTimeout(resolve, 5));
			}
			parentPort.postMessage(times);
		})();
	`, {eval: true, workerData: {url, paths}});
	return async () => {
		worker.postMessage('stop');
		const [times] = await once(worker, 'message') as [number[]];
		await worker.terminate();
		return times.toSorted((a, b) => a - b);
	};
};

const latency = (times: readonly number[]): string =>
	`${times.length} probes and reads: median ${times[Math.floor(times.length / 2)]!.toFixed(1)} ms, 99 % ${times[Math.floor(times.length * 0.99)]!.toFixed(1)} ms, longest ${times.at(-1)!.toFixed(0)} ms`;

const tally = (statuses: readonly number[]): string =>
	[...new Set(statuses)].map(status => `${statuses.filter(other => other === status).length} × ${status || 'broken'}`).join(', ');

/** Only the cases whose name contains this. */
const [, , wanted = ''] = process.argv;

const withService = async (name: string, environment: Record<string, string>, run: (url: string) => Promise<void>): Promise<void> => {
	if (!name.includes(wanted)) {
		return;
	}

	const folder = mkdtempSync(path.join(tmpdir(), 'strangers-'));
	try {
		const turnFile = path.join(folder, 'longest-turn');
		await using service = startServer(folder, {
			LOG_LEVEL: 'info',
			LONGEST_TURN_FILE: turnFile,
			NODE_OPTIONS: `--import=${new URL('longest-turn.ts', import.meta.url).href}`,
			...environment,
		});
		/** Milliseconds of CPU time, since the last call. */
		const longestTurn = async (): Promise<number> => {
			process.kill(service.pid, 'SIGWINCH');
			await wait(1000);
			return Number(readFileSync(turnFile, 'utf8'));
		};

		const url = await service.ready();
		await (await fetch(`${url}/state`)).arrayBuffer();
		const before = Math.round(residentOf(service.pid));
		await longestTurn();
		console.log(`\n${name}`);
		await run(url);
		console.log(`  longest turn of the event loop: ${(await longestTurn()).toFixed(0)} ms of CPU time`);
		console.log(`  memory: ${before} MB before, ${Math.round(residentOf(service.pid))} MB after, ${Math.round(residentOf(service.pid, 'most'))} MB at most`);
	} finally {
		rmSync(folder, {recursive: true, force: true});
	}
};

/** Clients that send a request and do not read the response. */
const connectUnread = async (url: string, target: string, count: number): Promise<void> => {
	const {port} = new URL(url);
	const sockets = await Promise.all(Array.from({length: count}, async () => {
		const socket = connect(Number(port), '127.0.0.1');
		socket.on('error', () => {}).pause();
		await once(socket, 'connect');
		socket.write(`GET ${target} HTTP/1.1\r\nHost: here\r\n\r\n`);
		return socket;
	}));
	const stop = probe(url, ['/livez', '/state']);
	await wait(5000);
	console.log(`  ${latency(await stop())}`);
	for (const socket of sockets) {
		socket.destroy();
	}
};

const filled = (before: string, part: (i: number) => string, after: string): string => {
	const parts = [before];
	for (let i = 0, size = before.length + after.length; ; i++) {
		const next = part(i);
		size += next.length;
		if (size > mebi) {
			return parts.join('') + after;
		}

		parts.push(next);
	}
};

const kinds: Record<string, string> = {
	'a plain text': `{"content": "${'a'.repeat(mebi - 20)}"}`,
	'many keys': filled('{"content":"a","metadata":{"k":0', i => `,"k${i}":${i}`, '}}'),
	'many arrays': filled('{"content":"a","metadata":{"k":[0', () => ',[]', ']}}'),
	'nested arrays': filled('{"content":"a","metadata":{"k":[0', () => `,${'['.repeat(60)}${']'.repeat(60)}`, ']}}'),
	'many objects': filled('{"content":"a","metadata":{"k":[0', () => ',{"a":{}}', ']}}'),
	'many keys beside': filled('{"content":"a"', i => `,"k${i}":[]`, '}'),
	'a content of another kind': filled('{"content":[0', () => ',{}', ']}'),
	'a list': filled('[0', () => ',[]', ']'),
	'nested without end': '{"metadata":'.repeat(mebi / 12),
	'broken at the end': filled('{"content":"a","metadata":{"k":[0', () => ',[]', ']}'),
	'escapes': `{"content": "a", "metadata": {"k": "${'\\u0000'.repeat(170_000)}"}}`,
};

await withService('300 clients that do not read /events?types=,,,', {}, async url => connectUnread(url, `/events?types=${','.repeat(15_000)}`, 300));
await withService('300 clients that do not read /events?types=x&types=x', {}, async url => connectUnread(url, `/events?${'types=x&'.repeat(1800)}`, 300));

for (const [kind, body] of Object.entries(kinds)) {
	await withService(`200 bodies of 1 MiB: ${kind}`, {}, async url => {
		const stop = probe(url, ['/livez', '/state']);
		const began = performance.now();
		const statuses = await Promise.all(Array.from({length: 200}, async () => post(url, body)));
		console.log(`  ${tally(statuses)} in ${Math.round(performance.now() - began)} ms\n  ${latency(await stop())}`);
	});
}

let isDead = false;
const dead: ServerResponse[] = [];
const embeddings = createServer((asked, response) => {
	if (isDead) {
		asked.resume();
		dead.push(response);
		return;
	}

	let body = '';
	asked.setEncoding('utf8').on('data', (text: string) => {
		body += text;
	});
	asked.once('end', () => {
		const texts = [JSON.parse(body).input].flat() as string[];
		response.setHeader('content-type', 'application/json').end(JSON.stringify({
			data: texts.map((text, index) => ({index, embedding: Array.from({length: 64}, (_, i) => Math.sin(text.length + i))})),
		}));
	});
});
embeddings.listen(0, '127.0.0.1');
await once(embeddings, 'listening');
await withService('660 bodies of 1 MiB behind a dead embedding server', {
	EMBEDDING_MODEL: 'openai:dead',
	EMBEDDING_BASE_URL: `http://127.0.0.1:${(embeddings.address() as AddressInfo).port}/v1`,
	EMBEDDING_TIMEOUT_SECONDS: '60',
}, async url => {
	isDead = true;
	const stop = probe(url, ['/livez', '/state']);
	const statuses: number[] = [];
	for (let i = 0; i < 660; i++) {
		void post(url, `{"content": "${i} ${'a'.repeat(mebi - 40)}"}`).then(status => statuses.push(status));
		if (i % 20 === 0) {
			await wait(20);
		}
	}

	await wait(5000);
	console.log(`  ${tally(statuses)}; ${660 - statuses.length} wait\n  ${latency(await stop())}`);
});
embeddings.closeAllConnections();
embeddings.close();
