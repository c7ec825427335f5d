/**
 * An agent with the AI SDK's models. Each text that it hears or says moves its state, and what
 * stands out in the state is part of its instructions. The SDK's mock models stand in here for
 * `openai.embedding('text-embedding-3-small')` and `openai('gpt-5-mini')`, or any others.
 */
import {generateText} from 'ai';
import {MockEmbeddingModelV4, MockLanguageModelV4} from 'ai/test';
import {openIdentity} from 'processual-state';
import {fromAiSdk} from 'processual-state/embedding';
import {templateTranslator} from 'processual-state/language';
import {loadDirections} from 'processual-state/sources';
import {countPairs} from './pairs-of-letters.ts';

const embeddingModel = new MockEmbeddingModelV4({
	modelId: 'pairs',
	doEmbed: async ({values}) => ({embeddings: values.map(text => [...countPairs(text)]), warnings: []}),
});

const languageModel = new MockLanguageModelV4({
	async doGenerate({prompt}) {
		const [instructions] = prompt;
		return {
			content: [{type: 'text', text: `I was told: ${String(instructions!.content)}`}],
			finishReason: {unified: 'stop', raw: undefined},
			usage: {inputTokens: {total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0}, outputTokens: {total: 1, text: 1, reasoning: 0}},
			warnings: [],
		};
	},
});

/** The one direction that the agent knows: two poles, each defined by examples. */
const catalogue = [{
	category: 'affective',
	name: 'calm',
	pole_positive: 'calm',
	pole_negative: 'alarm',
	positive: ['The sea is quiet.', 'I breathe slowly.', 'The evening is still.', 'I can wait.'],
	negative: ['Fire! Run!', 'Hurry, we must go!', 'The alarm rings!', 'My heart races!'],
}];

const identity = await openIdentity({
	encoder: fromAiSdk(embeddingModel),
	directions: async boot => loadDirections(catalogue, boot),
	translator: templateTranslator,
});

const conversation = crypto.randomUUID();

const reply = async (said: string): Promise<string> => {
	await identity.cycle({content: said, source: 'user', conversation});
	const {text: self} = await identity.translate({context: said});
	const {text} = await generateText({model: languageModel, instructions: `You say of yourself: ${self}`, prompt: said});
	await identity.cycle({content: text, trigger: 'assistant', source: 'self', conversation});
	return text;
};

for (const said of ['The sea is quiet today.', 'Fire! Run!']) {
	console.log(`> ${said}`);
	console.log(await reply(said));
}

console.log(`state ${identity.state().stateId} by ${identity.health().embeddingModel}`);
await identity.dispose();
