/**
 * What questions to a long past cost, in seconds of processor time of all threads: each is asked once of an identity that was just
 * opened and has its digests. `npm run bench:long-life -- [TEXTS]`, 100,000 by default. The journal is in the system's cache, since
 * it was just written.
 *
 * Not measured: a disk that has to be read, and an embedding model.
 */
import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {parseArgs} from 'node:util';
import {loadBuiltInDirections} from '../src/actors/packaged.ts';
import {bundledModel} from '../src/embedding/use-lite/identifier.ts';
import {createIdentity} from '../src/identity/create-identity.ts';
import type {LocalIdentity} from '../src/identity/identity.ts';
import {keptEvery, type KeptMonitor} from '../src/instruments/past/kept-monitor.ts';
import {Questions} from '../src/instruments/past/questions.ts';
import {createSqliteJournal} from '../src/journal/sqlite/sqlite-journal.ts';
import {makeLongLife, passport} from './make-long-life.ts';
import {machine, markdown} from './report.ts';

const {positionals: [texts = '100000'], values: {folder: given}} = parseArgs({allowPositionals: true, options: {folder: {type: 'string'}}});
const folder = given ?? await mkdtemp(path.join(tmpdir(), 'long-life-'));
const encoder = {passport, embed: async () => Float32Array.from({length: 1024}, (_, i) => Number(i === 0))};
const bundled = {passport: {...passport, model: bundledModel}, embed: encoder.embed};
const directions = await loadBuiltInDirections({encoder: bundled, signal: new AbortController().signal, warn: console.warn});

/** In effect without a time limit. */
const questions = new Questions({maxSeconds: 3600});

const open = async (): Promise<LocalIdentity> => {
	const identity = createIdentity({encoder, directions, questions, person: {words: 'a person', profile: null}, journal: createSqliteJournal({folder})});
	await identity.ready();
	return identity;
};

const untilWatched = async (identity: LocalIdentity): Promise<void> => {
	while (identity.watch() === null) {
		await new Promise(resolve => {
			setTimeout(resolve, 20);
		});
	}
};

/** Waits until the monitor is kept up to the newest whole digest. */
const untilDigested = async (): Promise<void> => {
	const identity = await open();
	const {digests} = createSqliteJournal({folder});
	for (let seq = 0; seq <= Number(texts) - keptEvery;) {
		await new Promise(resolve => {
			setTimeout(resolve, 500);
		});
		seq = (await digests!.kept() as KeptMonitor | null)?.seq ?? 0;
	}

	await identity.dispose();
};

/** Processor time of all threads, and elapsed time, in seconds. */
const measure = async (run: () => Promise<unknown>): Promise<[cpu: number, wait: number]> => {
	const [began, before] = [performance.now(), process.cpuUsage()];
	await run();
	const {user, system} = process.cpuUsage(before);
	return [(user + system) / 1e6, (performance.now() - began) / 1000];
};

const asked: ReadonlyArray<readonly [name: string, bar: number, ask: (identity: LocalIdentity) => Promise<unknown>]> = [
	['`GET /ledger?by=source`', 1, async identity => identity.ledger({by: 'source'})],
	['`GET /ledger` on a direction', 1, async identity => identity.ledger({by: 'text', direction: 'relational.trust'})],
	['`GET /history`', 1, async identity => identity.history({points: 200})],
	['`GET /diff`, from the beginning', 1, async identity => identity.diff({})],
	['`GET /diff`, its last tenth', 1, async identity => identity.diff({from: Number(texts) * 0.9})],
	['`GET /state?at=`, an old one', 0.05, async identity => identity.stateAt(Math.ceil(Number(texts) / 20))],
	['`POST /what-if` without one of the newest texts', 2, async identity => {
		const [entry] = await identity.records(Number(texts) - 50, 1);
		return identity.whatIf({without: {ids: [entry!.record.id]}});
	}],
	['`POST /what-if` without a person who was there from the beginning', 2, async identity => identity.whatIf({without: {sources: ['user 1']}})],
	['`GET /drift`', 1, async identity => identity.drift()],
];

try {
	if (!given) {
		await makeLongLife(folder, Number(texts));
	}

	const rows: string[][] = [];
	const note = (name: string, bar: string, [cpu, wait]: readonly [number, number]): void => {
		rows.push([name, cpu.toFixed(2), wait.toFixed(2), bar]);
		console.error(rows.at(-1)!.join(' '));
	};

	note('all digests of it, once', '–', await measure(untilDigested));
	for (const [name, bar, ask] of asked) {
		const identity = await open();
		await untilWatched(identity);
		const measured = await measure(async () => ask(identity));
		await identity.dispose();
		note(name, String(bar), measured);
	}

	let identity: LocalIdentity;
	note('a start until drift is watched', '1', await measure(async () => {
		identity = await open();
		await untilWatched(identity);
	}));
	await identity!.dispose();
	console.log(`${markdown([['question', 'processor time s', 'to wait s', 'bar s'], ...rows])}\n${Number(texts).toLocaleString('en')} texts, ${machine()}.`);
} finally {
	if (!given) {
		await rm(folder, {recursive: true});
	}
}
