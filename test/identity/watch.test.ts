/** The watch on live cycles: when it alarms, what it says, and that a restart continues it. */
import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {setTimeout} from 'node:timers/promises';
import test, {type ExecutionContext} from 'ava';
import {SimulatedClock} from 'xstate';
import type {IdentityEvent} from '../../src/identity/events.ts';
import type {LocalIdentity} from '../../src/identity/identity.ts';
import type {IdentityOptions} from '../../src/identity/options.ts';
import type {WatchNotice} from '../../src/instruments/watch-notices.ts';
import {mulberry32} from '../../src/platform/clock.ts';
import {JournalError} from '../../src/platform/errors.ts';
import {toUnitLength} from '../../src/kernel/normalise.ts';
import type {Journal} from '../../src/journal/journal.ts';
import type {BaselineText} from '../../src/journal/validation.ts';
import {createSqliteJournal} from '../../src/journal/sqlite/sqlite-journal.ts';
import {FakeJournal} from '../actors/fake-journal.ts';
import {startIdentity} from '../actors/fixtures.ts';
import {unitVector} from '../instruments/run-texts.ts';
import {startTalk} from '../instruments/simulated-talk.ts';
import {untilWatched, withValidation} from './validated.ts';

/** Waits for the work that follows the answers. */
const afterAnswers = async (): Promise<void> => setTimeout();

/** The readings, which must be the same live and after a restart. */
const readingsOf = (identity: LocalIdentity) => identity.watch()!.readings;

const isNotice = (event: IdentityEvent): event is WatchNotice => [
	'drift.alarm', 'echo.noticed', 'source.changed', 'source.noticed', 'source.taken_up',
].includes(event.type);

/** A watched identity, and its notices. */
const start = async (t: ExecutionContext, journal: Journal, options: Partial<IdentityOptions> = {}) => {
	/** The encoder's vectors, by text. */
	const vectors = new Map<string, Float32Array>();
	const embed = async (text: string): Promise<Float32Array> => vectors.get(text)!;
	const {identity, clock} = await startIdentity({
		encoder: {passport: {model: 'fake', width: 1024, pooling: 'none', prefix: '', dtype: 'fp32'}, embed},
		journal,
		...options,
	});
	t.teardown(async () => identity.dispose());
	const notices: WatchNotice[] = [];
	identity.on('*', event => {
		if (isNotice(event)) {
			notices.push(event);
		}
	});
	await untilWatched(identity);

	let said = 0;
	/** Runs the cycles of a new conversation: an hour passes before it, and a minute before each text. */
	const say = async (source: string, texts: readonly Float32Array[], {pauseMs = 3_600_000} = {}): Promise<string[]> => {
		const ids = [];
		clock.increment(pauseMs);
		for (const vector of texts) {
			const content = `text ${++said}`;
			vectors.set(content, vector);
			clock.increment(60_000);
			ids.push((await identity.cycle({content, source})).id);
		}

		await afterAnswers();
		return ids;
	};

	const talk = async (conversations: readonly (readonly BaselineText[])[]): Promise<void> => {
		for (const texts of conversations) {
			await say(texts[0]!.source, texts.map(({vector}) => vector));
		}
	};

	const alarms = () => notices.filter(notice => notice.type === 'drift.alarm');
	return {identity, clock, vectors, notices, alarms, say, talk};
};

/** Ordinary talk, and a topic outside it. */
const makeTalk = (seed: number) => {
	const random = mulberry32(seed);
	const talk = startTalk(random);
	const topic = unitVector(9000, 64);
	const strange = (count: number) => Array.from(
		{length: count}, () => toUnitLength(topic.map((value, i) => value + (i < 64 ? (random() - 0.5) * 0.3 : 0))),
	);
	return {baseline: talk.texts(400), visits: (count: number) => Array.from({length: count}, () => talk.visit()), strange};
};

