/**
 * What inspection costs: cycles per second through the actor system without inspection, with it
 * and no observer, and with one consumer of the whole event stream over HTTP, which reads in
 * a separate thread. Once with an encoder that answers at once, where a cycle costs
 * next to nothing, and once with the bundled model, where it has its real cost.
 *
 * They run in turns of some cycles each, in changing order. The added cost is given twice: as the
 * median over the rounds of the ratio of wall times within a round, with its quartiles, and as the
 * mean processor time of the main thread, which other programs disturb less. The process without
 * inspection runs twice: the difference between the two is noise.
 *
 * `node benchmarks/inspection.ts [SHARE]` runs that share of the rounds, all by default.
 *
 * Cycles run one after another, each in a separate turn of the event loop, on a journal in
 * memory; no text repeats, since embeddings are cached.
 *
 * Not measured: the page's own drawing, several consumers, texts (`contents=true`), a disk, and
 * HTTP requests for the cycles, beside which the same cost would be a smaller share.
 */
import {once} from 'node:events';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {setImmediate as turn} from 'node:timers/promises';
import {Worker} from 'node:worker_threads';
import Koa from 'koa';
import {createIdentity} from '../src/identity/create-identity.ts';
import type {LocalIdentity} from '../src/identity/identity.ts';
import type {Encoder} from '../src/embedding/encoder.ts';
import {loadEncoder} from '../src/embedding/load-encoder.ts';
import {tuneV8} from '../src/commands/tune-v8.ts';
import {createEventStream} from '../src/http/routes/events.ts';
import {createInspection} from '../src/observe/inspection.ts';
import {vectorOf} from '../test/actors/fixtures.ts';

tuneV8();
const vectors = Array.from({length: 100}, (_, i) => vectorOf(`Thought number ${i}`));

const instant = (): Encoder => {
	let asked = 0;
	return {
		passport: {model: 'instant', width: 1024, pooling: 'none', prefix: '', dtype: 'fp32'},
		embed: async () => vectors[asked++ % vectors.length]!,
		dispose: async () => {},
	};
};

/** An identity that shares its encoder with others. */
const start = async (encoder: Encoder): Promise<LocalIdentity> => {
	const identity = createIdentity({
		encoder,
		themes: {rumination: ['nothing'], corpus: ['nothing']},
	});
	await identity.ready();
	return identity;
};

/** Reads a stream to its end, counting the bytes, in a separate thread. */
const readerSource = `
	const {workerData: url, parentPort} = require('node:worker_threads');
	let bytes = 0;
	require('node:http').get(url, response => {
		response.on('data', chunk => { bytes += chunk.length; });
		response.once('end', () => parentPort.postMessage(bytes));
		parentPort.postMessage('reading');
	});
`;

/** Streams the events of a process to one consumer. */
const stream = async (identity: LocalIdentity) => {
	const inspection = createInspection({actor: identity.actor});
	const events = createEventStream(inspection);
	const server = createServer(new Koa().use(events.handle).callback()).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const reader = new Worker(readerSource, {eval: true, workerData: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`});
	await once(reader, 'message');
	return async (): Promise<number> => {
		events.close();
		const [bytes] = await once(reader, 'message') as [number];
		inspection.close();
		server.close();
		return bytes;
	};
};

type Cost = {wall: number; main: number};

const shareOfRounds = Number(process.argv[2] ?? 1);

let thoughts = 0;

/** What one cycle costs, in milliseconds: wall time, and processor time of this thread. */
const run = async (running: LocalIdentity, cycles: number): Promise<Cost> => {
	const began = performance.now();
	const usage = process.threadCpuUsage();
	for (let i = 0; i < cycles; i++) {
		await running.cycle({content: `Thought number ${++thoughts} about the sea, the harbour and the weather.`});
		await turn();
	}

	const {user, system} = process.threadCpuUsage(usage);
	return {wall: (performance.now() - began) / cycles, main: (user + system) / 1000 / cycles};
};

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!;
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value) / values.length;
const percent = (ratio: number): string => `${((ratio - 1) * 100).toFixed(1)} %`;

const measure = async (name: string, encoder: Encoder, {rounds, cycles, warmUp}: {rounds: number; cycles: number; warmUp: number}): Promise<void> => {
	const variants = {
		'without inspection': await start(encoder),
		'without, again': await start(encoder),
		'no observer': await start(encoder),
		'one consumer': await start(encoder),
	};
	const idle = createInspection({actor: variants['no observer'].actor});
	const endStream = await stream(variants['one consumer']);

	const names = Object.keys(variants) as Array<keyof typeof variants>;
	const costs = Object.fromEntries(names.map(variant => [variant, [] as Cost[]])) as Record<keyof typeof variants, Cost[]>;
	for (const variant of names) {
		await run(variants[variant], warmUp);
	}

	for (let round = 0; round < rounds; round++) {
		for (let place = 0; place < names.length; place++) {
			const variant = names[(place + round) % names.length]!;
			costs[variant].push(await run(variants[variant], cycles));
		}
	}

	const bytes = await endStream();
	idle.close();
	const base = costs['without inspection'];
	const [baseWall, baseMain] = [median(base.map(cost => cost.wall)), mean(base.map(cost => cost.main))];
	for (const variant of names) {
		const wall = median(costs[variant].map(cost => cost.wall));
		const ratios = costs[variant].map((cost, round) => cost.wall / base[round]!.wall).toSorted((a, b) => a - b);
		const [low, high] = [0.25, 0.75].map(share => percent(ratios[Math.floor(share * ratios.length)]!));
		const added = mean(costs[variant].map(cost => cost.main)) - baseMain;
		const streamed = variant === 'one consumer' ? Math.round(bytes / (warmUp + rounds * cycles)).toLocaleString('en') : '–';
		console.log(`| ${name} | ${variant} | ${Math.round(1000 / wall).toLocaleString('en')} | ${wall.toFixed(3)} | ${percent(median(ratios))} (${low} to ${high}) | ${(added * 1000).toFixed(0)} µs, ${percent(1 + added / baseWall)} | ${streamed} |`);
		await variants[variant].dispose();
	}
};

console.log('| encoder | inspection | cycles per second | ms per cycle | wall time added | main thread added, of a cycle | bytes streamed per cycle |\n|---|---|---|---|---|---|---|');
await measure('instant', instant(), {rounds: Math.ceil(100 * shareOfRounds), cycles: 200, warmUp: 3000});
const bundled = await loadEncoder();
await measure('bundled', bundled, {rounds: Math.ceil(40 * shareOfRounds), cycles: 40, warmUp: 100});
await bundled.dispose();
