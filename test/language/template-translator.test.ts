import test from 'ava';
import {LanguageError} from '../../src/platform/errors.ts';
import {hasReasoning} from '../../src/language/model-translator.ts';
import {templateTranslator, templateTranslators} from '../../src/language/template-translator.ts';
import type {Profile} from '../../src/semiosis/profile.ts';
import type {TranslationRequest} from '../../src/language/translator.ts';
import {calmProfile, profileOf, scaled} from './profiles.ts';

const translate = async (profile: Profile, context: string | null = null) =>
	templateTranslator.translate({profile, context}, new AbortController().signal);

test('each strength has a sentence, the strongest first', async t => {
	t.deepEqual(await translate(calmProfile), {
		text: 'I lean strongly towards “calm” rather than “agitated”. I lean clearly towards “permanence” rather than “change”. I '
			+ 'lean slightly towards “joyful” rather than “sad”.',
		reasoningDetected: false,
	});
});

test('leanings of one strength share a sentence', async t => {
	const {text} = await translate(profileOf(['a', 'b', 0.3, 'calm', 'agitated'], ['a', 'c', -0.2, 'work', 'play'], [
		'a', 'd', 0.1, 'free', 'bound',
	]));
	t.is(text, 'I lean strongly towards “calm” rather than “agitated”, “play” rather than “work”, and “free” rather than “bound”.');
});

test('the eight strongest projections are named', async t => {
	const many = profileOf(
		...Array.from({length: 30}, (_, i): [string, string, number, string, string] => ['a', `d${i}`, (i + 1) / 100, `yes ${i}`, `no ${i}`]),
	);
	const {text} = await translate(many);
	t.deepEqual(text.match(/yes \d+/g), [29, 28, 27, 26, 25, 24, 23, 22].map(i => `yes ${i}`));
});

test('a context changes nothing', async t => {
	t.deepEqual(await translate(calmProfile, 'Bonjour'), await translate(calmProfile));
});

test('the text has no marker of reasoning', async t => {
	t.false(hasReasoning((await translate(calmProfile)).text));
});

test('a profile with nothing to translate is an error', async t => {
	await t.throwsAsync(translate({}), {instanceOf: LanguageError, message: /Load directions/});
});

const say = async (given: TranslationRequest['scaled']) =>
	(await templateTranslator.translate(
		{profile: calmProfile, context: null, ...(given && {scaled: given})},
		new AbortController().signal,
	)).text;
const standOut = [
	scaled('analysis', 2.3, 'analytic', 'intuitive'),
	scaled('focus', -1.4, 'focused', 'scattered'),
	scaled('breadth', 1.1, 'big-picture', 'detailed'),
];

test('with units, the text has what stands out: “strongly” for a z over 2, else “somewhat”', async t => {
	t.is(
		await say({begunAtRandom: false, standOut}),
		'I lean strongly towards “analytic” rather than “intuitive”. I lean somewhat towards “scattered” rather than “focused” '
			+ 'and “big-picture” rather than “detailed”.',
	);
});

test('a random beginning is mentioned first', async t => {
	t.is(
		await say({begunAtRandom: true, standOut: standOut.slice(0, 1)}),
		'This identity began at random; only the movements that texts have caused since say anything about it. I lean strongly towards '
			+ '“analytic” rather than “intuitive”.',
	);
});

test('if nothing stands out, the text says so, without the first person', async t => {
	t.is(await say({begunAtRandom: false, standOut: []}), 'Nothing about this identity stands out.');
	t.is(
		await say({begunAtRandom: true, standOut: []}),
		'This identity began at random; only the movements that texts have caused since say anything about it. Nothing about this '
			+ 'identity stands out.',
	);
});

test('without scales, the text warns that the directions may be chance', async t => {
	t.is(
		await say({begunAtRandom: false, standOut: null}),
		`The directions have no scale, so the following may be chance. ${await say(undefined)}`,
	);
});

test('the French text says the same, with poles in French', async t => {
	const {text} = await templateTranslators.fr.translate(
		{
			profile: profileOf(['affective', 'calm', 0.3, 'calme', 'agité'], ['relational', 'trust', -0.02, 'confiant', 'méfiant']),
			context: null,
		},
		new AbortController().signal,
	);
	t.is(text, 'Je penche fortement vers « calme » plutôt que « agité ». Je penche légèrement vers « méfiant » plutôt que « confiant ».');
});
