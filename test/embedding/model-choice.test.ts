import path from 'node:path';
import test from 'ava';
import {bundledModel} from '../../src/embedding/use-lite/identifier.ts';
import {chooseModel, type EmbeddingOptions, type Pooling} from '../../src/embedding/model-choice.ts';
import {ModelLoadError} from '../../src/platform/errors.ts';

const adapterOf = (model: string) => chooseModel({model}).adapter;

test('the default is the bundled model', t => {
	t.is(chooseModel({}).model, bundledModel);
	t.like(chooseModel({}), {adapter: 'bundled'});
});

test('the original float32 model is refused, and the error says how to change to the default', t => {
	const message = /float32 weights, is no longer offered\. Run “processual reembed”/;
	t.throws(() => chooseModel({model: 'bundled:universal-sentence-encoder-lite'}), {instanceOf: ModelLoadError, message});
});

test('owner/name is a model of the hub, kept in the cache folder', t => {
	t.like(chooseModel({model: 'BAAI/bge-m3', cacheDir: 'models'}), {
		adapter: 'transformers',
		name: 'BAAI/bge-m3',
		folder: path.resolve('models'),
		download: true,
	});
});

test('offline, nothing is downloaded', t => {
	t.like(chooseModel({model: 'BAAI/bge-m3', offline: true}), {download: false});
});

for (const model of ['./mine', '../mine', '/models/mine', '.']) {
	test(`${model} is a folder, and is never downloaded`, t => {
		t.like(chooseModel({model}), {adapter: 'transformers', name: path.resolve(model), download: false});
	});
}

test('openai:name is a model on a server, whatever the name looks like', t => {
	t.is(adapterOf('openai:text-embedding-3-small'), 'openai');
	t.like(chooseModel({model: 'openai:BAAI/bge-m3'}), {adapter: 'openai', name: 'BAAI/bge-m3'});
});

for (const model of ['', 'bge-m3', 'bundled:other', 'openai:', 'a/b/c', 'https://example.org/model', 'owner/../name']) {
	test(`“${model}” is refused, and the error lists the valid forms`, t => {
		t.throws(() => chooseModel({model}), {
			instanceOf: ModelLoadError,
			message: /encoder.model to bundled:.*owner\/name.*\.\/folder.*openai:name/,
		});
	});
}

const known = (model: string, pooling: Pooling, prefix: string) => {
	test(`${model} is pooled by ${pooling} with the prefix “${prefix}”`, t => {
		t.like(chooseModel({model}), {pooling, prefix});
	});
};

known('BAAI/bge-m3', 'cls', '');
known('Xenova/bge-large-en-v1.5', 'cls', '');
known('mixedbread-ai/mxbai-embed-large-v1', 'cls', '');
known('Xenova/multilingual-e5-large', 'mean', 'query: ');
known('Snowflake/snowflake-arctic-embed-l-v2.0', 'cls', 'query: ');
known('onnx-community/Qwen3-Embedding-0.6B-ONNX', 'last_token', '');
known('./models/bge-m3', 'cls', '');
known('someone/another-model', 'mean', '');

test('settings override what is known of a model', t => {
	const options: EmbeddingOptions = {model: 'Xenova/multilingual-e5-large', pooling: 'cls', prefix: ''};
	t.like(chooseModel(options), {pooling: 'cls', prefix: ''});
});

test('an unknown number format is refused instead of silently becoming fp32', t => {
	t.throws(() => chooseModel({model: 'BAAI/bge-m3', dtype: 'q7'}), {
		instanceOf: ModelLoadError,
		message: /encoder.dtype is “q7”\. Set it to one of fp32, fp16, q8/,
	});
});
