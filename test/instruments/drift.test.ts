/** Drift and sources of a life, asked through the identity that has its journal. One question after another: each has a thread, and many at once take more processor time. */
import test from 'ava';
import type {LocalIdentity} from '../../src/identity/identity.ts';
import type {JournalRecord} from '../../src/journal/journal.ts';
import {createSqliteJournal, type SqliteJournalOptions} from '../../src/journal/sqlite/sqlite-journal.ts';
import {turnMrad} from '../../src/instruments/displacement.ts';
import {FakeJournal} from '../actors/fake-journal.ts';
import {startIdentity} from '../actors/fixtures.ts';
import {untilCompacted} from '../journal/conformance.ts';
import {temporaryFolder} from '../journal/records.ts';
import {unitVector} from './lives.ts';
import {startLife, steeredTo} from './recorded-life.ts';

type Life = ReturnType<typeof startLife>;

const directions = [
	{category: 'relational', name: 'trust', polePositive: 'trusting', poleNegative: 'suspicious', vector: steeredTo},
	{category: 'affective', name: 'calm', polePositive: 'calm', poleNegative: 'agitated', vector: unitVector(77, 64)},
	{category: 'affective', name: 'unknown', polePositive: 'one', poleNegative: 'other'},
];

/** An identity that resumes from a life's journal. */
const resume = async (atEnd: (dispose: () => Promise<void>) => void, {genesis, records}: Pick<Life, 'genesis' | 'records'>): Promise<LocalIdentity> => {
	const journal = new FakeJournal();
	journal.genesis = genesis;
	journal.records = [...records];
	const {identity} = await startIdentity({journal, directions});
	atEnd(identity.dispose);
	return identity;
};

const ordinary = startLife(1).talk(400).validate().talk(200);
const steered = startLife(9).talk(400).validate('After the first month.').steer(300, 0.4);
/** Its answers are computed once, for all tests that read them. */
let ofSteered: LocalIdentity;
test.before(async () => {
	ofSteered = await resume(() => {}, steered);
	await ofSteered.drift();
});
test.after.always(async () => ofSteered.dispose());

test.serial('ordinary talk is no different from chance', async t => {
	const {p, chart, sentence, standOut, note} = await (await resume(t.teardown, ordinary)).drift();
	t.true(p! > 0.05, `${p}`);
	t.false(chart!.alarm);
	t.deepEqual(standOut, []);
	t.is(note, null);
	t.regex(sentence, /^Since \d+ January 1970 it moved \d+ mrad in 200 texts\. Ordinary talk would have moved it \d+\. That is within what chance does \(p 0\.\d\d\)\.$/);
});

test.serial('steering is told from chance, with the source, the direction and the way back', async t => {
	const drift = await ofSteered.drift();
	t.like(drift, {stateId: 700, since: {stateId: 400}, cycles: 300, p: 0.01, note: null, validation: {note: 'After the first month.', stateId: 400, texts: 400}});
	t.true(drift.excessMrad! > 2 * drift.typicalMrad!);
	t.is(drift.sources[0]!.source, 'mallory');
	t.true(drift.sources[0]!.unusualShare! > 0.8, `${drift.sources[0]!.unusualShare}`);
	t.true(drift.pWithoutTopSource! > 0.05, `${drift.pWithoutTopSource}`);
	for (const kind of ['textShare', 'weightShare', 'unusualShare'] as const) {
		t.true(Math.abs(drift.sources.reduce((sum, source) => sum + source[kind]!, 0) - 1) <= 1e-9, kind);
	}

	t.like(drift.standOut[0], {key: 'relational.trust', polePositive: 'trusting'});
	t.true(drift.standOut[0]!.z > 3 && drift.standOut[0]!.p < 0.001);
	t.regex(drift.sentence, /It ended up \d+ mrad from where ordinary talk would have taken it; by chance, about \d+ \(p 0\.01\)\. “mallory” accounts for \d+ % of the difference; without these texts p is 0\.\d\d\.$/);
});

test.serial('where one source said all, there is no p without it', async t => {
	const identity = await resume(t.teardown, startLife(5).talk(400).validate());
	for (let i = 0; i < 60; i++) {
		await identity.cycle({content: 'Always the same.', metadata: {source: 'mallory'}});
	}

	const {p, pWithoutTopSource, sources, sentence} = await identity.drift();
	t.is(p, 0.01);
	t.is(pWithoutTopSource, null);
	t.like(sources, [{source: 'mallory', textShare: 1}]);
	t.regex(sentence, / “mallory” said all of it\.$/);
});

