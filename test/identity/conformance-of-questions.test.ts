/** Conformance of questions: each answer holds for an identity in this program and for one behind a real server. */
import {InputError, NoJournalError, UnavailableError} from '../../src/platform/errors.ts';
import {dimensions} from '../../src/kernel/dimensions.ts';
import {dot} from '../../src/kernel/dot.ts';
import {vectorOf} from '../actors/fixtures.ts';
import {FakeJournal} from '../actors/fake-journal.ts';
import {both, calm} from './local-and-remote.ts';
import {deepEqual} from '../helpers/deep-equal.ts';

both('every view equals that of the identity in this program', async (t, start) => {
	const {identity, local} = await start({directions: calm});
	await identity.cycle('one');
	for (const read of ['health', 'readiness', 'state', 'tensor', 'vigilance', 'metrics', 'profile', 'scaledProfile'] as const) {
		t.deepEqual(await identity[read](), local[read](), read);
	}

	t.deepEqual(await identity.scaledProfile({lens: 'thirdness'}), local.scaledProfile({lens: 'thirdness'}));
	t.deepEqual(await identity.daemon.status(), local.daemon.status());
	const {dimensions: rows} = await identity.tensor();
	t.deepEqual(Object.keys(rows), [...dimensions]);
	t.true(rows.firstness instanceof Float32Array);
});

both('a dry run gives the answer of the cycle that follows, and more, and changes nothing', async (t, start) => {
	const {identity, local} = await start({directions: calm, journal: new FakeJournal()});
	const {id} = await identity.cycle('The sea was rough.');
	const before = local.tensor();
	const {
		processingTimeMs: _,
		dissonancePercentile,
		turnMrad,
		moves,
		byMethod,
		nearest,
		...answer
	} = await identity.dryRun('The sea is quiet.');
	deepEqual(t, local.tensor(), before);
	t.is(dissonancePercentile, null);
	t.true(turnMrad > 0 && turnMrad <= 1);
	t.deepEqual(moves.map(({key, polePositive}) => [key, polePositive]), [['affective.calm_agitated', 'calm']]);
	t.is(moves[0]!.change, moves[0]!.after - moves[0]!.before);
	t.deepEqual(Object.keys(byMethod), ['tenacity', 'authority', 'apriori', 'science']);
	t.like(nearest[0], {id, content: 'The sea was rough.'});
	const {id: __, processingTimeMs: ___, ...cycle} = await identity.cycle('The sea is quiet.');
	t.deepEqual(answer, cycle);
});

both('ledger, history and diff use the reading of a direction, and refuse a direction of low quality', async (t, start) => {
	const [direction] = calm;
	const tone = {...direction!, category: 'tone', name: 'tone', vector: vectorOf('tone')};
	const read = {vector: vectorOf('calm as read'), quality: 0.9, valence: 0, tone};
	const weak = {...direction!, name: 'weak', reading: {...read, quality: 0.69}};
	const {identity, local} = await start({directions: [{...direction!, reading: read}, weak], journal: new FakeJournal()});
	await identity.cycle('one');
	const value = dot(local.tensor().dimensions.thirdness, read.vector);
	for (const [asked, vector] of [['affective.calm_agitated', read.vector], ['tone.tone', tone.vector]] as const) {
		const {points} = await identity.history({direction: asked});
		t.is(points.at(-1)!.value, dot(local.tensor().dimensions.thirdness, vector), asked);
		t.is((await identity.ledger({direction: asked, lens: 'thirdness'})).value, points.at(-1)!.value, asked);
	}

	t.is((await identity.diff()).directions.find(({key}) => key === 'affective.calm_agitated')!.to.toFixed(6), value.toFixed(6));
	const message = /The direction “affective\.weak” tells its poles apart in too few sentences \(quality 0\.69\)/;
	await t.throwsAsync(identity.ledger({direction: 'affective.weak'}), {instanceOf: InputError, message});
	await t.throwsAsync(identity.history({direction: 'affective.weak'}), {instanceOf: InputError, message});
});

