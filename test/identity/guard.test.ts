/** The guard: which rules hold texts of others, and which texts pass. */
import test, {type ExecutionContext} from 'ava';
import type {GuardOptions} from '../../src/actors/guard.ts';
import type {Embedding} from '../../src/embedding/encoder.ts';
import type {BaselineText} from '../../src/journal/validation.ts';
import {mulberry32} from '../../src/platform/clock.ts';
import {toUnitLength} from '../../src/kernel/normalise.ts';
import {FakeJournal} from '../actors/fake-journal.ts';
import {startIdentity} from '../actors/fixtures.ts';
import {unitVector} from '../instruments/run-texts.ts';
import {startTalk} from '../instruments/simulated-talk.ts';
import {untilWatched, withValidation} from './validated.ts';

const passport = {model: 'fake', width: 1024, pooling: 'none', prefix: '', dtype: 'fp32'} as const;

type StartOptions = {
	/** The source of a text of the baseline. */
	whose?: (text: BaselineText) => string;
	/** How many components of a vector are not 0. The time to learn the baseline grows with it. */
	width?: number;
};

/** A validated identity with a guard, and a topic outside its ordinary talk. */
const start = async (t: ExecutionContext, guard: GuardOptions, {whose = ({source}) => source, width = 16}: StartOptions = {}) => {
	const random = mulberry32(10);
	const talk = startTalk(random, {width});
	const embeddings = new Map<string, Embedding>();
	const journal = await withValidation(new FakeJournal(), talk.texts(400).map(text => ({...text, source: whose(text)})));
	const open = async () => {
		const opened = await startIdentity({
			guard, journal, encoder: {
				passport, embed: async text => embeddings.get(text)!.vector, embedWithReport: async text => embeddings.get(text)!,
			},
		});
		t.teardown(async () => opened.identity.dispose());
		return opened;
	};

	const {identity, clock} = await open();
	await untilWatched(identity);
	const topic = unitVector(9000, width);
	const strange = () => toUnitLength(topic.map((value, i) => value + (i < width ? (random() - 0.5) * 0.3 : 0)));
	/** @returns why the text is held, if it is */
	const say = async (source: string, vector: Float32Array, report: Embedding['report'] = {tokens: 12}): Promise<string | undefined> => {
		const content = `text ${embeddings.size}`;
		embeddings.set(content, {vector, report});
		clock.increment(60_000);
		const {held} = await identity.cycle({content, source});
		await new Promise(resolve => {
			setTimeout(resolve);
		});
		return held;
	};

	return {identity, clock, journal, strange, say, open, visit: () => talk.visit()};
};

test('texts of a noticed source are held, also after a restart, and the answer says why; others pass', async t => {
	const {identity, clock, strange, say, open, visit} = await start(t, {named: true});
	const noticed: string[] = [];
	identity.on('source.noticed', ({source}) => noticed.push(source));
	while (noticed.length === 0) {
		for (const {source, vector} of [...visit(), ...visit()]) {
			t.is(await say(source, vector), undefined);
		}

		clock.increment(3_600_000);
		for (let i = 0; i < 8 && noticed.length === 0; i++) {
			t.is(await say('mallory', strange()), undefined);
		}

		clock.increment(3_600_000);
		t.true(identity.state().stateId < 1000);
	}

	t.deepEqual(noticed, ['mallory']);
	const {stateId} = identity.state();
	const reason = await say('mallory', strange());
	t.regex(reason!, /^Texts of “mallory” wait: this source pushes more than any one source does by chance \(p 0\.0\d+\)\.$/v);
	t.is(identity.state().stateId, stateId);
	const {source, vector} = visit()[0]!;
	t.is(await say(source, vector), undefined);
	t.is(await say('self', strange()), undefined);

	await identity.dispose();
	const again = await open();
	const content = 'text 0';
	t.is(again.identity.watch(), null);
	t.is((await again.identity.cycle({content, source: 'mallory'})).held, reason, 'the first text waits for the watch');
	again.identity.on('source.noticed', ({source: name}) => noticed.push(name));
	t.is((await again.identity.cycle({content, source: 'ada'})).held, undefined);
	t.deepEqual(noticed, ['mallory'], 'a source is noticed once');
});

