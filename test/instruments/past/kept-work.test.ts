/** Kept work: a later question reads only new records, and has the same answer as without it. */
import test, {type ExecutionContext} from 'ava';
import type {Job} from '../../../src/instruments/past/job.ts';
import {KeptWork} from '../../../src/instruments/past/kept-work.ts';
import {Past} from '../../../src/instruments/past/past.ts';
import {Questions} from '../../../src/instruments/past/questions.ts';
import {runLedger, type LedgerQuestion} from '../../../src/instruments/run-ledger.ts';
import {startReplay} from '../../../src/instruments/replay.ts';
import type {JournalEntry} from '../../../src/journal/journal.ts';
import {selectKernel} from '../../../src/kernel/select.ts';
import fc from '../../helpers/fast-check.ts';
import {unitVector} from '../run-texts.ts';
import {startHistory} from '../recorded-history.ts';

const kernel = selectKernel();

/** A history, its journal in memory, and its past. */
const startPast = (questions: Questions, seed: number) => {
	const history = startHistory(seed);
	/** How many records are compacted. */
	let compacted = 0;
	let records = 0;
	const entries = (): JournalEntry[] => {
		const all = history.entries();
		const newest = all[compacted - 1];
		if (!newest) {
			return all;
		}

		const {seq, record} = newest;
		const {id, timestamp} = record;
		const state = record.kind === 'cycle' ? {stateId: record.stateId, timestamp, thirdness: record.thirdness} : null;
		return [{seq, record: {kind: 'snapshot', id, timestamp, first: 1, state, checkpoint: null}}, ...all.slice(compacted)];
	};

	const journal = {
		get records() {
			return history.records.length;
		},
		validation: async () => null, decisions: async () => [], held: async () => [],
		async read(from: number, count: number) {
			const page = entries().filter(({seq}) => seq >= from).slice(0, count);
			records += page.length;
			return page;
		},
	};
	const {initial, reference, authority} = history.rules;
	const past = new Past(journal, kernel, () => ({initial, reference, authority}), questions);
	return {
		history,
		/** Compacts the oldest records, up to this share. */
		compact(percent: number) {
			compacted = Math.max(compacted, Math.floor(percent / 100 * history.records.length));
		},
		ask: async (question: LedgerQuestion) => (await past.ask('ledger', question)).answer,
		/** The answer without kept work. */
		askWithoutKept(question: LedgerQuestion) {
			const running = runLedger({rules: history.rules, seq: 0, start: startReplay(history.rules)}, question);
			running.take(entries());
			return running.answer();
		},
		/** How many records were read since the last call. */
		takeReads(): number {
			const read = records;
			records = 0;
			return read;
		},
	};
};

const questionsFor = (t: ExecutionContext): Questions => {
	const questions = new Questions({maxRunning: 2});
	t.teardown(() => {
		questions.close();
	});
	return questions;
};

const bySource: LedgerQuestion = {by: ['source'], limit: 20, direction: null};

/** A ledger of the whole history, as a thread receives it. */
const jobOf = ({rules: {initial, reference, authority}}: ReturnType<typeof startHistory>): Job =>
	({
		name: 'ledger', question: bySource, authority, initial, reference, from: {seq: 0, state: initial, cumulativeDrift: 0},
	} satisfies Job<'ledger'> as Job);

const step = fc.oneof(
	{weight: 3, arbitrary: fc.record({type: fc.constant('talk' as const), count: fc.integer({min: 1, max: 40})})},
	{weight: 1, arbitrary: fc.constant({type: 'reset' as const})},
	{weight: 1, arbitrary: fc.record({type: fc.constant('compact' as const), percent: fc.nat(100)})},
	{weight: 4, arbitrary: fc.record({
		type: fc.constant('ask' as const),
		by: fc.constantFrom('text' as const, 'source' as const, 'trigger' as const, 'method' as const),
		limit: fc.integer({min: 1, max: 30}),
		along: fc.constantFrom(null, null, 1, 2),
	})},
);

