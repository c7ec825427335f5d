/**
 * One interface, here and from afar: each behaviour holds for an identity in this program and for
 * one behind a real server.
 */
import test, {type ExecutionContext} from 'ava';
import {connectIdentity} from '../../src/client/index.ts';
import {BaselineTooShortError, BusyError, EmbeddingError, InputError, LanguageError, NoJournalError, UnavailableError} from '../../src/platform/errors.ts';
import type {IdentityEvent} from '../../src/identity/events.ts';
import type {Identity, LocalIdentity} from '../../src/identity/identity.ts';
import {dimensions} from '../../src/kernel/dimensions.ts';
import {FakeJournal} from '../actors/fake-journal.ts';
import {talk} from '../helpers/ordinary-talk.ts';
import {settle, startIdentity, vectorOf} from '../actors/fixtures.ts';
import {serve} from '../http/service.ts';

type Options = Parameters<typeof startIdentity>[0];
type Started = Omit<Awaited<ReturnType<typeof startIdentity>>, 'identity'> & {
	/** What is tested. */
	identity: Identity;
	/** The identity itself, in this program. */
	local: LocalIdentity;
};

const here = async (t: ExecutionContext, options?: Options): Promise<Started> => {
	const started = await startIdentity(options);
	t.teardown(() => started.identity.dispose());
	return {...started, local: started.identity};
};

const afar = async (t: ExecutionContext, options?: Options): Promise<Started> => {
	const started = await startIdentity(options);
	const {url} = await serve(t, started.identity, {inspector: true, token: 'a-long-secret'});
	const identity = connectIdentity({baseUrl: url, token: 'a-long-secret'});
	t.teardown(async () => {
		await identity.dispose();
		await started.identity.dispose();
	});
	return {...started, identity, local: started.identity};
};

/** Declares a behaviour of both. */
const both = (name: string, check: (t: ExecutionContext, start: (options?: Options) => Promise<Started>) => Promise<void>): void => {
	for (const [place, start] of Object.entries({here, afar})) {
		test(`${place}: ${name}`, async t => check(t, async options => start(t, options)));
	}
};

/** Without the stack, the cause and what a class inherits. */
const kindOf = (error: Error) => {
	const {name, message, code, retryable, retryAfter} = error as Error & Partial<BusyError>;
	return {name, message, code, retryable, retryAfter};
};

/** Resolves once the identity has been told of it. */
const until = async (identity: Identity, type: IdentityEvent['type']): Promise<IdentityEvent> => new Promise(resolve => {
	const off = identity.on(type, event => {
		off();
		resolve(event);
	});
});

const calm = [{name: 'calm_agitated', category: 'affective', polePositive: 'calm', poleNegative: 'agitated', vector: vectorOf('calm')}];

both('a text alone moves the state', async (t, start) => {
	const {identity, local} = await start();
	await identity.ready();
	const answer = await identity.cycle('The sea is quiet.');
	t.deepEqual(Object.keys(answer), ['id', 'stateId', 'deltaMagnitude', 'dissonanceTotal', 'isChoc', 'dimensionsAffected', 'processingTimeMs']);
	t.like(answer, {id: '1', stateId: 1});
	t.is(local.state().stateId, 1);
});

both('a cycle has a content, a trigger and metadata', async (t, start) => {
	const journal = new FakeJournal();
	const {identity} = await start({journal});
	await identity.cycle({content: 'The sea is quiet.', trigger: 'veille', metadata: {source: 'notebook'}});
	t.like(journal.records[0], {content: 'The sea is quiet.', trigger: 'veille', metadata: {source: 'notebook'}});
});

both('input that no journal could keep is refused, and nothing is counted', async (t, start) => {
	const {identity, local} = await start();
	const error = await t.throwsAsync(identity.cycle(' '), {instanceOf: InputError, code: 'input'});
	t.is(error.message, 'The content of a cycle must be a text that is not blank.');
	await t.throwsAsync(identity.cycle({content: 'a', metadata: [] as never}), {instanceOf: InputError, message: 'The metadata of a cycle must be an object.'});
	t.is(local.daemon.status().cyclesBreakdown.user, 0);
});

