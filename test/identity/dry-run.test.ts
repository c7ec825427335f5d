/** A dry run changes nothing, and equals the cycle that follows, bit for bit. */
import {isDeepStrictEqual} from 'node:util';
import test from 'ava';
import fc from '../helpers/fast-check.ts';
import type {ProcessEmitted} from '../../src/actors/process-events.ts';
import type {LocalIdentity} from '../../src/identity/identity.ts';
import {FakeJournal} from '../actors/fake-journal.ts';
import {startIdentity, vectorOf} from '../actors/fixtures.ts';

/** Everything that a dry run must not change. */
const observe = (identity: LocalIdentity, journal: FakeJournal, events: readonly ProcessEmitted[]) => ({
	tensor: identity.tensor(),
	daemon: identity.daemon.status(),
	vigilance: identity.vigilance(),
	metrics: identity.metrics(),
	readiness: identity.readiness(),
	profile: identity.profile(),
	context: identity.actor.getSnapshot().context,
	children: Object.keys(identity.actor.getSnapshot().children),
	records: [...journal.records],
	events: [...events],
});

const directions = ['calm', 'joy', 'hope'].map(name => ({
	name,
	category: 'affective',
	polePositive: name,
	poleNegative: `not ${name}`,
	vector: vectorOf(name),
}));

test('after any history a dry run changes nothing and equals the next cycle, bit for bit', async t => {
	await fc.assert(fc.asyncProperty(fc.array(
		fc.constantFrom('a', 'b', 'c', 'creed', 'reset'),
		{maxLength: 6},
	), fc.string({minLength: 1}).filter(text => text.trim() !== ''), fc.boolean(), async (past, text, hasScience) => {
		const journal = new FakeJournal();
		const {identity} = await startIdentity({
			journal,
			directions,
			authority: {articles: [{vector: vectorOf('creed'), critical: false}], anchors: [vectorOf('creed')]},
			corroborate: hasScience ? async vector => [vector.toReversed(), null] : null,
		});
		for (const content of past) {
			await (content === 'reset' ? identity.reset() : identity.cycle({content}));
		}

		const events: ProcessEmitted[] = [];
		identity.actor.on('*', event => {
			events.push(event);
		});
		const before = observe(identity, journal, events);
		const dry = await identity.dryRun(text);
		const again = await identity.dryRun(text);
		const after = observe(identity, journal, events);
		if (!isDeepStrictEqual(after, before) || after.context !== before.context) {
			t.deepEqual(after, before);
			t.is(after.context, before.context);
		}

		t.deepEqual({...again, processingTimeMs: 0}, {...dry, processingTimeMs: 0});
		const {id, ...cycle} = await identity.cycle(text);
		const {dissonancePercentile: _, turnMrad, moves, byMethod, nearest: __, ...answer} = dry;
		t.deepEqual({...answer, processingTimeMs: 0}, {...cycle, processingTimeMs: 0});
		const record = journal.records.at(-1)!;
		t.true(record.kind === 'cycle' && record.id === id);
		t.deepEqual(byMethod, record.kind === 'cycle' ? record.contributions : undefined);
		const [{state}, row] = [
			identity.actor.getSnapshot().context as {state: {row: (dimension: 'thirdness') => Float32Array}},
			before.tensor.dimensions.thirdness,
		];
		const now = state.row('thirdness');
		t.is(turnMrad, 2000 * Math.asin(Math.sqrt(now.reduce((sum, value, i) => sum + (value - row[i]!) ** 2, 0)) / 2));
		t.is(moves.length, 3);
		await identity.dispose();
	}), {numRuns: 50});
});

test('a dry run gives a percentile from 50 texts on, and the five nearest texts, including the newest', async t => {
	const journal = new FakeJournal();
	const {identity} = await startIdentity({journal});
	for (let i = 0; i < 49; i++) {
		await identity.cycle({content: `text ${i}`});
	}

	t.is((await identity.dryRun('again')).dissonancePercentile, null);
	await identity.cycle('again');
	const {dissonancePercentile, nearest} = await identity.dryRun('again');
	t.true(dissonancePercentile! >= 0 && dissonancePercentile! <= 1);
	t.like(nearest[0], {id: '50', content: 'again'});
	t.true(Math.abs(nearest[0]!.cosine - 1) < 1e-6);
	t.is(nearest.length, 5);
	t.deepEqual(nearest.map(({cosine}) => cosine), nearest.map(({cosine}) => cosine).toSorted((a, b) => b - a));
	await identity.dispose();
});

test('after a restart, a dry run compares with the texts in the journal', async t => {
	const journal = new FakeJournal();
	const first = await startIdentity({journal});
	for (let i = 0; i < 60; i++) {
		await first.identity.cycle({content: `text ${i}`});
	}

	await first.identity.dispose();
	const {identity} = await startIdentity({journal});
	const {dissonancePercentile, nearest} = await identity.dryRun('text 7');
	t.not(dissonancePercentile, null);
	t.like(nearest[0], {id: '8', content: 'text 7'});
	await identity.dispose();
});

test('a dry run gives the token report of the cycle that follows', async t => {
	const {identity, encoder} = await startIdentity();
	const report = {tokens: 512, isTruncated: true, unknownShare: 0.75, language: 'fr'};
	Object.assign(encoder, {embedWithReport: async (text: string) => ({vector: await encoder.embed(text), report})});
	const {tokens, truncated: isTruncated, unknownShare} = await identity.dryRun('un texte');
	let ofCycle: unknown;
	identity.actor.on('cycle.done', ({tokenReport}) => {
		ofCycle = tokenReport;
	});
	await identity.cycle('un texte');
	t.deepEqual({tokens, isTruncated, unknownShare, language: 'fr'}, ofCycle);
	await identity.dispose();
});

test('a dry run can be aborted, and needs a running identity', async t => {
	const {identity, encoder} = await startIdentity();
	encoder.hold('slow');
	const leaving = new AbortController();
	const dry = identity.dryRun('slow', {signal: leaving.signal});
	leaving.abort(new Error('enough'));
	await t.throwsAsync(dry, {message: 'enough'});
	await identity.dispose();
	await t.throwsAsync(identity.dryRun('late'), {code: 'unavailable'});
});
