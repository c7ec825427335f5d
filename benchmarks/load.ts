/**
 * The real service under load: 64 connections read one path after another, and 16 more post
 * cycles, more than the encoder can embed: `node benchmarks/load.ts [SECONDS]`, default 60.
 *
 * Each connection sends its next request at once, so the service is at its limit, and a latency is
 * mostly the wait behind 63 others. The load runs on the same machine, so latencies are upper
 * bounds. Not measured: a network, large texts, models other than the bundled one.
 */
import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import autocannon, {type Options, type Result} from 'autocannon';
import {startServer} from '../test/helpers/server-process.ts';

const duration = Number(process.argv[2] ?? 60);
const reads = ['/health', '/state', '/daemon/status', '/vigilance', '/metrics', '/profile'];

const folder = await mkdtemp(path.join(tmpdir(), 'load-'));

/** Runs both loads at the same time, on the same service. */
const load = async (url: string): Promise<Array<[name: string, result: Result]>> => {
	let texts = 0;
	const cycles: Options = {
		url,
		duration,
		connections: 16,
		requests: [{
			method: 'POST',
			path: '/cycle',
			headers: {'content-type': 'application/json'},
			setupRequest: request => ({...request, body: JSON.stringify({content: `Thought ${++texts}: what is said under load must be kept like anything else.`})}),
		}],
	};
	const mixed: Options = {url, duration, connections: 64, requests: reads.map(read => ({method: 'GET', path: read}))};
	const [ofReads, ofCycles] = await Promise.all([autocannon(mixed), autocannon(cycles)]);
	return [['reads', ofReads], ['cycles', ofCycles]];
};

try {
	await using server = startServer(folder);
	const url = await server.ready();
	// Warm-up of the compiled code and the model.
	await autocannon({url, duration: 2, connections: 4, requests: reads.map(read => ({method: 'GET', path: read}))});
	const results = await load(url);
	await server.stop();

	console.log(['| | connections | requests | per second | errors | not 2xx | p50 ms | p99 ms | max ms |',
		'| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
		...results.map(([name, {connections, requests, duration: seconds, errors, non2xx, latency}]) =>
			`| ${name} | ${connections} | ${requests.total} | ${Math.round(requests.total / seconds)} | ${errors} | ${non2xx} | ${latency.p50} | ${latency.p99} | ${latency.max} |`)].join('\n'));
	process.exitCode = Number(results.some(([, {errors, non2xx}]) => errors + non2xx > 0));
} finally {
	await rm(folder, {recursive: true});
}
