import test from 'ava';
import {LanguageError} from '../../src/errors.ts';
import {hasReasoning} from '../../src/language/reasoning.ts';
import {templateTranslator} from '../../src/language/template-translator.ts';
import type {Profile} from '../../src/semiosis/profile.ts';
import {calmProfile, profileOf} from './profiles.ts';

const translate = async (profile: Profile, context: string | null = null) => templateTranslator.translate({profile, context}, new AbortController().signal);

test('each strength has a sentence, the strongest first', async t => {
	t.deepEqual(await translate(calmProfile), {
		text: 'I lean strongly towards “calm” rather than “agitated”. I lean clearly towards “permanence” rather than “change”. I lean slightly towards “joyful” rather than “sad”.',
		reasoningDetected: false,
	});
});

test('leanings of one strength share a sentence', async t => {
	const {text} = await translate(profileOf(['a', 'b', 0.3, 'calm', 'agitated'], ['a', 'c', -0.2, 'work', 'play'], ['a', 'd', 0.1, 'free', 'bound']));
	t.is(text, 'I lean strongly towards “calm” rather than “agitated”, “play” rather than “work”, and “free” rather than “bound”.');
});

test('the eight strongest projections are named', async t => {
	const many = profileOf(...Array.from({length: 30}, (_, i): [string, string, number, string, string] => ['a', `d${i}`, (i + 1) / 100, `yes ${i}`, `no ${i}`]));
	const {text} = await translate(many);
	t.deepEqual(text.match(/yes \d+/g), [29, 28, 27, 26, 25, 24, 23, 22].map(i => `yes ${i}`));
});

test('a context changes nothing', async t => {
	t.deepEqual(await translate(calmProfile, 'Bonjour'), await translate(calmProfile));
});

test('it says no marker of reasoning', async t => {
	t.false(hasReasoning((await translate(calmProfile)).text));
});

test('nothing to tell is an error', async t => {
	await t.throwsAsync(translate({}), {instanceOf: LanguageError, message: /Load directions/});
});
