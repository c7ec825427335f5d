/**
 * What durability costs: records per second one by one and with many in flight (group commit),
 * bytes per cycle before and after compaction, and how long a journal takes to open.
 *
 * Run it on the disk that will hold the journal: `node benchmarks/journal.ts [FOLDER]`. The cost of a
 * sync depends on the disk; the probe (4 KiB written and synced repeatedly) is the yardstick.
 *
 * With PostgreSQL, on the same disk and with synced commits: the same appends in the same rounds as
 * with SQLite, and the processor time of Node and of the database. Then whole cycles of one identity
 * whose encoder answers at once.
 *
 * `node benchmarks/journal.ts --keys [FOLDER]` measures instead what keys of sources cost (`FORGET_KEYS`): the same whole cycles in
 * SQLite with and without keys, in turn, and the bytes of each.
 *
 * Not measured: the event loop's share, memory, a disk that other programs use at the same time.
 */
import assert from 'node:assert/strict';
import {closeSync, fdatasyncSync, openSync, statSync, writeSync} from 'node:fs';
import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {encodeGenesis, encodeRecords} from '../src/journal/record-codec.ts';
import type {Journal} from '../src/journal/journal.ts';
import {openDatabase} from '../src/platform/postgres/database.ts';
import {ensureIdentityRow} from '../src/journal/postgres/identity-rows.ts';
import {migrate} from '../src/platform/postgres/migrate.ts';
import {createPostgresJournal} from '../src/journal/postgres/postgres-journal.ts';
import {createSqliteJournal} from '../src/journal/sqlite/sqlite-journal.ts';
import {JournalWriter} from '../src/journal/sqlite/writer.ts';
import {startIdentity} from '../test/actors/fixtures.ts';
import {startPostgres} from '../test/helpers/postgres.ts';
import {cycle, genesis} from '../test/journal/records.ts';

const isOfKeys = process.argv[2] === '--keys';
const parent = process.argv[isOfKeys ? 3 : 2] ?? tmpdir();

const withFolder = async <Result>(run: (folder: string) => Promise<Result>): Promise<Result> => {
	const folder = await mkdtemp(path.join(parent, 'journal-'));
	try {
		return await run(folder);
	} finally {
		await rm(folder, {recursive: true});
	}
};

