/** A revision: the state becomes that of a history without some texts. */
import test, {type ExecutionContext} from 'ava';
import type {LocalIdentity} from '../../src/identity/identity.ts';
import {createSqliteJournal} from '../helpers/one-thread.ts';
import {FakeJournal} from '../actors/fake-journal.ts';
import {settle, startIdentity} from '../actors/fixtures.ts';
import {temporaryFolder} from '../journal/records.ts';
import {both, calm, rowsAfter, rowsOf, sayAll, startHaving} from './local-and-remote.ts';
import {deepEqual} from '../helpers/deep-equal.ts';
import {Questions} from '../../src/instruments/past/questions.ts';
import {withSignal} from '../../src/platform/waiting.ts';

type Said = {readonly content: string; readonly source: string; readonly conversation?: string};

const said: readonly Said[] = [
	{content: 'a', source: 'ada', conversation: 'tea'},
	{content: 'b', source: 'viktor', conversation: 'tea'},
	{content: 'c', source: 'ada', conversation: 'walk'},
	{content: 'd', source: 'bo', conversation: 'walk'},
	{content: 'e', source: 'viktor', conversation: 'night'},
	{content: 'f', source: 'ada', conversation: 'night'},
];

const start = async (t: ExecutionContext, texts = said) => startHaving(t, texts);

/** Waits until a record is compacted. */
const untilCompacted = async (identity: LocalIdentity, seq: number): Promise<void> => {
	while ((await identity.records(seq, 1))[0]?.record.kind !== 'snapshot') {
		await settle();
	}
};

const note = 'Viktor’s account was taken over.';
const without = (...sources: string[]) => said.filter(({source}) => !sources.includes(source));

test('after a revision, the message of vigilance has no number of cycles', async t => {
	const {identity} = await startIdentity({journal: new FakeJournal(), person: {words: 'I am Ada.', profile: null}});
	t.teardown(async () => identity.dispose());
	await sayAll(identity, said);
	t.regex(identity.vigilance().message!, / Path travelled \d\.\d % in 6 cycles; net distance \d\.\d %\.$/);
	await identity.revise({without: {sources: ['viktor']}, note});
	t.regex(identity.vigilance().message!, / Path travelled \d\.\d %; net distance \d\.\d %\.$/);
});

test('without a source, the state is that of a history without it, bit for bit, with the next id', async t => {
	const {identity} = await start(t);
	const before = identity.state().stateId;
	const revision = await identity.revise({without: {sources: ['viktor']}, note, by: 'ops'});
	deepEqual(t, rowsOf(identity), await rowsAfter(without('viktor')));
	t.like(
		revision,
		{
			note, by: 'ops', without: {sources: ['viktor']}, at: null, excluded: 2, texts: 4, stateIdBefore: before,
			stateId: before + 1, limit: null,
		},
	);
	t.true(revision.turnMrad > 0);
	t.is(identity.state().stateId, before + 1);
});

for (const [what, choice, left] of [
	['a conversation', {conversations: ['walk']}, said.filter(({conversation}) => conversation !== 'walk')],
	[
		'a source and a conversation', {sources: ['bo'], conversations: ['tea']},
		said.filter(({source, conversation}) => source !== 'bo' && conversation !== 'tea'),
	],
	['a trigger', {triggers: ['user']}, []],
] as const) {
	test(`without ${what}, the state is that of a history of the other texts`, async t => {
		const {identity} = await start(t);
		await identity.revise({without: choice, note});
		deepEqual(t, rowsOf(identity), await rowsAfter(left));
	});
}

test('later texts move the state that a revision made', async t => {
	const {identity} = await start(t);
	await identity.revise({without: {sources: ['viktor']}, note});
	const more = [{content: 'g', source: 'viktor'}, {content: 'h', source: 'ada'}];
	await sayAll(identity, more);
	deepEqual(t, rowsOf(identity), await rowsAfter([...without('viktor'), ...more]));
});

test('a revision that leaves nothing out restores the state before all revisions', async t => {
	const {identity} = await start(t);
	const before = rowsOf(identity);
	await identity.revise({without: {sources: ['viktor']}, note});
	await identity.revise({without: {sources: ['ada']}, note});
	deepEqual(t, rowsOf(identity), await rowsAfter(without('ada')));
	await identity.revise({without: {}, note: 'It was a mistake.'});
	deepEqual(t, rowsOf(identity), before);
});

