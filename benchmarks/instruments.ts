/**
 * What questions cost, in processor time: a dry run beyond its embedding, a what-if and a ledger over a
 * journal of 10,000 records, and the steps that tell drift from chance. A thread adds its start and the transfer of the records.
 *
 * Not measured: embedding, and HTTP.
 */
import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {parseArgs} from 'node:util';
import {loadBuiltInDirections} from '../src/actors/packaged.ts';
import {bundledModel} from '../src/embedding/use-lite/identifier.ts';
import {examine, twinTalkFor} from '../src/instruments/drift/examine.ts';
import {Monitor} from '../src/instruments/drift/monitor.ts';
import {usualWeight} from '../src/instruments/drift/observation.ts';
import {findChance, prepareOrdinary} from '../src/instruments/drift/ordinary.ts';
import {defaultHorizon} from '../src/instruments/drift/paths.ts';
import {runDry} from '../src/instruments/dry-run.ts';
import {replay} from '../test/helpers/replay.ts';
import {startReplay} from '../src/instruments/replay.ts';
import {runLedger} from '../src/instruments/run-ledger.ts';
import type {CycleRecord, JournalEntry} from '../src/journal/journal.ts';
import {JournalReader} from '../src/journal/sqlite/journal-reader.ts';
import {createSqliteJournal} from '../src/journal/sqlite/sqlite-journal.ts';
import {selectKernel} from '../src/kernel/select.ts';
import {Past} from '../src/instruments/past/past.ts';
import {InstrumentThreads as NoThreads} from '../src/instruments/past/run-here.ts';
import {RecentTexts} from '../src/instruments/past/recent-texts.ts';
import {minimalAuthority, proposalsOf} from '../src/semiosis/fixation.ts';
import {randomState} from '../src/semiosis/initial-state.ts';
import {mulberry32} from '../src/platform/clock.ts';
import {startTalk} from '../test/instruments/simulated-talk.ts';
import {cycle} from '../test/journal/records.ts';

const {values: {short}} = parseArgs({options: {short: {type: 'boolean', default: false}}});
const count = short ? 300 : 10_000;
const dryRuns = short ? 100 : 1000;

/** Microseconds of processor time in all threads. */
const measureCpu = async (run: () => unknown): Promise<number> => {
	const before = process.cpuUsage();
	await run();
	const {user, system} = process.cpuUsage(before);
	return user + system;
};

/** The processor time of a run: the least mean of ten batches, since other programs only add to it. */
const measureEach = async (run: (i: number) => void, times = dryRuns): Promise<number> => {
	let least = Infinity;
	for (let batch = 0; batch < 10; batch++) {
		const cpu = await measureCpu(() => {
			for (let i = 0; i < times; i++) {
				run(i);
			}
		});
		least = Math.min(least, cpu / times);
	}

	return least;
};

const random = mulberry32(1);
const passport = {model: bundledModel, width: 512, pooling: 'none', prefix: '', dtype: 'q8'};
const encoder = {passport, embed: async () => new Float32Array(1024)};
const directions = await loadBuiltInDirections({encoder, signal: new AbortController().signal, warn: console.warn});
const timestamp = '2026-01-01T00:00:00.000Z';
const initial = randomState(random, timestamp);
const kernel = selectKernel();
const rules = {kernel, authority: minimalAuthority, reference: initial, initial};

/** As the bundled model's vectors, half of it is zero. */
const vectorOf = (): Float32Array => {
	const vector = Float32Array.from({length: 1024}, (_, i) => i < 512 ? random() - 0.5 : 0);
	const norm = Math.hypot(...vector);
	return vector.map(value => value / norm);
};

