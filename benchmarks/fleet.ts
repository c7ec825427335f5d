/**
 * The cost of an overview of many identities: `npm run bench:fleet -- [COUNT]`, default 10,000. The host's file has a row for
 * each. Measured are a start, which reads the rows and compares them with the journals, `GET /fleet` over HTTP while nothing
 * changes, and writes of changed rows.
 */
import {mkdirSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {createEmbeddedHost} from '../src/host/embedded-host.ts';
import {FleetFile} from '../src/host/fleet-file.ts';
import {createHttp} from '../src/http/create-http.ts';
import {listen} from '../src/http/server.ts';
import {emptyRow, type FleetEntry} from '../src/instruments/fleet.ts';
import {openJournals} from '../src/journal/sqlite/journals.ts';
import {mulberry32} from '../src/platform/clock.ts';
import {figure, markdown, median, passingFolder} from './report.ts';

const count = Number(process.argv[2] ?? 10_000);
const folder = passingFolder('fleet');
const file = path.join(folder, 'fleet.sqlite');
const random = mulberry32(1);

const entryOf = (_: unknown, i: number): FleetEntry => ({
	name: `identity-${String(i).padStart(6, '0')}`,
	isCurrent: true,
	row: {
		...emptyRow, texts: Math.floor(random() * 4000), lastText: new Date(1.77e12 + i * 1000).toISOString(), validated: '2026-03-01T12:00:00.000Z',
		watch: {
			conversations: 400, alarm: random() < 0.01, p: Math.ceil(random() * 200) / 200, tailP: random(), distance: 1 + random(), unreadShare: random() / 10,
			topSource: random() < 0.05 ? {source: `somebody ${i}`, share: random(), p: 0.005, explains: random() < 0.5} : null,
			readings: Array.from({length: 32}, () => Number(random().toPrecision(3))), endsAt: null,
		},
	},
});

const entries = Array.from({length: count}, entryOf);
for (const {name} of entries) {
	mkdirSync(path.join(folder, 'identities', name), {recursive: true});
	writeFileSync(path.join(folder, 'identities', name, 'journal.sqlite'), '');
}

const made = new FleetFile(file, console.warn);
await made.put(entries);
made.close();

const began = performance.now();
await using host = createEmbeddedHost({
	journals: openJournals({folder: path.join(folder, 'identities')}), fleetFile: file, async open() {
		throw new Error('No identity is opened to answer.');
	},
});
const started = performance.now() - began;
const http = createHttp(host);
const service = await listen(http, {host: '127.0.0.1', port: 0});

/** The tag of the newest answer. */
let tag = '';

const time = async (query: string, headers: Record<string, string> = {}): Promise<number> => {
	const from = performance.now();
	const response = await fetch(`${service.url}/fleet${query}`, {headers});
	await response.arrayBuffer();
	tag = response.headers.get('etag')!;
	if (!response.ok && response.status !== 304) {
		throw new Error(`The fleet was answered with ${response.status}.`);
	}

	return performance.now() - from;
};

const store = new FleetFile(path.join(folder, 'other.sqlite'), console.warn);
await store.put(entries);
const measure = async (run: (i: number) => Promise<number>): Promise<[string, string]> => {
	const times: number[] = [];
	for (let i = 0; i < 60; i++) {
		times.push(await run(i));
	}

	return [figure(median(times)), figure(times.toSorted((a, b) => a - b)[56]!)];
};

const rows: string[][] = [
	['a start that reads the rows, ms', figure(started), '', ''],
	['the first 100 by evidence, ms', ...await measure(async () => time('')), '50'],
	['the same again with its tag, while nothing has changed, ms', ...await measure(async () => time('', {'If-None-Match': tag})), '50'],
	['1000 by their newest texts, ms', ...await measure(async () => time('?limit=1000&order=newest')), '50'],
	['those with an alarm, ms', ...await measure(async () => time('?only=alarms')), '50'],
	['writing 100 rows that have changed, ms', ...await measure(async i => {
		const from = performance.now();
		await store.put(entries.slice(i * 100, i * 100 + 100));
		return performance.now() - from;
	}), ''],
];
store.close();
http.close();
await service.close();
console.log(markdown([[`${count} identities`, 'median', '95 %', 'goal'], ...rows]));
