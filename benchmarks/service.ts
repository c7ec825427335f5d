/**
 * The cost of the service itself, compared with its peers, with an encoder that takes no time.
 * `node benchmarks/service.ts [SECONDS]`: each contestant runs SECONDS (default 1) in each round.
 *
 * Contestants: ours, in memory and durable; a bare `node:http` server that sends the same bytes;
 * FastAPI and NumPy (`peer/service/app.py`) as uvicorn starts it, tuned (uvloop, httptools,
 * OpenBLAS), and tuned with ready responses that bypass FastAPI's models. First it asserts that
 * their responses agree. Then they take turns, and a ratio is the median of the rounds' ratios.
 *
 * Not measured: a network, an embedding model, logging (no contestant logs requests), other sizes
 * of texts. The load runs on the same machine and takes a core. A server as fast as the bare one
 * waits for it, so ratios to the bare one flatter us. CPU times do not. They are read from /proc,
 * so this runs on Linux only.
 */
import assert from 'node:assert/strict';
import path from 'node:path';
import {assertAgreement} from './peer/service/agreement.ts';
import type {Answers} from './peer/service/bare.ts';
import {blasOf, packages, peerVersions, startBare, startOurs, startPeer, type Server} from './peer/service/contestants.ts';
import {quantile, readWhileCycling, saturate, type Measured} from './peer/service/load.ts';
import {writeWorld} from './peer/service/world.ts';
import {giveWay, processorTimeOf} from './process-use.ts';
import {atLeast, figure, markdown, median, passingFolder} from './report.ts';

const seconds = Number(process.argv[2] ?? 1);
const rounds = 3;
const connections = 16;

/** The goal of each read: its rate as a multiple of the tuned peer's. */
const reads = {'/health': 2, '/state': 8, '/daemon/status': 3, '/vigilance': 6, '/profile': 100};
const readPaths = Object.keys(reads);
const goalOfBare = 0.6;
const maxP99Ms = 10;

const folder = passingFolder('service');
writeWorld(folder);
const versions = peerVersions();

await using servers = new AsyncDisposableStack();

const start = async (starting: Promise<Server>): Promise<Server> => servers.use(await starting);

const ours = await start(startOurs(folder));
const durable = await start(startOurs(folder, path.join(folder, 'journal')));
const peers = versions === null
	? {}
	: {
		plain: await start(startPeer(folder, {tuned: false, ready: false})),
		tuned: await start(startPeer(folder, {tuned: true, ready: false})),
		ready: await start(startPeer(folder, {tuned: true, ready: true})),
	};

