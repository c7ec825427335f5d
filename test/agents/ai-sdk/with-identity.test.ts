/** Middleware of the AI SDK: what a model is told of the identity, and what the identity hears, here and from afar. */
import {generateText, jsonSchema, Output, simulateReadableStream, stepCountIs, streamText, tool, wrapLanguageModel} from 'ai';
import {MockLanguageModelV4} from 'ai/test';
import test, {type ExecutionContext} from 'ava';
import {withIdentity, type WithIdentityOptions} from '../../../src/agents/ai-sdk/index.ts';
import {connectIdentity} from '../../../src/client/index.ts';
import {UnavailableError} from '../../../src/platform/errors.ts';
import type {Identity} from '../../../src/identity/identity.ts';
import {FakeJournal} from '../../actors/fake-journal.ts';
import {startIdentity, vectorOf} from '../../actors/fixtures.ts';
import {serve} from '../../http/service.ts';

type Result = Awaited<ReturnType<MockLanguageModelV4['doGenerate']>>;
type Part = Awaited<ReturnType<MockLanguageModelV4['doStream']>>['stream'] extends ReadableStream<infer Chunk> ? Chunk : never;

const usage = {inputTokens: {total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0}, outputTokens: {total: 1, text: 1, reasoning: 0}};
const says = (text: string): Result =>
	({content: [{type: 'text', text}], finishReason: {unified: 'stop', raw: undefined}, usage, warnings: []});

const streamOf = (...words: string[]): Part[] => [
	{type: 'text-start', id: '1'},
	...words.map((delta): Part => ({type: 'text-delta', id: '1', delta})),
	{type: 'text-end', id: '1'},
	{type: 'finish', finishReason: {unified: 'stop', raw: undefined}, usage},
];

/** On thirdness, with a scale so fine that every value stands out, or so wide that none does. */
const direction = (name: string, deviation: number) => ({
	name, category: 'cognitive', polePositive: `${name}+`, poleNegative: `${name}-`, vector: vectorOf(name),
	scale: {examples: 60, mean: 0, deviation, sample: Array.from({length: 60}, (_, i) => i - 30.5)},
});

const fine = ['a', 'b', 'c', 'd', 'e'].map(name => direction(name, 1e-9));
const wide = [direction('a', 1e9)];

type Started = {identity: Identity; heard: () => unknown[]};

const start = async (
	t: ExecutionContext,
	isAfar: boolean,
	directions = fine,
): Promise<Started & {encoder: Awaited<ReturnType<typeof startIdentity>>['encoder']}> => {
	const journal = new FakeJournal();
	const heard = () => journal.records.flatMap(record => record.kind === 'cycle' ? [[record.content, record.trigger, record.metadata]] : []);
	const {identity: local, encoder} = await startIdentity({journal, directions: async () => directions});
	t.teardown(() => local.dispose());
	if (!isAfar) {
		return {identity: local, heard, encoder};
	}

	const {url} = await serve(t, local);
	const identity = connectIdentity({baseUrl: url});
	t.teardown(() => identity.dispose());
	return {identity, heard, encoder};
};

/** Fails the test where the identity is left out. */
const wrap = (t: ExecutionContext, model: MockLanguageModelV4, identity: Identity, options: WithIdentityOptions = {}) => wrapLanguageModel({
	model,
	middleware: withIdentity(identity, {timeoutMs: 600_000, onError: error => t.fail(String(error)), ...options}),
});

/** Declares a behaviour with an identity in this program and with one from afar. */
const both = (name: string, check: (t: ExecutionContext, isAfar: boolean) => Promise<void>): void => {
	for (const [place, isAfar] of [['here', false], ['afar', true]] as const) {
		test(`${place}: ${name}`, async t => check(t, isAfar));
	}
};

const systemOf = (model: MockLanguageModelV4): unknown[] =>
	model.doGenerateCalls.at(-1)!.prompt.filter(({role}) => role === 'system').map(({content}) => content);

both('the identity hears the user with the source, and then the model as itself, in one conversation', async (t, isAfar) => {
	const {identity, heard} = await start(t, isAfar);
	const model = wrap(t, new MockLanguageModelV4({doGenerate: says('It is.')}), identity, {source: 'Ben'});
	t.is((await generateText({model, prompt: 'The sea is quiet.'})).text, 'It is.');
	t.deepEqual(
		heard(),
		[['The sea is quiet.', 'user', {source: 'Ben', conversation: 'Ben'}], ['It is.', 'assistant', {source: 'self', conversation: 'Ben'}]],
	);
});

