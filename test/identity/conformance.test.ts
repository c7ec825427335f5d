/**
 * Conformance: each behaviour holds for an identity in this program and for one behind a real server.
 * `conformance-of-questions.test.ts` has the questions about the state and the past.
 */
import {
	BaselineTooShortError, BusyError, EmbeddingError, InputError, LanguageError, NoJournalError, UnavailableError,
} from '../../src/platform/errors.ts';
import type {IdentityEvent} from '../../src/identity/events.ts';
import {FakeJournal} from '../actors/fake-journal.ts';
import {talk} from '../helpers/ordinary-talk.ts';
import {FakeEncoder, settle} from '../actors/fixtures.ts';
import {both, calm, kindOf, until} from './local-and-remote.ts';
import {pattern} from '../helpers/pattern.ts';

both('a cycle accepts a plain string and moves the state', async (t, start) => {
	const {identity, local} = await start();
	await identity.ready();
	const answer = await identity.cycle('The sea is quiet.');
	t.deepEqual(Object.keys(answer), [
		'id', 'stateId', 'deltaMagnitude', 'dissonanceTotal', 'isChoc', 'dimensionsAffected', 'processingTimeMs',
	]);
	t.regex(answer.id, /^[\da-f]+$/);
	t.is(answer.stateId, 1);
	t.is(local.state().stateId, 1);
});

both('a cycle records its content, trigger and metadata', async (t, start) => {
	const journal = new FakeJournal();
	const {identity} = await start({journal});
	await identity.cycle({content: 'The sea is quiet.', trigger: 'veille', metadata: {source: 'notebook'}});
	t.like(journal.records[0], {content: 'The sea is quiet.', trigger: 'veille', metadata: {source: 'notebook'}});
});

both('say, why and whoAmI answer as cycle, ledger and scaledProfile do', async (t, start) => {
	const {identity} = await start({journal: new FakeJournal(), directions: calm});
	t.is((await identity.say({content: 'The sea is quiet.', source: 'Ada'})).stateId, 1);
	t.deepEqual(await identity.why({by: 'source'}), await identity.ledger({by: 'source'}));
	t.deepEqual(await identity.whoAmI(), await identity.scaledProfile());
	await t.throwsAsync(identity.why({bye: 'source'} as never), {instanceOf: InputError});
});

both('blank content and invalid metadata are refused, and no cycle is counted', async (t, start) => {
	const {identity, local} = await start();
	const error = await t.throwsAsync(identity.cycle(' '), {instanceOf: InputError, code: 'input'});
	t.is(error.message, 'The content of a cycle must be a text that is not blank.');
	await t.throwsAsync(identity.cycle({content: 'a', metadata: [] as never}), {
		instanceOf: InputError,
		message: 'The metadata of a cycle must be an object.',
	});
	t.is(local.daemon.status().cyclesBreakdown.user, 0);
});

both('a validation answers with the approved state and the size of its baseline', async (t, start) => {
	const journal = new FakeJournal();
	// The time to learn the baseline grows with the width.
	const {identity, local} = await start({journal, encoder: new FakeEncoder(16)});
	await talk(local, {texts: 650, conversations: 65});
	const validated = until(identity, 'identity.validated');
	const {id, timestamp, ...answer} = await identity.validate({note: 'As it is.'});
	t.deepEqual(
		answer,
		{stateId: 650, note: 'As it is.', baseline: {texts: 600, heard: 600, conversations: 60, sources: 2, from: '2026-01-01T00:00:00.000Z'}},
	);
	t.deepEqual(await validated, {type: 'identity.validated', id, timestamp, ...answer});
	t.like(journal.records.at(-1), {kind: 'validation', id, timestamp, stateId: 650});
});

both('a validation with too few texts is refused, and the error says what is missing', async (t, start) => {
	const {identity, local} = await start({journal: new FakeJournal()});
	await talk(local, {texts: 12, conversations: 3});
	const failed = until(identity, 'validation.failed');
	const error = await t.throwsAsync(identity.validate({note: 'As it is.'}), {
		instanceOf: BaselineTooShortError,
		code: 'baseline_too_short',
		message: pattern(
			/needs 400 texts, 200 of them by others, in 30 conversations to compare later ones with; so far it has 12 texts, 12 of them by /,
			/others, in 3 conversations\./,
		),
	});
	t.like(await failed, {type: 'validation.failed', error: {message: error.message}});
	t.is(local.readiness().parts.journal, 'ok');
	t.like(await identity.cycle('more'), {stateId: 13});
});