if (peers.plain) {
	assert.match(blasOf(peers.plain)!, /^blas\//);
	assert.match(blasOf(peers.tuned)!, /^openblas/);
}

await assertAgreement([ours, durable, ...Object.values(peers)].map(({url}) => url), readPaths);

const answerOf = async (read: string): Promise<Answers[string]> => {
	// Uncompressed, as the load asks for it.
	const response = await fetch(ours.url + read, {headers: {'accept-encoding': 'identity'}});
	// Without the headers that node:http adds, because the bare server adds its own.
	const headers = Object.fromEntries([...response.headers].filter(([name]) => !['connection', 'date', 'keep-alive'].includes(name)));
	return {headers, body: await response.text()};
};

const answers = Object.fromEntries(await Promise.all(readPaths.map(async read => [read, await answerOf(read)] as const)));
const bare = await start(startBare(answers));
for (const read of readPaths) {
	assert.equal(await (await fetch(bare.url + read)).text(), answers[read]!.body);
}

/** One run, with the server's CPU time for each request in microseconds. */
type Turn = Measured & {cpu: number};

type Results<Of> = Partial<Record<'memory' | 'durable' | 'bare' | 'plain' | 'tuned' | 'ready', Of>>;

/** Runs every contestant in every round, after a warm-up round. */
const compare = async (route: string, contestants: Results<Server>): Promise<Results<Turn[]>> => {
	const results: Results<Turn[]> = {};
	for (let round = -1; round < rounds; round++) {
		for (const [name, server] of Object.entries(contestants) as Array<[keyof typeof results, Server]>) {
			const used = processorTimeOf(server.pid);
			const measured = await saturate(server.url, route, {connections, seconds});
			const cpu = (processorTimeOf(server.pid) - used) * 1000 / measured.latencies.length;
			if (round >= 0) {
				(results[name] ??= []).push({...measured, cpu});
			}
		}
	}

	return results;
};

const rate = (results: Measured[] | undefined): string => results ? figure(median(results.map(({perSecond}) => perSecond))) : '—';

const ratio = (own: Measured[], other: Measured[] | undefined, goal?: number): string => {
	if (!other) {
		return '—';
	}

	const times = median(own.map(({perSecond}, round) => perSecond / other[round]!.perSecond));
	return goal === undefined ? figure(times) : atLeast(times, goal);
};

const rateRow = (own: Turn[], {bare: limit, plain, tuned, ready}: Results<Turn[]>, goal: number): string[] => {
	const latencies = own.flatMap(measured => measured.latencies);
	return [
		...[own, limit, plain, tuned, ready].map(results => rate(results)),
		ratio(own, limit, goalOfBare), ratio(own, plain), ratio(own, tuned, goal), ratio(own, ready),
		figure(quantile(latencies, 0.5)), figure(quantile(latencies, 0.99)),
	];
};

/**
 * V8 compiles a cycle's code only after many cycles, however long they take. It discards that code
 * some eight seconds after the last request, so servers take shorter turns.
 */
const warmUp = async (...own: Server[]): Promise<void> => {
	for (let part = 0; part < 8; part++) {
		for (const {url} of own) {
			await saturate(url, '/cycle', {connections, requests: 5000});
		}
	}
};

await warmUp(ours, durable);

const cycles = await compare('/cycle', {memory: ours, durable, ...peers});
const rows: Array<{what: string; own: Turn[]; all: Results<Turn[]>; goal: number}> = [
	{what: 'POST /cycle, in memory', own: cycles.memory!, all: cycles, goal: 3},
	{what: 'POST /cycle, durable', own: cycles.durable!, all: cycles, goal: 1.3},
];
for (const [read, goal] of Object.entries(reads)) {
	const all = await compare(read, {memory: ours, bare, ...peers});
	rows.push({what: `GET ${read}`, own: all.memory!, all, goal});
}

console.log(markdown([
	[`${connections} connections`, 'ours /s', 'bare node:http /s', 'FastAPI /s', 'FastAPI tuned /s', 'FastAPI ready /s', '× bare', '× FastAPI', '× tuned', '× ready', 'p50 ms', 'p99 ms'],
	...rows.map(({what, own, all, goal}) => [what, ...rateRow(own, all, goal)]),
]));

const cpu = (results: Turn[] | undefined): string => results ? figure(median(results.map(turn => turn.cpu))) : '—';

console.log(`\n${markdown([
	['CPU time of the server for a request, all threads', 'ours µs', 'bare node:http µs', 'FastAPI µs', 'FastAPI tuned µs', 'FastAPI ready µs'],
	...rows.map(({what, own, all: {bare: limit, plain, tuned, ready}}) => [what, ...[own, limit, plain, tuned, ready].map(results => cpu(results))]),
])}`);
console.log(`\nTuned: uvloop, httptools and OpenBLAS. Ready: tuned, and its responses bypass FastAPI's models; for orientation, no goal. ${versions === null
	? `The peer was not measured: it needs Debian's ${packages}.`
	: `The peer: ${Object.entries(versions).map(([name, version]) => `${name} ${version}`).join(', ')}.`}\n`);

const readsPerSecond = 200;
const loaded = Object.entries({'ours, in memory': ours, 'ours, durable': durable, ...peers})
	.map(([name, server]) => ({name, server, measured: [] as Measured[]}));
// A client on another machine would not wait for the processors of this one.
for (const {server} of loaded) {
	giveWay(server.pid);
}

for (const {server, measured} of loaded) {
	if (server === ours || server === durable) {
		await warmUp(server);
	}

	// The first round warms up the client, too.
	for (let round = -1; round < rounds; round++) {
		const turn = await readWhileCycling(server.url, readPaths, {perSecond: readsPerSecond, seconds: 2 * seconds});
		if (round >= 0) {
			measured.push(turn);
		}
	}
}

console.log(markdown([
	[`${readsPerSecond} reads a second, while ${connections} connections post cycles at full speed`, 'cycles /s', 'read p50 ms', 'read p99 ms', `p99 under ${maxP99Ms} ms`],
	...loaded.map(({name, measured}) => {
		const latencies = measured.flatMap(of => of.latencies);
		const p99 = quantile(latencies, 0.99);
		return [{plain: 'FastAPI', tuned: 'FastAPI tuned', ready: 'FastAPI ready'}[name] ?? name, rate(measured), figure(quantile(latencies, 0.5)), figure(p99), p99 < maxP99Ms ? 'met' : 'missed'];
	}),
]));