const folder = await mkdtemp(path.join(tmpdir(), 'instruments-'));
try {
	const journal = createSqliteJournal({folder});
	await journal.open();
	await journal.begin({initial, reference: initial, passport, isRandom: true});
	const inputs = Array.from({length: count}, (_, i) => ({...cycle(i + 1), vector: vectorOf(), corroborating: null, proposals: undefined}));
	const appended: Array<Promise<void>> = [];
	const end = replay(rules, startReplay(rules), inputs, ({state, measures, vigilance, fixation}, text) => {
		const {corroborating: _, ...record} = text;
		appended.push(journal.append({
			...record,
			...measures,
			proposals: proposalsOf(fixation),
			stateId: state.stateId,
			thirdness: state.row('thirdness'),
			checkpoint: {...record.checkpoint, cumulativeDrift: vigilance.report.cumulativeDrift},
		} satisfies CycleRecord));
	});
	await Promise.all(appended);
	await journal.close();

	const reader = new JournalReader(folder);
	const texts = Array.from({length: 64}, vectorOf);
	const dryUs = await measureEach(i => {
		runDry(rules, end, {vector: texts[i % texts.length]!}, timestamp, directions);
	});

	const recent = new RecentTexts(reader, kernel);
	await recent.refresh();
	const nearestUs = await measureEach(i => {
		recent.nearest(texts[i % texts.length]!);
		recent.percentileOf(0.9);
	});

	const past = new Past(reader, kernel, () => ({initial, reference: initial, authority: minimalAuthority}));
	const question = {without: {ids: ['cycle-1']}, add: [], timestamp, ordinary: null};
	const whatIfUs = await measureCpu(async () => past.ask('whatIf', question));
	const job = {name: 'whatIf' as const, question, authority: minimalAuthority, initial, reference: initial, from: {seq: 0, state: initial, cumulativeDrift: 0}};
	const hereUs = await measureCpu(async () => new NoThreads().run(kernel, job, {journal: reader, to: count}, new AbortController().signal));
	const revision = {exclusions: [{from: 1, to: 1, texts: null}], revisions: [], without: {}, ordinary: null};
	const begun = performance.now();
	const reviseUs = await measureCpu(async () => past.ask('revision', revision, {asRecorded: true}));
	const reviseMs = performance.now() - begun;
	let entries: JournalEntry[] = [];
	const pagesUs = await measureCpu(async () => {
		entries = await reader.read(1, count);
	});
	const ledgerUs = await measureEach(() => {
		const ledger = runLedger({rules, seq: 0, start: startReplay(rules)}, {by: ['source'], limit: 20, direction: directions[0]!.vector!});
		ledger.take(entries);
		ledger.answer();
	}, 1);
	reader.close();

	const talk = startTalk(random, {width: 512});
	const baseline = talk.texts(600);
	const options = {seed: 1, horizon: short ? 1000 : defaultHorizon, weight: usualWeight};
	const chance = findChance(baseline, options)!;
	const chanceUs = await measureCpu(() => findChance(baseline, options));
	const prepareUs = await measureCpu(() => prepareOrdinary(baseline, chance));
	const monitor = new Monitor(prepareOrdinary(baseline, chance));
	const heard = talk.texts(options.horizon);
	const textUs = await measureCpu(() => {
		for (const text of heard) {
			monitor.take(text);
		}
	}) / heard.length;
	const voice = monitor.voice('heard')!;
	const twins = twinTalkFor(voice, baseline, chance);
	const vectors = directions.flatMap(({vector}) => vector ?? []);
	const examineUs = await measureCpu(() => examine(voice, twins, monitor.texts).find(vectors));

	console.log('| question | processor time | bar |');
	console.log('|---|--:|--:|');
	console.log(`| dry run, beyond embedding: the cycle and what moves | ${dryUs.toFixed(1)} µs | 50 µs |`);
	console.log(`| the nearest of the last 500 texts, and the percentile | ${nearestUs.toFixed(1)} µs | |`);
	console.log(`| ${count.toLocaleString('en')} records read, verified and replayed | ${(hereUs / 1000).toFixed(0)} ms | 1,200 ms |`);
	console.log(`| the same in a thread, as a service does it | ${(whatIfUs / 1000).toFixed(0)} ms | |`);
	console.log(`| a revision in a thread, without the first of ${count.toLocaleString('en')} texts; ${reviseMs.toFixed(0)} ms to wait | ${(reviseUs / 1000).toFixed(0)} ms | 1,200 ms |`);
	console.log(`| of which reading and verifying | ${(pagesUs / 1000).toFixed(0)} ms | |`);
	console.log(`| a ledger of ${count.toLocaleString('en')} records, once read, on a direction | ${(ledgerUs / 1000).toFixed(0)} ms | 50 ms |`);
	console.log(`| what chance does with a baseline of ${baseline.length} texts: 199 twins of ${options.horizon.toLocaleString('en')} | ${(chanceUs / 1000).toFixed(0)} ms | 2,000 ms |`);
	console.log(`| preparing a validation for the texts that follow it | ${(prepareUs / 1000).toFixed(0)} ms | |`);
	console.log(`| a text that is followed, with its looks and its chart | ${textUs.toFixed(0)} µs | 700 µs |`);
	console.log(`| what is found of a voice, on ${vectors.length} directions | ${(examineUs / 1000).toFixed(0)} ms | 1,000 ms |`);
} finally {
	await rm(folder, {recursive: true});
}
