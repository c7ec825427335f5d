/**
 * What expensive requests cost a real service, and how long others wait for them. All goes over HTTP, so
 * the command of any version can be measured. One after another:
 *
 * - 3,000 texts by sources with names of 63 KB: the history, and what a model is given by `why`
 * - 300 questions at once, for the histories of 150 identities
 * - a sentence to one identity beside 60 texts of 500 KB to another, and beside 2,000 dry runs of 15 KB
 * - a ledger and a history of 52,000 records, asked for twice
 * - two questions for a drift whose clients leave: how long until others are answered
 *
 * `node benchmarks/questions.ts [RECORDS] [CLI]`: CLI is the `dist/cli.js` of another version.
 */
import {once} from 'node:events';
import {readdirSync} from 'node:fs';
import {loadavg} from 'node:os';
import {setTimeout as wait} from 'node:timers/promises';
import {Worker} from 'node:worker_threads';
import {cli} from '../test/helpers/cli.ts';
import {startFakeModel} from '../test/fault-injection/fake-model.ts';
import {startServer} from '../test/helpers/server-process.ts';
import {processorTimeOf, residentOf} from './process-use.ts';
import {passingFolder} from './report.ts';

const records = Number(process.argv[2] ?? 52_000);
const command = process.argv[3] ?? cli;

const serve = async (name: string, settings: Record<string, string> = {}) => {
	const service = startServer(passingFolder(name), {LOG_LEVEL: 'info', ...settings}, 0, command);
	return {service, url: await service.ready(), [Symbol.asyncDispose]: async () => service[Symbol.asyncDispose]()};
};

/** Requests `/livez` from a separate thread. @returns a function that stops it, and returns the longest wait in milliseconds */
const probe = (url: string) => {
	const worker = new Worker(`
		const {parentPort, workerData: url} = require('node:worker_threads');
		let longest = 0;
		let isOver = false;
		parentPort.once('message', () => { isOver = true; });
		(async () => {
			while (!isOver) {
				const began = performance.now();
				await (await fetch(url + '/livez')).arrayBuffer();
				longest = Math.max(longest, performance.now() - began);
				await new Promise(resolve => setTimeout(resolve, 5));
			}
			parentPort.postMessage(longest);
		})();
	`, {eval: true, workerData: url});
	return async (): Promise<number> => {
		worker.postMessage('stop');
		const [longest] = await once(worker, 'message') as [number];
		await worker.terminate();
		return longest;
	};
};

const tally = (statuses: readonly number[]): string =>
	[...Map.groupBy(statuses, status => status)].map(([status, all]) => `${all.length} × ${status}`).join(', ');

const seconds = (since: number): string => `${((performance.now() - since) / 1000).toFixed(2)} s`;

const send = async (url: string, body: object, method = 'POST'): Promise<{status: number; bytes: number}> => {
	const headers = {'content-type': 'application/json', 'accept': 'application/json, text/event-stream'};
	const response = await fetch(url, {method, headers, body: JSON.stringify(body)});
	return {status: response.status, bytes: (await response.arrayBuffer()).byteLength};
};

/** @throws if the response is no success */
const submit = async (url: string, body: object, method = 'POST'): Promise<void> => {
	const {status} = await send(url, body, method);
	if (status >= 300) {
		throw new Error(`${url} answers ${status}.`);
	}
};

/** Says texts in order, 50 at once. */
const sayAll = async (url: string, count: number, fieldsOf: (i: number) => object): Promise<void> => {
	for (let from = 0; from < count; from += 50) {
		await Promise.all(Array.from({length: Math.min(50, count - from)}, async (_, k) => submit(`${url}/cycle`, fieldsOf(from + k))));
	}
};

/** Sends a request, and prints its cost. */
const measure = async (url: string, target: string, pid: number): Promise<void> => {
	const stop = probe(url);
	const began = performance.now();
	const cpuBefore = processorTimeOf(pid);
	const response = await fetch(url + target);
	const {byteLength} = await response.arrayBuffer();
	const took = `${seconds(began)}, ${((processorTimeOf(pid) - cpuBefore) / 1000).toFixed(2)} s of processor time`;
	console.log(`  ${target}: ${response.status}, ${(byteLength / 1000).toFixed(0)} KB in ${took}; longest /livez ${(await stop()).toFixed(0)} ms; ${residentOf(pid, 'most').toFixed(0)} MB at most`);
};

const longNames = async (): Promise<void> => {
	await using model = await startFakeModel();
	await using served = await serve('questions-names', model.settings());
	const {url, service: {pid}} = served;
	console.log('\n3,000 texts by sources with names of 63 KB');
	await sayAll(url, 3000, i => ({content: `Thought ${i}.`, metadata: {source: `${i} ${'a'.repeat(63_000)}`}}));
	await measure(url, '/history?points=10000', pid);
	const {status, bytes} = await send(`${url}/mcp`, {jsonrpc: '2.0', id: 1, method: 'tools/call', params: {name: 'why', arguments: {by: 'source'}}});
	console.log(`  why, by source: ${status}, ${(bytes / 1000).toFixed(1)} KB`);
};

