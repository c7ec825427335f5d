/**
 * What grows with time and with size: a cycle's cost and the start-up over the journal's length,
 * and the profile's cost over the number of directions.
 * `node benchmarks/growth.ts [RECORDS]`, journals of a thousandth, a tenth and all of them; 1,000,000 by default.
 *
 * The journals are compacted as the service compacts them: the newest 100,000 records (a tenth of
 * RECORDS) stay whole, older ones are a snapshot for each 100. So the longest has the size that
 * every long-running service reaches. They are in the folder for temporary files, and in the system's
 * cache, since they were just written.
 *
 * A cycle's time is mostly that of the disk's sync, which varies more than anything else here. Growth
 * would show in the CPU time of all threads, which includes the journal's and compaction's.
 *
 * Not measured: a disk that has to be read, an embedding model, a journal without compaction.
 */
import assert from 'node:assert/strict';
import {cpSync, mkdirSync, statSync} from 'node:fs';
import path from 'node:path';
import {setTimeout} from 'node:timers/promises';
import {createIdentity} from '../src/identity/create-identity.ts';
import type {LocalIdentity} from '../src/identity/identity.ts';
import {tuneV8} from '../src/commands/tune-v8.ts';
import {digestLength, headOf} from '../src/instruments/digest.ts';
import {ProfileSchema} from '../src/http/schemas/state.ts';
import type {Journal} from '../src/journal/journal.ts';
import {encodeGenesis, encodeRecords} from '../src/journal/record-codec.ts';
import {createSqliteJournal} from '../src/journal/sqlite/sqlite-journal.ts';
import {JournalWriter} from '../src/journal/sqlite/writer.ts';
import {selectKernel} from '../src/kernel/select.ts';
import {randomState} from '../src/semiosis/initial-state.ts';
import {toWire} from '../src/wire/names.ts';
import {mulberry32} from '../test/actors/fixtures.ts';
import {cycle} from '../test/journal/records.ts';
import {passport, readWorld, writeWorld} from './peer/service/world.ts';
import {figure, markdown, median, passingFolder} from './report.ts';

tuneV8();
const longest = Number(process.argv[2] ?? 1_000_000);
const lengths = [longest / 1000, longest / 10, longest];
const compaction = {keepRecords: longest / 10, keepDays: 0, snapshotEvery: 100};
const rounds = 5;
const [cyclesAlone, cyclesTogether] = [100, 2000];

const folder = passingFolder('growth');

const count = (value: number): string => value.toLocaleString('en');

/** The journals, each grown from a copy of the one before. */
const fill = (place: string): string[] => {
	const {rows} = randomState(mulberry32(1), '');
	const [row] = encodeRecords(cycle(1, {vector: rows[0]!, thirdness: rows[2]!}), 'text');
	let written = 0;
	let before: string | null = null;
	return lengths.map(length => {
		const journal = path.join(place, `journal-${length}`);
		if (before) {
			cpSync(before, journal, {recursive: true});
		}

		using writer = new JournalWriter(journal);
		if (!before) {
			const initial = randomState(mulberry32(2), new Date().toISOString());
			writer.begin(encodeGenesis({initial, reference: initial.withId(-1), passport, isRandom: true}));
		}

		while (written < length) {
			const group = Math.min(1000, length - written);
			writer.append(Array.from({length: group}, (_, i) => ({...row!, id: `cycle-${written + i}`, state: written + i + 1})));
			written += group;
			while (writer.compact(compaction)) {
				// One step after another, as the journal's thread compacts when it has time.
			}
		}

		// As after each group, so that a start checks the file against it.
		writer.raiseHighWaterMark();
		before = journal;
		return journal;
	});
};

/** Runs cycles, a number of them at once. */
const think = async (running: LocalIdentity, cycles: number, atOnce: number): Promise<void> => {
	let left = cycles;
	await Promise.all(Array.from({length: atOnce}, async () => {
		while (left-- > 0) {
			await running.cycle({content: `Thought ${left} of many, as long as a sentence is.`});
		}
	}));
};

/** An identity usually makes the digests of its past one by one; here it has to make them all at once. */
const untilDigested = async ({digests}: Journal, length: number): Promise<void> => {
	for (let last = 0; last <= length - digestLength;) {
		await setTimeout(100);
		const newest = await digests!.newest();
		last = newest ? headOf(newest).last : 0;
	}
};

/** Milliseconds of the start and of the journal's part in it; microseconds per cycle of the others. */
type Costs = Record<'start' | 'open' | 'cpu' | 'alone' | 'together', number>;

