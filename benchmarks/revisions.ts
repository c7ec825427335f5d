/**
 * How long an identity takes to leave a text out, to take that back, to hold a source and to forget a text, in a journal of many
 * records: the wait, the processor time of all threads, and the longest wait of a reader of the state while it runs.
 *
 * Usage: npm run bench:revisions -- [RECORDS …]
 *
 * Not measured: embedding, and HTTP.
 */
import {mkdtemp, rm} from 'node:fs/promises';
import {loadavg, tmpdir} from 'node:os';
import path from 'node:path';
import {monitorEventLoopDelay} from 'node:perf_hooks';
import {openIdentity} from '../src/identity/create-identity.ts';
import {replay} from '../test/helpers/replay.ts';
import {startReplay} from '../src/instruments/replay.ts';
import {createSqliteJournal} from '../src/journal/sqlite/sqlite-journal.ts';
import {selectKernel} from '../src/kernel/select.ts';
import {mulberry32} from '../src/platform/clock.ts';
import {minimalAuthority, proposalsOf} from '../src/semiosis/fixation.ts';
import {randomState} from '../src/semiosis/initial-state.ts';
import {cycle} from '../test/journal/records.ts';

const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`;
const sizes = process.argv.slice(2).map(Number);
const random = mulberry32(1);
const passport = {model: 'bench', width: 512, pooling: 'none', prefix: '', dtype: 'q8'};
const initial = randomState(random, '2026-01-01T00:00:00.000Z');
const rules = {kernel: selectKernel(), authority: minimalAuthority, reference: initial, initial};

/** As the bundled model's vectors, half of it is zero. */
const vectorOf = (): Float32Array => {
	const vector = Float32Array.from({length: 1024}, (_, i) => i < 512 ? random() - 0.5 : 0);
	const norm = Math.hypot(...vector);
	return vector.map(value => value / norm);
};

const fill = async (folder: string, count: number): Promise<void> => {
	const journal = createSqliteJournal({folder});
	await journal.open();
	await journal.begin({initial, reference: initial, passport, isRandom: true});
	let working = startReplay(rules);
	for (let i = 1; i <= count;) {
		const appended: Array<Promise<void>> = [];
		for (const last = Math.min(count, i + 499); i <= last; i++) {
			const {corroborating: _, ...record} = {...cycle(i), vector: vectorOf(), corroborating: null};
			working = replay(rules, working, [{...record, proposals: undefined}], ({state, measures, vigilance, fixation}) => {
				appended.push(journal.append({
					...record, ...measures, proposals: proposalsOf(fixation), stateId: state.stateId, thirdness: state.row('thirdness'),
					checkpoint: {...record.checkpoint, cumulativeDrift: vigilance.report.cumulativeDrift},
				}));
			});
		}

		await Promise.all(appended);
	}

	await journal.close();
};

for (const count of sizes.length > 0 ? sizes : [10_000, 100_000]) {
	const folder = await mkdtemp(path.join(tmpdir(), 'revisions-'));
	try {
		await fill(folder, count);
		await using identity = await openIdentity({
			journal: createSqliteJournal({folder}), encoder: {passport, embed: async () => vectorOf()}, directions: [],
		});
		let events = 0;
		identity.on('replay.progress', () => {
			events++;
		});
		const name = count.toLocaleString('en');
		console.log(`\nLoad ${loadavg()[0]!.toFixed(1)}.\n\n| ${name} records | wait | processor time | a reader waits at most | events |\n|---|--:|--:|--:|--:|`);
		const note = 'A benchmark.';
		const ids = ['cycle-1'];
		for (const [what, run] of Object.entries({
			'dry run without a text': async () => identity.revise({without: {ids}, note, dryRun: true}),
			'without a text': async () => identity.revise({without: {ids}, note}),
			'taken back': async () => identity.revise({without: {}, note}),
			'hold of a source': async () => identity.hold({sources: ['viktor'], note}),
			'forgetting of a text': async () => identity.forget({ids, note}),
		})) {
			events = 0;
			const delay = monitorEventLoopDelay({resolution: 5});
			const [cpu, begun] = [process.cpuUsage(), performance.now()];
			delay.enable();
			await run();
			delay.disable();
			const {user, system} = process.cpuUsage(cpu);
			console.log(`| ${what} | ${seconds(performance.now() - begun)} | ${seconds((user + system) / 1000)} | ${(delay.max / 1e6).toFixed(0)} ms | ${events} |`);
		}
	} finally {
		await rm(folder, {recursive: true});
	}
}
