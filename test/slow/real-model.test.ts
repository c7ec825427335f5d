/** transformers.js end to end on the real weights of a sentence encoder, from a folder, with the network off. */
import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import test from 'ava';
import {loadEncoder} from '../../src/embedding/load-encoder.ts';
import {loadDirections} from '../../src/sources/directions/vectors.ts';
import {builtInCatalogue, loadCatalogue} from '../../src/sources/directions/catalogue.ts';
import {runAlone} from '../embedding/run-alone.ts';
import {makeOnnxModel} from '../embedding/use-lite/onnx-model.ts';
import {cosine, loadOriginal} from '../embedding/use-lite/models.ts';

let model: string;

test.before(async () => {
	model = path.join(await mkdtemp(path.join(tmpdir(), 'processual-models-')), 'use-lite');
	await makeOnnxModel(model);
});
test.after.always(async () => rm(path.dirname(model), {recursive: true}));

const texts = [
	'a thought', 'The sea is quiet today.', 'I am sad about the loss of my old friend, who moved away.',
	'Multiply the numerator by three.',
];

test('it gives the vectors of the library that the weights come from, for at most 128 tokens', async t => {
	const [encoder, original] = [await loadEncoder({model, pooling: 'none'}), await loadOriginal()];
	t.teardown(async () => encoder.dispose());
	t.is(encoder.passport.width, 512);
	for (const text of texts) {
		t.true(cosine(await encoder.embed(text), await original(text)) > 0.999_999, text);
	}

	t.like((await encoder.embedWithReport!('sea '.repeat(200))).report, {tokens: 128, isTruncated: true});
});

test('a prefix is embedded as a part of the text', async t => {
	const encoder = await loadEncoder({model, pooling: 'none', prefix: 'query: '});
	t.teardown(async () => encoder.dispose());
	t.true(cosine(await encoder.embed(texts[1]!), await (await loadOriginal())(`query: ${texts[1]}`)) > 0.999_999);
});

test('it embeds the built-in directions without a warning', async t => {
	const encoder = await loadEncoder({model, pooling: 'none'});
	t.teardown(async () => encoder.dispose());
	const catalogue = await loadCatalogue(builtInCatalogue);
	const directions = await loadDirections(catalogue, {
		encoder,
		warn(warning) {
			t.fail(warning);
		},
	});
	t.is(directions.length, catalogue.length);
});

test('it needs no network', async t => {
	const {outcome, stderr} = await runAlone({model, pooling: 'none'}, '../embedding/no-network.ts');
	t.is(outcome.passport?.width, 512);
	t.is(stderr, '');
});
