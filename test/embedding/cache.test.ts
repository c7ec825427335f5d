/** An encoder with a cache. */
import test from 'ava';
import {withCache} from '../../src/embedding/cache.ts';
import {FakeEncoder, vectorOf} from '../actors/fixtures.ts';

test('a repeated text is not embedded again, and has the same vector', async t => {
	const inner = new FakeEncoder();
	const encoder = withCache(inner, 10);
	t.deepEqual(
		[await encoder.embed('a'), await encoder.embed('b'), await encoder.embed('a')], [vectorOf('a'), vectorOf('b'), vectorOf('a')],
	);
	t.deepEqual(inner.asked, ['a', 'b']);
});

test('the report of a text is cached with its vector', async t => {
	const inner = new FakeEncoder();
	const encoder = withCache(Object.assign(inner, {
		embedWithReport: async (text: string) => ({
			vector: await inner.embed(text), report: {tokens: 7, isTruncated: true, unknownShare: 0.25},
		}),
		languages: ['en'],
	}), 10);
	const first = await encoder.embedWithReport!('a');
	await encoder.embed('a');
	t.deepEqual(await encoder.embedWithReport!('a'), first);
	t.deepEqual(first.report, {tokens: 7, isTruncated: true, unknownShare: 0.25});
	t.deepEqual(inner.asked, ['a']);
	t.deepEqual(encoder.languages, ['en']);
});

test('if the encoder has no reports, the report is empty', async t => {
	const encoder = withCache(new FakeEncoder(), 10);
	t.deepEqual(await encoder.embedWithReport!('a'), {vector: vectorOf('a'), report: {}});
});

test('the cached vector of a narrower model has 1024 floats again', async t => {
	const whole = new Float32Array(1024);
	whole.set([0.6, 0, 0.8]);
	const encoder = withCache({passport: {model: 'narrow', width: 3}, embed: async () => whole}, 10);
	t.deepEqual([await encoder.embed('a'), await encoder.embed('a')], [whole, whole]);
});

test('the least recently used text is evicted first', async t => {
	const inner = new FakeEncoder();
	const encoder = withCache(inner, 2);
	for (const text of ['a', 'b', 'a', 'c', 'a', 'b']) {
		await encoder.embed(text);
	}

	t.deepEqual(inner.asked, ['a', 'b', 'c', 'b']);
});

test('long texts are evicted sooner: the cache is bounded in bytes', async t => {
	const inner = new FakeEncoder();
	const encoder = withCache(inner, 10);
	const long = ['a', 'b', 'c', 'd'].map(letter => letter.repeat(60_000));
	for (const text of [...long, long[3]!, long[0]!]) {
		await encoder.embed(text);
	}

	t.deepEqual(inner.asked, [...long, long[0]]);
});

test('a change to a returned vector does not affect the cache', async t => {
	const encoder = withCache(new FakeEncoder(), 10);
	(await encoder.embed('a')).fill(0);
	(await encoder.embed('a')).fill(0);
	t.deepEqual(await encoder.embed('a'), vectorOf('a'));
});

test('a failure is not cached', async t => {
	const inner = new FakeEncoder();
	const encoder = withCache(inner, 10);
	inner.fail('a', new Error('not now'));
	await t.throwsAsync(encoder.embed('a'), {message: 'not now'});
	await t.throwsAsync(encoder.embed('a'), {message: 'not now'});
	t.is(inner.asked.length, 2);
});

test('an aborted call is rejected, even for a cached text', async t => {
	const encoder = withCache(new FakeEncoder(), 10);
	await encoder.embed('a');
	await t.throwsAsync(encoder.embed('a', AbortSignal.abort(new Error('left'))), {message: 'left'});
});

test('a size of 0 caches nothing', async t => {
	const inner = new FakeEncoder();
	t.is(withCache(inner, 0), inner);
});
