/** Puts load on a server, and measures its rate and latencies. */
import assert from 'node:assert/strict';
import {fork} from 'node:child_process';
import {once} from 'node:events';
import {Agent, get} from 'node:http';
import {setTimeout} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';
import autocannon, {type Options, type Request} from 'autocannon';

export type Measured = {
	perSecond: number;
	/** Milliseconds from a request to its response. */
	latencies: number[];
};

const asRequest = (body: string): Request => ({method: 'POST', headers: {'content-type': 'application/json'}, body});

/** Variants of one sentence. */
const cycles = Array.from({length: 64}, (_, i) => asRequest(JSON.stringify({content: `Thought ${i}: what is said under load must be kept like anything else.`})));

/** How many connections, and for how long: for seconds, or until a number of requests is answered. */
export type Load = {connections: number} & ({seconds: number} | {requests: number});

const optionsFor = (url: string, path: string, {connections, ...extent}: Load): Options => ({
	url: url + path,
	connections,
	...('seconds' in extent ? {duration: extent.seconds} : {amount: extent.requests}),
	// How often autocannon checks whether the time is over, in milliseconds.
	sampleInt: 50,
	...(path === '/cycle' && {requests: cycles}),
});

/** Sends requests at full speed: each connection sends its next one when it has a response. @throws when one fails. */
export const saturate = async (url: string, path: string, options: Load): Promise<Measured> => {
	const latencies: number[] = [];
	// Autocannon's own histogram has whole milliseconds only.
	const run = autocannon(optionsFor(url, path, options), () => {});
	run.on('response', (_client, _status, _bytes, milliseconds) => {
		latencies.push(milliseconds);
	});
	const {requests, duration, errors, non2xx, timeouts} = await new Promise<autocannon.Result>(resolve => {
		run.once('done', resolve);
	});
	assert.equal(errors + non2xx + timeouts, 0, `Requests to ${path} failed: ${errors} errors, ${non2xx} not 2xx, ${timeouts} too late.`);
	return {perSecond: requests.total / duration, latencies};
};

/** Sends reads at a fixed rate, while 16 connections post cycles at full speed. */
export const readWhileCycling = async (url: string, paths: readonly string[], {perSecond, seconds}: {perSecond: number; seconds: number}): Promise<Measured> => {
	const cycling = fork(fileURLToPath(new URL('cycling.ts', import.meta.url)), [url, String(seconds + 1.5)]);
	const reported = once(cycling, 'message');
	const ended = once(cycling, 'close');
	await setTimeout(1000);
	using agent = new DisposableAgent({keepAlive: true});
	const latencies = await Promise.all(Array.from({length: perSecond * seconds}, async (_, i) => {
		await setTimeout(i / perSecond * 1000);
		return read(url + paths[i % paths.length]!, agent);
	}));
	const [posted] = await Promise.race([reported, ended.then(() => assert.fail('Cycles failed.'))]) as [number];
	await ended;
	return {perSecond: posted, latencies};
};

class DisposableAgent extends Agent {
	[Symbol.dispose](): void {
		this.destroy();
	}
}

const read = async (url: string, agent: Agent): Promise<number> => {
	const startedAt = performance.now();
	return new Promise((resolve, reject) => {
		get(url, {agent}, response => {
			response.resume().once('end', () => {
				resolve(performance.now() - startedAt);
			});
		}).once('error', reject);
	});
};

/** The value that a share of all values does not exceed. */
export const quantile = (values: readonly number[], share: number): number =>
	values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))]!;
