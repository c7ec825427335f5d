/**
 * Drift and sources of a history, asked of an identity that resumes from its journal. The tests are serial: each question has a
 * thread, and many at once take more CPU time.
 */
import test from 'ava';
import type {LocalIdentity} from '../../src/identity/identity.ts';
import type {JournalRecord} from '../../src/journal/journal.ts';
import type {ValidationRecord} from '../../src/journal/validation.ts';
import {createSqliteJournal, type SqliteJournalOptions} from '../../src/journal/sqlite/sqlite-journal.ts';
import {FakeJournal} from '../actors/fake-journal.ts';
import {startIdentity} from '../actors/fixtures.ts';
import {untilCompacted, temporaryFolder} from '../journal/records.ts';
import {untilWatched} from '../identity/validated.ts';
import {unitVector} from './run-texts.ts';
import {startHistory, steeredTo} from './recorded-history.ts';
import {pattern} from '../helpers/pattern.ts';

type Life = ReturnType<typeof startHistory>;

const directions = [
	{category: 'relational', name: 'trust', polePositive: 'trusting', poleNegative: 'suspicious', vector: steeredTo},
	{category: 'affective', name: 'calm', polePositive: 'calm', poleNegative: 'agitated', vector: unitVector(77, 64)},
	{category: 'affective', name: 'unknown', polePositive: 'one', poleNegative: 'other'},
];

/** Resumes an identity from the journal of a history. */
const resume = async (
	atEnd: (dispose: () => Promise<void>) => void, {genesis, records}: Pick<Life, 'genesis' | 'records'>,
): Promise<LocalIdentity> => {
	const journal = new FakeJournal();
	journal.genesis = genesis;
	journal.records = [...records];
	const {identity} = await startIdentity({journal, directions});
	atEnd(identity.dispose);
	return identity;
};

const ordinary = startHistory(1).talk(400).validate().talk(200);
const steered = startHistory(9).talk(400).validate('After the first month.').steer(300, 0.4);
/** One identity for all tests that read its answers, which it caches. */
let ofSteered: LocalIdentity;
test.before(async () => {
	ofSteered = await resume(() => {}, steered);
	await ofSteered.drift();
});
test.after.always(async () => ofSteered.dispose());

test.serial('after ordinary talk the drift is within chance, and no source is named', async t => {
	const {p, pNow, distance, limit, foundAt, chart, sentence, standOut, sources, note} = await (await resume(t.teardown, ordinary)).drift();
	t.true(p! > 0.05 && pNow! > 0.05, `${p} ${pNow}`);
	t.true(distance! > 0.3 && distance! < limit!, `${distance} ${limit}`);
	t.is(foundAt, null);
	t.false(chart!.alarm);
	t.deepEqual(standOut, []);
	t.true(sources.every(source => source.share === null && source.push === null && source.p === null));
	t.is(note, null);
	t.regex(sentence, pattern(
		/^Since \d+ January 1970 it moved \d+ mrad in 200 texts\. What it heard has drifted \d\.\d times as far from ordinary talk as /,
		/chance usually takes it: chance alone explains that \(p 0\.\d\d\)\.$/,
	));
});