both('a validation needs a note of 1 to 1,000 characters, and a journal', async (t, start) => {
	const {identity} = await start();
	await t.throwsAsync(identity.validate({note: ' '}), {instanceOf: InputError});
	await t.throwsAsync(identity.validate({note: 'x'.repeat(1001)}), {instanceOf: InputError});
	await t.throwsAsync(identity.validate({note: 'x'.repeat(1000)}), {
		instanceOf: NoJournalError,
		message: /keeps no journal, so it cannot be validated/,
	});
});

both('aborting the signal rejects the call with its reason', async (t, start) => {
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

both('a cycle over maxPendingCycles is refused, and the error says when to retry', async (t, start) => {
	const {identity, encoder} = await start({maxPendingCycles: 1});
	const held = encoder.hold('slow');
	const first = identity.cycle('slow');
	while (!encoder.asked.includes('slow')) {
		await settle();
	}

	const error = await t.throwsAsync(identity.cycle('more'), {instanceOf: BusyError});
	t.deepEqual(kindOf(error), {
		name: 'BusyError',
		message: '1 cycles are already under way; try again in a moment.',
		code: 'busy',
		retryable: true,
		retryAfter: 1,
	});
	held.resolve();
	t.is((await first).stateId, 1);
});

both('a failed embedding fails the cycle, and the error says whether a retry can help', async (t, start) => {
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

both('without a translator, a translation is unavailable', async (t, start) => {
	const {identity} = await start();
	const error = await t.throwsAsync(identity.translate(), {instanceOf: UnavailableError});
	t.like(kindOf(error), {message: 'Translator is unavailable: no language model is configured.', code: 'unavailable', retryable: false});
});

both('a translation gives the translator’s text, or its error', async (t, start) => {
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

both('cycles and resets emit events', async (t, start) => {
	const {identity} = await start();
	const events: IdentityEvent[] = [];
	const off = identity.on('*', event => events.push(event));
	const restored = until(identity, 'reset.done');
	const result = await identity.cycle('one');
	await identity.reset();
	await restored;
	const [{
		type,
		...done
	}, reset] = events.filter(event => event.type !== 'ready') as [Extract<IdentityEvent, {type: 'cycle.done'}>, IdentityEvent];
	t.is(type, 'cycle.done');
	t.deepEqual({id: done.id, ...done.result}, result);
	t.like(done, {trigger: 'user', origin: 'caller', tokenReport: {}});
	t.is(done.scores.length, 8);
	t.deepEqual(Object.keys(done.steps), ['embedding', 'dissonance', 'fixation', 'applying']);
	t.like(reset, {type: 'reset.done', stateId: 0});
	off();
});

both('events() yields events from its call on, and the loop can be left', async (t, start) => {
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

both('aborting the signal of events() rejects with its reason', async (t, start) => {
	const {identity} = await start();
	const reader = new AbortController();
	const next = identity.events({signal: reader.signal}).next();
	reader.abort(new Error('enough'));
	await t.throwsAsync(next, {message: 'enough'});
});

both('events and readiness report that the journal failed, and that it recovered', async (t, start) => {
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

both('the events end with the identity', async (t, start) => {
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

both('events() called after the end of the identity ends', async (t, start) => {
	const {identity, local} = await start();
	await local.dispose();
	const events = identity.events();
	for await (const {type} of events) {
		t.not(type, 'cycle.done');
	}

	await identity.dispose();
	t.like(await identity.events().next(), {done: true});
});

both('calls to a stopped identity fail as unavailable, and are not retryable', async (t, start) => {
	const {identity, local} = await start();
	await local.dispose();
	for (const ask of [() => identity.cycle('late'), () => identity.reset(), async () => identity.state()]) {
		const error = await t.throwsAsync(ask(), {instanceOf: UnavailableError});
		t.false(error.retryable);
	}

	t.like(await identity.readiness(), {ready: false, isTemporary: false});
});

both('dispose rejects pending cycles and ends the events', async (t, start) => {
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

both('asyncDispose waits for accepted cycles', async (t, start) => {
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