both('a validation names the state that it validates, and the texts that later ones are compared with', async (t, start) => {
	const journal = new FakeJournal();
	const {identity, local} = await start({journal});
	await talk(local, {texts: 650, visits: 65});
	const heard = until(identity, 'identity.validated');
	const {id, timestamp, ...answer} = await identity.validate({note: 'As it is.'});
	t.deepEqual(answer, {stateId: 650, note: 'As it is.', baseline: {texts: 600, visits: 60, sources: 2, from: '2026-01-01T00:00:00.000Z'}});
	t.deepEqual(await heard, {type: 'identity.validated', id, timestamp, ...answer});
	t.like(journal.records.at(-1), {kind: 'validation', id, timestamp, stateId: 650});
});

both('too few texts make no validation, and the error says what is missing', async (t, start) => {
	const {identity, local} = await start({journal: new FakeJournal()});
	await talk(local, {texts: 12, visits: 3});
	const failed = until(identity, 'validation.failed');
	const error = await t.throwsAsync(identity.validate({note: 'As it is.'}), {instanceOf: BaselineTooShortError, code: 'baseline_too_short', message: /needs 400 texts in 40 visits to compare later ones with; there are 12 in 3\./});
	t.like(await failed, {type: 'validation.failed', error: {message: error.message}});
	t.is(local.readiness().parts.journal, 'ok');
	t.like(await identity.cycle('more'), {stateId: 13});
});

both('a validation needs a note and a journal', async (t, start) => {
	const {identity} = await start();
	await t.throwsAsync(identity.validate({note: ' '}), {instanceOf: InputError});
	await t.throwsAsync(identity.validate({note: 'x'.repeat(1001)}), {instanceOf: InputError});
	await t.throwsAsync(identity.validate({note: 'x'.repeat(1000)}), {instanceOf: NoJournalError, message: /keeps no journal, so it cannot be validated/});
});

both('a signal that aborts ends the call with its reason', async (t, start) => {
	const {identity, encoder} = await start();
	const held = encoder.hold('slow');
	const caller = new AbortController();
	const cycle = identity.cycle('slow', {signal: caller.signal});
	while (!encoder.asked.includes('slow')) {
		await settle();
	}

	caller.abort(new Error('enough'));
	await t.throwsAsync(cycle, {message: 'enough'});
	await t.throwsAsync(identity.cycle('late', {signal: AbortSignal.abort(new Error('too late'))}), {message: 'too late'});
	t.false(encoder.asked.includes('late'));
	held.resolve();
});

both('what is too much says when to try again', async (t, start) => {
	const {identity, encoder} = await start({maxPendingCycles: 1});
	const held = encoder.hold('slow');
	const first = identity.cycle('slow');
	while (!encoder.asked.includes('slow')) {
		await settle();
	}

	const error = await t.throwsAsync(identity.cycle('more'), {instanceOf: BusyError});
	t.deepEqual(kindOf(error), {name: 'BusyError', message: '1 cycles are under way already; try again in a moment.', code: 'busy', retryable: true, retryAfter: 1});
	held.resolve();
	t.is((await first).stateId, 1);
});

both('a text that cannot be embedded fails its cycle, and says whether a retry can help', async (t, start) => {
	const {identity, encoder} = await start();
	for (const retryable of [true, false]) {
		encoder.fail('bad', new EmbeddingError('The server is asleep.', {retryable}));
		const failed = until(identity, 'cycle.failed');
		const error = await t.throwsAsync(identity.cycle('bad'), {instanceOf: EmbeddingError});
		t.like(kindOf(error), {message: 'The server is asleep.', code: 'embedding', retryable});
		const event = await failed as Extract<IdentityEvent, {type: 'cycle.failed'}>;
		t.like(event, {trigger: 'user', origin: 'caller'});
		t.true(event.error instanceof EmbeddingError);
		t.like(kindOf(event.error as Error), {message: 'The server is asleep.', code: 'embedding', retryable});
	}
});

both('without a translator there is no translation', async (t, start) => {
	const {identity} = await start();
	const error = await t.throwsAsync(identity.translate(), {instanceOf: UnavailableError});
	t.like(kindOf(error), {message: 'Translator is unavailable: no language model is configured.', code: 'unavailable', retryable: false});
});