const manyIdentities = async (): Promise<void> => {
	await using model = await startFakeModel();
	await using served = await serve('questions-many', model.settings());
	const {url, service: {pid}} = served;
	console.log('\n300 × /history over 150 identities, of 20 texts each');
	for (let i = 0; i < 150; i++) {
		await submit(`${url}/identities/i-${i}`, {}, 'PUT');
		await sayAll(`${url}/identities/i-${i}`, 20, k => ({content: `Thought ${k} of ${i}.`}));
	}

	const threadsOf = (): number => readdirSync(`/proc/${pid}/task`).length;
	const before = threadsOf();
	let most = 0;
	const counting = setInterval(() => {
		most = Math.max(most, threadsOf());
	}, 20);
	const stop = probe(url);
	const began = performance.now();
	const statuses = await Promise.all(Array.from({length: 300}, async (_, i) => {
		const response = await fetch(`${url}/identities/i-${i % 150}/history`);
		await response.arrayBuffer();
		return response.status;
	}));
	const took = seconds(began);
	console.log(`  ${tally(statuses)} in ${took}; longest /livez ${(await stop()).toFixed(0)} ms; threads ${before} before, ${most} at most; ${residentOf(pid, 'most').toFixed(0)} MB at most`);
	clearInterval(counting);
};

/** How long sentences to a quiet identity wait while other requests are in progress. */
const measureWaits = async (url: string, others: ReadonlyArray<Promise<unknown>>): Promise<string> => {
	const ended = new AbortController();
	const done = Promise.all(others).finally(() => {
		ended.abort();
	});
	const times: number[] = [];
	await wait(200);
	while (times.length === 0 || !ended.signal.aborted) {
		const began = performance.now();
		await submit(`${url}/identities/quiet/cycle`, {content: `I say sentence ${times.length}.`});
		times.push(performance.now() - began);
		await wait(20);
	}

	await done;
	return `${times.length} sentences, the longest wait ${(Math.max(...times) / 1000).toFixed(2)} s`;
};

const longTexts = async (): Promise<void> => {
	await using served = await serve('questions-texts');
	const {url} = served;
	const text = 'The sea is quiet today, and an old sailor tells of distant harbours. ';
	await submit(`${url}/identities/quiet`, {}, 'PUT');
	await submit(`${url}/identities/quiet/cycle`, {content: 'I am here.'});
	console.log('\nA sentence to one identity beside what is sent to another');
	const texts = Array.from({length: 60}, async (_, i) => send(`${url}/cycle`, {content: `${i} ${text.repeat(7200)}`}));
	console.log(`  60 texts of 500 KB: ${await measureWaits(url, texts)}; ${tally((await Promise.all(texts)).map(({status}) => status))}`);
	const dryRuns = Array.from({length: 2000}, async (_, i) => send(`${url}/dry-run`, {content: `${i} ${text.repeat(215)}`}));
	console.log(`  2,000 dry runs of 15 KB: ${await measureWaits(url, dryRuns)}; ${tally((await Promise.all(dryRuns)).map(({status}) => status))}`);
};

const longLife = async (): Promise<void> => {
	await using model = await startFakeModel();
	await using served = await serve('questions-long', model.settings());
	const {url, service: {pid}} = served;
	console.log(`\n${records.toLocaleString('en')} records of eight sources, ten texts a visit`);
	await sayAll(url, records, i => ({content: `Thought ${i}.`, metadata: {source: `source ${Math.floor(i / 10) % 8}`}}));
	await submit(`${url}/validate`, {note: 'As it should be.'});
	for (const target of ['/ledger?by=source', '/history?points=10000']) {
		await measure(url, target, pid);
		await measure(url, target, pid);
	}

	const left = new AbortController();
	const drifts = ['beginning', '7'].map(async since => fetch(`${url}/drift?since=${since}`, {signal: left.signal}).catch(() => {}));
	await wait(500);
	left.abort();
	await Promise.all(drifts);
	const began = performance.now();
	let status = 429;
	while (status === 429) {
		const response = await fetch(`${url}/state?at=${records}`);
		await response.arrayBuffer();
		({status} = response);
		await wait(status === 429 ? 100 : 0);
	}

	console.log(`  two /drift?since= whose clients left: the next question is answered (${status}) after ${seconds(began)}`);
};

console.log(`load before: ${loadavg().map(load => load.toFixed(1)).join(', ')}`);
for (const run of [longNames, manyIdentities, longTexts, longLife]) {
	await run();
}

console.log(`\nload after: ${loadavg().map(load => load.toFixed(1)).join(', ')}`);