const perSecond = (count: number, began: number): number => count / (performance.now() - began) * 1000;
const median = (values: number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!;
const thousands = (value: number): string => Math.round(value).toLocaleString('en');
const sizeOf = (folder: string): number => statSync(path.join(folder, 'journal.sqlite')).size;

/** Made once, so that only the journal is measured. */
const record = cycle(1);

/** Appends records from several writers. @returns records per second and per commit, and microseconds of Node's processor time for each */
const measure = async (create: (onCommit: () => void) => Journal, inFlight: number, count: number) => {
	let commits = 0;
	const journal = create(() => {
		commits++;
	});
	await journal.open();
	await journal.begin(genesis);
	let left = count;
	const cpu = process.cpuUsage();
	const began = performance.now();
	await Promise.all(Array.from({length: inFlight}, async () => {
		for (let seq = left--; seq > 0; seq = left--) {
			await journal.append({...record, id: `cycle-${seq}`});
		}
	}));
	const rate = perSecond(count, began);
	const {user, system} = process.cpuUsage(cpu);
	await journal.close();
	return {rate, group: count / commits, cpu: (user + system) / count};
};

const append = async (inFlight: number, count: number) =>
	withFolder(async folder => measure(onCommit => createSqliteJournal({folder, onCommit}), inFlight, count));

/** Whole cycles of one identity, 16 at once, of 50 sources. @returns cycles per second, and microseconds of processor time for each */
const runCycles = async (journal: Journal, count: number, cpuInDatabase = () => 0) => {
	const {identity} = await startIdentity({journal});
	let left = count;
	const cpu = process.cpuUsage();
	const before = cpuInDatabase();
	const began = performance.now();
	await Promise.all(Array.from({length: 16}, async (_, writer) => {
		while (left-- > 0) {
			await identity.cycle({content: `Text of writer ${writer}.`, source: `source ${left % 50}`});
		}
	}));
	const rate = perSecond(count, began);
	const {user, system} = process.cpuUsage(cpu);
	const inDatabase = (cpuInDatabase() - before) * 1e6;
	await identity.dispose();
	return {rate, cpu: (user + system + inDatabase) / count};
};

if (isOfKeys) {
	const measured = {without: [] as number[][], with: [] as number[][]};
	for (let round = 0; round < 6; round++) {
		for (const [kind, list] of Object.entries(measured)) {
			await withFolder(async folder => {
				const keys = {file: path.join(folder, 'keys', 'its.keys')};
				const create = () => createSqliteJournal({folder, ...(kind === 'with' && {keys})});
				const {rate, cpu} = await runCycles(create(), 2000);
				const size = sizeOf(folder) / 2000;
				const {identity} = await startIdentity({journal: create(), newId: () => crypto.randomUUID()});
				const before = process.cpuUsage();
				await identity.forget({sources: ['source 7'], note: 'A measurement.'});
				const {user, system} = process.cpuUsage(before);
				await identity.dispose();
				// The first round warms up.
				list.push(...round === 0 ? [] : [[rate, cpu, size, (user + system) / 2000]]);
			});
		}
	}

	console.log('| keys | cycles per second, 16 at once | CPU µs per cycle | bytes per cycle | CPU µs of forgetting per record |\n|---|---|---|---|---|');
	for (const [kind, list] of Object.entries(measured)) {
		console.log(`| ${kind} | ${[0, 1, 2, 3].map(column => thousands(median(list.map(each => each[column]!)))).join(' | ')} |`);
	}

	process.exit();
}

const server = await startPostgres({settings: {fsync: 'on', shared_buffers: '128MB'}, folder: parent});
const database = openDatabase({url: await server.createDatabase()});
await migrate(database);
let identities = 0;

const appendToDatabase = async (inFlight: number, count: number) => {
	const name = `identity-${++identities}`;
	await ensureIdentityRow(database, name);
	const before = server.cpuSeconds();
	const measured = await measure(onCommit => createPostgresJournal({database, name, onCommit}), inFlight, count);
	return {...measured, cpu: measured.cpu + (server.cpuSeconds() - before) * 1e6 / count};
};

const cycleKinds = {
	SQLite: async (count: number) => withFolder(async folder => runCycles(createSqliteJournal({folder}), count)),
	async PostgreSQL(count: number) {
		const name = `identity-${++identities}`;
		await ensureIdentityRow(database, name);
		return runCycles(createPostgresJournal({database, name}), count, () => server.cpuSeconds());
	},
};

const syncs = async (count: number): Promise<number> => withFolder(async folder => {
	const file = openSync(path.join(folder, 'probe'), 'w');
	const page = Buffer.alloc(4096, 1);
	const began = performance.now();
	for (let i = 0; i < count; i++) {
		writeSync(file, page);
		fdatasyncSync(file);
	}

	closeSync(file);
	return perSecond(count, began);
});

const probe: number[] = [];
const kinds = {SQLite: append, PostgreSQL: appendToDatabase};
const rates = new Map(Object.keys(kinds).flatMap(kind => [1, 16, 64, 256].map(inFlight => [`${kind} | ${inFlight}`, {kind: kind as keyof typeof kinds, inFlight, rates: [] as number[], groups: [] as number[], cpus: [] as number[]}])));
for (let round = 0; round < 5; round++) {
	probe.push(await syncs(500));
	for (const {kind, inFlight, rates: list, groups, cpus} of rates.values()) {
		const {rate, group, cpu} = await kinds[kind](inFlight, inFlight === 1 ? 500 : 5000);
		list.push(rate);
		groups.push(group);
		cpus.push(cpu);
	}
}

const cycles = new Map(Object.keys(cycleKinds).map(kind => [kind as keyof typeof cycleKinds, {rates: [] as number[], cpus: [] as number[]}]));
for (let round = 0; round < 6; round++) {
	for (const [kind, {rates: list, cpus}] of cycles) {
		const {rate, cpu} = await cycleKinds[kind](3000);
		// The first round warms up.
		if (round > 0) {
			list.push(rate);
			cpus.push(cpu);
		}
	}
}

await database.close();
await server[Symbol.asyncDispose]();
const alone = median(rates.get('SQLite | 1')!.rates);
console.log('| journal | in flight | records per second | × one by one | records per commit | CPU µs per record |\n|---|---|---|---|---|---|');
for (const [kind, {rates: list, groups, cpus}] of rates) {
	console.log(`| ${kind} | ${thousands(median(list))} | ${(median(list) / alone).toFixed(1)} | ${median(groups).toFixed(1)} | ${thousands(median(cpus))} |`);
}

console.log('\n| journal | cycles per second, 16 at once | × SQLite | CPU µs per cycle |\n|---|---|---|---|');
for (const [kind, {rates: list, cpus}] of cycles) {
	console.log(`| ${kind} | ${thousands(median(list))} | ${(median(list) / median(cycles.get('SQLite')!.rates)).toFixed(2)} | ${thousands(median(cpus))} |`);
}

console.log(`\nThe probe: ${thousands(median(probe))} syncs per second, ${(median(probe) / alone).toFixed(1)} × one by one.\n`);

/** Fills a journal with cycles, in large groups. */
const fill = (folder: string, count: number, lifted: boolean): void => {
	using writer = new JournalWriter(folder);
	const row = encodeRecords(lifted ? record : {...record, vector: record.thirdness}, 'text')[0]!;
	writer.begin(encodeGenesis(genesis));
	for (let written = 0; written < count; written += 1000) {
		writer.append(Array.from({length: 1000}, (_, i) => ({...row, id: `cycle-${written + i}`})));
	}
};

const open = async (folder: string, expected: number): Promise<number> => {
	const journal = createSqliteJournal({folder});
	const began = performance.now();
	const restored = await journal.open();
	const milliseconds = performance.now() - began;
	assert.equal(restored!.records, expected);
	await journal.close();
	return milliseconds;
};

console.log('| records | vector | bytes per cycle | after compaction to 1 % | opening |\n|---|---|---|---|---|');
for (const [count, lifted] of [[1000, true], [1000, false], [100_000, true]] as const) {
	await withFolder(async folder => {
		fill(folder, count, lifted);
		const whole = sizeOf(folder) / count;
		const times = [];
		for (let i = 0; i < 5; i++) {
			times.push(await open(folder, count));
		}

		const writer = new JournalWriter(folder);
		while (writer.compact({keepRecords: count / 100, keepDays: 0, snapshotEvery: 100})) {
			// One step after another.
		}

		writer.close();
		const compacted = sizeOf(folder) / count;
		console.log(`| ${thousands(count)} | ${lifted ? '512, lifted' : '1024'} | ${thousands(whole)} | ${thousands(compacted)} (1/${(whole / compacted).toFixed(0)}) | ${median(times).toFixed(0)} ms |`);
	});
}