const costsOf = async (world: string, journal: string, length: number): Promise<Costs> => {
	const began = performance.now();
	const durable = createSqliteJournal({folder: journal, compaction});
	const running = createIdentity({...readWorld(world), journal: durable});
	const report = await running.ready();
	const start = performance.now() - began;
	assert.ok(running.health().stateId >= length, 'The journal is not what was written.');

	await untilDigested(durable, length);
	await think(running, 400, 16);
	const alone: number[] = [];
	for (let i = 0; i < cyclesAlone; i++) {
		const asked = performance.now();
		await think(running, 1, 1);
		alone.push((performance.now() - asked) * 1000);
	}

	const [asked, used] = [performance.now(), process.cpuUsage()];
	await think(running, cyclesTogether, 16);
	const {user, system} = process.cpuUsage(used);
	const together = (performance.now() - asked) * 1000 / cyclesTogether;
	await running.dispose();
	return {start, open: report.find(({step}) => step === 'journal')!.milliseconds, alone: median(alone), together, cpu: (user + system) / cyclesTogether};
};

const byLength = path.join(folder, 'lengths');
mkdirSync(byLength);
writeWorld(byLength);
const journals = fill(byLength);
const sizes = journals.map(journal => statSync(path.join(journal, 'journal.sqlite')).size);
const costs: Costs[][] = journals.map(() => []);
for (let round = -1; round < rounds; round++) {
	for (const [i, journal] of journals.entries()) {
		// A journal that the measurement would make much longer is measured on a copy.
		const isShort = lengths[i]! < 10 * cyclesTogether * rounds;
		const place = isShort ? `${journal}-in-round-${round}` : journal;
		if (isShort) {
			cpSync(journal, place, {recursive: true});
		}

		const measured = await costsOf(byLength, place, lengths[i]!);
		// The first round warms up V8.
		if (round >= 0) {
			costs[i]!.push(measured);
		}
	}
}

const middle = (i: number, what: keyof Costs): number => median(costs[i]!.map(of => of[what]));
const times = (i: number, what: keyof Costs): string => `${figure(middle(i, what))} (× ${(middle(i, what) / middle(0, what)).toFixed(2)})`;

console.log(markdown([
	['records in the journal', 'file MB', 'CPU of a cycle µs', 'one at a time µs', 'one of 16 at once µs', 'start-up ms', 'of which the journal ms'],
	...lengths.map((length, i) => [count(length), figure(sizes[i]! / 1e6), times(i, 'cpu'), times(i, 'alone'), times(i, 'together'), figure(middle(i, 'start')), figure(middle(i, 'open'))]),
]));
console.log('\nIn brackets: times the shortest journal\'s. Neither a cycle\'s cost nor start-up may grow.\n');

/** Notes how many microseconds a piece of work takes. */
const timed = <Result>(into: number[], work: () => Result): Result => {
	const began = performance.now();
	const result = work();
	into.push((performance.now() - began) * 1000);
	return result;
};

const profileOf = async (directionCount: number): Promise<string[]> => {
	const world = path.join(folder, `directions-${directionCount}`);
	mkdirSync(world);
	writeWorld(world, directionCount);
	const running = createIdentity(readWorld(world));
	await running.ready();

	const kernel = selectKernel();
	const states = [1, 2].map(seed => randomState(mulberry32(seed), '').rows);
	const random = mulberry32(3);
	const matrix = {
		rows: Uint8Array.from({length: directionCount}, (_, i) => i % 8),
		vectors: Array.from({length: directionCount}, () => Float32Array.from({length: 1024}, () => random() - 0.5)),
	};
	const taken = {kernel: [] as number[], view: [] as number[], text: [] as number[]};
	for (let i = 0; i < 120; i++) {
		timed(taken.kernel, () => kernel.project(states, matrix));
		// A view is made once per state, so each of these is the first of a new state.
		await running.cycle({content: `Thought ${i}`});
		const view = timed(taken.view, () => running.profile());
		assert.equal(view.directionsCount, directionCount);
		timed(taken.text, () => JSON.stringify(toWire(ProfileSchema)(view)));
	}

	await running.dispose();
	const [projecting, viewing, writing] = [taken.kernel, taken.view, taken.text].map(list => median(list.slice(40)));
	return [count(directionCount), figure(projecting!), figure(viewing!), figure(writing!), figure((viewing! + writing!) / directionCount * 1000)];
};

const profiles = [];
for (const directionCount of [100, 1000, 10_000]) {
	profiles.push(await profileOf(directionCount));
}

console.log(markdown([['directions', 'kernel, two tensors µs', 'view µs', 'its JSON µs', 'both, ns per direction'], ...profiles]));
console.log('\nView: what `GET /profile` is made of at its first read after a cycle; it may grow with the directions, and no more than they do.');