both('a conversation that is given has what both say', async (t, isAfar) => {
	const {identity, heard} = await start(t, isAfar);
	const model = wrap(t, new MockLanguageModelV4({doGenerate: says('It is.')}), identity, {source: 'Ben', conversation: 'tea on Sunday'});
	await generateText({model, prompt: 'The sea is quiet.'});
	t.deepEqual(heard(), [
		[
			'The sea is quiet.', 'user', {source: 'Ben', conversation: 'tea on Sunday'},
		], ['It is.', 'assistant', {source: 'self', conversation: 'tea on Sunday'}],
	]);
});

both('the model is told what stands out, after its instructions, in a few lines', async (t, isAfar) => {
	const {identity} = await start(t, isAfar);
	const mock = new MockLanguageModelV4({doGenerate: says('Yes.')});
	const {directions} = await identity.scaledProfile();
	const [first] = directions.filter(({standsOut}) => standsOut).toSorted((a, b) => Math.abs(b.z!) - Math.abs(a.z!));
	await generateText({model: wrap(t, mock, identity), instructions: 'Be brief.', prompt: 'one'});
	const [told, ...others] = systemOf(mock);
	t.deepEqual(others, []);
	const [instructions, , heading, ...lines] = String(told).split('\n');
	t.is(instructions, 'Be brief.');
	t.is(heading, 'Your present leanings, measured from the texts that you have heard and said:');
	t.is(lines.length, 3);
	t.is(
		lines[0],
		`- strongly towards “${first!.pole}” rather than “${first!.pole === first!.polePositive ? first!.poleNegative : first!.polePositive}”`,
	);

	await generateText({model: wrap(t, mock, identity, {maxTraits: 1}), prompt: 'two'});
	t.is(String(systemOf(mock)[0]).split('\n').length, 2);
	await generateText({model: wrap(t, mock, identity, {maxTraits: 0}), prompt: 'three'});
	t.deepEqual(systemOf(mock), []);
});

test('where nothing differs from chance, the model is told nothing', async t => {
	const {identity} = await start(t, false, wide);
	const mock = new MockLanguageModelV4({doGenerate: says('Yes.')});
	await generateText({model: wrap(t, mock, identity), instructions: 'Be brief.', prompt: 'one'});
	t.deepEqual(systemOf(mock), ['Be brief.']);
});

test('of a random beginning only what texts have moved is told', async t => {
	const {identity} = await startIdentity({initialState: null, directions: async () => [direction('a', 1e-5)]} as never);
	t.teardown(() => identity.dispose());
	const mock = new MockLanguageModelV4({doGenerate: says('a')});
	await generateText({model: wrap(t, mock, identity), prompt: 'a'});
	t.deepEqual(systemOf(mock), [], 'its beginning is chance');
	await generateText({model: wrap(t, mock, identity), prompt: 'a'});
	t.is(systemOf(mock).length, 1, 'two texts have moved it');
});

both('a stream passes word by word, and is heard at its end', async (t, isAfar) => {
	const {identity, heard} = await start(t, isAfar);
	const isRead = Promise.withResolvers<void>();
	const parts = streamOf('It ', 'is.');
	const mock = new MockLanguageModelV4({doStream: async () => ({stream: new ReadableStream<Part>({
		async start(controller) {
			controller.enqueue(parts[0]!);
			controller.enqueue(parts[1]!);
			// The rest comes only after the first word was read.
			await isRead.promise;
			for (const part of parts.slice(2)) {
				controller.enqueue(part);
			}

			controller.close();
		},
	})})});
	const {textStream} = streamText({model: wrap(t, mock, identity, {source: 'Ben'}), prompt: 'Quiet?'});
	const words: string[] = [];
	for await (const word of textStream) {
		words.push(word);
		t.true(words.length > 1 || heard().length === 0);
		isRead.resolve();
	}

	t.deepEqual(words, ['It ', 'is.']);
	t.deepEqual(
		heard(),
		[['Quiet?', 'user', {source: 'Ben', conversation: 'Ben'}], ['It is.', 'assistant', {source: 'self', conversation: 'Ben'}]],
	);
});

test('of a stream that its reader leaves, what was read is heard', async t => {
	const {identity, heard} = await start(t, false);
	const middleware = withIdentity(identity, {onError: error => t.fail(String(error))});
	const model = wrapLanguageModel({
		model: new MockLanguageModelV4({doStream: async () => ({
			stream: simulateReadableStream({chunks: streamOf('It ', 'is ', 'so.'), chunkDelayInMs: null, initialDelayInMs: null}),
		})}),
		middleware,
	});
	const {stream} = await model.doStream({prompt: [{role: 'user', content: [{type: 'text', text: 'Quiet?'}]}]});
	const reader = stream.getReader();
	await reader.read();
	await reader.read();
	await reader.cancel();
	t.is((heard()[0] as string[])[0], 'Quiet?');
	t.regex((heard()[1] as string[])[0]!, /^It /);
});

