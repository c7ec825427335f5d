/** A replay without some texts agrees with golden numbers; a replay of a journal from any moment reaches the same state, bit for bit. */
import {isDeepStrictEqual} from 'node:util';
import test from 'ava';
import fc from '../helpers/fast-check.ts';
import {replay, type ReplayInput} from '../helpers/replay.ts';
import {startReplay} from '../../src/instruments/replay.ts';
import type {Journal} from '../../src/journal/journal.ts';
import {createSqliteJournal} from '../helpers/one-thread.ts';
import {selectKernel} from '../../src/kernel/select.ts';
import {minimalAuthority} from '../../src/semiosis/fixation.ts';
import type {WorkingState} from '../../src/semiosis/run-cycle.ts';
import {StateTensor} from '../../src/kernel/state-tensor.ts';
import {FakeJournal} from '../actors/fake-journal.ts';
import {startIdentity, vectorOf} from '../actors/fixtures.ts';
import {casesOf, matchesCase, vectorFrom, type VectorSpec} from '../golden/instruments.ts';
import {temporaryFolder} from '../journal/records.ts';
import {deepEqual} from '../helpers/deep-equal.ts';

const timestamp = '2026-01-01T00:00:00.000Z';
const names = ['wasm', 'js'] as const;

const dot = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, i) => sum + value * b[i]!, 0);

type LeaveOut = {rows: VectorSpec[]; texts: Array<{vector: VectorSpec; source: string}>; direction: VectorSpec};

for (const name of names) {
	for (const golden of casesOf<LeaveOut>('leave_out')) {
		test(`${name}: ${golden.id}, ${golden.note}`, t => {
			const kernel = selectKernel(name);
			const initial = new StateTensor(0, timestamp, golden.input.rows.map(vectorFrom));
			const rules = {kernel, authority: minimalAuthority, reference: initial, initial};
			const direction = vectorFrom(golden.input.direction);
			const texts = golden.input.texts.map(({vector, source}) => ({kind: 'cycle' as const, timestamp, vector: vectorFrom(vector), source}));
			const endOf = (inputs: ReplayInput[]): Float32Array => replay(rules, startReplay(rules), inputs).state.row('thirdness');
			const present = endOf(texts);
			const without = Object.fromEntries([...new Set(texts.map(({source}) => source))].map(source => {
				const other = endOf(texts.filter(text => text.source !== source));
				const gap = Math.hypot(...present.map((value, i) => value - other[i]!));
				return [source, {turn_mrad: 2000 * Math.asin(gap / 2), projection_difference: dot(present, direction) - dot(other, direction)}];
			}));
			matchesCase(t, golden, {without});
		});
	}
}

type Step = {kind: 'cycle'; text: string} | {kind: 'reset'} | {kind: 'restart'};

const steps = fc.array(fc.oneof(
	{weight: 8, arbitrary: fc.record({kind: fc.constant('cycle' as const), text: fc.constantFrom('a', 'b', 'creed', 'known')})},
	{weight: 1, arbitrary: fc.constant({kind: 'reset' as const})},
	{weight: 1, arbitrary: fc.constant({kind: 'restart' as const})},
), {minLength: 1, maxLength: 20});

/** Runs steps on a journal. Each restart switches to other articles of authority and other corroborating texts. */
const runSteps = async (journal: Journal, scene: readonly Step[]): Promise<WorkingState> => {
	let starts = 0;
	const start = async () => {
		const isEven = starts++ % 2 === 0;
		const {identity} = await startIdentity({
			journal,
			authority: async () => isEven ? minimalAuthority : {articles: [{vector: vectorOf('creed'), critical: true}], anchors: []},
			corroborate: isEven ? async vector => [vector.toReversed(), null, vectorOf('known')] : null,
		});
		return identity;
	};

	let identity = await start();
	for (const step of scene) {
		if (step.kind === 'cycle') {
			await identity.cycle({content: step.text});
		} else if (step.kind === 'reset') {
			await identity.reset();
		} else {
			await identity.dispose();
			identity = await start();
		}
	}

	const {state, vigilance} = identity.actor.getSnapshot().context;
	await identity.dispose();
	return {state: state!, vigilance: vigilance!};
};

/** The values that must be equal bit for bit. The drift's last step is not one of them: a restart forgets it. */
const bitsOf = (
	{state: {stateId, timestamp: at, rows}, vigilance: {report: {cumulativeDrift, distances}}}: WorkingState,
) => ({stateId, at, rows, cumulativeDrift, distances});

test('a replay of a journal from any moment reaches its end state bit for bit, whatever the present authority', async t => {
	await fc.assert(fc.asyncProperty(steps, async scene => {
		const journal = new FakeJournal();
		const end = await runSteps(journal, scene);
		const {initial, reference} = journal.genesis!;
		const rules = {kernel: selectKernel(), authority: minimalAuthority, reference, initial};
		const records = (await journal.read(1, journal.records.length)).map(({record}) => record);
		let before = startReplay(rules);
		for (const [k, record] of records.entries()) {
			// The journal keeps the state and the drift of each moment; a replay starts from these.
			const found = replay(rules, startReplay(rules, before.state, before.vigilance.report.cumulativeDrift), records.slice(k));
			if (!isDeepStrictEqual(bitsOf(found), bitsOf(end))) {
				deepEqual(t, bitsOf(found), bitsOf(end), `from record ${k + 1} on`);
			}

			before = replay(rules, before, [record], ({state}, {thirdness}) => {
				if (!isDeepStrictEqual(state.row('thirdness'), thirdness)) {
					t.fail(`record ${k + 1} has another state than its replay`);
				}
			});
		}
	}), {numRuns: 30});
	t.pass();
});

test('a replay starts from the snapshot that compaction left', async t => {
	const journal = createSqliteJournal({folder: await temporaryFolder(t), compaction: {keepRecords: 4, snapshotEvery: 3}});
	const end = await runSteps(journal, [...'abcabcabc'].map(text => ({kind: 'cycle', text})));
	const {genesis: {initial, reference}} = (await journal.open())!;
	t.teardown(async () => journal.close());
	let records = (await journal.read(1, 20)).map(({record}) => record);
	while (records[0]?.kind !== 'snapshot') {
		records = (await journal.read(1, 20)).map(({record}) => record);
	}

	t.deepEqual(records.map(({kind}) => kind), ['snapshot', 'cycle', 'cycle', 'cycle', 'cycle', 'cycle', 'cycle']);
	const rules = {kernel: selectKernel(), authority: minimalAuthority, reference, initial};
	deepEqual(t, bitsOf(replay(rules, startReplay(rules), records)), bitsOf(end));
});