test.serial('steering is found, with its source and direction, and the drift without that source is within chance', async t => {
	const drift = await ofSteered.drift();
	t.like(drift, {
		stateId: 700, since: {stateId: 400}, cycles: 300, p: 0.005, pNow: 0.005, horizon: 4000, expired: false, note: null, said: null,
		validation: {note: 'After the first month.', stateId: 400, texts: 400, heard: 400, ids: 'used'},
	});
	t.true(drift.distance! > drift.limit!);
	t.true(drift.foundAt! >= 100 && drift.foundAt! <= 300);
	const [top, ...others] = drift.sources;
	t.like(top, {source: 'mallory', p: 0.005});
	t.true(top!.share! > 0.8, `${top!.share}`);
	t.true(others.every(({p}) => p! > 0.05));
	t.true(drift.pWithoutTopSource! > 0.05, `${drift.pWithoutTopSource}`);
	for (const kind of ['textShare', 'weightShare', 'share'] as const) {
		t.true(Math.abs(drift.sources.reduce((sum, source) => sum + source[kind]!, 0) - 1) <= 1e-9, kind);
	}

	t.like(drift.standOut[0], {key: 'relational.trust', pole: 'trusting', p: 0.005});
	t.true(drift.standOut[0]!.t > drift.standOut[0]!.typicalT);
	t.regex(
		drift.sentence,
		/“mallory” pushes more than any one source does by chance .*; without these texts p is 0\.\d\d\. 1 of 7 sources moved this way\.$/,
	);
	t.deepEqual(drift.moved, {alike: 1, sources: 7});
	t.deepEqual((await ofSteered.sources()).moved, drift.moved);
});

test.serial('if two sources steer, the sentence says that the strongest is not all of it', async t => {
	const history = startHistory(9).talk(400).validate();
	for (let k = 0; k < 6; k++) {
		history.steer(30, 0.6, 'mallory').steer(25, 0.5, 'trent');
	}

	const {sentence, sources: [top], pWithoutTopSource} = await (await resume(t.teardown, history)).drift();
	t.true(pWithoutTopSource! <= 0.05, `${pWithoutTopSource}`);
	t.true(top!.p! <= 0.05);
	t.regex(sentence, /more than any one source does by chance .*, but does not account for all of it: without these texts p is 0\.0\d\d\./);
});

test.serial('if one source sent all texts, there is no p without it', async t => {
	const identity = await resume(t.teardown, startHistory(5).talk(400).validate());
	for (let i = 0; i < 120; i++) {
		await identity.cycle({content: 'Always the same.', metadata: {source: 'mallory'}});
	}

	const {p, pWithoutTopSource, sources, sentence} = await identity.drift();
	t.true(p! <= 0.05);
	t.is(pWithoutTopSource, null);
	t.like(sources, [{source: 'mallory', textShare: 1}]);
	t.notRegex(sentence, /moved this way|No one source/);
});

test.serial('the chart has an alarm, with the source it began with, and blames that source and its texts', async t => {
	const chart = (await ofSteered.drift()).chart!;
	t.like(chart, {averageRunLength: 1000, alarm: true, since: {source: 'mallory'}});
	t.deepEqual(chart.readings.map(({span}) => span), [8, 32]);
	t.true(chart.readings.some(({reading, limit}) => reading > limit));
	t.is(chart.blame[0]!.source, 'mallory');
	t.true(chart.moved.alike <= 2, `${chart.moved.alike}`);
	t.true(Math.abs(chart.blame.reduce((sum, {share}) => sum + share, 0) - 1) <= 1e-9);
	const {ids} = chart.blame[0]!;
	t.true(ids.length > 0 && ids.length <= 100);
	const newest = steered.records.findLast(record => record.kind === 'cycle' && record.id === ids[0]) as JournalRecord & {metadata: object};
	t.deepEqual(newest.metadata, {source: 'mallory'});
});

test.serial('the path has every look, and p never rises along it', async t => {
	const {path, distance, p, foundAt} = await ofSteered.drift();
	t.deepEqual(path.map(({texts}) => texts), Array.from({length: 11}, (_, look) => 100 + 20 * look));
	t.like(path.at(-1), {distance, p});
	t.deepEqual(path.map(look => look.p), path.map(look => look.p).toSorted((a, b) => Number(b) - Number(a)));
	t.is(path.find(look => look.p! <= 0.05)!.texts, foundAt!);
});

