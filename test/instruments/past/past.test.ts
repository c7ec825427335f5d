/** The past of an identity: how moments are found, and what-ifs in a thread. */
import {execFile} from 'node:child_process';
import {promisify} from 'node:util';
import test, {type ExecutionContext} from 'ava';
import type {Journal} from '../../../src/journal/journal.ts';
import {createSqliteJournal} from '../../helpers/one-thread.ts';
import {JournalReader} from '../../../src/journal/sqlite/journal-reader.ts';
import {createJsKernel} from '../../../src/kernel/js.ts';
import type {Kernel} from '../../../src/kernel/kernel.ts';
import {selectKernel} from '../../../src/kernel/select.ts';
import {Past} from '../../../src/instruments/past/past.ts';
import {minimalAuthority} from '../../../src/semiosis/fixation.ts';
import {FakeEncoder, startIdentity, vectorOf} from '../../actors/fixtures.ts';
import {temporaryFolder} from '../../journal/records.ts';

/** Runs texts of three sources on a journal, a minute apart. @returns the initial state and the state after each text */
const runTexts = async (journal: Journal, texts: readonly string[], kernel: Kernel = selectKernel()) => {
	const {identity, clock} = await startIdentity({journal, kernel});
	const states = [identity.tensor()];
	for (const [i, content] of texts.entries()) {
		clock.increment(60_000);
		if (content === 'reset') {
			await identity.reset();
		} else {
			await identity.cycle({content, metadata: {source: ['ada', 'bo', 'cy'][i % 3]}});
		}

		states.push(identity.tensor());
	}

	await identity.dispose();
	return states;
};

const pastIn = (t: ExecutionContext, folder: string, kernel: Kernel = selectKernel()) => {
	const reader = new JournalReader(folder);
	t.teardown(() => {
		reader.close();
	});
	const {initial, reference} = reader.genesis;
	return new Past(reader, kernel, () => ({initial, reference, authority: minimalAuthority}));
};

const timeOf = (minutes: number): string => new Date(Date.UTC(2026, 0, 1) + minutes * 60_000).toISOString();

test('any past state is found by its id and by its time, bit for bit', async t => {
	const folder = await temporaryFolder(t);
	const states = await runTexts(createSqliteJournal({folder}), ['a', 'b', 'c', 'd']);
	const past = pastIn(t, folder);
	for (const [i, {stateId, timestamp, dimensions}] of states.entries()) {
		for (const moment of [stateId, timeOf(i), timeOf(i + 0.5)]) {
			const {state, seq} = await past.find(moment);
			t.deepEqual(
				{seq, stateId: state.stateId, timestamp: state.timestamp, rows: [...state.rows]},
				{seq: i, stateId, timestamp, rows: Object.values(dimensions)},
				`at ${moment}`,
			);
		}
	}

	t.is((await past.find('present')).seq, 4);
	t.is((await past.find('beginning')).seq, 0);
	await t.throwsAsync(past.find('2020-01-01'), {code: 'input', message: /^“2020-01-01” is before the beginning, 2026-01-01T00:00:00.000Z/});
});

test('an id that is reused after a reset finds the newest state with that id', async t => {
	const folder = await temporaryFolder(t);
	const states = await runTexts(createSqliteJournal({folder}), ['a', 'b', 'reset', 'c']);
	const past = pastIn(t, folder);
	t.like(await past.find(states[4]!.stateId), {seq: 4});
	t.like(await past.find(states[2]!.stateId), {seq: 2});
	t.like(await past.find(timeOf(3)), {seq: 3, cumulativeDrift: 0});
});

test('an invalid moment and the id of a state that never existed are refused', async t => {
	const folder = await temporaryFolder(t);
	await runTexts(createSqliteJournal({folder}), ['a']);
	const past = pastIn(t, folder);
	for (const [moment, message] of [
		['soon', /“soon” is not a moment.*such as/], [1.5, /not a moment/],
		// JavaScript reads these as days of March and of June.
		['2026-02-31', /not a moment/], ['2026-01-11junk', /not a moment/], [99, /no state 99. Its newest is 1/],
	] as const) {
		await t.throwsAsync(past.find(moment), {code: 'input', message});
	}
});