both('a what-if leaves out a source, adds a text, and changes nothing', async (t, start) => {
	const {identity, local} = await start({directions: calm, journal: new FakeJournal()});
	for (const [content, source] of [['one', 'ada'], ['two', 'bo'], ['three', 'ada']] as const) {
		await identity.cycle({content, metadata: {source}});
	}

	const present = local.tensor();
	const {from, angleMrad, directions, words, ...rest} = await identity.whatIf({without: {sources: ['ada']}, add: ['four']});
	t.deepEqual(rest, {cycles: 3, leftOut: 2, added: 1, p: null, note: null});
	t.like(from, {stateId: 0});
	t.true(angleMrad > 0.5 && angleMrad < 4);
	t.like(directions[0], {key: 'affective.calm_agitated', zDifference: null});
	t.regex(words[0]!, /no scale/);
	deepEqual(t, local.tensor(), present);
	t.like(await identity.whatIf({from: 2}), {cycles: 1, leftOut: 0, added: 0, angleMrad: 0});
	await t.throwsAsync(identity.whatIf({from: 9}), {instanceOf: InputError, message: /no state 9. Its newest is 3/});
});

both('stateAt gives the whole tensor of a past state', async (t, start) => {
	const {identity, local} = await start({journal: new FakeJournal()});
	const states = [local.tensor()];
	for (const content of ['one', 'two', 'three']) {
		await identity.cycle(content);
		states.push(local.tensor());
	}

	for (const state of states) {
		t.deepEqual(await identity.stateAt(state.stateId), state);
	}

	t.deepEqual(await identity.stateAt('beginning'), states[0]);
	await t.throwsAsync(identity.stateAt('soon'), {instanceOf: InputError, message: /“soon” is not a moment/});
});

both('without a journal, past states are unknown, and a dry run compares with no other text', async (t, start) => {
	const {identity} = await start();
	await identity.cycle('one');
	await t.throwsAsync(identity.stateAt(1), {instanceOf: NoJournalError, message: /keeps no journal/});
	await t.throwsAsync(identity.whatIf({}), {instanceOf: NoJournalError, message: /keeps no journal/});
	t.like(await identity.dryRun('two'), {dissonancePercentile: null, nearest: [], stateId: 2});
});

both('a dry run of a blank text is refused', async (t, start) => {
	const {identity} = await start();
	await t.throwsAsync(identity.dryRun('  '), {instanceOf: InputError, message: /not blank/});
});

both('a profile without directions is unavailable', async (t, start) => {
	const {identity} = await start();
	const missing = {instanceOf: UnavailableError, message: /^Directions are not loaded.+ encoder of your own, give the option directions/};
	await t.throwsAsync(async () => identity.profile(), missing);
	await t.throwsAsync(async () => identity.scaledProfile(), missing);
});

both('a profile with units says which directions move, which have no scale, and that the beginning was random', async (t, start) => {
	const scale = {examples: 60, mean: 0, deviation: 1e-6, sample: Array.from({length: 60}, (_, i) => i - 30.5)};
	const {identity} = await start({directions: [...calm, {...calm[0]!, category: 'cognitive', scale}], initialState: null});
	const {begunAtRandom, examples, note, directions} = await identity.scaledProfile();
	t.true(begunAtRandom);
	t.is(examples, 60);
	t.regex(note!, /^1 of 2 directions have no scale/);
	t.like(directions[0], {
		key: 'affective.calm_agitated',
		dimension: 'dispositions',
		moves: false,
		z: null,
		percentile: null,
		word: null,
		pole: null,
	});
	t.like(
		directions[1],
		{key: 'cognitive.calm_agitated', dimension: 'thirdness', moves: true, percentile: 0.5167, word: 'none', pole: null},
	);
	await t.throwsAsync(async () => identity.scaledProfile({lens: 'all' as never}), {instanceOf: InputError, message: /own.*thirdness/});
});

both('ledger, history and diff give the parts, the path and the change', async (t, start) => {
	const {identity, local, clock} = await start({directions: calm, journal: new FakeJournal()});
	for (const [content, source] of [['one', 'Ada'], ['two', 'Bo'], ['three', 'Ada']] as const) {
		clock.increment(60_000);
		await identity.cycle({content, metadata: {source}});
	}

	const ledger = await identity.ledger({by: 'source', direction: 'affective.calm_agitated', lens: 'thirdness', limit: 1});
	t.deepEqual(ledger.entries.map(({key, texts}) => [key, texts]).slice(0, 2), [['beginning', 0], ['push', 0]]);
	t.deepEqual(ledger.entries.slice(2).map(({texts}) => texts).toSorted(), [1, 2]);
	t.true(Math.abs(ledger.entries.reduce((sum, {part}) => sum + part!, 0) - ledger.value!) < 1e-7);
	t.deepEqual(ledger, await local.ledger({by: 'source', direction: 'affective.calm_agitated', lens: 'thirdness', limit: 1}));
	t.like(await identity.ledger({since: 1}), {from: {stateId: 1}, cycles: 2});

	const history = await identity.history({points: 2});
	t.deepEqual(history.points.map(({stateId, content}) => [stateId, content]), [[0, null], [3, 'three']]);
	t.deepEqual(history, await local.history({points: 2}));

	const diff = await identity.diff({from: history.from.timestamp, to: 2});
	t.like(diff, {from: {stateId: 0}, to: {stateId: 2}, cycles: 2});
	t.deepEqual(diff.sources.map(({source}) => source).toSorted(), ['Ada', 'Bo']);
	t.deepEqual(diff, await local.diff({to: 2}));
	t.deepEqual((await identity.diff({from: 3})).words, ['Nothing differs between the two.']);
});