both('a translation is the translator’s, and so is its failure', async (t, start) => {
	const answers = [async () => ({text: 'I am calm.', reasoningDetected: false}), async () => {
		throw new LanguageError('The model is asleep.', {retryable: true});
	}];
	const {identity} = await start({directions: calm, translator: {translate: async () => answers.shift()!()}});
	const done = until(identity, 'translation.done');
	const translation = await identity.translate({context: 'a letter'});
	t.like(translation, {text: 'I am calm.', reasoningDetected: false});
	t.deepEqual(Object.keys(translation.projections), ['affective.calm_agitated']);
	t.deepEqual((await done as Extract<IdentityEvent, {type: 'translation.done'}>).translation, translation);
	const error = await t.throwsAsync(identity.translate(), {instanceOf: LanguageError});
	t.like(kindOf(error), {message: 'The model is asleep.', retryable: true});
});

both('a reset restores the initial state', async (t, start) => {
	const {identity} = await start();
	await identity.cycle('one');
	t.deepEqual(await identity.reset(), {stateId: 0});
	t.is((await identity.state()).stateId, 0);
});

both('every reader reads the same as in this program', async (t, start) => {
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

both('a dry run answers as the cycle that follows, and says more', async (t, start) => {
	const {identity, local} = await start({directions: calm, journal: new FakeJournal()});
	await identity.cycle('The sea was rough.');
	const before = local.tensor();
	const {processingTimeMs: _, dissonancePercentile, turnMrad, moves, byMethod, nearest, ...answer} = await identity.dryRun('The sea is quiet.');
	t.deepEqual(local.tensor(), before);
	t.is(dissonancePercentile, null);
	t.true(turnMrad > 0 && turnMrad <= 1);
	t.deepEqual(moves.map(({key, polePositive}) => [key, polePositive]), [['affective.calm_agitated', 'calm']]);
	t.is(moves[0]!.change, moves[0]!.after - moves[0]!.before);
	t.deepEqual(Object.keys(byMethod), ['tenacity', 'authority', 'apriori', 'science']);
	t.like(nearest[0], {id: '1', content: 'The sea was rough.'});
	const {id: __, processingTimeMs: ___, ...cycle} = await identity.cycle('The sea is quiet.');
	t.deepEqual(answer, cycle);
});

both('what if: without a source, and with another text', async (t, start) => {
	const {identity, local} = await start({directions: calm, journal: new FakeJournal()});
	for (const [content, source] of [['one', 'ada'], ['two', 'bo'], ['three', 'ada']] as const) {
		await identity.cycle({content, metadata: {source}});
	}

	const present = local.tensor();
	const {from, angleMrad, directions, words, ...rest} = await identity.whatIf({without: {sources: ['ada']}, add: ['four']});
	t.deepEqual(rest, {cycles: 3, leftOut: 2, added: 1, p: null});
	t.like(from, {stateId: 0});
	t.true(angleMrad > 0.5 && angleMrad < 4);
	t.like(directions[0], {key: 'affective.calm_agitated', zDifference: null});
	t.regex(words[0]!, /no scale/);
	t.deepEqual(local.tensor(), present);
	t.like(await identity.whatIf({from: 2}), {cycles: 1, leftOut: 0, added: 0, angleMrad: 0});
	await t.throwsAsync(identity.whatIf({from: 9}), {instanceOf: InputError, message: /no state 9. Its newest is 3/});
});

both('a state of the past is whole', async (t, start) => {
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

both('without a journal the past is not known, and a dry run knows no other text', async (t, start) => {
	const {identity} = await start();
	await identity.cycle('one');
	await t.throwsAsync(identity.stateAt(1), {instanceOf: NoJournalError, message: /keeps no journal/});
	await t.throwsAsync(identity.whatIf({}), {instanceOf: NoJournalError, message: /keeps no journal/});
	t.like(await identity.dryRun('two'), {dissonancePercentile: null, nearest: [], stateId: 2});
});

both('a dry run of what no journal could keep is refused', async (t, start) => {
	const {identity} = await start();
	await t.throwsAsync(identity.dryRun('  '), {instanceOf: InputError, message: /not blank/});
});

both('a profile without directions is unavailable', async (t, start) => {
	const {identity} = await start();
	await t.throwsAsync(async () => identity.profile(), {instanceOf: UnavailableError, message: /^Directions are not loaded/});
	await t.throwsAsync(async () => identity.scaledProfile(), {instanceOf: UnavailableError, message: /^Directions are not loaded/});
});

both('a profile with units says what moves, on what scale, and how the identity began', async (t, start) => {
	const scale = {examples: 60, mean: 0, deviation: 1e-6, sample: Array.from({length: 60}, (_, i) => i - 30.5)};
	const {identity} = await start({directions: [...calm, {...calm[0]!, category: 'cognitive', scale}], initialState: null});
	const {begunAtRandom, examples, note, directions} = await identity.scaledProfile();
	t.true(begunAtRandom);
	t.is(examples, 60);
	t.regex(note!, /^1 of 2 directions have no scale/);
	t.like(directions[0], {key: 'affective.calm_agitated', dimension: 'dispositions', moves: false, z: null, percentile: null, word: null, pole: null});
	t.like(directions[1], {key: 'cognitive.calm_agitated', dimension: 'thirdness', moves: true, percentile: 0.5167, word: 'none', pole: null});
	await t.throwsAsync(async () => identity.scaledProfile({lens: 'all' as never}), {instanceOf: InputError, message: /own.*thirdness/});
});

both('the past says what the present is made of, how it came about, and what changed', async (t, start) => {
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

both('without a validation, drift and sources say what is known, and how to get the rest', async (t, start) => {
	const {identity, local, clock} = await start({directions: calm, journal: new FakeJournal()});
	t.regex((await identity.drift()).sentence, /^Nothing was said since 1 January 2026\.$/);
	for (const [content, source] of [['one', 'Ada'], ['two', 'Bo'], ['three', 'Ada']] as const) {
		clock.increment(60_000);
		await identity.cycle({content, metadata: {source}});
	}

	const drift = await identity.drift();
	t.like(drift, {stateId: 3, since: {stateId: 0}, validation: null, cycles: 3, expectedMrad: null, p: null, standOut: [], pWithoutTopSource: null, chart: null});
	t.regex(drift.sentence, /^Since 1 January 2026 it moved \d mrad in 3 texts\.$/);
	t.regex(drift.note!, /^No validation yet, .*400 texts in 40 visits/);
	t.deepEqual(drift.path.map(({stateId}) => stateId), [0, 1, 2, 3]);
	t.is(drift.path.at(-1)!.netMrad, drift.netMrad);
	t.deepEqual(drift.sources.map(({source, texts, unusualShare}) => [source, texts, unusualShare]), [['Ada', 2, null], ['Bo', 1, null]]);
	t.true(Math.abs(drift.sources.reduce((sum, {weightShare}) => sum + weightShare, 0) - 1) < 1e-12);
	t.deepEqual(drift, await local.drift());
	t.like(await identity.drift({since: 1}), {since: {stateId: 1}, cycles: 2});

	const report = await identity.sources();
	t.like(report, {stateId: 3, since: {stateId: 0}, budget: 0.5, note: drift.note});
	t.deepEqual(report.sources.map(({source, visits, coherence, changedP, echoes}) => [source, visits, coherence, changedP, echoes]), [['Ada', 2, null, null, null], ['Bo', 1, null, null, null]]);
	t.deepEqual(report, await local.sources());
});

both('a direction that no text moves has its whole value from the beginning', async (t, start) => {
	const {identity} = await start({directions: calm, journal: new FakeJournal()});
	await identity.cycle('one');
	const {value, entries, note} = await identity.ledger({direction: 'affective.calm_agitated'});
	t.deepEqual(entries, [{kind: 'beginning', key: 'beginning', texts: 0, share: 1, part: value}]);
	t.regex(note!, /dispositions, which does not move by these rules.*lens=thirdness/);
});

both('questions to the past that have no answer say why', async (t, start) => {
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

both('without a journal the past is not known', async (t, start) => {
	const {identity} = await start({directions: calm});
	await identity.cycle('one');
	for (const ask of [() => identity.ledger(), () => identity.history(), () => identity.diff(), () => identity.drift(), () => identity.sources()]) {
		await t.throwsAsync(ask(), {instanceOf: NoJournalError, message: /^This identity keeps no journal, so its past is not known\./});
	}
});

both('a question to the past can be aborted', async (t, start) => {
	const {identity} = await start({journal: new FakeJournal()});
	await identity.cycle('one');
	await t.throwsAsync(identity.history({}, {signal: AbortSignal.abort(new Error('enough'))}), {message: 'enough'});
});

both('the daemon starts once and stops once', async (t, start) => {
	const {identity} = await start();
	const {started, config} = await identity.daemon.start();
	t.true(started);
	t.is(config?.cycleIntervalSeconds, 864);
	t.deepEqual(await identity.daemon.start(), {started: false});
	t.like(await identity.daemon.status(), {mode: 'autonomous', daemonRunning: true});
	t.deepEqual(await identity.daemon.stop(), {stopped: true});
	t.deepEqual(await identity.daemon.stop(), {stopped: false});
});

both('its own calls are heard as events', async (t, start) => {
	const {identity} = await start();
	const heard: IdentityEvent[] = [];
	const off = identity.on('*', event => heard.push(event));
	const restored = until(identity, 'reset.done');
	const result = await identity.cycle('one');
	await identity.reset();
	await restored;
	const [{type, ...done}, reset] = heard.filter(event => event.type !== 'ready') as [Extract<IdentityEvent, {type: 'cycle.done'}>, IdentityEvent];
	t.is(type, 'cycle.done');
	t.deepEqual({id: done.id, ...done.result}, result);
	t.like(done, {trigger: 'user', origin: 'caller', tokenReport: {}});
	t.is(done.scores.length, 8);
	t.deepEqual(Object.keys(done.steps), ['embedding', 'dissonance', 'fixation', 'applying']);
	t.deepEqual(reset, {type: 'reset.done', id: '2', stateId: 0});
	off();
});

both('events are read from the call on, until the loop is left', async (t, start) => {
	const {identity} = await start();
	const events = identity.events();
	await identity.cycle('one');
	for await (const event of events) {
		if (event.type === 'cycle.done') {
			t.is(event.result.stateId, 1);
			break;
		}
	}

	t.pass();
});

both('a signal ends the events with its reason', async (t, start) => {
	const {identity} = await start();
	const reader = new AbortController();
	const next = identity.events({signal: reader.signal}).next();
	reader.abort(new Error('enough'));
	await t.throwsAsync(next, {message: 'enough'});
});

both('a journal that fails is told, and that it works again', async (t, start) => {
	const journal = new FakeJournal();
	const {identity, clock} = await start({journal});
	const [failed, recovered] = [until(identity, 'journal.failed'), until(identity, 'journal.recovered')];
	await identity.cycle('kept');
	journal.break('The disk is full.');
	await t.throwsAsync(identity.cycle('lost'));
	t.regex((await failed as Extract<IdentityEvent, {type: 'journal.failed'}> & {error: Error}).error.message, /The disk is full/);
	t.like(await identity.readiness(), {ready: false, isTemporary: true});
	const error = await t.throwsAsync(identity.cycle('refused'), {instanceOf: UnavailableError});
	t.true(error.retryable);
	journal.mend();
	clock.increment(5000);
	await recovered;
	t.true((await identity.readiness()).ready);
});

both('the end of the identity is the end of its events', async (t, start) => {
	const {identity, local} = await start();
	const types: string[] = [];
	const events = identity.events();
	await identity.cycle('one');
	await local.dispose();
	for await (const {type} of events) {
		types.push(type);
	}

	t.deepEqual(types, ['cycle.done', 'stopped']);
});

both('what is asked of a stopped identity is unavailable, and a retry is useless', async (t, start) => {
	const {identity, local} = await start();
	await local.dispose();
	for (const ask of [() => identity.cycle('late'), () => identity.reset(), async () => identity.state()]) {
		const error = await t.throwsAsync(ask(), {instanceOf: UnavailableError});
		t.false(error.retryable);
	}

	t.like(await identity.readiness(), {ready: false, isTemporary: false});
});

both('dispose ends what is under way, and the events', async (t, start) => {
	const {identity, encoder} = await start();
	const held = encoder.hold('slow');
	const events = identity.events();
	const cycle = identity.cycle('slow');
	while (!encoder.asked.includes('slow')) {
		await settle();
	}

	const rejected = t.throwsAsync(cycle, {instanceOf: UnavailableError});
	await identity.dispose();
	await rejected;
	t.is((await events.next()).value?.type, 'stopped');
	t.true((await events.next()).done);
	await t.throwsAsync(identity.cycle('late'), {instanceOf: UnavailableError});
	held.resolve();
});

both('await using waits for what was accepted', async (t, start) => {
	const {identity, encoder} = await start();
	const held = encoder.hold('slow');
	const cycle = identity.cycle('slow');
	while (!encoder.asked.includes('slow')) {
		await settle();
	}

	const disposed = identity[Symbol.asyncDispose]();
	held.resolve();
	t.is((await cycle).stateId, 1);
	await disposed;
	await t.throwsAsync(identity.cycle('late'), {instanceOf: UnavailableError});
});