test('ordinary talk raises no alarm; a strange source raises one, which names it', async t => {
	const {baseline, visits, strange} = makeTalk(3);
	const {identity, alarms, say, talk} = await start(t, await withValidation(new FakeJournal(), baseline));
	await talk(visits(20));
	t.deepEqual(alarms(), []);
	t.false(identity.watch()!.isAlarm);
	t.deepEqual(identity.watch()!.readings.map(({span}) => span), [8, 32]);

	const said: string[][] = [];
	while (alarms().length === 0) {
		said.push(await say('mallory', strange(8)));
		t.true(said.length < 12);
	}

	const [alarm] = alarms();
	t.true(alarm!.reading > alarm!.limit);
	t.is(alarm!.averageRunLength, 1000);
	t.is(alarm!.voice, 'heard');
	// The conversation before the latest: one ends when the next one begins.
	t.like(alarm!.conversation, {texts: 8, ids: said.at(-2)});
	t.is(Date.parse(alarm!.conversation.to) - Date.parse(alarm!.conversation.from), 7 * 60_000);
	t.is(alarm!.since!.source, 'mallory');
	t.is(alarm!.blame[0]!.source, 'mallory');
	t.true(alarm!.blame[0]!.share > 0.5);
	t.true(Math.abs(alarm!.blame.reduce((sum, {share}) => sum + share, 0) - 1) < 1e-9);
	t.true(identity.watch()!.isAlarm);
	t.throws(() => {
		(alarm as {reading: number}).reading = 0;
	}, {instanceOf: TypeError});
});

test('an alarm is raised once, and again after the readings were within their limits', async t => {
	const {baseline, visits, strange} = makeTalk(4);
	const {identity, alarms, say, talk} = await start(t, await withValidation(new FakeJournal(), baseline));
	for (let i = 0; i < 8; i++) {
		await say('mallory', strange(8));
	}

	t.is(alarms().length, 1);
	while (identity.watch()!.isAlarm) {
		await talk(visits(5));
	}

	const before = alarms().length;
	while (alarms().length === before) {
		await say('mallory', strange(8));
	}

	t.is(alarms().at(-1)!.averageRunLength, 1000);
});

test('a pause ends a conversation, and raises its alarm without another text', async t => {
	const {baseline, strange} = makeTalk(5);
	const {clock, alarms, say} = await start(t, await withValidation(new FakeJournal(), baseline));
	let last = 0;
	while (alarms().length === 0) {
		await say('mallory', strange(8));
		last = alarms().length;
		clock.increment(1_800_000);
		t.is(alarms().length, last, 'the pause is not longer than one within a conversation');
		clock.increment(1);
	}

	t.is(last, 0);
	t.is(alarms()[0]!.conversation.texts, 8);
});

test('a restart continues the chart, and repeats no alarm', async t => {
	const folder = await mkdtemp(path.join(tmpdir(), 'watch-'));
	t.teardown(async () => rm(folder, {recursive: true, force: true}));
	const {baseline, visits, strange} = makeTalk(6);
	await withValidation(createSqliteJournal({folder}), baseline);
	const first = await start(t, createSqliteJournal({folder}));
	await first.talk(visits(5));
	while (first.alarms().length === 0) {
		await first.say('mallory', strange(8));
	}

	const before = first.identity.watch();
	await first.identity.drain();
	const after = readingsOf(first.identity);
	await first.identity.dispose();

	let ids = 0;
	const second = await start(t, createSqliteJournal({folder}), {newId: () => `restarted ${++ids}`});
	t.true(second.identity.watch()!.isAlarm);
	t.deepEqual(readingsOf(second.identity), after);
	await second.say('mallory', strange(8), {pauseMs: 30 * 86_400_000});
	await second.say('mallory', strange(8));
	t.true(second.identity.watch()!.readings[0]!.reading > before!.readings[0]!.reading);
	t.deepEqual(second.notices, []);
});

test('texts said while the watch starts are in its chart', async t => {
	const {baseline, visits} = makeTalk(7);
	const said = visits(6);
	const vectors = new Map(said.flat().map(({id, vector}) => [id, vector]));
	const {identity, clock} = await startIdentity({
		encoder: {passport: {model: 'fake', width: 1024, pooling: 'none', prefix: '', dtype: 'fp32'}, embed: async text => vectors.get(text)!},
		journal: await withValidation(new FakeJournal(), baseline),
	});
	t.teardown(async () => identity.dispose());
	for (const texts of said) {
		clock.increment(3_600_000);
		for (const {id, source} of texts) {
			await identity.cycle({content: id, metadata: {source}});
		}
	}

	await untilWatched(identity);

	await afterAnswers();
	const together = await start(t, await withValidation(new FakeJournal(), baseline));
	await together.talk(said);
	t.deepEqual(readingsOf(identity), readingsOf(together.identity));
});