both('without a validation, drift and sources give what is known, and say how to get the rest', async (t, start) => {
	const {identity, local, clock} = await start({directions: calm, journal: new FakeJournal()});
	t.regex((await identity.drift()).sentence, /^Nothing was said since 1 January 2026\.$/);
	for (const [content, source] of [['one', 'Ada'], ['two', 'Bo'], ['three', 'Ada']] as const) {
		clock.increment(60_000);
		await identity.cycle({content, metadata: {source}});
	}

	const drift = await identity.drift();
	t.like(drift, {
		stateId: 3,
		since: {stateId: 0},
		validation: null,
		cycles: 3,
		excessMrad: null,
		p: null,
		standOut: [],
		pWithoutTopSource: null,
		chart: null,
	});
	t.regex(drift.sentence, /^Since 1 January 2026 it moved \d mrad in 3 texts\.$/);
	t.regex(drift.note!, /^No validation yet, .*400 texts/);
	t.deepEqual(drift.path, []);
	t.deepEqual(drift.sources.map(({source, texts, share}) => [source, texts, share]), [['Ada', 2, null], ['Bo', 1, null]]);
	t.true(Math.abs(drift.sources.reduce((sum, {weightShare}) => sum + weightShare, 0) - 1) < 1e-12);
	t.deepEqual(drift, await local.drift());
	t.like(await identity.drift({since: 1}), {since: {stateId: 1}, cycles: 2});

	const report = await identity.sources();
	t.like(report, {stateId: 3, since: {stateId: 0}, note: drift.note});
	t.deepEqual(report.sources.map(
		({source, conversations, coherence, changedP, echoes}) => [source, conversations, coherence, changedP, echoes],
	), [
		['Ada', 1, null, null, null],
		['Bo', 1, null, null, null],
	]);
	t.deepEqual(report, await local.sources());
});

both('the ledger of a direction that no text moves has only the beginning', async (t, start) => {
	const {identity} = await start({directions: calm, journal: new FakeJournal()});
	await identity.cycle('one');
	const {value, entries, note} = await identity.ledger({direction: 'affective.calm_agitated'});
	t.deepEqual(entries, [{kind: 'beginning', key: 'beginning', texts: 0, share: 1, part: value}]);
	t.regex(note!, /dispositions, which does not move by these rules.*lens=thirdness/);
});

both('invalid questions about the past are refused with the reason', async (t, start) => {
	const {identity} = await start({directions: calm, journal: new FakeJournal()});
	await identity.cycle('one');
	for (const [ask, message] of [
		[() => identity.ledger({direction: 'affective.rage'}), /no direction “affective.rage”.*The profile names all/],
		[() => identity.ledger({by: 'colour' as never}), /text, source, trigger, method|text' or 'source/],
		[() => identity.ledger({lens: 'all' as never}), /own.*thirdness/],
		[() => identity.ledger({limit: 0}), /1/],
		[() => identity.history({points: 1}), /2/],
		[() => identity.history({since: 99}), /no state 99/],
		[() => identity.diff({from: 'yesterday'}), /“yesterday” is not a moment/],
		[() => identity.diff({from: 1, to: 0}), /before/],
	] as const) {
		await t.throwsAsync(ask(), {instanceOf: InputError, message});
	}
});

both('without a journal, questions about the past are refused', async (t, start) => {
	const {identity} = await start({directions: calm});
	await identity.cycle('one');
	for (const ask of [
		() => identity.ledger(),
		() => identity.history(),
		() => identity.diff(),
		() => identity.drift(),
		() => identity.sources(),
	]) {
		await t.throwsAsync(ask(), {instanceOf: NoJournalError, message: /^This identity keeps no journal, so its past is not known\./});
	}
});

both('a question about the past can be aborted', async (t, start) => {
	const {identity} = await start({journal: new FakeJournal()});
	await identity.cycle('one');
	await t.throwsAsync(identity.history({}, {signal: AbortSignal.abort(new Error('enough'))}), {message: 'enough'});
});