test.serial('drift and sources are the same after a restart', async t => {
	const folder = await temporaryFolder(t);
	const open = async (options: Partial<SqliteJournalOptions> = {}) => {
		const {identity} = await startIdentity({journal: createSqliteJournal({folder, ...options}), directions});
		t.teardown(identity.dispose);
		await untilWatched(identity);
		return identity;
	};

	const journal = createSqliteJournal({folder});
	await journal.open();
	await steered.writeTo(journal);
	await journal.close();
	const before = await open();
	const [drift, sources] = [await before.drift(), await before.sources()];
	await before.dispose();
	const after = await open();
	t.deepEqual(await after.drift(), drift);
	t.deepEqual(await after.sources(), sources);
	await after.dispose();
	t.deepEqual(await ofSteered.drift(), drift);
});

test.serial('sources mark the one source that talks differently than before the validation', async t => {
	const history = startHistory(3).talk(400).validate();
	// A known source, which now talks about something else.
	history.steer(300, 0.3, 'user 1');
	const {sources, stateId} = await (await resume(t.teardown, history)).sources();
	t.is(stateId, 700);
	const found = new Map(sources.map(source => [source.source, source]));
	t.true(found.get('user 1')!.changedP! <= 0.05);
	t.true(found.get('user 1')!.coherence! > 0.3);
	t.true([...found.values()].every(({source, changedP}) => source === 'user 1' || changedP === null || changedP > 0.05));
	t.is(sources.reduce((sum, {texts}) => sum + texts, 0), 300);
	t.true(sources.every(({conversations, texts}) => conversations >= 1 && conversations <= texts));
	const report = await ofSteered.sources();
	t.like(report.sources[0], {source: 'mallory', changedP: null, changedNow: null});
});

test.serial('what the identity says is measured apart from what it hears', async t => {
	const history = startHistory(7).answered(800).validate().answered(200);
	const {said, p, cycles, sources} = await (await resume(t.teardown, history)).drift();
	t.is(cycles, 400);
	t.true(p! > 0.05 && said!.p! > 0.05, `${p} ${said!.p}`);
	t.true(said!.chart!.conversations > 0);
	t.false('moved' in said!, 'only one source says it');
	t.false(sources.some(({source}) => source === 'self'));
	t.is(sources.reduce((sum, {texts}) => sum + texts, 0), 200);
});

test.serial('uptake names the source, with its start, its size and the texts that show it', async t => {
	const history = startHistory(9).answered(800).validate();
	for (let i = 0; i < 40; i++) {
		history.steer(12, 0.9).answered(12, 0.5);
	}

	const identity = await resume(t.teardown, history);
	const {sources: [mallory, ...others], sentence} = await identity.uptake();
	t.is(mallory!.source, 'mallory');
	t.true(mallory!.p <= 0.05 && mallory!.effect > 0 && mallory!.pNow < mallory!.p);
	t.is(mallory!.shownBy.length, 3);
	t.true(mallory!.shownBy.every(({content}) => content!.endsWith(' answered')));
	t.true(others.every(({p, shownBy}) => p > 0.05 && shownBy.length === 0));
	t.regex(sentence, /^Since 6 January 1970 it speaks \d\.\d deviations more like “mallory” in other conversations \(p 0\.0\d{2}\)\.$/v);
	t.true((await identity.drift()).sentence.endsWith(sentence));
	t.is((await identity.sources()).sources.find(({source}) => source === 'mallory')!.uptakeP, mallory!.p);
});

test.serial('no source is named for drift that comes from texts the model reads badly', async t => {
	const history = startHistory(8).talk(400).validate().garbled(300, 0.3);
	const {p, unread, sources, standOut, chart, sentence, pWithoutTopSource, moved} = await (await resume(t.teardown, history)).drift();
	t.true(p! <= 0.05, `${p}`);
	t.true(unread!.share > 0.5 && unread!.pWithout > 0.05, JSON.stringify(unread));
	t.deepEqual(standOut, []);
	t.true(sources.every(source => source.share === null && source.p === null));
	t.is(pWithoutTopSource, null);
	t.true(chart!.unreadShare > 0.2);
	t.deepEqual(chart!.blame, []);
	t.regex(
		sentence, /\d+ % of that comes from texts that the model read badly .*, so no source is named; .* 6 of 6 sources moved this way\.$/,
	);
	t.deepEqual(moved, {alike: 6, sources: 6});
	t.true(chart!.moved.alike > 1);
});