test.serial('the chart reads every visit that has ended, and says who is behind its reading', async t => {
	const chart = (await ofSteered.drift()).chart!;
	t.like(chart, {calibrated: true, averageRunLength: 1000, alarm: true, note: null});
	t.deepEqual(chart.readings.map(({span}) => span), [8, 32]);
	t.true(chart.readings.some(({reading, limit}) => reading > limit));
	t.is(chart.blame[0]!.source, 'mallory');
	t.true(Math.abs(chart.blame.reduce((sum, {share}) => sum + share, 0) - 1) <= 1e-9);
	const {ids} = chart.blame[0]!;
	t.true(ids.length > 0 && ids.length <= 100);
	const newest = steered.records.findLast(record => record.kind === 'cycle' && record.id === ids[0]) as JournalRecord & {metadata: object};
	t.deepEqual(newest.metadata, {source: 'mallory'});
});

test.serial('the way has the net at each state beside that of the twins, and ends with the answer’s own numbers', async t => {
	const {path, netMrad, expectedMrad, excessMrad, typicalMrad} = await ofSteered.drift();
	t.is(path.length, 25);
	t.like(path[0], {stateId: 400, netMrad: 0, netHighMrad: 0, excessMrad: 0});
	t.like(path.at(-1), {stateId: 700, netMrad, netMedianMrad: expectedMrad, excessMrad, excessMedianMrad: typicalMrad});
	for (const {netLowMrad, netMedianMrad, netHighMrad, excessMrad: excess, excessLowMrad, excessMedianMrad, excessHighMrad} of path.slice(1)) {
		t.true(netLowMrad! < netMedianMrad! && netMedianMrad! < netHighMrad!);
		t.true(excessLowMrad! < excessMedianMrad! && excessMedianMrad! < excessHighMrad!);
		t.true(excess! > 0);
	}

	const state = steered.records.find(record => record.kind === 'cycle' && record.stateId === path[12]!.stateId);
	t.is(path[12]!.netMrad, turnMrad((steered.records[400] as {anchor: {thirdness: Float32Array}} & JournalRecord).anchor.thirdness, (state as JournalRecord & {thirdness: Float32Array}).thirdness));
});

