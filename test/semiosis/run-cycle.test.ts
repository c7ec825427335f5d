/**
 * One function has the rules of a cycle: a replay of the journal's records repeats what the actor
 * system did, bit for bit.
 */
import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {isDeepStrictEqual} from 'node:util';
import test, {type ExecutionContext} from 'ava';
import fc from '../helpers/fast-check.ts';
import {often} from '../helpers/often.ts';
import {SimulatedClock} from 'xstate';
import {defaultLoop} from '../../src/actors/loop.ts';
import type {IdentityOptions} from '../../src/identity/options.ts';
import type {Genesis, Journal, JournalRecord, StoredRecord} from '../../src/journal/journal.ts';
import {JournalReader} from '../../src/journal/sqlite/journal-reader.ts';
import {createSqliteJournal} from '../helpers/one-thread.ts';
import {selectKernel} from '../../src/kernel/select.ts';
import {minimalAuthority, type Authority} from '../../src/semiosis/fixation.ts';
import {runCycle, type WorkingState} from '../../src/semiosis/run-cycle.ts';
import {startVigilance} from '../../src/semiosis/vigilance.ts';
import {FakeJournal} from '../actors/fake-journal.ts';
import {FakeEncoder, settle, startIdentity, vectorOf} from '../actors/fixtures.ts';

type Step =
	| {kind: 'cycle'; text: string; fails: boolean}
	| {kind: 'reset'}
	/** The daemon's loop runs a cycle. */
	| {kind: 'loop'}
	/** The process stops, and another starts with its journal. */
	| {kind: 'restart'};

const steps = fc.array(fc.oneof(
	{
		weight: 8,
		arbitrary: fc.record(
			{kind: fc.constant('cycle' as const), text: fc.constantFrom('a', 'b', 'c', 'creed', 'known'), fails: fc.boolean()},
		),
	},
	{weight: 1, arbitrary: fc.constant({kind: 'reset' as const})},
	{weight: 2, arbitrary: fc.constant({kind: 'loop' as const})},
	{weight: 1, arbitrary: fc.constant({kind: 'restart' as const})},
), {minLength: 1, maxLength: 15});

/** The inputs of cycles besides their texts. A replay calls the same corroboration with the same vector. */
const settings: Record<string, {
	authority: Authority;
	corroborate: ((vector: Float32Array) => ReadonlyArray<Float32Array | null>) | null;
}> = {
	'the minimal authority, without science': {authority: minimalAuthority, corroborate: null},
	'articles and anchors, with science': {
		authority: {articles: [{vector: vectorOf('creed'), critical: false}], anchors: [vectorOf('creed')]},
		corroborate: vector => [vector.toReversed(), null, vectorOf('known')],
	},
};

type Setting = (typeof settings)[string];

/** Runs the steps in an actor system with a journal. @returns its state and drift report at the end */
const runSteps = async (journal: Journal, {authority, corroborate}: Setting, scene: readonly Step[]) => {
	const clock = new SimulatedClock();
	const encoder = new FakeEncoder();
	encoder.fail('broken', new Error('no vector'));
	let ids = 0;
	const start = async () => {
		const options: Partial<IdentityOptions> = {
			journal,
			// A journal accepts each id only once, also after a restart.
			newId: () => `${++ids}`,
			clock,
			time: {now: () => Date.UTC(2026, 0, 1) + clock.now(), elapsed: () => clock.now()},
			loop: {...defaultLoop, cycleIntervalSeconds: 1},
			encoder: async () => encoder,
			authority: async () => authority,
			corroborate: corroborate && (async vector => corroborate(vector)),
		};
		const {identity} = await startIdentity(options);
		identity.daemon.start();
		return identity;
	};

	let identity = await start();
	const asked: Array<Promise<unknown>> = [];
	for (const step of scene) {
		switch (step.kind) {
			case 'cycle': {
				asked.push(identity.cycle({content: step.fails ? 'broken' : step.text}));
				break;
			}

			case 'reset': {
				asked.push(identity.reset());
				break;
			}

			case 'loop': {
				await settle();
				clock.increment(1000);
				break;
			}

			case 'restart': {
				await Promise.allSettled(asked);
				// No caller waits for the loop's cycle.
				while (identity.actor.getSnapshot().context.turns!.line.length > 0) {
					await settle();
				}

				await identity.dispose();
				identity = await start();
				break;
			}
		}
	}

	await Promise.allSettled(asked);
	// A reset waits for all cycles before it. With this text, the end is more than the state after a reset.
	await identity.cycle({content: 'the last text'});
	const {state, vigilance} = identity.actor.getSnapshot().context;
	await identity.dispose();
	return {state: state!, report: vigilance!.report};
};