test.serial('after a reset, drift is measured from the reset, against the same baseline', async t => {
	const history = startHistory(4).talk(400).validate().talk(130).reset().talk(120);
	const {since, cycles, p, note, sentence, chart, path} = await (await resume(t.teardown, history)).drift();
	t.is(since.stateId, 0);
	t.is(cycles, 120);
	t.true(p! > 0.05);
	t.regex(note!, /^The identity was reset on \d+ January 1970, \d\d:\d\d UTC: it is measured from there, and each reset starts over\.$/);
	t.regex(sentence, /^Since the reset of /);
	t.deepEqual(path.map(({texts}) => texts), [100, 120]);
	// The conversations before the reset count, too.
	t.true(chart!.conversations > 20);
});

test.serial('after a compaction, drift is measured from the compacted state, and the note says so', async t => {
	const folder = await temporaryFolder(t);
	const compaction = {keepRecords: 150, snapshotEvery: 100};
	const journal = createSqliteJournal({folder, compaction});
	await journal.open();
	await steered.writeTo(journal);
	await untilCompacted(journal, 500);
	await journal.close();
	const {identity} = await startIdentity({journal: createSqliteJournal({folder, compaction}), directions});
	t.teardown(identity.dispose);
	const {since, cycles, p, note, validation} = await identity.drift();
	t.is(validation!.stateId, 400);
	t.true(since.stateId > 400 && since.stateId + cycles === 700, `${since.stateId}`);
	t.true(p! < 0.1);
	t.regex(note!, /^Records up to state \d+ are compacted: it is measured from there\. Validate again\.$/);
	const {note: beside} = await identity.whatIf({});
	t.regex(beside!, /^Records up to state \d+ are compacted: both selves begin there/);
});

test.serial('after a compaction without a validation, the note does not ask to validate again', async t => {
	const folder = await temporaryFolder(t);
	const compaction = {keepRecords: 150, snapshotEvery: 100};
	const journal = createSqliteJournal({folder, compaction});
	await journal.open();
	await startHistory(5).talk(700).writeTo(journal);
	await untilCompacted(journal, 500);
	await journal.close();
	const {identity} = await startIdentity({journal: createSqliteJournal({folder, compaction}), directions});
	t.teardown(identity.dispose);
	const {note} = await identity.drift();
	t.regex(note!, /^Records up to state \d+ are compacted: it is measured from there\. No validation yet/);
});

test.serial('hashed texts have triggers as sources, and the note says so', async t => {
	const folder = await temporaryFolder(t);
	const journal = createSqliteJournal({folder, content: 'hash'});
	await journal.open();
	await startHistory(5).talk(400).validate().talk(120).writeTo(journal);
	await journal.close();
	const {identity} = await startIdentity({journal: createSqliteJournal({folder, content: 'hash'}), directions});
	t.teardown(identity.dispose);
	const {p, sources, note} = await identity.drift();
	t.not(p, null);
	t.deepEqual(sources.map(({source, textShare}) => [source, textShare]), [['user', 1]]);
	t.regex(note!, /keeps hashes/);
});

test.serial('right after a validation, drift is 0 and p is unknown', async t => {
	const history = startHistory(6).talk(400).validate();
	const drift = await (await resume(t.teardown, history)).drift();
	t.like(
		drift,
		{
			stateId: 400, cycles: 0, netMrad: 0, excessMrad: 0, p: null, pNow: null, sources: [],
			chart: {conversations: 0, alarm: false, blame: []},
		},
	);
	t.regex(drift.sentence, /^No text came after state 400 of /);
	t.is(drift.note, 'p is known after 100 texts; there are 0.');
});