test.serial('the same state gives the same answer, after a restart too', async t => {
	const folder = await temporaryFolder(t);
	const open = async (options: Partial<SqliteJournalOptions> = {}) => {
		const {identity} = await startIdentity({journal: createSqliteJournal({folder, ...options}), directions});
		t.teardown(identity.dispose);
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

test.serial('sources say who talks otherwise than before', async t => {
	const life = startLife(3).talk(400).validate();
	// A known one, who talks of something else now.
	life.steer(300, 0.3, 'user 1');
	const {sources, budget, stateId} = await (await resume(t.teardown, life)).sources();
	t.is(stateId, 700);
	t.is(budget, 0.5);
	const found = new Map(sources.map(source => [source.source, source]));
	t.true(found.get('user 1')!.changedP! <= 0.01);
	t.true(found.get('user 1')!.coherence! > 0.3);
	t.true([...found.values()].filter(({source, changedP}) => source !== 'user 1' && changedP !== null && changedP <= 0.01).length <= 1);
	t.is(sources.reduce((sum, {texts}) => sum + texts, 0), 300);
	t.true(sources.every(({visits, texts}) => visits >= 1 && visits <= texts));
	const report = await ofSteered.sources();
	t.like(report.sources[0], {source: 'mallory', changedP: null});
});

test.serial('after a reset it is measured from there, against the same ordinary talk', async t => {
	const life = startLife(4).talk(400).validate().talk(130).reset().talk(60);
	const {since, cycles, p, note, sentence, chart, path} = await (await resume(t.teardown, life)).drift();
	t.is(since.stateId, 0);
	t.is(cycles, 60);
	t.true(p! > 0.05);
	t.regex(note!, /^The identity was reset at 1970-.*: it is measured from there\.$/);
	t.regex(sentence, /^Since the reset of /);
	t.is(path[0]!.stateId, 0);
	// What was said before the reset is talk too.
	t.true(chart!.visits > 20);
});

test.serial('after a compaction it is measured from what is left', async t => {
	const folder = await temporaryFolder(t);
	const journal = createSqliteJournal({folder, compaction: {keepRecords: 100, snapshotEvery: 100}});
	await journal.open();
	await steered.writeTo(journal);
	await untilCompacted(journal, 600);
	await journal.close();
	const {identity} = await startIdentity({journal: createSqliteJournal({folder, compaction: {keepRecords: 100, snapshotEvery: 100}}), directions});
	t.teardown(identity.dispose);
	const {since, cycles, p, note, chart, validation} = await identity.drift();
	t.is(validation!.stateId, 400);
	t.true(since.stateId > 400 && since.stateId + cycles === 700, `${since.stateId}`);
	t.true(p! < 0.1);
	t.regex(note!, /^Records up to state \d+ are compacted: it is measured from there\.$/);
	t.regex(chart!.note!, /compacted/);
});

test.serial('hashed texts have triggers as sources, and the note says so', async t => {
	const folder = await temporaryFolder(t);
	const journal = createSqliteJournal({folder, content: 'hash'});
	await journal.open();
	await startLife(5).talk(400).validate().talk(60).writeTo(journal);
	await journal.close();
	const {identity} = await startIdentity({journal: createSqliteJournal({folder, content: 'hash'}), directions});
	t.teardown(identity.dispose);
	const {p, sources, note} = await identity.drift();
	t.not(p, null);
	t.deepEqual(sources.map(({source, unusualShare}) => [source, unusualShare]), [['user', 1]]);
	t.regex(note!, /keeps hashes/);
});

test.serial('right after a validation nothing has moved', async t => {
	const life = startLife(6).talk(400).validate();
	const drift = await (await resume(t.teardown, life)).drift();
	t.like(drift, {stateId: 400, cycles: 0, netMrad: 0, p: null, sources: [], chart: {calibrated: true, visits: 0, readings: [], alarm: false, blame: []}});
	t.regex(drift.sentence, /^Nothing was said since /);
});

test.serial('measured from before the validation, the answer says that its own texts are among those', async t => {
	const {note, since, p} = await (await resume(t.teardown, ordinary)).drift({since: 380});
	t.is(since.stateId, 380);
	t.not(p, null);
	t.regex(note!, /before the validation/);
});

test.serial('the way back is measured too: without the source the other self is no different from chance', async t => {
	t.is((await ofSteered.whatIf({})).p, 0.01);
	const {p, leftOut} = await ofSteered.whatIf({without: {sources: ['mallory']}});
	t.true(leftOut > 80);
	t.true(p! > 0.05, `${p}`);
	// Nothing is heard since the present.
	t.is((await ofSteered.whatIf({from: 'present'})).p, null);
});

test.serial('a profile has the noise of chance, once twins were computed', async t => {
	const identity = await resume(t.teardown, ordinary);
	t.deepEqual(identity.scaledProfile({lens: 'thirdness'}).directions.map(({noise}) => noise), [null, null]);
	const {p} = await identity.drift();
	t.not(p, null);
	const {directions: scaled} = identity.scaledProfile({lens: 'thirdness'});
	t.true(scaled.every(({noise}) => noise! > 0.001 && noise! < 0.1), JSON.stringify(scaled));
	// By these rules no text moves it.
	t.deepEqual(identity.scaledProfile().directions.map(({moves, noise}) => [moves, noise]), [[false, 0], [false, 0]]);
});

test.serial('a history has the chart after each visit since the validation', async t => {
	const {points} = await ofSteered.history({points: 701});
	t.is(points.length, 701);
	t.true(points.slice(0, 401).every(({chart}) => chart === null));
	const {readings} = (await ofSteered.drift()).chart!;
	t.deepEqual(points.at(-1)!.chart, readings);
	const over = points.findIndex(({chart}) => chart?.some(({reading, limit}) => reading > limit));
	t.true(over > 401 && over < 620, `${over}`);
	t.is(points[over]!.source, 'mallory');
});

test.serial('an answer is given again until the state has moved on', async t => {
	const identity = await resume(t.teardown, startLife(6).talk(400).validate().talk(100));
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