/** Reruns the cycles of a journal's records. Fails if a record or the end has other bits. */
const replay = (
	t: ExecutionContext,
	{initial, reference}: Genesis,
	records: ReadonlyArray<JournalRecord | StoredRecord>,
	{authority, corroborate}: Setting,
	end: Awaited<ReturnType<typeof runSteps>>,
) => {
	const kernel = selectKernel();
	const beginning: WorkingState = {state: initial, vigilance: startVigilance(kernel, initial.rows, reference.rows)};
	let working = beginning;
	for (const record of records) {
		if (record.kind === 'cycle') {
			const {
				vector,
				timestamp,
				scores,
				total,
				choc,
				deltaMagnitude,
				contributions,
				perCycleDrift,
				level,
				stateId,
				thirdness,
				checkpoint: {cumulativeDrift},
			} = record;
			const {measures, state, vigilance} = runCycle(
				{kernel, authority, reference},
				working,
				{vector, corroborating: corroborate?.(vector)},
				timestamp,
			);
			working = {state, vigilance};
			same(
				t,
				{...measures, stateId: state.stateId, thirdness: state.row('thirdness'), cumulativeDrift: vigilance.report.cumulativeDrift},
				{scores, total, choc, deltaMagnitude, contributions, perCycleDrift, level, stateId, thirdness, cumulativeDrift},
			);
		} else if (record.kind === 'reset') {
			working = beginning;
		}
	}

	same(t, {state: working.state, report: working.vigilance.report}, end);
};

/** AVA compares vectors slowly, so it only shows a difference. */
const same = (t: ExecutionContext, actual: object, expected: object): void => {
	if (!isDeepStrictEqual(actual, expected)) {
		t.deepEqual(actual, expected);
	}
};

for (const [name, setting] of Object.entries(settings)) {
	test(`a replay of a journal's records gives its states and measures, bit for bit: ${name}`, async t => {
		await fc.assert(fc.asyncProperty(steps, async scene => {
			const journal = new FakeJournal();
			const end = await runSteps(journal, setting, scene);
			replay(t, journal.genesis!, journal.records, setting, end);
		}), {numRuns: often(15, 40)});
		t.pass();
	});
}

test('a replay of the records in a file gives the same states and measures', async t => {
	const folder = await mkdtemp(path.join(tmpdir(), 'replay-'));
	const setting = settings['articles and anchors, with science']!;
	const end = await runSteps(createSqliteJournal({folder}), setting, [
		{kind: 'cycle', text: 'a', fails: false},
		{kind: 'cycle', text: 'known', fails: true},
		{kind: 'reset'},
		{kind: 'cycle', text: 'creed', fails: false},
		{kind: 'loop'},
		{kind: 'restart'},
		{kind: 'cycle', text: 'known', fails: false},
	]);
	using reader = new JournalReader(folder);
	const records: StoredRecord[] = [];
	for await (const {record} of reader.replay()) {
		records.push(record);
	}

	t.is(records.filter(({kind}) => kind === 'cycle').length, 5);
	replay(t, reader.genesis, records, setting, end);
	await rm(folder, {recursive: true, force: true});
});
