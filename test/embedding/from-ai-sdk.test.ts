/** Encoders made from embedding models of the AI SDK. */
import {createServer} from 'node:http';
import {once} from 'node:events';
import type {AddressInfo} from 'node:net';
import {createOpenAICompatible} from '@ai-sdk/openai-compatible';
import test from 'ava';
import {EmbeddingError} from '../../src/platform/errors.ts';
import {fromAiSdk} from '../../src/embedding/from-ai-sdk.ts';
import {openIdentity} from '../../src/identity/create-identity.ts';

const modelOf = (embed: (text: string) => readonly number[]) => ({
	modelId: 'small',
	provider: 'mine',
	doEmbed: async ({values}: {values: string[]}) => ({embeddings: values.map(embed), usage: {tokens: 3}}),
});

test('a real model of the SDK moves the state', async t => {
	const server = createServer((_, response) => {
		response.setHeader('Content-Type', 'application/json');
		response.end(JSON.stringify({object: 'list', data: [{object: 'embedding', index: 0, embedding: [3, 4]}], usage: {prompt_tokens: 7}}));
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	t.teardown(() => server.close());
	const {port} = server.address() as AddressInfo;
	const model = createOpenAICompatible({name: 'local', baseURL: `http://127.0.0.1:${port}/v1`}).textEmbeddingModel('small');
	const encoder = fromAiSdk(model);
	const {vector, report} = await encoder.embedWithReport!('hello');
	t.deepEqual([...vector.subarray(0, 3)], [...Float32Array.of(0.6, 0.8, 0)]);
	t.deepEqual(report, {tokens: 7});
	const identity = await openIdentity({encoder, themes: {rumination: ['r'], corpus: ['c']}});
	t.is((await identity.cycle('hello')).stateId, 1);
	t.is(identity.health().embeddingModel, encoder.passport.model);
	await identity.dispose();
});

test('the passport names the provider and the model', t => {
	t.like(fromAiSdk(modelOf(() => [1])).passport, {model: 'mine:small'});
	t.like(fromAiSdk({...modelOf(() => [1]), provider: undefined} as never).passport, {model: 'small'});
});

test('vectors wider than the state are refused, or truncated with that option', async t => {
	const wide = modelOf(() => Array.from({length: 1536}, () => 1));
	await t.throwsAsync(fromAiSdk(wide).embed('hello'), {instanceOf: EmbeddingError, message: /1536 floats/});
	const vector = await fromAiSdk(wide, {truncate: true}).embed('hello');
	t.is(vector.length, 1024);
	t.true(Math.abs(Math.hypot(...vector) - 1) < 1e-6);
});

test('an error of the SDK becomes an EmbeddingError with its cause', async t => {
	const cause = new Error('quota');
	const broken = {...modelOf(() => []), async doEmbed(): Promise<never> {
		throw cause;
	}};
	const error = await t.throwsAsync(fromAiSdk(broken).embed('hello'), {
		instanceOf: EmbeddingError,
		message: 'The embedding model “mine:small” failed: quota',
	});
	t.is(error.cause, cause);
});

test('an aborted signal rejects the call with its reason', async t => {
	await t.throwsAsync(fromAiSdk(modelOf(() => [1])).embed('hello', AbortSignal.abort()), {name: 'AbortError'});
});
