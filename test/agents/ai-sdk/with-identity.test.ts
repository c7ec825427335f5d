/** Middleware of the AI SDK: what a prompt says of the identity, and which texts a local or remote identity records. */
import {generateText, jsonSchema, Output, simulateReadableStream, stepCountIs, streamText, tool, wrapLanguageModel} from 'ai';
import {MockLanguageModelV4} from 'ai/test';
import test, {type ExecutionContext} from 'ava';
import {withIdentity, type WithIdentityOptions} from '../../../src/agents/ai-sdk/index.ts';
import {listenWith} from '../../../src/agents/listen-with.ts';
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

/** A direction on thirdness, with a scale so fine that every value stands out, or so wide that none does. */
const direction = (name: string, deviation: number) => ({
	name, category: 'cognitive', polePositive: `${name}+`, poleNegative: `${name}-`, vector: vectorOf(name),
	scale: {examples: 60, mean: 0, deviation, sample: Array.from({length: 60}, (_, i) => i - 30.5)},
});

const fine = ['a', 'b', 'c', 'd', 'e'].map(name => direction(name, 1e-9));
const wide = [direction('a', 1e9)];

type Started = {identity: Identity; cycles: () => unknown[]};

const start = async (
	t: ExecutionContext,
	isRemote: boolean,
	directions = fine,
): Promise<Started & {encoder: Awaited<ReturnType<typeof startIdentity>>['encoder']}> => {
	const journal = new FakeJournal();
	const cycles = () => journal.records.flatMap(each => each.kind === 'cycle' ? [[each.content, each.trigger, each.metadata]] : []);
	const {identity: local, encoder} = await startIdentity({journal, directions: async () => directions});
	t.teardown(() => local.dispose());
	if (!isRemote) {
		return {identity: local, cycles, encoder};
	}

	const {url} = await serve(t, local);
	const identity = connectIdentity({baseUrl: url});
	t.teardown(() => identity.dispose());
	return {identity, cycles, encoder};
};

/** Fails the test if the identity fails or times out. */
const wrap = (t: ExecutionContext, model: MockLanguageModelV4, identity: Identity, options: WithIdentityOptions = {}) => wrapLanguageModel({
	model,
	middleware: withIdentity(identity, {timeoutMs: 600_000, onError: error => t.fail(String(error)), ...options}),
});

/** Declares a test with a local and with a remote identity. */
const both = (name: string, check: (t: ExecutionContext, isRemote: boolean) => Promise<void>): void => {
	for (const [place, isRemote] of [['local', false], ['remote', true]] as const) {
		test(`${place}: ${name}`, async t => check(t, isRemote));
	}
};

const systemOf = (model: MockLanguageModelV4): unknown[] =>
	model.doGenerateCalls.at(-1)!.prompt.filter(({role}) => role === 'system').map(({content}) => content);

both('the identity records the user with the source, then the model as itself, in one conversation', async (t, isRemote) => {
	const {identity, cycles} = await start(t, isRemote);
	const model = wrap(t, new MockLanguageModelV4({doGenerate: says('It is.')}), identity, {source: 'Ben'});
	t.is((await generateText({model, prompt: 'The sea is quiet.'})).text, 'It is.');
	t.deepEqual(
		cycles(),
		[['The sea is quiet.', 'user', {source: 'Ben', conversation: 'Ben'}], ['It is.', 'assistant', {source: 'self', conversation: 'Ben'}]],
	);
});

both('the texts of user and model are recorded in a given conversation', async (t, isRemote) => {
	const {identity, cycles} = await start(t, isRemote);
	const model = wrap(t, new MockLanguageModelV4({doGenerate: says('It is.')}), identity, {source: 'Ben', conversation: 'tea on Sunday'});
	await generateText({model, prompt: 'The sea is quiet.'});
	t.deepEqual(cycles(), [
		[
			'The sea is quiet.', 'user', {source: 'Ben', conversation: 'tea on Sunday'},
		], ['It is.', 'assistant', {source: 'self', conversation: 'tea on Sunday'}],
	]);
});

