/** An encoder that remembers. */
import test from 'ava';
import {withCache} from '../../src/embedding/cache.ts';
import {FakeEncoder, vectorOf} from '../actors/fixtures.ts';

test('a text that comes again is not embedded again, and its vector is the same', async t => {
	const inner = new FakeEncoder();
	const encoder = withCache(inner, 10);
	t.deepEqual([await encoder.embed('a'), await encoder.embed('b'), await encoder.embed('a')], [vectorOf('a'), vectorOf('b'), vectorOf('a')]);
	t.deepEqual(inner.asked, ['a', 'b']);
});

test('how a text was read is remembered with its vector', async t => {
	const inner = new FakeEncoder();
	const encoder = withCache(Object.assign(inner, {
		embedWithReport: async (text: string) => ({vector: await inner.embed(text), report: {tokens: 7, isTruncated: true, unknownShare: 0.25}}),
		languages: ['en'],
	}), 10);
	const first = await encoder.embedWithReport!('a');
	await encoder.embed('a');
	t.deepEqual(await encoder.embedWithReport!('a'), first);
	t.deepEqual(first.report, {tokens: 7, isTruncated: true, unknownShare: 0.25});
	t.deepEqual(inner.asked, ['a']);
	t.deepEqual(encoder.languages, ['en']);
});

test('an encoder that reports nothing is remembered with an empty report', async t => {
	const encoder = withCache(new FakeEncoder(), 10);
	t.deepEqual(await encoder.embedWithReport!('a'), {vector: vectorOf('a'), report: {}});
});

test('what was asked for least recently is forgotten first', async t => {
	const inner = new FakeEncoder();
	const encoder = withCache(inner, 2);
	for (const text of ['a', 'b', 'a', 'c', 'a', 'b']) {
		await encoder.embed(text);
	}

	t.deepEqual(inner.asked, ['a', 'b', 'c', 'b']);
});

test('long texts make room sooner: what is remembered is bounded in bytes', async t => {
	const inner = new FakeEncoder();
	const encoder = withCache(inner, 10);
	const long = ['a', 'b', 'c', 'd'].map(letter => letter.repeat(60_000));
	for (const text of [...long, long[3]!, long[0]!]) {
		await encoder.embed(text);
	}

	t.deepEqual(inner.asked, [...long, long[0]]);
});

test('a caller may do with its vector what it likes', async t => {
	const encoder = withCache(new FakeEncoder(), 10);
	(await encoder.embed('a')).fill(0);
	(await encoder.embed('a')).fill(0);
	t.deepEqual(await encoder.embed('a'), vectorOf('a'));
});

test('a failure is not remembered', async t => {
	const inner = new FakeEncoder();
	const encoder = withCache(inner, 10);
	inner.fail('a', new Error('not now'));
	await t.throwsAsync(encoder.embed('a'), {message: 'not now'});
	await t.throwsAsync(encoder.embed('a'), {message: 'not now'});
	t.is(inner.asked.length, 2);
});

test('a caller who has left is told so, even where the vector is known', async t => {
	const encoder = withCache(new FakeEncoder(), 10);
	await encoder.embed('a');
	await t.throwsAsync(encoder.embed('a', AbortSignal.abort(new Error('left'))), {message: 'left'});
});

test('nothing is remembered where nothing shall be', async t => {
	const inner = new FakeEncoder();
	t.is(withCache(inner, 0), inner);
});
