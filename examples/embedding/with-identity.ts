/**
 * An agent whose model knows what the agent became, by middleware of the AI SDK. The agent reads a page many
 * times, and then talks. Its identity hears both sides, and the model is given what stands out.
 * The SDK's mock model, which repeats its instructions, stands in for `anthropic('claude-sonnet-4-5')`.
 */
import {generateText, simulateReadableStream, streamText, wrapLanguageModel} from 'ai';
import {MockLanguageModelV4} from 'ai/test';
import {openIdentity} from 'processual-state';
import {withIdentity} from 'processual-state/ai-sdk';

const end = {
	finishReason: {unified: 'stop', raw: undefined},
	usage: {inputTokens: {total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0}, outputTokens: {total: 1, text: 1, reasoning: 0}},
} as const;

const mock = new MockLanguageModelV4({
	doGenerate: async ({prompt: [first]}) => ({
		content: [{type: 'text', text: first!.role === 'system' ? first!.content : 'I know nothing of myself.'}],
		warnings: [],
		...end,
	}),
	doStream: async () => ({
		stream: simulateReadableStream({chunks: [
			{type: 'text-start', id: '1'},
			{type: 'text-delta', id: '1', delta: 'The figures '},
			{type: 'text-delta', id: '1', delta: 'agree.'},
			{type: 'text-end', id: '1'},
			{type: 'finish', ...end},
		]}),
	}),
});

const page = [
	'Let us look at the evidence step by step.',
	'The numbers have to be checked before we draw any conclusion.',
	'I break the problem into parts and examine each one.',
	'A hypothesis is worth what its measurements are worth.',
];

const ada = await openIdentity();
const model = wrapLanguageModel({model: mock, middleware: withIdentity(ada, {source: 'Ben'})});

console.log((await generateText({model, prompt: 'Who are you?'})).text);
for (let i = 0; i < 300; i++) {
	await Promise.all(page.map(async content => ada.cycle({content, metadata: {source: 'book'}})));
}

console.log((await generateText({model, prompt: 'Who are you now?'})).text);
for await (const word of streamText({model, prompt: 'Do the figures agree?'}).textStream) {
	process.stdout.write(word);
}

console.log(`\nstate ${ada.state().stateId}`);
await ada.dispose();
