import {mkdir, mkdtemp, readFile, rm, truncate, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import test, {type ExecutionContext} from 'ava';
import {loadEncoder, type EmbeddingOptions} from '../../src/embedding/load-encoder.ts';
import {ModelLoadError} from '../../src/platform/errors.ts';
import {conform} from './conformance.ts';
import {runAlone} from './run-alone.ts';
import {closedAddress, serve} from './server.ts';
import {longest, makeTinyModel, tokenVector} from './tiny-model.ts';

let models: string;

test.serial.before(async () => {
	models = await mkdtemp(path.join(tmpdir(), 'processual-models-'));
	await makeTinyModel(path.join(models, 'tiny'), {width: 1024});
	await makeTinyModel(path.join(models, 'narrow'), {width: 384});
	await makeTinyModel(path.join(models, 'wide'), {width: 1536});
	await makeTinyModel(path.join(models, 'pooling'), {width: 384, pools: true});
	await makeTinyModel(path.join(models, 'knowing'), {width: 384, tokenizerLimit: 5});
	await makeTinyModel(path.join(models, 'untold'), {width: 384, withoutUnknown: true});
	await makeTinyModel(path.join(models, 'quantized'), {width: 384, suffix: '_quantized'});
	await makeTinyModel(path.join(models, 'bge-m3'), {width: 384});
	await makeTinyModel(path.join(models, 'Snowflake', 'snowflake-arctic-embed-l-v2.0'), {width: 384});
});
test.after.always(async () => rm(models, {recursive: true}));

conform(test, 'transformers', async () => loadEncoder({model: path.join(models, 'tiny')}));

const load = async (t: ExecutionContext, name: string, options: EmbeddingOptions = {}) => {
	const encoder = await loadEncoder({model: path.join(models, name), ...options});
	t.teardown(async () => encoder.dispose());
	return encoder;
};

const mean = (vectors: number[][]): number[] =>
	vectors[0]!.map((_, column) => vectors.reduce((sum, vector) => sum + vector[column]!, 0) / vectors.length);

const vectorsOf = (tokens: string[], width: number): number[][] => tokens.map((token, place) => tokenVector(token, place, width));

/** Compares with numbers that are computed here in float64 and normalised, to the precision of float32. */
const assertNear = (t: ExecutionContext, actual: Float32Array, expected: number[]) => {
	const norm = Math.hypot(...expected);
	const largest = Math.max(...actual.map((value, i) => Math.abs(value - (expected[i] ?? 0) / norm)));
	t.true(largest < 1e-6, `differs by ${largest}`);
};

const tokens = ['[CLS]', 'a', 'thought', '##s', '[SEP]'];

test('by default a text\'s vector is the mean of its tokens', async t => {
	const encoder = await load(t, 'narrow');
	t.deepEqual(encoder.passport, {model: path.join(models, 'narrow'), width: 384, pooling: 'mean', prefix: '', dtype: 'fp32'});
	assertNear(t, await encoder.embed('a thoughts'), mean(vectorsOf(tokens, 384)));
});

test('the pooling cls uses the first token', async t => {
	assertNear(t, await (await load(t, 'tiny', {pooling: 'cls'})).embed('a thoughts'), vectorsOf(tokens, 1024).at(0)!);
});

test('the pooling last_token uses the last token', async t => {
	assertNear(t, await (await load(t, 'narrow', {pooling: 'last_token'})).embed('a thoughts'), vectorsOf(tokens, 384).at(-1)!);
});

test('the pooling none uses what the model itself pooled', async t => {
	assertNear(t, await (await load(t, 'pooling', {pooling: 'none'})).embed('a thoughts'), mean(vectorsOf(tokens, 384)));
});

test('a prefix is put before every text', async t => {
	const encoder = await load(t, 'narrow', {prefix: 'query: '});
	assertNear(t, await encoder.embed('a'), mean(vectorsOf(['[CLS]', 'query', ':', 'a', '[SEP]'], 384)));
});

test('a known model has its pooling and its prefix, from any publisher and any folder', async t => {
	t.like((await load(t, 'bge-m3')).passport, {pooling: 'cls', prefix: ''});

	const hub = await loadEncoder({model: 'Snowflake/snowflake-arctic-embed-l-v2.0', cacheDir: models, offline: true});
	t.teardown(async () => hub.dispose());
	t.like(hub.passport, {pooling: 'cls', prefix: 'query: '});
});

test('a long text is cut to the model’s limit, and keeps its closing token', async t => {
	const encoder = await load(t, 'narrow');
	const words = Array.from<string>({length: longest - 2}).fill('moves');
	assertNear(t, await encoder.embed('moves '.repeat(50)), mean(vectorsOf(['[CLS]', ...words, '[SEP]'], 384)));
});

test('a lower limit of the tokenizer is used', async t => {
	const encoder = await load(t, 'knowing');
	assertNear(t, await encoder.embed('moves slowly a thought'), mean(vectorsOf(['[CLS]', 'moves', 'slowly', 'a', '[SEP]'], 384)));
});

test('the report has the tokens, the truncation and the unknown share of each text', async t => {
	const encoder = await load(t, 'narrow');
	const reports = {
		'a thoughts': {tokens: 5, isTruncated: false, unknownShare: 0},
		'a sea moves': {tokens: 5, isTruncated: false, unknownShare: 1 / 3},
		'海は静かです。': {tokens: 7, isTruncated: false, unknownShare: 1},
		[`${'moves '.repeat(50)}`]: {tokens: longest, isTruncated: true, unknownShare: 0},
	};
	for (const [text, report] of Object.entries(reports)) {
		const embedding = await encoder.embedWithReport!(text);
		t.like(embedding.report, {tokens: report.tokens, isTruncated: report.isTruncated}, text);
		t.is(embedding.report.unknownShare, report.unknownShare, text);
	}

	t.is(encoder.languages, undefined);
});

test('the report has no unknown share if the tokenizer names no unknown token', async t => {
	t.deepEqual((await (await load(t, 'untold')).embedWithReport!('a thought')).report, {tokens: 4, isTruncated: false});
});

test('each number format has a separate file', async t => {
	t.is((await load(t, 'quantized', {dtype: 'q8'})).passport.dtype, 'q8');
	await t.throwsAsync(load(t, 'quantized'), {instanceOf: ModelLoadError, message: /lacks its weights in fp32.*encoder.dtype/});
});

test('the number of threads does not change the bits', async t => {
	const [one, two] = [await load(t, 'narrow', {threads: 1}), await load(t, 'narrow', {threads: 2})];
	t.deepEqual(Buffer.from((await one.embed('a thought')).buffer), Buffer.from((await two.embed('a thought')).buffer));
});

test('loading fails for a model wider than the state, unless it may be truncated', async t => {
	await t.throwsAsync(load(t, 'wide'), {
		instanceOf: ModelLoadError,
		message: /“.*wide” could not be loaded\. The model gives 1536 floats and the state is 1024 wide.*encoder.truncate/,
	});

	const encoder = await load(t, 'wide', {truncate: true});
	t.is(encoder.passport.width, 1536);
	assertNear(t, await encoder.embed('a thoughts'), mean(vectorsOf(tokens, 1536)).slice(0, 1024));
});

test('a folder is loaded without the network, and the process ends after dispose', async t => {
	const {outcome, stderr} = await runAlone({model: path.join(models, 'narrow')}, './no-network.ts');
	assertNear(t, Float32Array.from(outcome.vector!), mean(vectorsOf(['[CLS]', 'a', 'thought', '[SEP]'], 384)));
	t.is(stderr, '');
});

test('a hub model is requested online, and not offline', async t => {
	const model = 'nobody/nothing';
	const offline = await runAlone({model, cacheDir: models, offline: true}, './no-network.ts');
	t.is(offline.outcome.code, 'model_load');
	t.is(offline.stderr, '');

	const online = await runAlone({model, cacheDir: models}, './no-network.ts');
	t.is(online.outcome.code, 'model_load');
	t.regex(online.stderr, /network touched by fetch/);
});

test('a hub model is downloaded once, with progress, and then loads offline', async t => {
	const asked: string[] = [];
	const hub = await serve(t, async (request, response) => {
		asked.push(request.url!);
		try {
			const file = await readFile(path.join(models, 'narrow', request.url!.replace('/owner/name/resolve/main/', '')));
			response.setHeader('content-length', file.length);
			response.end(file);
		} catch {
			response.writeHead(404).end();
		}
	});
	const cacheDir = path.join(models, 'cache');
	const progress = new Map<string, number>();
	const loadOnce = async (offline: boolean) => {
		const encoder = await loadEncoder({model: 'owner/name', baseUrl: hub, cacheDir, offline}, {
			onProgress({file, loaded, total}) {
				t.true(loaded <= total);
				progress.set(file, loaded / total);
			},
		});
		const vector = await encoder.embed('a thoughts');
		await encoder.dispose();
		assertNear(t, vector, mean(vectorsOf(tokens, 384)));
	};

	await loadOnce(false);
	t.is(progress.get('onnx/model.onnx'), 1);
	t.is(progress.get('tokenizer.json'), 1);

	progress.clear();
	await loadOnce(false);
	t.is(progress.size, 0);

	asked.length = 0;
	await loadOnce(true);
	t.deepEqual(asked, []);
});

const refuses = (title: string, prepare: (t: ExecutionContext) => Promise<EmbeddingOptions>, message: RegExp) => {
	test(`loading fails for ${title}`, async t => {
		const error = await t.throwsAsync(loadEncoder(await prepare(t)), {instanceOf: ModelLoadError, message});
		t.regex(error.message, /^The embedding model “.+” could not be loaded\. /);
	});
};

refuses('a missing folder', async () => ({model: path.join(models, 'missing')}),
	/missing lacks config\.json, tokenizer\.json, tokenizer_config\.json\. Correct encoder.model/);

refuses('a model without a tokenizer', async () => {
	const model = path.join(models, 'dumb');
	await makeTinyModel(model, {width: 384});
	await rm(path.join(model, 'tokenizer.json'));
	return {model};
}, /dumb lacks tokenizer\.json\./);

refuses('damaged weights', async () => {
	const model = path.join(models, 'damaged');
	await makeTinyModel(model, {width: 384});
	await truncate(path.join(model, 'onnx', 'model.onnx'), 5000);
	return {model};
}, /The files in .*damaged cannot be used: .*Remove a damaged file and download it again/s);

refuses('a damaged tokenizer', async () => {
	const model = path.join(models, 'babbling');
	await makeTinyModel(model, {width: 384});
	await writeFile(path.join(model, 'tokenizer.json'), '{"model":');
	return {model};
}, /The files in .*babbling cannot be used: .*JSON/s);

refuses('an unknown name while offline', async () => ({model: 'nobody/nothing', cacheDir: models, offline: true}),
	/nobody.nothing lacks config\.json.*Start without encoder.offline/);

refuses('a hub that cannot be reached', async () => ({model: 'nobody/nothing', cacheDir: models, baseUrl: closedAddress()}),
	/cannot be reached \(ECONNREFUSED\)\. Check the network, set encoder.baseUrl to a mirror/);

refuses('a name that the hub does not know', async t => ({
	model: 'nobody/nothing',
	cacheDir: models,
	baseUrl: await serve(t, (_request, response) => response.writeHead(404).end()),
}), /does not serve config\.json.*Could not locate file.*Correct encoder.model/);

refuses('a hub model without a tokenizer', async t => ({
	model: 'nobody/dumb',
	cacheDir: models,
	baseUrl: await serve(t, (request, response) => {
		response.writeHead(request.url!.endsWith('/config.json') ? 200 : 404).end('{"model_type": "bert"}');
	}),
}), /does not serve tokenizer\.json, tokenizer_config\.json/);

refuses('a model that pools itself, if another pooling is set', async () => ({model: path.join(models, 'pooling')}),
	/encoder.pooling to none/);

refuses('a model that does not pool, if no pooling is set', async () => ({model: path.join(models, 'narrow'), pooling: 'none'}),
	/encoder.pooling to mean, cls or last_token/);

test('loading fails without transformers.js, and the error says what to install', async t => {
	const {outcome} = await runAlone({model: path.join(models, 'narrow')}, './without-transformers.ts');
	t.is(outcome.code, 'model_load');
	t.regex(outcome.message!, /transformers\.js is not installed\. Run npm i @huggingface\/transformers@4/);
});

test('transformers.js is also found under its current name', async t => {
	const {outcome} = await runAlone({model: path.join(models, 'narrow')}, './renamed-transformers.ts');
	t.is(outcome.passport?.width, 384);
});

test('a transformers.js that is too old is refused, and the error says why and what to install', async t => {
	const {outcome} = await runAlone({model: path.join(models, 'narrow')}, './old-transformers.ts');
	t.regex(outcome.message!, /@xenova\/transformers is transformers\.js 2\.17\.2, and version 4 is needed: .* ignores encoder\.dtype/);
	t.regex(outcome.message!, /Run npm i @huggingface\/transformers@4.*npm i @xenova\/transformers@npm:@huggingface\/transformers@4\./);
});

test('the error says that transformers.js is not installed, even if the model is missing too', async t => {
	const {outcome} = await runAlone({model: 'nobody/nothing', offline: true}, './without-transformers.ts');
	t.regex(outcome.message!, /transformers\.js is not installed/);
});

test('the bundled model needs no transformers.js', async t => {
	const {outcome} = await runAlone({}, './without-transformers.ts');
	t.is(outcome.passport?.width, 512);
});

test('a folder whose name is not valid on the hub is loaded too', async t => {
	await mkdir(path.join(models, 'my models'));
	await makeTinyModel(path.join(models, 'my models', 'a--b'), {width: 384});
	await t.notThrowsAsync(load(t, path.join('my models', 'a--b')));
});
