/**
 * What questions to the past cost a real service, and who waits for them:
 *
 * - 300 questions at once, for the histories of 150 identities
 * - two questions for a drift whose clients leave: how long until others are answered
 * - a ledger of 52,000 records, asked for four times
 *
 * `node benchmarks/questions.ts [RECORDS]`
 */
import {once} from 'node:events';
import {readdirSync} from 'node:fs';
import path from 'node:path';
import {setTimeout as wait} from 'node:timers/promises';
import {Worker} from 'node:worker_threads';
import {bundledModel} from '../src/embedding/use-lite/identifier.ts';
import {replay, startReplay} from '../src/instruments/replay.ts';
import {createSqliteJournal} from '../src/journal/sqlite/sqlite-journal.ts';
import {selectKernel} from '../src/kernel/select.ts';
import {minimalAuthority, proposalsOf} from '../src/semiosis/fixation.ts';
import {randomState} from '../src/semiosis/initial-state.ts';
import {mulberry32} from '../src/instruments/mulberry32.ts';
import {startServer} from '../test/helpers/server-process.ts';
import {startTalk} from '../test/instruments/ordinary-life.ts';
import {cycle} from '../test/journal/records.ts';
import {residentOf} from './process-use.ts';
import {passingFolder} from './report.ts';

const records = Number(process.argv[2] ?? 52_000);
const passport = {model: bundledModel, width: 512, pooling: 'none', prefix: '', dtype: 'q8'};

/** A life of ordinary talk, as its own service would have written it. */
const writeLife = async (folder: string): Promise<void> => {
	const random = mulberry32(1);
	const initial = randomState(random, '2026-01-01T00:00:00.000Z');
	const rules = {kernel: selectKernel(), authority: minimalAuthority, reference: initial, initial};
	const journal = createSqliteJournal({folder});
	await journal.open();
	await journal.begin({initial, reference: initial, passport, isRandom: true});
	const talk = startTalk(random, {width: 512});
	let working = startReplay(rules);
	for (let from = 0; from < records; from += 1000) {
		const texts = talk.texts(Math.min(1000, records - from)).map(({source, vector}, i) => ({...cycle(from + i + 1), metadata: {source}, vector, corroborating: null, proposals: undefined}));
		const appended: Array<Promise<void>> = [];
		working = replay(rules, working, texts, ({state, measures, vigilance, fixation}, text) => {
			const {corroborating: _, ...record} = text;
			appended.push(journal.append({
				...record,
				...measures,
				proposals: proposalsOf(fixation),
				stateId: state.stateId,
				thirdness: state.row('thirdness'),
				checkpoint: {...record.checkpoint, cumulativeDrift: vigilance.report.cumulativeDrift},
			}));
		});
		await Promise.all(appended);
	}

	await journal.close();
};

/** Asks for `/livez` from a thread that does nothing else. @returns what stops it, and gives the longest in milliseconds */
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

const postJson = async (url: string, body: object, method = 'POST'): Promise<void> => {
	const response = await fetch(url, {method, headers: {'content-type': 'application/json'}, body: JSON.stringify(body)});
	if (!response.ok) {
		throw new Error(`${url} answers ${response.status}: ${await response.text()}`);
	}

	await response.arrayBuffer();
};

const manyIdentities = async (): Promise<void> => {
	await using service = startServer(passingFolder('questions-many'), {LOG_LEVEL: 'info'});
	const url = await service.ready();
	for (let i = 0; i < 150; i++) {
		await postJson(`${url}/identities/i-${i}`, {}, 'PUT');
		await Promise.all(Array.from({length: 20}, async (_, k) => postJson(`${url}/identities/i-${i}/cycle`, {content: `Thought ${k} of ${i}.`})));
	}

	const threadsOf = (): number => readdirSync(`/proc/${service.pid}/task`).length;
	const before = {threads: threadsOf(), memory: residentOf(service.pid)};
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
	console.log(`300 × /history over 150 identities: ${tally(statuses)} in ${seconds(began)}`);
	console.log(`  threads: ${before.threads} before, ${most} at most`);
	console.log(`  memory: ${before.memory.toFixed(0)} MB before, ${residentOf(service.pid, 'most').toFixed(0)} MB at most`);
	console.log(`  longest /livez: ${(await stop()).toFixed(0)} ms`);
	clearInterval(counting);
};

const longLife = async (): Promise<void> => {
	const folder = passingFolder('questions-long');
	await writeLife(path.join(folder, 'journal'));
	await using service = startServer(folder, {LOG_LEVEL: 'info'});
	const url = await service.ready();
	await postJson(`${url}/validate`, {note: 'As it should be.'});

	for (const target of ['/ledger?by=source', '/ledger?by=source', '/ledger?by=text&direction=affective.calm&lens=thirdness', '/ledger?by=text&direction=affective.calm&lens=thirdness', '/history?points=10000', '/history?points=10000']) {
		const stop = probe(url);
		const began = performance.now();
		const response = await fetch(url + target);
		const {length} = await response.text();
		console.log(`${target} of ${records.toLocaleString('en')} records: ${response.status}, ${(length / 1000).toFixed(0)} KB in ${seconds(began)}; longest /livez ${(await stop()).toFixed(0)} ms`);
	}

	const left = new AbortController();
	const drifts = ['beginning', '7'].map(async since => fetch(`${url}/drift?since=${since}`, {signal: left.signal}).catch(() => {}));
	await wait(500);
	left.abort();
	await Promise.all(drifts);
	const began = performance.now();
	let tries = 0;
	for (;;) {
		const response = await fetch(`${url}/state?at=${records}`);
		await response.arrayBuffer();
		tries++;
		if (response.status !== 429) {
			console.log(`two /drift?since= whose clients left: the next question is answered (${response.status}) after ${seconds(began)}, at try ${tries}`);
			break;
		}

		await wait(100);
	}

	console.log(`  memory: ${residentOf(service.pid).toFixed(0)} MB, ${residentOf(service.pid, 'most').toFixed(0)} MB at most`);
};

await manyIdentities();
await longLife();
