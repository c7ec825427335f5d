/**
 * Persisted snapshots of a process whose journal is the real one, in SQLite. The new system opens
 * the folder of the old one, and comes to the very state and the very records that a process
 * comes to which nobody disturbs.
 */
import test, {type ExecutionContext} from 'ava';
import {createActor, waitFor, type Actor} from 'xstate';
import {bootMachine} from '../../src/actors/boot.ts';
import {snapshotToJson} from '../../src/actors/persisted.ts';
import {processMachine} from '../../src/actors/process.ts';
import {JournalError} from '../../src/errors.ts';
import {createSqliteJournal, type SqliteJournal} from '../../src/journal/sqlite/sqlite-journal.ts';
import {bitsOf, recordsIn, reopen, temporaryFolder, timeOf} from '../journal/records.ts';
import {settle} from './fixtures.ts';
import {run, type Run} from './persisting.ts';
import {cycle, inputOf, rehydrate} from './persisting-process.ts';

/** A system of its own, but for the folder. */
const systemIn = (t: ExecutionContext, folder: string, parts = run()) => {
	const journal = createSqliteJournal({folder});
	t.teardown(async () => journal.close());
	const input = inputOf(parts);
	input.sources.journal = journal;
	return {folder, journal, input, parts};
};

type System = ReturnType<typeof systemIn>;

type Process = Actor<typeof processMachine>;

type Life = System & {process: Process};

const boot = (system: System): Life =>
	({...system, process: createActor(processMachine, {input: system.input, clock: system.parts.clock}).start()});

const isReady = async ({process}: Life) => waitFor(process, state => state.matches('ready'));

/** A process that is ready, in a new folder. */
const begin = async (t: ExecutionContext): Promise<Life> => {
	const life = boot(systemIn(t, await temporaryFolder(t)));
	await isReady(life);
	return life;
};

/** Says them one after the other, each when the one before is durable. */
const say = async ({process}: Life, ...texts: string[]): Promise<void> => {
	for (const text of texts) {
		const {stateId} = process.getSnapshot().context.state!;
		cycle(process, text);
		await waitFor(process, ({context}) => context.state!.stateId === stateId + 1);
	}
};

const textOf = ({process, parts}: Life): string => snapshotToJson(process.getPersistedSnapshot(), parts.time);

/** Ends the old system, and reads its text in a new one at the same moment, whose journal is open unless a boot is to open it. Chance and names go on. */
const takeUp = async (t: ExecutionContext, text: string, old: Life, {isOpened = true} = {}) => {
	old.process.stop();
	await old.journal.close();
	const parts: Run = {...run(old.parts.time.now()), random: old.parts.random};
	const next = systemIn(t, old.folder, parts);
	next.input.newId = old.input.newId;
	if (isOpened) {
		await next.journal.open();
	}

	const translator = {translate: async () => ({text: 'calm', reasoningDetected: false})};
	return {...next, ...rehydrate(text, parts, {input: next.input, encoder: parts.encoder, translator})};
};

/** Both say something more, and must then be alike, in memory and on disk. */
const alike = async (t: ExecutionContext, revived: Life, undisturbed: Life): Promise<void> => {
	const kept = [];
	for (const life of [revived, undisturbed]) {
		await say(life, 'the last');
		const {state, vigilance} = life.process.getSnapshot().context;
		life.process.stop();
		await life.journal.close();
		const {current, standing} = await reopen(t, life.folder);
		t.deepEqual(bitsOf(current), bitsOf(state!), 'what lasts is what readers see');
		kept.push({state: bitsOf(state!), report: vigilance!.value.report, standing, records: await recordsIn(life.folder)});
	}

	t.deepEqual(kept[0], kept[1]);
};

/** A process whose journal refuses everything, since it was given what cannot be kept. */
const halt = async (t: ExecutionContext): Promise<Life> => {
	const life = await begin(t);
	await say(life, 'a');
	const standing = {counters: {}, lastTrigger: null, cumulativeDrift: Number.NaN};
	await t.throwsAsync(life.journal.append({kind: 'reset', id: 'bad', timestamp: timeOf(1), standing}), {instanceOf: JournalError});
	cycle(life.process, 'b');
	await waitFor(life.process, state => state.matches({ready: {halted: 'pausing'}}));
	return life;
};