test('a revision goes back to a moment and its revision in force, and another one restores the texts after it', async t => {
	const {identity} = await start(t);
	const first = await identity.revise({without: {sources: ['viktor']}, note});
	const afterFirst = rowsOf(identity);
	await sayAll(identity, [{content: 'g', source: 'mallory'}, {content: 'h', source: 'mallory'}]);
	const afterMallory = rowsOf(identity);
	const back = await identity.revise({at: first.stateId, note: 'Before Mallory.'});
	deepEqual(t, rowsOf(identity), afterFirst);
	t.like(back, {excluded: 4, without: null, at: {stateId: first.stateId}});
	await identity.revise({without: {sources: ['viktor']}, note: 'Mallory is welcome.'});
	// Only Viktor's texts from before the first revision are left out, as when Mallory spoke.
	deepEqual(t, rowsOf(identity), afterMallory);
});

test('a revision that goes back to a moment before a reset undoes the reset', async t => {
	const {identity} = await start(t);
	const {stateId} = identity.state();
	const before = rowsOf(identity);
	await identity.reset();
	await identity.cycle('g');
	await identity.revise({at: stateId, note: 'The reset was a mistake.'});
	deepEqual(t, rowsOf(identity), before);
});

test('texts from before a reset are not in the state, and cannot be left out', async t => {
	const {identity} = await start(t);
	await identity.reset();
	await sayAll(identity, [{content: 'g', source: 'ada'}, {content: 'h', source: 'bo'}]);
	await t.throwsAsync(
		identity.revise({without: {sources: ['viktor']}, note}),
		{code: 'input', message: /no texts of “viktor” since the beginning or the last reset/},
	);
	t.regex((await identity.whatIf({without: {sources: ['viktor']}})).note!, /^The identity was reset on \d.* UTC: both selves begin again/);
	await identity.revise({without: {sources: ['bo']}, note});
	deepEqual(t, rowsOf(identity), await rowsAfter([{content: 'g', source: 'ada'}]));
});

test('a dry run gives the same answer and changes nothing', async t => {
	const {identity} = await start(t);
	const before = identity.tensor();
	const request = {without: {sources: ['viktor']}, note};
	const dry = await identity.revise({...request, dryRun: true});
	deepEqual(t, identity.tensor(), before);
	t.deepEqual((await identity.revisions()).revisions, []);
	const {id, timestamp: _, tookSeconds: __, ...made} = await identity.revise(request);
	const {id: none, timestamp: ___, tookSeconds: ____, ...would} = dry;
	t.deepEqual(would, made);
	t.is(none, null);
	t.truthy(id);
});

test('a revision does not change a past state', async t => {
	const {identity} = await start(t);
	const before = identity.tensor();
	await identity.revise({without: {sources: ['viktor']}, note});
	t.deepEqual(await identity.stateAt(before.stateId), before);
});

test('all revisions are listed, with author and note', async t => {
	const {identity} = await start(t);
	const first = await identity.revise({without: {sources: ['viktor']}, note, by: 'ops'});
	const second = await identity.revise({without: {}, note: 'It was a mistake.'});
	const {revisions} = await identity.revisions();
	t.is(revisions.length, 2);
	t.like(revisions[0], {id: first.id, note, by: 'ops', excluded: 2, turnMrad: first.turnMrad});
	t.like(revisions[1], {id: second.id, by: null, without: {}, excluded: 0, stateIdBefore: first.stateId});
});

test('a restart restores the revised state', async t => {
	const {identity, folder} = await start(t);
	await identity.revise({without: {sources: ['viktor']}, note});
	const before = identity.tensor();
	const drift = identity.vigilance().cumulativeDrift;
	await identity.dispose();
	const {identity: again} = await startIdentity({journal: createSqliteJournal({folder})});
	deepEqual(t, again.tensor(), before);
	t.is(again.vigilance().cumulativeDrift, drift);
	t.is((await again.revisions()).revisions.length, 1);
	await again.dispose();
});

test('the cumulative drift becomes that of the revised history', async t => {
	const {identity} = await start(t);
	await identity.revise({without: {sources: ['viktor']}, note});
	const {identity: other} = await startIdentity();
	await sayAll(other, without('viktor'));
	t.is(identity.vigilance().cumulativeDrift, other.vigilance().cumulativeDrift);
	await other.dispose();
});