test('a kept ledger equals a new one bit for bit, whatever texts, resets and compactions come between questions', async t => {
	const questions = questionsFor(t);
	let seed = 0;
	await fc.assert(fc.asyncProperty(fc.array(fc.tuple(fc.nat(1), step), {minLength: 10, maxLength: 40, size: 'max'}), async steps => {
		const pasts = [startPast(questions, ++seed), startPast(questions, seed)];
		for (const [who, one] of steps) {
			const {history, ask, askWithoutKept, compact} = pasts[who]!;
			switch (one.type) {
				case 'talk': {
					history.talk(one.count);
					break;
				}

				case 'reset': {
					history.reset();
					break;
				}

				case 'compact': {
					compact(one.percent);
					break;
				}

				case 'ask': {
					const question = {by: [one.by], limit: one.limit, direction: one.along === null ? null : unitVector(one.along)};
					t.deepEqual(await ask(question), askWithoutKept(question));
					break;
				}
			}
		}
	}), {numRuns: 30});
});

test('a second question, even with another grouping, reads the new records and few others', async t => {
	const {history, ask, takeReads} = startPast(questionsFor(t), 1);
	history.talk(1000);
	await ask(bySource);
	t.true(takeReads() >= 1000);
	history.talk(10);
	t.is((await ask({...bySource, by: ['text']})).cycles, 1010);
	const newest = 128;
	t.true(takeReads() < 10 + 2 * newest + 10);
});

test('questions about three pasts in turn each resume from the kept work of their past', async t => {
	const questions = questionsFor(t);
	const pasts = [startPast(questions, 1), startPast(questions, 2), startPast(questions, 3)];
	for (const {history} of pasts) {
		history.talk(1000);
	}

	await Promise.all(pasts.map(async ({ask}) => ask(bySource)));
	for (const {ask, takeReads} of [...pasts, ...pasts]) {
		takeReads();
		await ask(bySource);
		t.true(takeReads() < 500);
	}
});

test('kept work is not used for another journal of the same length', t => {
	const work = new KeptWork(10 ** 9);
	const one = startHistory(1).talk(20);
	const job = jobOf(one);
	t.deepEqual(work.begin('js', job, {journal: 1, to: 20}), {from: 0, same: []});
	work.take(one.entries());
	work.answer();
	t.deepEqual(work.begin('js', job, {journal: 1, to: 20}), {from: 20, same: [1, 2, 20]});
	const [first, second] = one.entries();
	const changed = {seq: 20, record: {...one.entries()[19]!.record, id: 'another'}};
	t.deepEqual(work.compare([first!, second!, changed]), {from: 0, same: []});
	t.deepEqual(work.begin('js', job, {journal: 2, to: 20}), {from: 0, same: []});
});

test('the kept work of all journals is bounded, and the least recently used is dropped first', t => {
	const history = startHistory(1).talk(100);
	const job = jobOf(history);
	const work = new KeptWork(500_000);
	const ask = (journal: number): number => {
		const {from} = work.begin('js', job, {journal, to: 100});
		if (from === 0) {
			work.take(history.entries());
		}

		work.answer();
		return from;
	};

	t.deepEqual([1, 2, 1, 3, 1, 2, 3].map(ask), [0, 0, 100, 0, 100, 0, 0]);
});

test('the size of a kept ledger is about what its texts take, also if these are short', t => {
	const history = startHistory(1).talk(1000);
	const running = runLedger({rules: history.rules, seq: 0, start: startReplay(history.rules)}, bySource);
	running.take(history.entries());
	// V8 takes 860 bytes for a text without its content: most are objects and boxed floats.
	const bytes = running.reuse!.bytes() / 1000;
	t.true(bytes > 600 && bytes < 1200, `${bytes}`);
});

test('the size of kept drift includes the texts of its baseline', t => {
	const history = startHistory(1).talk(20);
	const {initial, reference, authority} = history.rules;
	const texts = Array.from({length: 2000}, (_, i) => ({
		id: `${i}`, source: 'Ada', time: i, conversation: null, isOwn: false, isUnread: false, vector: unitVector(i),
	}));
	// These are fewer than the 30 conversations that drift needs.
	const job = {
		name: 'drift', question: {ordinary: {seq: 1, texts, chance: null}, directions: []}, authority, initial, reference,
		from: {seq: 0, state: initial, cumulativeDrift: 0},
	} satisfies Job<'drift'> as Job;
	const askTwice = (maxBytes: number): number => {
		const work = new KeptWork(maxBytes);
		work.begin('js', job, {journal: 1, to: 20});
		work.take(history.entries());
		work.answer();
		return work.begin('js', job, {journal: 1, to: 20}).from;
	};

	const bytes = texts.length * texts[0]!.vector.byteLength;
	t.is(askTwice(bytes), 0);
	t.is(askTwice(2 * bytes), 20);
});