test('a time without a zone is read as UTC, whatever the time zone of the program', async t => {
	const script = `
		const {isBefore} = await import('${new URL('../../../src/instruments/past/find-moment.ts', import.meta.url).href}');
		const initial = {timestamp: '2026-01-01T00:30:00.000Z'};
		console.log(['00:20', '00:40', '00:40+0020'].map(time => isBefore('2026-01-01 ' + time, initial)).join(' '));
	`;
	const run = async (zone: string) =>
		(await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {env: {TZ: zone}})).stdout;
	t.deepEqual(await Promise.all(['Asia/Tokyo', 'America/New_York'].map(run)), Array(2).fill('true false true\n'));
});

test('a compacted moment is refused, and the error names the nearest kept states', async t => {
	const folder = await temporaryFolder(t);
	const compaction = {keepRecords: 2, snapshotEvery: 3};
	const states = await runTexts(createSqliteJournal({folder, compaction}), ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']);
	const journal = createSqliteJournal({folder, compaction});
	await journal.open();
	while ((await journal.read(6, 1))[0]!.record.kind !== 'snapshot') {
		// The thread compacts between two requests.
	}

	await journal.close();
	const past = pastIn(t, folder);
	t.like(await past.find(timeOf(3)), {seq: 3});
	t.deepEqual((await past.find(6)).state.row('thirdness'), states[6]!.dimensions.thirdness);
	await t.throwsAsync(
		past.find(timeOf(4)), {code: 'input', message: /was compacted. The nearest that are kept are 3, before it, and 6, after it/},
	);
	await t.throwsAsync(past.find(timeOf(1)), {code: 'input', message: /are 0, before it, and 3, after it/});
	await t.throwsAsync(past.find(5), {code: 'input', message: /no state 5/});
});

const custom: Kernel = Object.assign(createJsKernel(), {name: 'of an application'});

for (const [name, kernel] of Object.entries({'in a thread': selectKernel(), 'in this thread, with an application’s kernel': custom})) {
	test(`${name}: a what-if that leaves out no text is the present state, bit for bit`, async t => {
		const folder = await temporaryFolder(t);
		const states = await runTexts(createSqliteJournal({folder}), ['a', 'b', 'c', 'd', 'e', 'f']);
		const past = pastIn(t, folder, kernel);
		const question = {without: {}, add: [], timestamp: timeOf(9), ordinary: null};
		const {answer} = await past.ask('whatIf', question);
		const {thirdness} = states.at(-1)!.dimensions;
		t.deepEqual(
			answer, {present: thirdness, other: thirdness, cycles: 6, leftOut: 0, p: null, compacted: null, resetAt: null, unsaid: null},
		);
		const nobody = await past.ask('whatIf', {...question, without: {sources: ['nobody']}});
		t.deepEqual(nobody.answer.unsaid, {by: 'sources', name: 'nobody', nearest: null});
	});

	test(`${name}: a what-if without some texts is the state of an identity that never had them`, async t => {
		const folder = await temporaryFolder(t);
		await runTexts(createSqliteJournal({folder}), ['a', 'b', 'c', 'd', 'e', 'f'], kernel);
		const without = await temporaryFolder(t);
		const {identity} = await startIdentity({journal: createSqliteJournal({folder: without}), kernel});
		for (const content of ['a', 'c', 'd', 'f']) {
			await identity.cycle({content});
		}

		const other = identity.tensor().dimensions.thirdness;
		await identity.dispose();
		const {answer, from, to} = await pastIn(t, folder, kernel).ask(
			'whatIf', {without: {sources: ['bo']}, add: [], timestamp: timeOf(9), ordinary: null},
		);
		t.deepEqual(answer.other, other);
		t.like(answer, {cycles: 6, leftOut: 2});
		t.deepEqual([from.seq, to.seq], [0, 6]);
	});
}

test('a what-if between two moments covers the cycles after the first, up to the second', async t => {
	const folder = await temporaryFolder(t);
	const states = await runTexts(createSqliteJournal({folder}), ['a', 'b', 'c', 'd', 'e']);
	const {answer} = await pastIn(t, folder).ask(
		'whatIf', {without: {triggers: ['user']}, add: [{vector: vectorOf('b')}], timestamp: timeOf(2), ordinary: null}, {from: 1, to: 3},
	);
	t.like(answer, {cycles: 2, leftOut: 2});
	t.deepEqual(answer.present, states[3]!.dimensions.thirdness);
	t.deepEqual(answer.other, states[2]!.dimensions.thirdness);
	await t.throwsAsync(
		pastIn(t, folder).ask('whatIf', {without: {}, add: [], timestamp: timeOf(2), ordinary: null}, {from: 3, to: 1}),
		{code: 'input', message: /1 is before 3/},
	);
});

test('a question is cancelled by its signal, and when the past is closed', async t => {
	const folder = await temporaryFolder(t);
	await runTexts(createSqliteJournal({folder}), ['a', 'b']);
	const past = pastIn(t, folder);
	const ask = async (signal?: AbortSignal) => past.ask(
		'whatIf', {without: {ids: ['1']}, add: [], timestamp: timeOf(9), ordinary: null}, {}, {signal},
	);
	const aborted = new AbortController();
	const both = [ask(aborted.signal), ask()];
	aborted.abort(new Error('the caller left'));
	await t.throwsAsync(both[0]!, {message: 'the caller left'});
	t.is((await both[1]!).answer.leftOut, 1);

	const last = ask();
	past.close(new Error('the end'));
	await t.throwsAsync(last, {message: 'the end'});
	await t.throwsAsync(ask(), {message: 'the end'});
});

test('finding a moment fails without a journal, and the error says to give one', async t => {
	const past = new Past(null, selectKernel(), () => t.fail() as never);
	await t.throwsAsync(past.find(1), {code: 'no_journal', message: /keeps no journal.*Give it a journal/});
});

test('the percentile of a state’s dissonance does not depend on where the history begins, and starts over at a reset', async t => {
	const journal = createSqliteJournal({folder: await temporaryFolder(t)});
	const {identity, clock} = await startIdentity({journal, encoder: new FakeEncoder(16)});
	t.teardown(identity.dispose);
	for (let i = 0; i < 70; i++) {
		clock.increment(60_000);
		await identity.cycle({content: `Text ${i}.`});
	}

	const percentiles = async (since: number) => (await identity.history({since})).points.map(point => point.dissonancePercentile);
	const late = (await percentiles(55)).slice(1);
	t.deepEqual(late, (await percentiles(0)).slice(56));
	t.false(late.includes(null));

	await identity.reset();
	await identity.cycle({content: 'After the reset.'});
	t.is((await identity.history({since: 70})).points.at(-1)!.dissonancePercentile, null);
});

test('the percentile after a revision does not depend on where the history begins, and is not among texts that weigh nothing', async t => {
	const journal = createSqliteJournal({folder: await temporaryFolder(t)});
	const {identity} = await startIdentity({journal, encoder: new FakeEncoder(16)});
	t.teardown(identity.dispose);
	const say = async (from: number, to: number): Promise<void> => {
		for (let i = from; i < to; i++) {
			await identity.cycle({content: `text ${i}`, source: i % 3 === 0 ? 'viktor' : 'ada'});
		}
	};

	await say(0, 120);
	await identity.revise({without: {sources: ['viktor']}, note: 'His account was taken over.'});
	await say(120, 150);
	const percentilesAfter = async (since: number) =>
		(await identity.history({since})).points.flatMap(({stateId, dissonancePercentile}) => stateId > 125 ? [dissonancePercentile] : []);
	const whole = await percentilesAfter(0);
	t.true(whole.length > 20 && whole.every(percentile => percentile !== null));
	for (const since of [60, 124]) {
		t.deepEqual(await percentilesAfter(since), whole);
	}
});
