/** The questions of all identities run in reused threads, for a bounded time. */
import {once} from 'node:events';
import {spawn} from 'node:child_process';
import {subscribe, unsubscribe} from 'node:diagnostics_channel';
import {writeFile} from 'node:fs/promises';
import path from 'node:path';
import test, {type ExecutionContext} from 'ava';
import {SimulatedClock} from 'xstate';
import type {PastJournal} from '../../../src/journal/read-pages.ts';
import {selectKernel} from '../../../src/kernel/select.ts';
import {Past} from '../../../src/instruments/past/past.ts';
import {Questions, type QuestionsOptions} from '../../../src/instruments/past/questions.ts';
import {minimalAuthority} from '../../../src/semiosis/fixation.ts';
import {FakeJournal} from '../../actors/fake-journal.ts';
import {cycle, genesis, temporaryFolder} from '../../journal/records.ts';

/** Counts the threads that start. */
const countThreads = (t: ExecutionContext): (() => number) => {
	let count = 0;
	const onThread = (): void => {
		count++;
	};

	subscribe('worker_threads', onThread);
	t.teardown(() => {
		unsubscribe('worker_threads', onThread);
	});
	return () => count;
};

const questionsFor = (t: ExecutionContext, options: QuestionsOptions): Questions => {
	const questions = new Questions(options);
	t.teardown(() => {
		questions.close();
	});
	return questions;
};

/** The past of an identity with three texts. @param read replaces the journal's */
const pastOf = async (questions: Questions, read?: PastJournal['read']): Promise<Past> => {
	const journal = new FakeJournal();
	await journal.open();
	await journal.begin(genesis);
	for (const seq of [1, 2, 3]) {
		await journal.append(cycle(seq));
	}

	const {initial, reference} = genesis;
	const readRecords: PastJournal['read'] = async (from, count) => journal.read(from, count);
	const kept = {records: 3, validation: async () => null, decisions: async () => [], held: async () => [], read: read ?? readRecords};
	return new Past(kept, selectKernel(), () => ({initial, reference, authority: minimalAuthority}), questions);
};

const ask = async (past: Past, signal?: AbortSignal): Promise<number> => {
	const {answer} = await past.ask('ledger', {by: ['text'], limit: 20, direction: null}, {}, {signal});
	return answer.cycles;
};

const never = async (): Promise<never> => new Promise(() => {});

test.serial('many questions of many identities share as many threads as may run at once', async t => {
	const threads = countThreads(t);
	const questions = questionsFor(t, {maxRunning: 2, maxWaiting: 100});
	const pasts = await Promise.all(Array.from({length: 10}, async () => pastOf(questions)));
	const answers = await Promise.all(Array.from({length: 40}, async (_, i) => ask(pasts[i % 10]!)));
	t.true(answers.every(cycles => cycles === 3));
	t.is(threads(), 2);
});

test.serial('a question that is aborted while it reads leaves its thread to the next', async t => {
	const threads = countThreads(t);
	const questions = questionsFor(t, {maxRunning: 1});
	const left = new AbortController();
	const held = ask(await pastOf(questions, never), left.signal);
	const next = ask(await pastOf(questions));
	left.abort(new Error('the caller left'));
	await t.throwsAsync(held, {message: 'the caller left'});
	t.is(await next, 3);
	t.true(threads() <= 1);
});

test.serial('a thread that was idle for the set time ends, and the next question starts another', async t => {
	const threads = countThreads(t);
	const clock = new SimulatedClock();
	const questions = questionsFor(t, {maxRunning: 1, idleMs: 60_000, timers: clock});
	const past = await pastOf(questions);
	await ask(past);
	clock.increment(59_999);
	await ask(past);
	t.is(threads(), 1);
	clock.increment(60_000);
	await ask(past);
	t.is(threads(), 2);
});

test('a question that takes too long fails, says what to do, and passes its turn to the next', async t => {
	const clock = new SimulatedClock();
	const questions = questionsFor(t, {maxRunning: 1, maxSeconds: 5, timers: clock});
	const {promise: reading, resolve: begin} = Promise.withResolvers<void>();
	const slow = ask(await pastOf(questions, async () => {
		begin();
		return never();
	}));
	const next = ask(await pastOf(questions));
	await reading;
	clock.increment(5000);
	await t.throwsAsync(slow, {code: 'unavailable', message: /more than 5 seconds.*shorter stretch \(since, from\).*questions\.maxSeconds/});
	t.is(await next, 3);
});

test('idle threads do not keep a program running', async t => {
	const url = (file: string): string => new URL(`../../../src/${file}`, import.meta.url).href;
	const script = `
		import {openIdentity} from '${url('index.ts')}';
		import {FakeJournal} from '${url('../test/actors/fake-journal.ts')}';
		const passport = {model: 'fake', width: 4, pooling: 'none', prefix: '', dtype: 'fp32'};
		const encoder = {passport, embed: async () => new Float32Array(1024).fill(1 / 32)};
		const themes = {rumination: ['a'], corpus: ['b']};
		const identity = await openIdentity({encoder, themes, directions: [], journal: new FakeJournal(), warn() {}});
		await identity.cycle('The sea is quiet today.');
		console.log((await identity.ledger()).cycles);
		await identity.dispose();
	`;
	const file = path.join(await temporaryFolder(t), 'program.ts');
	await writeFile(file, script);
	const child = spawn(process.execPath, [file]);
	let output = '';
	for (const stream of [child.stdout, child.stderr]) {
		stream.setEncoding('utf8').on('data', (text: string) => {
			output += text;
		});
	}

	const [code] = await once(child, 'close') as [number];
	t.deepEqual([code, output], [0, '1\n']);
});
