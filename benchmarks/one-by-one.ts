/**
 * What a single user experiences of the real service with the bundled encoder: `node benchmarks/one-by-one.ts
 * [CYCLES]`, default 1,500. The time from its start to its first answer, then the processor time of a cycle
 * when texts come one by one, and the resident memory after them, at once and after a rest; then after a
 * validation and as many texts, which the watch on drift follows. Reads /proc, so it runs on Linux.
 *
 * The first answer is the median of several starts in new folders, without the first, whose files are not
 * yet in a cache. Only an idle machine gives figures that can be compared with the goals.
 */
import path from 'node:path';
import {setTimeout} from 'node:timers/promises';
import {postCycle, startServer} from '../test/helpers/server-process.ts';
import {processorTimeOf, residentOf} from './process-use.ts';
import {figure, markdown, median, passingFolder} from './report.ts';
import {topics} from './sentences/topics.ts';

const cycles = Number(process.argv[2] ?? 1500);
const starts = 5;
/** V8 returns memory while the service is idle. */
const restMs = 10_000;
const texts = topics.English.flat();
const folder = passingFolder('one-by-one');

/** Six people, in conversations of ten texts. No text repeats, so that none is taken from the cache. */
const think = async (url: string, n: number): Promise<void> => {
	const conversation = Math.floor(n / 10);
	const metadata = {source: `person ${conversation % 6}`, conversation: String(conversation)};
	const {status} = await postCycle(url, `${texts[n % texts.length]} ${n}`, metadata);
	if (status !== 200) {
		throw new Error(`Cycle ${n} was answered with ${status}.`);
	}
};

const firstAnswers: Array<{milliseconds: number; processorTime: number}> = [];
for (let n = 0; n <= starts; n++) {
	const began = performance.now();
	await using server = startServer(path.join(folder, String(n)));
	await think(await server.ready(), 0);
	firstAnswers.push({milliseconds: performance.now() - began, processorTime: processorTimeOf(server.pid)});
}

await using server = startServer(path.join(folder, 'cycles'));
const url = await server.ready();
const before = processorTimeOf(server.pid);
for (let n = 0; n < cycles; n++) {
	await think(url, n);
}

const perCycle = (processorTimeOf(server.pid) - before) / cycles;
const resident = residentOf(server.pid);
await setTimeout(restMs);
const rested = residentOf(server.pid);
await fetch(`${url}/validate`, {method: 'POST', headers: {'content-type': 'application/json'}, body: JSON.stringify({note: 'As it is.'})});
for (let n = cycles; n < 2 * cycles; n++) {
	await think(url, n);
}

const settled = firstAnswers.slice(1);
console.log(markdown([
	['', 'measured', 'goal'],
	['first answer after a start, ms', figure(median(settled.map(({milliseconds}) => milliseconds))), '600'],
	['its processor time, ms', figure(median(settled.map(({processorTime}) => processorTime))), ''],
	['processor time of a cycle, ms', figure(perCycle), '5'],
	[`resident after ${cycles} cycles, MB`, figure(resident), '170'],
	[`${restMs / 1000} seconds later, MB`, figure(rested), '170'],
	[`validated, after ${cycles} more, MB`, figure(residentOf(server.pid)), ''],
]));
