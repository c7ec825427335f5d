/**
 * What durability costs: records per second one by one and with many in flight (group commit),
 * bytes per cycle before and after compaction, and how long a journal takes to open.
 *
 * Run it on the disk that will hold the journal: `node benchmarks/journal.ts [FOLDER]`. A sync is
 * what the disk makes of it; the probe (4 KiB written and synced, again and again) is the yardstick.
 *
 * Not measured: the event loop's share, memory, a disk that others use at the same time.
 */
import assert from 'node:assert/strict';
import {closeSync, fdatasyncSync, openSync, statSync, writeSync} from 'node:fs';
import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {encodeRecord} from '../src/journal/record-codec.ts';
import {encodeGenesis} from '../src/journal/genesis-codec.ts';
import {createSqliteJournal} from '../src/journal/sqlite/sqlite-journal.ts';
import {JournalWriter} from '../src/journal/sqlite/writer.ts';
import {cycle, genesis} from '../test/journal/records.ts';

const parent = process.argv[2] ?? tmpdir();

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

/** Made once: what is measured is the journal. */
const record = cycle(1);

const append = async (inFlight: number, count: number) => withFolder(async folder => {
	let commits = 0;
	const journal = createSqliteJournal({
		folder,
		onCommit() {
			commits++;
		},
	});
	await journal.open();
	await journal.begin(genesis);
	let left = count;
	const began = performance.now();
	await Promise.all(Array.from({length: inFlight}, async () => {
		while (left-- > 0) {
			await journal.append(record);
		}
	}));
	const rate = perSecond(count, began);
	await journal.close();
	return {rate, group: count / commits};
});

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
const rates = new Map([1, 16, 64, 256].map(inFlight => [inFlight, {rates: [] as number[], groups: [] as number[]}]));
for (let round = 0; round < 5; round++) {
	probe.push(await syncs(500));
	for (const [inFlight, {rates: list, groups}] of rates) {
		const {rate, group} = await append(inFlight, inFlight === 1 ? 500 : 5000);
		list.push(rate);
		groups.push(group);
	}
}

const alone = median(rates.get(1)!.rates);
console.log('| in flight | records per second | × one by one | records per commit |\n|---|---|---|---|');
for (const [inFlight, {rates: list, groups}] of rates) {
	console.log(`| ${inFlight} | ${thousands(median(list))} | ${(median(list) / alone).toFixed(1)} | ${median(groups).toFixed(1)} |`);
}

console.log(`\nThe probe: ${thousands(median(probe))} syncs per second, ${(median(probe) / alone).toFixed(1)} × one by one.\n`);

/** A journal of so many cycles, written in large groups. */
const fill = (folder: string, count: number, lifted: boolean): void => {
	using writer = new JournalWriter(folder);
	const row = encodeRecord(lifted ? record : {...record, vector: record.thirdness}, 'text');
	writer.begin(encodeGenesis(genesis));
	for (let written = 0; written < count; written += 1000) {
		writer.append(Array.from({length: 1000}, () => row));
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
