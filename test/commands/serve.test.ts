/** The whole service on real input: the bundled encoder, the built-in catalogue, a listening port. */
import anyTest, {type TestFn} from 'ava';
import fc from '../helpers/fast-check.ts';
import type {LoadedEncoder} from '../../src/embedding/encoder.ts';
import {loadEncoder} from '../../src/embedding/load-encoder.ts';
import {dwellOn, sea} from '../helpers/one-subject.ts';
import {fuzzRealService, startRealService, type RealService} from '../helpers/real-service.ts';

const test = anyTest as TestFn<RealService>;

let encoder: LoadedEncoder;
test.before(async () => {
	encoder = await loadEncoder();
});
test.after.always(async () => encoder.dispose());

test.beforeEach(async t => {
	t.context = await startRealService(encoder);
});

test.afterEach.always(async t => t.context.close());

test('cycles report how the model read their texts, and /readyz lists the languages that it reads', async t => {
	const {identity, server} = t.context;
	const reports: unknown[] = [];
	identity.on('cycle.done', event => reports.push(event.tokenReport));
	for (const content of ['海について話しましょう。', '\u0000', 'The sea is quiet today.', 'The sea is quiet today. '.repeat(37_500)]) {
		await identity.cycle({content});
	}

	t.deepEqual(reports, [
		{tokens: 2, characters: 12, isTruncated: false, unknownShare: 1, language: 'ja'},
		{tokens: 2, characters: 1, isTruncated: false, unknownShare: 1, language: null},
		{tokens: 6, characters: 19, isTruncated: false, unknownShare: 0, language: 'en'},
		{tokens: 1024, characters: 12_971, isTruncated: true, unknownShare: 0, language: 'en'},
	]);
	t.like(await (await fetch(`${server.url}/readyz`)).json(), {status: 'ready', parts: {model: 'ok'}, languages: ['en']});
});

test('a text close in meaning to earlier ones is less dissonant than an unrelated text', async t => {
	const {identity} = t.context;
	const near = 'A sailor looks at the surf rolling onto the beach.';
	const foreign = 'The accountant filed the quarterly tax return.';
	const gap = async () =>
		(await identity.cycle({content: foreign})).dissonanceTotal - (await identity.cycle({content: near})).dissonanceTotal;

	// By chance one of the two is nearer to the random initial state, so the change is measured too.
	const before = await gap();
	await dwellOn(t.context.identity, sea, 300);
	const after = await gap();
	t.true(after > before + 0.01, `${before} → ${after}`);
	t.true(after > 0, `${after}`);
});

for (const {pole, sign, sentences} of [
	{
		pole: 'analytic',
		sign: 1,
		sentences: [
			'She breaks the problem into parts and checks each step of the proof.',
			'He compares the figures in a table before he draws a conclusion.',
			'The engineer measures every variable and calculates the result.',
		],
	},
	{
		pole: 'intuitive',
		sign: -1,
		sentences: [
			'She simply feels which answer is right and trusts her gut.',
			'He had a hunch about the stranger long before he knew why.',
			'The painter follows a sudden inspiration without thinking it through.',
		],
	},
]) {
	test(`after many ${pole} texts the profile has moved towards that pole`, async t => {
		const analysis = () => t.context.identity.profile().profile['cognitive']!['analysis']!.value;
		const before = analysis();
		await dwellOn(t.context.identity, sentences, 200);
		t.true((analysis() - before) * sign > 0.01, `${before} → ${analysis()}`);
	});
}

test('health answers while texts are embedded', async t => {
	const {server: {url}} = t.context;
	const text = 'A long walk by the sea, with many thoughts. '.repeat(25);
	let embedded = 0;
	const cycles = Array.from({length: 32}, async (_, i) => {
		await fetch(`${url}/cycle`, {
			method: 'POST',
			body: JSON.stringify({content: `${i} ${text}`}),
			headers: {'content-type': 'application/json'},
		});
		embedded++;
	});
	// If inference blocked the event loop, no answer could come between two embeddings. A worker embeds four texts at once.
	const seen = new Set<number>();
	while (embedded < cycles.length) {
		const {status} = await fetch(`${url}/health`);
		t.is(status, 200);
		seen.add(embedded);
	}

	await Promise.all(cycles);
	t.true(seen.size >= cycles.length / 4 - 1, `answers came after ${seen.size} counts of ${cycles.length} embeddings`);
});

test('400 random requests cause no failure of the real service, and refused ones change nothing', async t => {
	const statuses = await fuzzRealService(t.context, {requests: 400, seed: fc.readConfigureGlobal().seed!});
	t.true(statuses[200]! > 0 && statuses[422]! > 0, JSON.stringify(statuses));
});
