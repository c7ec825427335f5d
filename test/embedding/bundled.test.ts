import diagnostics from 'node:diagnostics_channel';
import {threadId, Worker} from 'node:worker_threads';
import test from 'ava';
import fc from '../helpers/fast-check.ts';
import type {LoadedEncoder, TokenReport} from '../../src/embedding/encoder.ts';
import {loadEncoder} from '../../src/embedding/load-encoder.ts';
import {bundledModel} from '../../src/embedding/use-lite/identifier.ts';
import {EmbeddingError} from '../../src/platform/errors.ts';
import {topics} from '../../benchmarks/sentences/topics.ts';
import {anyText} from '../helpers/any-text.ts';
import {conform, same} from './conformance.ts';
import {runAlone} from './run-alone.ts';

/** Every worker that starts in this file. */
const workers: Worker[] = [];
diagnostics.subscribe('worker_threads', message => {
	workers.push((message as {worker: Worker}).worker);
});

conform(test, 'bundled', async () => loadEncoder());

/** One encoder for all tests that only embed texts. */
let shared: LoadedEncoder;
test.serial.before(async () => {
	shared = await loadEncoder();
});
test.after.always(async () => shared.dispose());

const cosine = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, i) => sum + value * b[i]!, 0);

test('the bundled model is the default, and 512 wide before lifting', async t => {
	t.deepEqual(shared.passport, {model: bundledModel, width: 512, pooling: 'none', prefix: '', dtype: 'q8'});
	t.true((await shared.embed('a thought')).subarray(512).every(value => value === 0));
});

test('sentences with the same meaning are closer than sentences with different meanings', async t => {
	const pairs = [
		['How old are you?', 'What is your age?', 'The train leaves from platform nine.'],
		['The weather is cold today.', 'It is freezing outside.', 'She bought a new computer.'],
		['I am sad about the loss.', 'My heart is full of grief.', 'Multiply the numerator by three.'],
	];
	for (const [text, near, far] of pairs) {
		const vector = await shared.embed(text!);
		t.true(cosine(vector, await shared.embed(near!)) > cosine(vector, await shared.embed(far!)) + 0.2);
	}
});

test('white space of any kind and length has the effect of one space', async t => {
	t.true(same(await shared.embed('  The sea\r\n\tis\u00A0quiet.\n'), await shared.embed('The sea is quiet.')));
});

const words = (count: number): string => Array.from({length: count}, (_, i) => ['sea', 'stone', 'day'][i * i % 3]).join(' ');

test('the vector of more than 128 tokens is the mean of its windows, weighted by their tokens', async t => {
	const {vector, report} = await shared.embedWithReport!(words(300));
	const characters = words(300).replaceAll(' ', '').length;
	t.deepEqual(report, {tokens: 300, characters, isTruncated: false, unknownShare: 0, language: 'en'});

	const all = words(300).split(' ');
	const windows = await Promise.all([all.slice(0, 128), all.slice(128, 256), all.slice(256)].map(async window => ({
		weight: window.length,
		part: await shared.embed(window.join(' ')),
	})));
	const mean = vector.map((_, i) => windows.reduce((sum, {weight, part}) => sum + weight * part[i]!, 0));
	t.true(cosine(vector, mean) / Math.hypot(...mean) > 0.999_999);
});

test('the model reads 1,024 tokens, and ignores the rest of a text', async t => {
	t.true(same(await shared.embed(words(1024)), await shared.embed(words(1025))));
	t.true(same(await shared.embed(words(1024)), await shared.embed(words(20_000))));
	t.false(same(await shared.embed(words(1000)), await shared.embed(words(1001))));
});

const reported: Array<[what: string, text: string, report: TokenReport]> = [
	['a short English text', 'The sea is quiet today.', {tokens: 6, characters: 19, isTruncated: false, unknownShare: 0, language: 'en'}],
	['Japanese', '海は静かです。', {tokens: 2, characters: 7, isTruncated: false, unknownShare: 1}],
	['a null character', '\u0000', {tokens: 2, characters: 1, isTruncated: false, unknownShare: 1}],
	['English with two foreign characters', 'The sea 海波', {tokens: 4, characters: 8, isTruncated: false, unknownShare: 0.25}],
	['1,024 words', 'sea '.repeat(1024), {tokens: 1024, characters: 3072, isTruncated: false, unknownShare: 0, language: 'en'}],
	['1,025 words', 'sea '.repeat(1025), {tokens: 1024, characters: 3075, isTruncated: true, unknownShare: 0, language: 'en'}],
	[
		'nearly a megabyte',
		'The sea is quiet today. '.repeat(37_500),
		{tokens: 1024, characters: 12_971, isTruncated: true, unknownShare: 0, language: 'en'},
	],
	['long Japanese, which makes few tokens', '海は静かです。'.repeat(4000), {tokens: 2, characters: 16_384, isTruncated: true, unknownShare: 1}],
	[
		'a text between long spaces',
		`${' '.repeat(40_000)}sea${' '.repeat(40_000)}`,
		{tokens: 1, characters: 3, isTruncated: false, unknownShare: 0, language: 'en'},
	],
	['emoji', '😀😅🎉', {tokens: 2, characters: 3, isTruncated: false, unknownShare: 1}],
	[
		'JSON, read as single characters',
		'{"status":"ok","items":[1,2,3],"next":null}',
		{tokens: 33, characters: 43, isTruncated: false, unknownShare: 0},
	],
	[
		'German, read as pieces of words',
		'Ich habe das Gefühl, dass heute nichts gelingt.',
		{tokens: 25, characters: 40, isTruncated: false, unknownShare: 0},
	],
];