/** Steering after a validation, in which the others' texts come from 250 sources in turn. */
const ofStrangers = (): Life => {
	const life = startHistory(9).talk(400).validate().steer(700, 0.25);
	let strangers = 0;
	life.records.splice(401, Infinity, ...life.records.slice(401).map((record): JournalRecord =>
		record.kind !== 'cycle' || (record.metadata as {source: string}).source === 'mallory'
			? record : {...record, metadata: {source: `stranger ${strangers++ % 250}`}}));
	return life;
};

test.serial('among hundreds of sources each counts once, and the shares of those that are not named are one', async t => {
	const {sources, moved, chart, p} = await (await resume(t.teardown, ofStrangers())).drift();
	t.true(p! <= 0.05);
	t.is(sources[0]!.source, 'mallory');
	t.is(moved!.sources, 251);
	t.true(moved!.alike < 40, `${moved!.alike}`);
	for (const list of [sources, chart!.blame]) {
		t.like(list.at(-1), {source: 'others', others: 151});
		t.true(list.length === 101 && list.every(({share}) => share !== null));
		t.true(Math.abs(list.reduce((sum, {share}) => sum + share!, 0) - 1) <= 1e-9);
	}

	t.is(sources.reduce((sum, {texts}) => sum + texts, 0), 700);
	// The texts of a conversation that may continue are not counted.
	const texts = chart!.blame.reduce((sum, one) => sum + one.texts, 0);
	t.true(texts <= 700 && texts >= 688, `${texts}`);
	t.is(chart!.moved.sources, 251);
});

test.serial('the note of a drift since another moment says when p is valid', async t => {
	const {note, since, p} = await (await resume(t.teardown, ordinary)).drift({since: 380});
	t.is(since.stateId, 380);
	t.not(p, null);
	t.regex(note!, /It is not measured from the validation: p holds only for a moment that was chosen before/);
});

test.serial('if a validation has no chance, as in older versions, drift computes it from the baseline', async t => {
	const {chance: _, ...record} = steered.records[400]! as ValidationRecord;
	const records = steered.records.with(400, {...record, chance: null});
	const drift = await (await resume(t.teardown, {...steered, records})).drift();
	t.deepEqual(drift, await ofSteered.drift());
});

test.serial('a what-if without the source that steers is within chance', async t => {
	t.is((await ofSteered.whatIf({})).p, 0.005);
	const {p, leftOut} = await ofSteered.whatIf({without: {sources: ['mallory']}});
	t.true(leftOut > 80);
	t.true(p! > 0.05, `${p}`);
	// No text follows the present.
	t.is((await ofSteered.whatIf({from: 'present'})).p, null);
});

test.serial('after a revision to a state before the validation, neither the revision nor a what-if has a p', async t => {
	const identity = await resume(t.teardown, startHistory(9).talk(400).validate().steer(200, 0.4));
	t.is((await identity.whatIf()).p, 0.005);
	t.is((await identity.revise({at: '300', note: 'Back to before.'})).p, null);
	t.is((await identity.whatIf()).p, null);
});

test.serial('the points of a history have chart readings only after the validation', async t => {
	const {points} = await ofSteered.history({points: 701});
	t.is(points.length, 701);
	t.true(points.slice(0, 401).every(({chart}) => chart === null));
	const {readings} = (await ofSteered.drift()).chart!;
	t.deepEqual(points.at(-1)!.chart, readings);
	const over = points.findIndex(({chart}) => chart?.some(({reading, limit}) => reading > limit));
	t.true(over > 401, `${over}`);
});

test.serial('a drift is cached until the state has moved by a twentieth of its cycles, or was reset', async t => {
	const identity = await resume(t.teardown, startHistory(6).talk(400).validate().talk(100));
	const [first, same] = await Promise.all([identity.drift(), identity.drift()]);
	t.deepEqual(first, same);
	for (let text = 0; text < 4; text++) {
		await identity.cycle(`text ${text}`);
	}

	t.is((await identity.drift()).stateId, 500);
	await identity.cycle('a fifth text');
	t.is((await identity.drift()).stateId, 505);
	await identity.reset();
	t.is((await identity.drift()).since.stateId, 0);
});
