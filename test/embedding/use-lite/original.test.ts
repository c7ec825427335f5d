/** The bundled encoder, compared with the library that its weights come from. */
import test from 'ava';
import fc from '../../helpers/fast-check.ts';
import {often} from '../../helpers/often.ts';
import {loadEncoder} from '../../../src/embedding/load-encoder.ts';
import {bundledModel} from '../../../src/embedding/use-lite/identifier.ts';
import {anyText} from '../../helpers/any-text.ts';
import {runAlone} from '../run-alone.ts';
import {cosine, loadForwards, loadOriginal, loadOriginalTokenizer} from './models.ts';

const texts = [
	'a thought', 'The sea is quiet today.', 'Ünïcödé and 数字 and 🙂', 'constructor __proto__ toString',
	'I am sad about the loss of my old friend, who moved away.',
];

/** The least and the mean cosine to the library's vectors. */
const compare = async (): Promise<{least: number; mean: number}> => {
	const [encoder, original] = [await loadEncoder(), await loadOriginal()];
	const cosines = await Array.fromAsync(texts, async text => cosine(await original(text), await encoder.embed(text)));
	await encoder.dispose();
	return {least: Math.min(...cosines), mean: cosines.reduce((sum, value) => sum + value, 0) / cosines.length};
};

test('the encoder does not need the package of the original weights', async t => {
	const {outcome} = await runAlone({}, './without-model-package.ts');
	t.is(outcome.passport?.model, bundledModel);
});

test('with 8-bit weights the vectors are close to the library\'s', async t => {
	const {least, mean} = await compare();
	t.true(least > 0.998, `least cosine ${least}`);
	t.true(mean > 0.999, `mean cosine ${mean}`);
});

/** Pieces of the vocabulary, other scripts, and characters that tokens contain but that are no tokens alone. */
const pieces = fc.array(fc.oneof(
	fc.constantFrom(
		'the',
		'sea',
		' ',
		'ing',
		'un',
		'://',
		':)',
		':-)',
		' :',
		'”5',
		':00',
		':30',
		'▁',
		'…',
		'’s',
		'é',
		'数',
		'🙂',
		'\uFFFD',
		'<s>',
		'</s>',
		'０',
		'ﬁ',
	),
	fc.string({maxLength: 12}),
	anyText({maxLength: 6}),
), {maxLength: 30}).map(parts => parts.join(''));

test('any text has the same tokens as in the library', async t => {
	const {tokenize} = loadForwards();
	const original = await loadOriginalTokenizer();
	fc.assert(fc.property(pieces, text => {
		t.deepEqual(tokenize(text.normalize('NFKC')), original(text), JSON.stringify(text));
	}), {numRuns: often(600, 3000)});
});

test('a text of 340,000 characters can be tokenized', t => {
	const {tokenize} = loadForwards();
	t.is(tokenize('the sea is quiet '.repeat(20_000)).length, 80_001);
});