test('in a loop of tools the user is heard once', async t => {
	const {identity, heard} = await start(t, false);
	const results: Result[] = [
		{
			...says('Let me look.'),
			content: [{type: 'text', text: 'Let me look.'}, {type: 'tool-call', toolCallId: '1', toolName: 'look', input: '{}'}],
			finishReason: {unified: 'tool-calls', raw: undefined},
		},
		says('It is quiet.'),
	];
	const model = wrap(t, new MockLanguageModelV4({doGenerate: async () => results.shift()!}), identity);
	await generateText({
		model,
		prompt: 'Quiet?',
		stopWhen: stepCountIs(3),
		tools: {look: tool({inputSchema: jsonSchema({type: 'object', properties: {}}), execute: async () => 'a quiet sea'})},
	});
	t.deepEqual(heard().map(each => (each as string[])[0]), ['Quiet?', 'Let me look.', 'It is quiet.']);
});

test('JSON that was asked for is no word of the identity', async t => {
	const {identity, heard} = await start(t, false);
	const model = wrap(t, new MockLanguageModelV4({doGenerate: says('{"calm": true}')}), identity);
	await generateText({
		model,
		prompt: 'Quiet?',
		output: Output.object({schema: jsonSchema({type: 'object', properties: {calm: {type: 'boolean'}}})}),
	});
	t.deepEqual(heard().map(each => (each as string[])[0]), ['Quiet?']);
});

test('a call that fails is not heard, so that a retry is heard once', async t => {
	const {identity, heard} = await start(t, false);
	let calls = 0;
	const model = wrap(t, new MockLanguageModelV4({async doGenerate() {
		calls += 1;
		if (calls === 1) {
			throw new Error('The model is away.');
		}

		return says('Yes.');
	}}), identity);
	await t.throwsAsync(generateText({model, prompt: 'one', maxRetries: 0}));
	t.deepEqual(heard(), []);
	await generateText({model, prompt: 'one', maxRetries: 0});
	t.is(heard().length, 2);
});

both('an identity that fails is reported, and the conversation goes on', async (t, isAfar) => {
	const {identity, encoder, heard} = await start(t, isAfar);
	encoder.fail('one', new Error('The encoder is broken.'));
	const errors: unknown[] = [];
	const mock = new MockLanguageModelV4({doGenerate: says('Yes.')});
	const model = wrap(t, mock, identity, {onError: error => errors.push(error)});
	t.is((await generateText({model, prompt: 'one'})).text, 'Yes.');
	t.is(errors.length, 1);
	t.deepEqual(heard().map(each => (each as string[])[0]), ['Yes.'], 'what can be heard is');
	await identity.dispose();
	t.is((await generateText({model, prompt: 'two'})).text, 'Yes.');
	t.true(errors.length > 1);
});

test('an identity that does not answer in time is left out, and so is a hook that fails', async t => {
	const silent = {
		ready: async () => undefined,
		scaledProfile: () => new Promise(() => {}),
		cycle: () => new Promise(() => {}),
	} as unknown as Identity;
	const errors: unknown[] = [];
	const due: Array<() => void> = [];
	const timers = {setTimeout: (run: () => void) => queueMicrotask(() => {
		due.push(run);
		run();
	}), clearTimeout() {}} as never;
	const model = wrap(t, new MockLanguageModelV4({doGenerate: says('Yes.')}), silent, {timers, onError(error) {
		errors.push(error);
		throw new Error('The hook is broken.');
	}});
	const warn = console.warn;
	console.warn = () => {};
	t.is((await generateText({model, prompt: 'one'})).text, 'Yes.');
	console.warn = warn;
	t.is(errors.length, 3, 'the profile, the user and the model');
	t.true(errors.every(error => error instanceof UnavailableError));
});

test('the model\'s words have the source by which the echo guard knows them', async t => {
	const {identity} = await start(t, false);
	const model = wrap(t, new MockLanguageModelV4({doGenerate: says('It is.')}), identity);
	await generateText({model, prompt: 'one'});
	const {entries} = await identity.ledger({by: 'source'});
	t.deepEqual(entries.flatMap(({kind, key}) => kind === 'texts' ? [key] : []).toSorted(), ['self', 'user']);
});
