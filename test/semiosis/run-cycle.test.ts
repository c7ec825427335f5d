/**
 * A cycle's rules are one function: what the actor system did, a replay of its journal's records
 * does again, bit for bit.
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
	/** The daemon's loop asks for its cycle. */
	| {kind: 'loop'}
	/** The process stops, and another one starts on its journal. */
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

/** What an identity's cycles have besides their texts. A replay asks the same source with the same vector. */
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

/** Takes an actor system through the steps on a journal. Gives its state and drift report at the end. */
const live = async (journal: Journal, {authority, corroborate}: Setting, scene: readonly Step[]) => {
	const clock = new SimulatedClock();
	const encoder = new FakeEncoder();
	encoder.fail('broken', new Error('no vector'));
	let ids = 0;
	const start = async () => {
		const options: Partial<IdentityOptions> = {
			journal,
			// No journal takes an id again, also after a restart.
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
				// The loop's own cycle has no caller who waits for it.
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
	// A reset takes its turn behind all cycles; this one ends where the texts left it.
	await identity.cycle({content: 'the last text'});
	const {state, vigilance} = identity.actor.getSnapshot().context;
	await identity.dispose();
	return {state: state!, report: vigilance!.report};
};

/** Runs the cycles of a journal's records again. Fails where a record, or the end, has other bits. */
const replay = (
	t: ExecutionContext,
	{initial, reference}: Genesis,
	records: ReadonlyArray<JournalRecord | StoredRecord>,
	{authority, corroborate}: Setting,
	end: Awaited<ReturnType<typeof live>>,
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

/** AVA compares vectors slowly; it is asked for the difference only. */
const same = (t: ExecutionContext, actual: object, expected: object): void => {
	if (!isDeepStrictEqual(actual, expected)) {
		t.deepEqual(actual, expected);
	}
};

for (const [name, setting] of Object.entries(settings)) {
	test(`a replay of a journal's records gives its states and measures, bit for bit: ${name}`, async t => {
		await fc.assert(fc.asyncProperty(steps, async scene => {
			const journal = new FakeJournal();
			const end = await live(journal, setting, scene);
			replay(t, journal.genesis!, journal.records, setting, end);
		}), {numRuns: often(15, 40)});
		t.pass();
	});
}

test('so does a replay of what a file kept', async t => {
	const folder = await mkdtemp(path.join(tmpdir(), 'replay-'));
	const setting = settings['articles and anchors, with science']!;
	const end = await live(createSqliteJournal({folder}), setting, [
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
