/** Translations: what the translator receives, what the caller gets, and what happens if one of them fails. */
import test from 'ava';
import {UnavailableError} from '../../src/platform/errors.ts';
import type {TranslationRequest, Translator} from '../../src/language/translator.ts';
import {joy, settle, startIdentity, vectorOf} from './fixtures.ts';

test('without a translator, a translation is unavailable', async t => {
	const {identity} = await startIdentity();
	await t.throwsAsync(identity.translate({context: null}), {instanceOf: UnavailableError, message: /Translator is unavailable/});
});

test('a translation has the text of the translator and the projections of the state', async t => {
	const {identity} = await startIdentity({
		translator: async () => ({
			translate: async ({context}) => ({text: `calm, ${context}`, reasoningDetected: false}),
		}),
		directions: async () => [joy],
	});
	const {text, projections} = await identity.translate({context: 'in a letter'});
	t.is(text, 'calm, in a letter');
	t.deepEqual(projections, {'affective.joy': identity.profile().profile['affective']!['joy']!.value});
});

test('a translator receives what stands out, and whether the beginning was random', async t => {
	const received: Array<TranslationRequest['scaled']> = [];
	const translator: Translator = {
		async translate({scaled}) {
			received.push(scaled);
			return {text: 'words', reasoningDetected: false};
		},
	};
	const direction = {
		name: 'analysis',
		category: 'cognitive',
		polePositive: 'analytic',
		poleNegative: 'intuitive',
		vector: vectorOf('a direction'),
		scale: {examples: 60, mean: -1, deviation: 0.1, sample: []},
	};
	for (const options of [{}, {initialState: null}] as const) {
		const {identity} = await startIdentity({translator, directions: [direction], ...options});
		await identity.translate();
	}

	t.like(received[0], {begunAtRandom: false, standOut: [{key: 'cognitive.analysis', word: 'strong', pole: 'analytic'}]});
	t.deepEqual(received[1], {begunAtRandom: true, standOut: []});
});

test('aborting the caller’s signal cancels the translation', async t => {
	const signals: AbortSignal[] = [];
	const {identity} = await startIdentity({
		translator: async () => ({
			async translate(_, signal) {
				signals.push(signal);
				return new Promise<never>(() => {});
			},
		}),
	});
	const leaving = new AbortController();
	const translation = identity.translate({}, {signal: leaving.signal});
	await settle();
	leaving.abort(new Error('gone'));
	await t.throwsAsync(translation, {message: 'gone'});
	t.true(signals[0]!.aborted);
});

test('the signal of a translation that is over is not aborted', async t => {
	const signals: AbortSignal[] = [];
	const {identity} = await startIdentity({
		translator: {
			async translate({context}, signal) {
				signals.push(signal);
				if (context === null) {
					throw new Error('no words');
				}

				return {text: 'words', reasoningDetected: false};
			},
		},
	});
	await identity.translate({context: 'in a letter'});
	await t.throwsAsync(identity.translate());
	await settle();
	await identity.dispose();
	t.deepEqual(signals.map(({aborted}) => aborted), [false, false]);
});

test('a translator that throws fails the translation and nothing else', async t => {
	const {identity} = await startIdentity({
		translator: async () => ({
			async translate() {
				throw new Error('no words');
			},
		}),
	});
	await t.throwsAsync(identity.translate({context: null}), {code: 'language', message: 'The translator failed: no words'});
	t.is((await identity.cycle({content: 'hello'})).stateId, 1);
});
