/**
 * What many identities in one service cost: `npm run bench:identities -- [COUNT]`, default 1,000. A
 * service creates them; another one, which has none of them in memory, is asked for the state of each.
 * The first request opens an identity: its journal, its actors and the parts that it shares with others.
 *
 * Prints how long that request and a second one take, and how much resident memory an identity takes.
 * Reads /proc, so it runs on Linux. Not measured: their cycles, whose cost is mostly the encoder's.
 */
import {startServer} from '../test/helpers/server-process.ts';
import {residentOf} from './process-use.ts';
import {figure, markdown, median, passingFolder} from './report.ts';

const count = Number(process.argv[2] ?? 1000);
const folder = passingFolder('identities');
const environment = {MAX_LIVE: String(count + 1), IDLE_SECONDS: '86400'};
const names = Array.from({length: count}, (_, i) => `identity-${i}`);

/** Milliseconds of a request that succeeds. */
const time = async (url: string, init: RequestInit = {}): Promise<number> => {
	const began = performance.now();
	const response = await fetch(url, init);
	await response.arrayBuffer();
	if (!response.ok) {
		throw new Error(`${init.method ?? 'GET'} ${url} was answered with ${response.status}.`);
	}

	return performance.now() - began;
};

const percentile95 = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)]!;

const creations: number[] = [];
{
	await using server = startServer(folder, environment);
	const url = await server.ready();
	for (const name of names) {
		creations.push(await time(`${url}/identities/${name}`, {method: 'PUT'}));
	}
}

await using server = startServer(folder, environment);
const url = await server.ready();
const ask = async (name: string): Promise<number> => time(`${url}/identities/${name}/state`);
// The first ones warm up the shared parts.
const warm = names.slice(0, Math.floor(count / 10));
for (const name of warm) {
	await ask(name);
}

const measured = names.slice(warm.length);
const before = residentOf(server.pid);
const openings: number[] = [];
for (const name of measured) {
	openings.push(await ask(name));
}

/** KiB per identity. */
const each = (residentOf(server.pid) - before) * 1e6 / 1024 / measured.length;
const again: number[] = [];
for (const name of measured) {
	again.push(await ask(name));
}

console.log(markdown([
	[`${count} identities`, 'median', '95 %', 'goal'],
	['to create one, ms', figure(median(creations)), figure(percentile95(creations)), ''],
	['a request that opens one, ms', figure(median(openings)), figure(percentile95(openings)), '12'],
	['the same to a live one, ms', figure(median(again)), figure(percentile95(again)), ''],
	['resident memory of a live one, KiB', figure(each), '', '320'],
]));
