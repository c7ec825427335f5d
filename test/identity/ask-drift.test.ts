/** Drift questions that callers share: when they are aborted, and which answers are cached. */
import {setTimeout} from 'node:timers/promises';
import {setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';
import test from 'ava';
import {DriftQuestions, type DriftDeps} from '../../src/identity/ask-drift.ts';
import type {Past} from '../../src/instruments/past/past.ts';
import {genesis} from '../journal/records.ts';
import {startIdentity} from '../actors/fixtures.ts';
import {FakeJournal} from '../actors/fake-journal.ts';

type Question = {
	isRefusable: boolean | undefined;
	signal: AbortSignal;
	answer: (answer: unknown) => void;
	fail: (error: Error) => void;
};

const {initial} = genesis;
const validated = {
	id: 'a',
	timestamp: initial.timestamp,
	note: 'b',
	baseline: {texts: 0, heard: 0, conversations: 0, sources: 1, from: initial.timestamp},
	seq: 1,
	stateId: 7,
	texts: [],
	chance: null,
	anchor: {timestamp: initial.timestamp, thirdness: initial.row('thirdness')},
};
const state = {stateId: 7, timestamp: initial.timestamp};
const result = {
	to: state, from: state, netMrad: 1, excessMrad: null, isHashed: false, cycles: 0, sources: [], chance: null, begins: 'birth',
	voices: {heard: null, said: null}, trail: [],
};

/** `DriftQuestions` over a past whose answers the test resolves. */
const start = ({validation = null as typeof validated | null} = {}) => {
	const asked: Question[] = [];
	const past = {
		records: 1,
		validation: async () => validation,
		async askDrift(_question: unknown, options: {signal: AbortSignal; isRefusable?: boolean}) {
			const {signal, isRefusable} = options;
			const {promise, resolve, reject} = Promise.withResolvers<unknown>();
			signal.addEventListener('abort', () => {
				reject(signal.reason as Error);
			});
			asked.push({isRefusable, signal, fail: reject, answer: resolve});
			return promise;
		},
	};
	const drifts = new DriftQuestions({
		past: past as unknown as Past,
		getContext: () => ({state: initial, validation, revision: undefined, boot: {directions: []}}),
	} satisfies DriftDeps);
	/** Resolves with the last of this many questions. */
	const untilAsked = async (count: number): Promise<Question> => {
		while (asked.length < count) {
			await setTimeout();
		}

		return asked[count - 1]!;
	};

	return {drifts, past, asked, untilAsked};
};

test('a shared question is aborted when its last caller leaves, and asked again for the next one', async t => {
	const {drifts, untilAsked} = start();
	const [first, second] = [new AbortController(), new AbortController()];
	const both = [drifts.drift({}, first.signal), drifts.sources({}, second.signal)];
	const {signal} = await untilAsked(1);
	first.abort(new Error('the first left'));
	await t.throwsAsync(both[0]!, {message: 'the first left'});
	t.false(signal.aborted);
	second.abort(new Error('the second left'));
	await t.throwsAsync(both[1]!, {message: 'the second left'});
	t.true(signal.aborted);

	const again = drifts.drift({});
	(await untilAsked(2)).answer(result);
	t.is((await again).netMrad, 1);
});

test('an older question that fails does not remove a newer one from the cache', async t => {
	const {drifts, past, asked, untilAsked} = start();
	const first = drifts.drift({since: 0});
	const older = await untilAsked(1);
	// Four others evict it from the cache, so it is asked again.
	const others = ['1', '2', '3', '4'].map(async since => drifts.drift({since}));
	await untilAsked(5);
	const newer = drifts.drift({since: 0});
	await untilAsked(6);
	older.fail(new Error('broken'));
	await t.throwsAsync(first, {message: 'broken'});
	const joined = drifts.drift({since: 0});
	for (const {answer} of asked.slice(1)) {
		answer(result);
	}

	await Promise.all([...others, newer, joined]);
	t.is(past.records, 1);
	t.is(asked.length, 6);
});

test('a full queue may refuse a drift, but not the chart of an accepted history', async t => {
	const {drifts, untilAsked} = start({validation: validated});
	const drift = drifts.drift({since: 3});
	const trail = drifts.chartTrail();
	const asked = [await untilAsked(1), await untilAsked(2)];
	t.deepEqual(asked.map(({isRefusable}) => isRefusable), [undefined, false]);
	for (const {answer} of asked) {
		answer(result);
	}

	t.is((await drift).netMrad, 1);
	t.deepEqual(await trail, []);
});

test('a history takes its chart from a pending drift', async t => {
	const {drifts, asked, untilAsked} = start({validation: validated});
	const [drift, trail] = [drifts.drift({}), drifts.chartTrail()];
	const {answer} = await untilAsked(1);
	answer(result);
	await Promise.all([drift, trail]);
	t.is(asked.length, 1);
});

test('a cached answer does not retain the texts of its validation', async t => {
	setFlagsFromString('--expose-gc');
	const {drifts, past, untilAsked} = start({validation: validated});
	const texts: Array<WeakRef<object>> = [];
	past.validation = async () => {
		const read = {...validated, texts: []};
		texts.push(new WeakRef(read.texts));
		return read;
	};

	const drift = drifts.drift({});
	(await untilAsked(1)).answer(result);
	t.is((await drift).validation!.id, validated.id);
	await setTimeout();
	(runInNewContext('gc') as () => void)();
	t.is(texts[0]!.deref(), undefined);
	t.is((await drifts.drift({})).netMrad, 1);
});

test('a forgetting drops cached answers, also those under way', async t => {
	const {drifts, asked, untilAsked} = start();
	for (const since of [1, 2]) {
		const drift = drifts.drift({since});
		const {answer} = await untilAsked(since);
		// The second is under way.
		await (since === 1 && (answer(result), drift));
	}

	drifts.forget();
	const again = [1, 2].map(async since => drifts.drift({since}));
	await untilAsked(4);
	for (const {answer} of asked) {
		answer(result);
	}

	await Promise.all(again);
	t.is(asked.length, 4);
});

test('after the clock is set back, a drift since a later time says after which state no text came', async t => {
	let day = 10;
	const time = {now: () => Date.UTC(2026, 10, day), elapsed: () => 0};
	const {identity} = await startIdentity({journal: new FakeJournal(), time});
	await identity.cycle('The sea is quiet.');
	day = 1;
	await identity.cycle('The clock was put back.');
	const {sentence, cycles} = await identity.drift({since: '2026-11-08'});
	t.is(cycles, 0);
	t.is(sentence, 'No text came after state 2 of 1 November 2026.');
});