test('the report has the tokens, the truncation and the unknown share of each text', async t => {
	for (const [what, text, report] of reported) {
		t.deepEqual((await shared.embedWithReport!(text)).report, report, what);
	}
});

test('a vector does not depend on concurrent texts, or on the worker', async t => {
	const encoder = await loadEncoder({workers: 3, cacheSize: 0});
	t.teardown(async () => encoder.dispose());
	const texts = Array.from({length: 60}, (_, i) => `Thought ${i}, ${'and more of it '.repeat(i % 13)}`);
	const together = await Promise.all(texts.map(async text => encoder.embed(text)));
	for (const [i, text] of texts.entries()) {
		t.true(same(together[i]!, await shared.embed(text)), text);
	}
});

test('for any text, the unknown share is between 0 and 1', async t => {
	await fc.assert(fc.asyncProperty(anyText({minLength: 1, maxLength: 200}).filter(text => text.trim() !== ''), async text => {
		const {tokens, unknownShare} = (await shared.embedWithReport!(text)).report;
		return tokens! <= 1024 && unknownShare! >= 0 && unknownShare! <= 1;
	}), {numRuns: 20});
	t.pass();
});

test('the model declares English as its language', async t => {
	t.deepEqual(shared.languages, ['en']);
});

test('most English texts are reported as English; other languages, numbers and signs have no language', async t => {
	const languagesOf = async (texts: readonly string[]) =>
		Promise.all(texts.map(async text => (await shared.embedWithReport!(text)).report.language));
	const english = await languagesOf(topics.English.flat());
	t.true(english.filter(language => language === 'en').length > 0.75 * english.length);
	t.deepEqual(new Set(await languagesOf([
		'Je me souviens de la mer, et du silence après la pluie.', 'Ho dimenticato le chiavi.', '12:30', '...', '2024',
	])), new Set([undefined]));
});

test('the model computes in a worker, and does not block this thread', async t => {
	const before = workers.length;
	const encoder = await loadEncoder();
	t.teardown(async () => encoder.dispose());
	t.true(workers.slice(before).every(worker => worker.threadId !== threadId));

	let turns = 0;
	let next: NodeJS.Immediate;
	const turn = () => {
		turns++;
		next = setImmediate(turn);
	};

	turn();
	await Promise.all(Array.from({length: 10}, async (_, i) => encoder.embed(`thought ${i} `.repeat(100))));
	clearImmediate(next!);
	t.true(turns > 100, `the loop turned ${turns} times during ten texts`);
});

test.serial('if a worker dies, its text fails and may be retried, and a new worker embeds the next', async t => {
	const encoder = await loadEncoder({workers: 1, cacheSize: 0});
	t.teardown(async () => encoder.dispose());
	const before = await encoder.embed('a thought');

	// So long that the worker ends before it has the vector.
	const held = encoder.embed('a thought '.repeat(500));
	await workers.at(-1)!.terminate();
	const error = await t.throwsAsync(held, {instanceOf: EmbeddingError, message: /exited while it embedded this text\. Try again/});
	t.true(error.retryable);

	t.true(same(await encoder.embed('a thought'), before));
});

test.serial('texts that wait when a worker dies are embedded by its successor', async t => {
	const encoder = await loadEncoder({workers: 1});
	t.teardown(async () => encoder.dispose());
	const calls = ['a '.repeat(500), 'b', 'c'].map(async text => encoder.embed(text));
	await workers.at(-1)!.terminate();
	t.deepEqual((await Promise.allSettled(calls)).map(({status}) => status), ['rejected', 'fulfilled', 'fulfilled']);
});

test.serial('waiting texts go to the worker a few at a time, and each gets its vector', async t => {
	const encoder = await loadEncoder({workers: 1, cacheSize: 0});
	t.teardown(async () => encoder.dispose());
	await encoder.embed('a thought');

	const worker = workers.at(-1)!;
	const messages: string[][] = [];
	const post = worker.postMessage.bind(worker);
	worker.postMessage = (call: {asked: string[]}) => {
		messages.push(call.asked);
		post(call);
	};

	const texts = Array.from({length: 8}, (_, i) => `thought ${i}`);
	const vectors = await Promise.all(texts.map(async text => encoder.embed(text)));
	t.deepEqual(messages, [texts.slice(0, 1), texts.slice(1, 5), texts.slice(5)]);
	for (const [i, text] of texts.entries()) {
		t.true(same(vectors[i]!, await shared.embed(text)), text);
	}
});

test.serial('more workers start when one is busy, up to the set number', async t => {
	const before = workers.length;
	const encoder = await loadEncoder({workers: 2});
	t.teardown(async () => encoder.dispose());
	await encoder.embed('a thought');
	t.is(workers.length, before + 1);

	await Promise.all(Array.from({length: 20}, async (_, i) => encoder.embed(`thought ${i} `.repeat(50))));
	t.is(workers.length, before + 2);
});

test('a prefix is put before every text', async t => {
	const prefixed = await loadEncoder({prefix: 'query: '});
	t.teardown(async () => prefixed.dispose());
	t.is(prefixed.passport.prefix, 'query: ');
	t.true(same(await prefixed.embed('a thought'), await shared.embed('query: a thought')));
});

test('an aborted load throws the signal\'s reason', async t => {
	const reason = new Error('no longer wanted');
	const abort = new AbortController();
	const loading = loadEncoder({}, {signal: abort.signal});
	abort.abort(reason);
	t.is(await t.throwsAsync(loading), reason);
});

test('the model needs no network, and the process ends after dispose', async t => {
	const {outcome, stderr} = await runAlone({}, './no-network.ts');
	t.is(outcome.passport?.width, 512);
	t.is(stderr, '');
});