test('ledger, history and what-if answer as for a history without the texts left out', async t => {
	const {identity} = await start(t);
	const {identity: other} = await startIdentity({journal: createSqliteJournal({folder: await temporaryFolder(t)})});
	t.teardown(async () => other.dispose());
	await sayAll(other, without('viktor'));
	await identity.revise({without: {sources: ['viktor']}, note});
	await sayAll(identity, [{content: 'g', source: 'bo'}]);
	await sayAll(other, [{content: 'g', source: 'bo'}]);
	const request = {by: 'source'} as const;
	const [{entries, note: ledgerNote}, expected] = [await identity.ledger(request), await other.ledger(request)];
	t.deepEqual(entries, expected.entries);
	t.regex(ledgerNote!, /2 texts weigh nothing/);
	const points = async (of: LocalIdentity) => (await of.history()).points.map(({
		netMrad, pathMrad, beginningLeft, push, dissonance, content,
	}) =>
		({netMrad, pathMrad, beginningLeft, push, dissonance, content}));
	t.deepEqual(await points(identity), await points(other));
	t.like(
		await identity.whatIf({without: {sources: ['ada']}}),
		{cycles: 5, leftOut: 3, angleMrad: (await other.whatIf({without: {sources: ['ada']}})).angleMrad, note: ledgerNote},
	);
	await t.throwsAsync(
		identity.whatIf({without: {sources: ['viktor']}}),
		{code: 'input', message: /no texts of “viktor” since state .*2 texts weigh nothing: the past is read without them\.$/},
	);
});

test('a diff from before the revision is computed without the texts left out', async t => {
	const {identity} = await start(t);
	const {identity: other} = await startIdentity({journal: createSqliteJournal({folder: await temporaryFolder(t)})});
	t.teardown(async () => other.dispose());
	await sayAll(other, without('viktor'));
	await identity.revise({without: {sources: ['viktor']}, note});
	// State 3 was made by the third text, which is the second of the other identity.
	const [mine, theirs] = [await identity.diff({from: 3}), await other.diff({from: 2})];
	t.is(mine.angleMrad, theirs.angleMrad);
	t.deepEqual(mine.sources, theirs.sources);
});

test('compacted texts can be neither left out nor restored, and the answer says so', async t => {
	const folder = await temporaryFolder(t);
	const compaction = {keepRecords: 2, snapshotEvery: 2};
	const {identity} = await startIdentity({journal: createSqliteJournal({folder, compaction})});
	t.teardown(async () => identity.dispose());
	await sayAll(identity, said);
	await untilCompacted(identity, 4);
	const revision = await identity.revise({without: {sources: ['viktor']}, note});
	t.like(revision, {excluded: 1, texts: 1});
	t.regex(revision.limit!, /^Records up to state 4 of .* are compacted: their texts .* taken back\. From that state on it is exact\.$/);
	await t.throwsAsync(identity.revise({without: {sources: ['bo']}, note}), {code: 'input', message: /no texts of “bo”.*up to state 4/});
	await identity.revise({without: {}, note});
	deepEqual(t, rowsOf(identity), await rowsAfter(said));
});

test('if a text left out is compacted before the revision, the past begins with the state that the revision made', async t => {
	const folder = await temporaryFolder(t);
	const compaction = {keepRecords: 3, snapshotEvery: 4};
	const {identity} = await startIdentity({journal: createSqliteJournal({folder, compaction})});
	t.teardown(async () => identity.dispose());
	await sayAll(identity, said);
	const {stateId} = await identity.revise({without: {sources: ['viktor']}, note});
	await untilCompacted(identity, 4);
	await sayAll(identity, [{content: 'g', source: 'bo'}]);
	const {from, cycles, entries} = await identity.ledger({by: 'source'});
	t.deepEqual(
		{from: from.stateId, cycles, keys: entries.map(({key}) => key).toSorted()},
		{from: stateId, cycles: 1, keys: ['before', 'bo', 'push']},
	);
	deepEqual(t, rowsOf(identity), await rowsAfter([...without('viktor'), {content: 'g', source: 'bo'}]));
	await identity.revise({without: {sources: ['bo']}, note});
	deepEqual(t, rowsOf(identity), await rowsAfter(without('viktor')));
});