test('the source of an unusual drift is noticed without a question, and only once', async t => {
	const {baseline, visits, strange} = makeTalk(10);
	const {identity, notices, say, talk} = await start(t, await withValidation(new FakeJournal(), baseline));
	const noticed = () => notices.filter(notice => notice.type === 'source.noticed');
	while (noticed().length === 0) {
		await talk(visits(2));
		await say('mallory', strange(8));
		t.true(identity.state().stateId < 1000);
	}

	const [notice] = noticed();
	t.like(notice, {type: 'source.noticed', source: 'mallory'});
	t.true(notice!.p <= 0.05 && notice!.driftP <= 0.05 && notice!.share > 0.3);
	t.true(identity.watch()!.heard!.p <= 0.05);
	await talk(visits(10));
	await identity.drift();
	t.is(noticed().length, 1);
});

test('after a hold a noticed source stays noticed, without another notice; after a revision without it, it is news', async t => {
	const {baseline, visits, strange} = makeTalk(10);
	const {identity, notices, say, talk} = await start(t, await withValidation(new FakeJournal(), baseline));
	const noticed = () => notices.filter(notice => notice.type === 'source.noticed').map(({source}) => source);
	const sayStrange = async (most: number): Promise<void> => {
		for (const before = noticed().length; noticed().length === before && identity.state().stateId < most;) {
			await talk(visits(2));
			await say('mallory', strange(8));
		}
	};
	await sayStrange(1000);
	t.deepEqual(noticed(), ['mallory']);

	await identity.hold({note: 'Until it is clear.', sources: ['user 0']});
	await untilWatched(identity);
	t.deepEqual(identity.standing()!.watch!.noticed!.map(({source}) => source), ['mallory']);
	await talk(visits(10).filter(([text]) => text!.source !== 'user 0'));
	t.deepEqual(noticed(), ['mallory']);

	await identity.revise({note: 'The account was taken over.', without: {sources: ['mallory']}});
	await untilWatched(identity);
	t.deepEqual(identity.standing()!.watch!.noticed, []);
	await sayStrange(2000);
	t.deepEqual(noticed(), ['mallory', 'mallory']);
});

test('a known source that talks differently than before is noticed', async t => {
	const {baseline, visits, strange} = makeTalk(12);
	const {notices, say, talk} = await start(t, await withValidation(new FakeJournal(), baseline));
	for (let i = 0; i < 8; i++) {
		await talk(visits(2).map(texts => texts.map(text => ({...text, source: 'user 3'}))));
		await say('user 0', strange(8));
	}

	await talk(visits(1));
	const changed = notices.filter(notice => notice.type === 'source.changed');
	t.deepEqual(changed.map(({source}) => source), ['user 0']);
	t.true(changed[0]!.p <= 0.05);
});

test('a validation restarts the chart with its new baseline', async t => {
	const {baseline, visits, strange} = makeTalk(11);
	const {identity, alarms, say, talk} = await start(t, await withValidation(new FakeJournal(), baseline));
	while (alarms().length === 0) {
		await say('mallory', strange(8));
	}

	await talk(visits(150));
	for (let i = 0; i < 10; i++) {
		await say('mallory', strange(8));
	}

	await identity.validate({note: 'With what mallory says.'});
	await untilWatched(identity);
	t.deepEqual(identity.watch()!.readings.map(({reading}) => reading), [0, 0]);
	const before = alarms().length;
	await talk(visits(5));
	await say('mallory', strange(8));
	await talk(visits(5));
	t.is(alarms().length, before);
	t.false(identity.watch()!.isAlarm);
});