test('while the watch reads a long past, a text of another source is refused after 30 seconds; the agent’s own pass', async t => {
	const {identity: before, journal, say, open, strange} = await start(t, {echoes: 2});
	t.is(await say('ada', strange()), undefined);
	await before.dispose();
	const read = Promise.withResolvers<void>();
	const validation = journal.validation.bind(journal);
	journal.validation = async () => {
		await read.promise;
		return validation();
	};

	const {identity, clock} = await open();
	const content = 'text 0';
	t.is((await identity.cycle({content, source: 'self'})).held, undefined);
	const refused = t.throwsAsync(identity.cycle({content, source: 'ada'}), {code: 'busy', message: /still reading the past/v});
	while (identity.actor.getSnapshot().context.turns!.line.length === 0) {
		await new Promise(resolve => {
			setTimeout(resolve);
		});
	}

	await new Promise(resolve => {
		setTimeout(resolve);
	});
	clock.increment(30_000);
	await refused;
	t.is(identity.state().stateId, 2);
	read.resolve();
	t.is((await identity.cycle({content, source: 'ada'})).held, undefined);
});

test('texts of a source with more echoes than the limit are held', async t => {
	const {strange, say, visit} = await start(t, {echoes: 2});
	const own = strange();
	t.is(await say('self', own), undefined);
	for (let i = 0; i < 3; i++) {
		t.is(await say('mallory', own), undefined);
	}

	t.is(await say('mallory', own), 'Texts of “mallory” wait: 3 of them were nearly the identity’s own words; the limit is 2.');
	t.is(await say('ada', visit()[0]!.vector), undefined);
});

test('texts of a source with more weight than the limit are held', async t => {
	const {say, visit} = await start(t, {weight: 0.002});
	const {vector} = visit()[0]!;
	const held: Array<string | undefined> = [];
	for (let i = 0; i < 5; i++) {
		held.push(await say('fay', vector));
	}

	t.deepEqual(held.map(reason => reason === undefined), [true, true, true, false, false]);
	t.is(held[3], 'Texts of “fay” wait: they make up 0.244 % of the present; the limit is 0.2 %.');
	t.is(await say('ada', vector), undefined);
});

test('a text that the model reads badly is held, unless it is the agent’s own', async t => {
	const {say, strange} = await start(t, {unread: true});
	t.is(await say('ada', strange(), {tokens: 12, unknownShare: 0.5}), 'The embedding model reads this text badly.');
	t.is(await say('ada', strange()), undefined);
	t.is(await say('self', strange(), {tokens: 1}), undefined);
});

test('without rules all texts pass, and a misspelled or invalid rule is refused', async t => {
	const {say, strange} = await start(t, {});
	t.is(await say('mallory', strange(), {tokens: 1}), undefined);
	const refused = async (guard: object) => t.throwsAsync(startIdentity({guard}), {code: 'configuration'});
	t.regex((await refused({nmaed: true}))!.message, /nmaed.*named/v);
	t.regex((await refused({weight: 2}))!.message, /weight must be a number from 0 to 1/v);
});

test('texts of a new source are held once its conversation lies beyond ordinary ones; an ordinary new source passes', async t => {
	const {identity, strange, say, visit} = await start(t, {strangers: true}, {
		whose: ({id}) => `user ${Number.parseInt(id, 10) % 6}`,
		width: 64,
	});
	const held: Array<string | undefined> = [];
	for (let i = 0; i < 6; i++) {
		held.push(await say('mallory', strange()));
	}

	const first = held.findIndex(reason => reason !== undefined);
	t.true(first >= 0 && first < 4, `${first}`);
	t.true(held.slice(first).every(reason => reason !== undefined), 'held texts count too');
	t.regex(held[first]!, /^The source “mallory” is new, and its conversation lies beyond 999 of 1,000 ordinary ones: \d+\.\d dev/v);
	for (const {vector} of [...visit(), ...visit()]) {
		t.is(await say('gus', vector), undefined);
	}

	t.is(await say('user 1', strange()), undefined, 'a source of the baseline is not new');
	t.is(await say('self', strange()), undefined);
	const {sources} = await identity.held();
	t.is(sources[0]!.source, 'mallory');
	t.true(sources[0]!.reading! > 3, `${sources[0]!.reading}`);
});

test('the readings of held texts are known as soon as an identity is open', async t => {
	const {identity, strange, say, open} = await start(t, {});
	await identity.hold({sources: ['mallory'], note: 'Taken over.'});
	t.regex((await say('mallory', strange()))!, /^Texts of “mallory” wait/);
	const {sources} = await identity.held();
	await identity.dispose();
	const again = (await open()).identity;
	t.is(again.watch(), null, 'the watch starts in a thread');
	t.true(sources[0]!.reading! > 0);
	t.deepEqual((await again.held()).sources, sources);
});