both('an invalid request is refused with a hint, and nothing is revised', async (t, begin) => {
	const {identity, local} = await begin({journal: createSqliteJournal({folder: await temporaryFolder(t)})});
	await sayAll(local, said);
	for (const [request, message] of [
		[{note}, /without.*at.*one of the two/],
		[{note, without: {}, at: 1}, /one of the two/],
		[{note, without: {}}, /Nothing would change/],
		[{note, without: {source: ['viktor']} as object}, /source/],
		[{note, without: {sources: ['victor']}}, /no texts of “victor”.*nearest: “viktor”/],
		[{note, at: 99}, /no state 99/],
		[{note: ' ', without: {sources: ['viktor']}}, /note/],
	] as const) {
		await t.throwsAsync(identity.revise(request), {code: 'input', message}, JSON.stringify(request));
	}

	t.deepEqual((await identity.revisions()).revisions, []);
});

both('a dry run, a revision and the list of revisions answer', async (t, begin) => {
	const {identity, local} = await begin({journal: createSqliteJournal({folder: await temporaryFolder(t)})});
	await sayAll(local, said);
	t.like(await identity.revise({without: {sources: ['viktor']}, note, dryRun: true}), {id: null, excluded: 2});
	t.like(await identity.revise({without: {sources: ['viktor']}, note, by: 'ops'}), {excluded: 2, by: 'ops'});
	deepEqual(t, rowsOf(local), await rowsAfter(without('viktor')));
	t.like(await identity.revisions(), {revisions: [{excluded: 2, note}]});
});

test('without a journal, a revision is refused', async t => {
	const {identity} = await startIdentity();
	await identity.cycle('a');
	await t.throwsAsync(identity.revise({without: {}, note}), {code: 'no_journal'});
	await identity.dispose();
});

test('the note of the profile says that texts weigh nothing', async t => {
	const {identity} = await startIdentity({journal: createSqliteJournal({folder: await temporaryFolder(t)}), directions: async () => calm});
	t.teardown(async () => identity.dispose());
	await sayAll(identity, said);
	await identity.revise({without: {sources: ['viktor']}, note});
	const ofRevision = /Since the revision of .* 2 texts weigh nothing: the past is read without them\.$/;
	t.regex(identity.scaledProfile().note!, ofRevision);
	await identity.revise({without: {}, note: 'It was a mistake.'});
	t.notRegex(identity.scaledProfile().note ?? '', ofRevision);
});

both('a revision, its dry run and a forgetting report their progress every 5,000 records', async (t, begin) => {
	const journal = new FakeJournal();
	const {identity: first} = await startIdentity({journal});
	await first.cycle({content: 'a', source: 'viktor'});
	await first.cycle({content: 'b', source: 'ada'});
	await first.dispose();
	const stopped = {kind: 'daemon.stopped', id: 'stopped', timestamp: '2026-01-01T00:00:00.000Z'} as const;
	journal.records.splice(1, 0, ...Array.from({length: 12_000}, () => stopped));
	const {identity} = await begin({journal});
	const progress: unknown[] = [];
	identity.on('replay.progress', ({id, step, records, of}) => {
		progress.push([id === null ? 'dry' : step, Math.floor(records / 5000), of >= 12_002]);
	});
	await settle();
	const viktors = {sources: ['viktor']};
	await identity.revise({without: viktors, note: 'Not his.', dryRun: true});
	await identity.revise({without: viktors, note: 'Not his.'});
	await identity.forget({...viktors, note: 'A request.'});
	for (let turn = 0; progress.length < 8 && turn < 100; turn++) {
		await settle();
	}

	t.deepEqual(progress, ['dry', 'replaying', 'replaying', 'rewriting'].flatMap(step => [[step, 1, true], [step, 2, true]]));
});

test('a revision may take longer than the 10 minutes after which a stalled cycle is aborted', async t => {
	const replay = Promise.withResolvers<void>();
	const questions = new Questions();
	const {run} = questions;
	const {identity, clock} = await startIdentity({journal: new FakeJournal(), questions: Object.assign(questions, {
		async run(...given: Parameters<typeof run>) {
			await withSignal(replay.promise, given[2]?.signal);
			return run.apply(questions, given);
		},
	})});
	await sayAll(identity, said);
	const revised = identity.revise({note: 'a test', without: {sources: ['viktor']}});
	await settle();
	const later = identity.cycle('later');
	await settle();
	clock.increment(600_000);
	replay.resolve();
	t.is((await revised).stateId, 7);
	t.is((await later).stateId, 8);
	await identity.dispose();
	await questions.close();
});
