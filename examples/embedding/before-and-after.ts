/**
 * What an identity changes in an agent's answers: the same question to the same model, before and after the identity heard
 * many texts of one person. The model is given what stands out in the identity, and nothing else differs. If AI_GATEWAY_API_KEY
 * is set, a real model answers (AI_MODEL); else a mock one, which repeats what it was given.
 */
import {gateway, generateText, wrapLanguageModel} from 'ai';
import {MockLanguageModelV4} from 'ai/test';
import {openIdentity} from 'processual-state';
import {withIdentity} from 'processual-state/ai-sdk';
import {listenWith} from 'processual-state/tools';

const question = 'Shall we move to the sea?';

const viktor = [
	'Let us look at the evidence step by step.',
	'The numbers have to be checked before we draw any conclusion.',
	'I break the problem into parts and examine each one.',
	'A hypothesis is worth what its measurements are worth.',
];

const mock = new MockLanguageModelV4({
	async doGenerate({prompt: [first]}) {
		const poles = first!.role === 'system' ? Array.from(first!.content.matchAll(/towards “(.+?)”/g), ([, pole]) => pole!) : [];
		return {
			content: [{type: 'text', text: poles.length === 0 ? 'Why not?' : `As one who leans to “${poles.join('”, “')}”, I think first.`}],
			finishReason: {unified: 'stop', raw: undefined},
			usage: {inputTokens: {total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0}, outputTokens: {total: 1, text: 1, reasoning: 0}},
			warnings: [],
		};
	},
});

const ada = await openIdentity();
const model = wrapLanguageModel({
	model: process.env['AI_GATEWAY_API_KEY'] ? gateway(process.env['AI_MODEL'] ?? 'anthropic/claude-sonnet-4.5') : mock,
	middleware: withIdentity(ada, {source: 'Ben'}),
});

const ask = async (when: string): Promise<void> => {
	console.log(`${when}, the model is given: ${await listenWith(ada).describe() ?? 'nothing.'}`);
	console.log(`> ${question}\n${(await generateText({model, prompt: question})).text}\n`);
};

await ask('Before');
for (let i = 0; i < 300; i++) {
	await Promise.all(viktor.map(async content => ada.cycle({content, source: 'Viktor', conversation: `day ${i}`})));
}

await ask(`After ${300 * viktor.length} texts of Viktor`);
await ada.dispose();
