/**
 * The real service under load: `node benchmarks/load.ts [SECONDS]`, each part for SECONDS, default 20.
 *
 * 1. 16 connections post cycles, more than the encoder can embed. Its row has the processor time of a
 *    cycle in all threads of the service, and a line below the table the time in each thread. The last
 *    row has the processor time of such a text where only the encoder runs.
 * 2. At the same time, reads come at a fixed rate: how long an occasional reader waits.
 * 3. At the same time, 64 connections read without a pause. The service is at its limit, and a latency
 *    is mostly the wait behind 63 others.
 *
 * The load runs on the same machine, so latencies are upper bounds. Not measured: a network, large
 * texts, models other than the bundled one.
 */
import path from 'node:path';
import autocannon, {type Options, type Request, type Result} from 'autocannon';
import {loadEncoder} from '../src/embedding/load-encoder.ts';
import {startServer} from '../test/helpers/server-process.ts';
import {processorTimeOf, processorTimesOf} from './process-use.ts';
import {figure, markdown, passingFolder} from './report.ts';
import {topics} from './sentences/topics.ts';

const duration = Number(process.argv[2] ?? 20);
const warmUpCycles = 1000;
const embeddedAlone = 1000;
const readsPerSecond = 200;
const reads: Request[] = ['/health', '/state', '/daemon/status', '/vigilance', '/metrics', '/profile'].map(read => ({method: 'GET', path: read}));
const sentences = topics.English.flat();

await using server = startServer(path.join(passingFolder('load'), 'identity'));
const url = await server.ready();

let texts = 0;
/** No text repeats, so that none is taken from the cache. */
const nextText = (): string => `${sentences[texts % sentences.length]} ${++texts}`;
const post: Request = {
	method: 'POST',
	path: '/cycle',
	headers: {'content-type': 'application/json'},
	setupRequest: request => ({...request, body: JSON.stringify({content: nextText()})}),
};
const cycles: Options = {url, connections: 16, requests: [post]};

const rows: string[][] = [];
let isFaultless = true;
const report = (what: string, {connections, requests, duration: seconds, errors, non2xx, latency}: Result, processorTime = ''): void => {
	isFaultless &&= errors + non2xx === 0;
	rows.push([what, ...[connections, requests.total, requests.total / seconds, errors, non2xx, latency.p50, latency.p99, latency.max].map(value => figure(value)), processorTime]);
};

await autocannon({...cycles, amount: warmUpCycles});

const [before, threadsBefore] = [processorTimeOf(server.pid), processorTimesOf(server.pid)];
const alone = await autocannon({...cycles, duration});
const each = (time: number): string => figure(time / alone.requests.total);
report('cycles alone', alone, each(processorTimeOf(server.pid) - before));
const threads = [...processorTimesOf(server.pid)]
	.map(([thread, {name, time}]) => ({name, taken: time - (threadsBefore.get(thread)?.time ?? 0)}))
	.filter(({taken}) => taken > 0)
	.toSorted((one, other) => other.taken - one.taken);

const readWhileCycling = async (what: string, options: Partial<Options>): Promise<void> => {
	const [ofReads, ofCycles] = await Promise.all([autocannon({url, duration, requests: reads, ...options}), autocannon({...cycles, duration})]);
	report(what, ofReads);
	report('the cycles beside them', ofCycles);
};

await readWhileCycling(`${readsPerSecond} reads a second`, {connections: 8, overallRate: readsPerSecond});
await readWhileCycling('reads without pause', {connections: 64});

const encoder = await loadEncoder();
const embed = async (count: number): Promise<void> => {
	for (let n = 0; n < count; n++) {
		await encoder.embed(nextText());
	}
};

await embed(embeddedAlone);
const idle = processorTimeOf(process.pid);
await embed(embeddedAlone);
rows.push(['the encoder alone', ...Array.from({length: 8}, () => ''), figure((processorTimeOf(process.pid) - idle) / embeddedAlone)]);
await encoder.dispose?.();

console.log(markdown([
	['', 'connections', 'requests', 'a second', 'errors', 'not 2xx', 'p50 ms', 'p99 ms', 'max ms', 'processor ms each'],
	...rows,
]));
console.log(`\nOf a cycle alone, by thread: ${threads.map(({name, taken}) => `${name} ${each(taken)}`).join(', ')} ms.`);
process.exitCode = Number(!isFaultless);