both('the prompt says what stands out, after the instructions, in a few lines', async (t, isRemote) => {
	const {identity} = await start(t, isRemote);
	const mock = new MockLanguageModelV4({doGenerate: says('Yes.')});
	const {directions} = await identity.scaledProfile();
	const [first] = directions.filter(({standsOut}) => standsOut).toSorted((a, b) => Math.abs(b.z!) - Math.abs(a.z!));
	await generateText({model: wrap(t, mock, identity), instructions: 'Be brief.', prompt: 'one'});
	const [system, ...others] = systemOf(mock);
	t.deepEqual(others, []);
	const [instructions, , heading, ...lines] = String(system).split('\n');
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

test('if nothing stands out, the prompt is unchanged', async t => {
	const {identity} = await start(t, false, wide);
	const mock = new MockLanguageModelV4({doGenerate: says('Yes.')});
	await generateText({model: wrap(t, mock, identity), instructions: 'Be brief.', prompt: 'one'});
	t.deepEqual(systemOf(mock), ['Be brief.']);
});

test('with a random initial state, the prompt says only what texts have moved', async t => {
	const {identity} = await startIdentity({initialState: null, directions: async () => [direction('a', 1e-5)]} as never);
	t.teardown(() => identity.dispose());
	const mock = new MockLanguageModelV4({doGenerate: says('a')});
	await generateText({model: wrap(t, mock, identity), prompt: 'a'});
	t.deepEqual(systemOf(mock), [], 'the initial state is random');
	await generateText({model: wrap(t, mock, identity), prompt: 'a'});
	t.is(systemOf(mock).length, 1, 'two texts have moved it');
});

both('a stream passes word by word, and is recorded at its end', async (t, isRemote) => {
	const {identity, cycles} = await start(t, isRemote);
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
		t.true(words.length > 1 || cycles().length === 0);
		isRead.resolve();
	}

	t.deepEqual(words, ['It ', 'is.']);
	t.deepEqual(
		cycles(),
		[['Quiet?', 'user', {source: 'Ben', conversation: 'Ben'}], ['It is.', 'assistant', {source: 'self', conversation: 'Ben'}]],
	);
});

test('the part of a stream that was read before a cancel is recorded', async t => {
	const {identity, cycles} = await start(t, false);
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
	t.is((cycles()[0] as string[])[0], 'Quiet?');
	t.regex((cycles()[1] as string[])[0]!, /^It /);
});

test('in a loop of tool calls, the user’s text is recorded once', async t => {
	const {identity, cycles} = await start(t, false);
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
	t.deepEqual(cycles().map(each => (each as string[])[0]), ['Quiet?', 'Let me look.', 'It is quiet.']);
});

test('structured output is not recorded as a text of the identity', async t => {
	const {identity, cycles} = await start(t, false);
	const model = wrap(t, new MockLanguageModelV4({doGenerate: says('{"calm": true}')}), identity);
	await generateText({
		model,
		prompt: 'Quiet?',
		output: Output.object({schema: jsonSchema({type: 'object', properties: {calm: {type: 'boolean'}}})}),
	});
	t.deepEqual(cycles().map(each => (each as string[])[0]), ['Quiet?']);
});

test('a call that fails is not recorded, so a retry is recorded once', async t => {
	const {identity, cycles} = await start(t, false);
	let calls = 0;
	const model = wrap(t, new MockLanguageModelV4({async doGenerate() {
		calls += 1;
		if (calls === 1) {
			throw new Error('The model is away.');
		}

		return says('Yes.');
	}}), identity);
	await t.throwsAsync(generateText({model, prompt: 'one', maxRetries: 0}));
	t.deepEqual(cycles(), []);
	await generateText({model, prompt: 'one', maxRetries: 0});
	t.is(cycles().length, 2);
});

both('an identity that fails is reported, and the call still succeeds', async (t, isRemote) => {
	const {identity, encoder, cycles} = await start(t, isRemote);
	encoder.fail('one', new Error('The encoder is broken.'));
	const errors: unknown[] = [];
	const mock = new MockLanguageModelV4({doGenerate: says('Yes.')});
	const model = wrap(t, mock, identity, {onError: error => errors.push(error)});
	t.is((await generateText({model, prompt: 'one'})).text, 'Yes.');
	t.is(errors.length, 1);
	t.deepEqual(cycles().map(each => (each as string[])[0]), ['Yes.'], 'the text that does not fail is recorded');
	await identity.dispose();
	t.is((await generateText({model, prompt: 'two'})).text, 'Yes.');
	t.true(errors.length > 1);
});

test('an identity that times out is reported and left out, and an error in the hook is ignored', async t => {
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

test.serial('without a hook, an identity that is down is one line in the console for each text', async t => {
	const down = {cycle: async () => Promise.reject(new UnavailableError('The service is down.', {cause: new Error('It refused.')}))};
	const {warn} = console;
	const warnings: unknown[] = [];
	console.warn = (...given) => warnings.push(given.join(' '));
	await listenWith(down as unknown as Identity).hear('one');
	console.warn = warn;
	t.deepEqual(warnings, ['The identity was left out of a conversation: The service is down.']);
});

test('a time limit that no timer can keep is refused, instead of leaving the identity out of each call', t => {
	const identity = {} as Identity;
	for (const timeoutMs of [Infinity, 2 ** 31, NaN, -1, '5 s' as never]) {
		t.throws(() => withIdentity(identity, {timeoutMs}), {code: 'configuration', message: /^The option timeoutMs must be a number from 0/});
		t.throws(() => listenWith(identity, {timeoutMs}), {code: 'configuration'});
	}

	t.throws(() => withIdentity(identity, {maxTraits: -1}), {message: /^The option maxTraits must be a whole number from 0 on/});
	t.notThrows(() => withIdentity(identity, {timeoutMs: 0, maxTraits: Infinity}));
});

test('the model’s texts have the source self, by which the echo guard recognizes them', async t => {
	const {identity} = await start(t, false);
	const model = wrap(t, new MockLanguageModelV4({doGenerate: says('It is.')}), identity);
	await generateText({model, prompt: 'one'});
	const {entries} = await identity.ledger({by: 'source'});
	t.deepEqual(entries.flatMap(({kind, key}) => kind === 'texts' ? [key] : []).toSorted(), ['self', 'user']);
});
