import test from 'ava';
import {english} from '../../../benchmarks/sentences/pairs.ts';
import {loadEncoder} from '../../../src/embedding/load-encoder.ts';
import {frenchModel} from '../../../src/embedding/use-lite/identifier.ts';

const dot = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, index) => sum + value * b[index]!, 0);

test('an English text has the same bits as with the model alone, and a French text is near its translation', async t => {
	const [alone, both] = await Promise.all([loadEncoder({workers: 1}), loadEncoder({model: frenchModel, workers: 1})]);
	for (const [text] of english.slice(0, 20)) {
		t.deepEqual(await both.embed(text), await alone.embed(text), text);
	}

	const near = dot(await both.embed('Je me sens seul depuis que tu es parti.'), await alone.embed('I feel alone since you left.'));
	const before = dot(await alone.embed('Je me sens seul depuis que tu es parti.'), await alone.embed('I feel alone since you left.'));
	t.true(near > 0.6, `${near}`);
	t.true(near > before + 0.3, `${before}`);
	await Promise.all([alone.dispose(), both.dispose()]);
});

test('the report has the language and the unknown share', async t => {
	const encoder = await loadEncoder({model: frenchModel, workers: 1});
	t.deepEqual(encoder.languages, ['en', 'fr']);
	t.is(encoder.passport.model, 'bundled:universal-sentence-encoder-lite-q8-fr');
	const {report} = await encoder.embedWithReport('Le xylorimba dort dans la maison.');
	t.is(report.language, 'fr');
	t.true(report.unknownShare! > 0);
	t.is((await encoder.embedWithReport('The house is quiet.')).report.language, 'en');
	await encoder.dispose();
});