const isMended = async ({process, parts: {clock}}: Life) => {
	clock.increment(5000);
	await waitFor(process, state => state.matches({ready: 'accepting'}));
};

test('a process persisted while it is halted recovers with its journal open', async t => {
	const old = await halt(t);
	const revived = await takeUp(t, textOf(old), old);
	t.true(revived.process.getSnapshot().matches({ready: {halted: 'pausing'}}));
	await isMended(revived);
	t.like(revived.heard.at(-1), {type: 'journal.mended'});

	const undisturbed = await halt(t);
	await isMended(undisturbed);
	await alike(t, revived, undisturbed);
});

test('a process persisted while it reopens its journal recovers with its journal open', async t => {
	const old = await halt(t);
	old.parts.clock.increment(5000);
	t.true(old.process.getSnapshot().matches({ready: {halted: 'reopening'}}));
	const revived = await takeUp(t, textOf(old), old);
	await waitFor(revived.process, state => state.matches({ready: 'accepting'}));

	const undisturbed = await halt(t);
	await isMended(undisturbed);
	await alike(t, revived, undisturbed);
});

/** As where a system is killed before the journal has them. */
const keepsNothingMore = (journal: SqliteJournal): void => {
	journal.append = async () => new Promise(() => {});
};

test('cycles that were on their way to the journal are in it, in their order', async t => {
	const old = await begin(t);
	await say(old, 'a', 'b');
	keepsNothingMore(old.journal);
	cycle(old.process, 'c', 'd', 'e');
	await settle();
	const isRecording = (child: unknown) => (child as Process).getSnapshot().value as unknown === 'recording';
	t.is(Object.values(old.process.getSnapshot().children).filter(isRecording).length, 3);
	const revived = await takeUp(t, textOf(old), old);
	await waitFor(revived.process, ({context}) => context.state!.stateId === 5);

	const undisturbed = await begin(t);
	await say(undisturbed, 'a', 'b');
	cycle(undisturbed.process, 'c', 'd', 'e');
	await waitFor(undisturbed.process, ({context}) => context.state!.stateId === 5);
	await alike(t, revived, undisturbed);
});

/** The loop's next cycle, and the time until it. */
const think = async ({process, parts: {clock}}: Life): Promise<void> => {
	const {stateId} = process.getSnapshot().context.state!;
	clock.increment(864_000);
	await waitFor(process, ({context}) => context.state!.stateId === stateId + 1);
};

test('a loop that was running goes on', async t => {
	const thinking = async () => {
		const life = await begin(t);
		await say(life, 'a');
		life.process.send({type: 'daemon.start'});
		await think(life);
		return life;
	};

	const old = await thinking();
	const revived = await takeUp(t, textOf(old), old);
	const undisturbed = await thinking();
	for (const life of [revived, undisturbed]) {
		await think(life);
		await think(life);
	}

	await alike(t, revived, undisturbed);
});

/** What a process has written at the journal's step of its boot. */
const writtenAtJournal = async (life: Life): Promise<string> => {
	const {children: {boot: booting}} = life.process.getSnapshot();
	const {promise, resolve} = Promise.withResolvers<string>();
	(booting as Actor<typeof bootMachine>).subscribe(state => {
		if (state.matches('journal')) {
			resolve(textOf(life));
		}
	});
	return promise;
};

for (const [what, texts] of Object.entries({'a new journal': [], 'a journal of an earlier life': ['a', 'b']})) {
	test(`a boot persisted at the step journal opens ${what} and goes on`, async t => {
		const livedBefore = async (): Promise<string> => {
			const folder = await temporaryFolder(t);
			if (texts.length > 0) {
				const earlier = boot(systemIn(t, folder));
				await isReady(earlier);
				await say(earlier, ...texts);
				earlier.process.stop();
				await earlier.journal.close();
			}

			return folder;
		};

		const old = boot(systemIn(t, await livedBefore()));
		const revived = await takeUp(t, await writtenAtJournal(old), old, {isOpened: false});
		t.true(revived.process.getSnapshot().children.boot!.getSnapshot().matches('journal'));
		await isReady(revived);
		t.is(revived.process.getSnapshot().context.state!.stateId, texts.length);

		const undisturbed = boot(systemIn(t, await livedBefore()));
		await isReady(undisturbed);
		await alike(t, revived, undisturbed);
	});
}