test('a text that repeats what the identity said is noticed, and counted for its source', async t => {
	const {baseline, visits, strange} = makeTalk(8);
	const {notices, say, vectors, identity} = await start(t, await withValidation(new FakeJournal(), baseline), {
		translator: {translate: async () => ({text: 'I am calm.', reasoningDetected: false})},
		newId: (() => {
			let ids = 0;
			return () => `${++ids}`;
		})(),
	});
	const [own, translated] = [unitVector(801, 64), unitVector(802, 64)];
	const [ownId] = await say('self', [own]);
	vectors.set('I am calm.', translated);
	await identity.translate();
	await afterAnswers();
	t.deepEqual(notices, []);

	const [echoId] = await say('parrot', [own]);
	await say('parrot', [translated]);
	await say('ada', strange(1));
	await say('ada', visits(1)[0]!.map(({vector}) => vector));
	const echoes = notices.filter(notice => notice.type === 'echo.noticed');
	t.is(echoes.length, 2);
	t.like(echoes[0], {id: echoId, source: 'parrot', own: {id: ownId}});
	t.true(echoes[0]!.cosine > 0.999 && echoes[0]!.threshold < 0.9);
	t.like(echoes[1], {source: 'parrot', own: {id: '2'}});
	const {sources} = await identity.sources();
	t.deepEqual(sources.map(({source, echoes: count}) => [source, count]).toSorted(), [['ada', 0], ['parrot', 2]]);
});

test('a baseline that is too short gives no readings, but echoes are noticed', async t => {
	const {baseline} = makeTalk(9);
	const {identity, notices, say} = await start(t, await withValidation(new FakeJournal(), baseline.slice(0, 100)));
	t.deepEqual(identity.watch(), {readings: [], isAlarm: false, heard: null, said: null});
	const own = unitVector(801, 64);
	await say('self', [own]);
	await say('parrot', [own]);
	t.deepEqual(notices.map(({type}) => type), ['echo.noticed']);
});

test('if the database fails when the watch starts, the watch starts with the next text', async t => {
	const {baseline} = makeTalk(5);
	const journal = await withValidation(new FakeJournal(), baseline);
	const validation = journal.validation.bind(journal);
	let isOut = true;
	const warned = Promise.withResolvers<string>();
	const {identity} = await startIdentity({
		encoder: {passport: {model: 'fake', width: 1024, pooling: 'none', prefix: '', dtype: 'fp32'}, embed: async () => unitVector(1)},
		journal: Object.assign(journal, {
			async validation() {
				if (isOut) {
					throw new JournalError('The database is stopping.', {retryable: true});
				}

				return validation();
			},
		}),
		warn(message) {
			if (message.startsWith('Drift')) {
				warned.resolve(message);
			}
		},
	});
	t.teardown(async () => identity.dispose());
	t.regex(await warned.promise, /^Drift is not watched until the next text, .*The database is stopping/);
	t.is(identity.watch(), null);
	isOut = false;
	await identity.cycle({content: 'It is there again.', source: 'ada'});
	await untilWatched(identity);
	t.true(identity.watch() !== null);
});

test('without a validation nothing is watched', async t => {
	const {identity} = await startIdentity({journal: new FakeJournal()});
	t.teardown(async () => identity.dispose());
	await identity.cycle('a');
	await afterAnswers();
	await afterAnswers();
	t.is(identity.watch(), null);
});

test('a text of a much later day sets no timer of 2^31 ms or more, which would fire at once', async t => {
	const folder = await mkdtemp(path.join(tmpdir(), 'watch-'));
	t.teardown(async () => rm(folder, {recursive: true, force: true}));
	const {baseline, strange} = makeTalk(8);
	await withValidation(createSqliteJournal({folder}), baseline);
	const first = await start(t, createSqliteJournal({folder}));
	await first.say('mallory', strange(2), {pauseMs: 60 * 86_400_000});
	await first.identity.dispose();

	const clock = new SimulatedClock();
	const delays: number[] = [];
	await start(t, createSqliteJournal({folder}), {newId: () => 'restarted', clock: {
		setTimeout(run, ms) {
			delays.push(ms);
			return clock.setTimeout(run, ms);
		},
		clearTimeout(id) {
			clock.clearTimeout(id as number);
		},
	}});
	await afterAnswers();
	t.true(delays.length > 0 && delays.every(ms => ms < 2 ** 31), String(delays));
});
