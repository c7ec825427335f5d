/**
 * One question to a language model, through the `ai` package.
 *
 * What passes (429, 5xx, a failed or cut connection) is asked again up to twice, after 2 s and
 * 4 s, or when the server's Retry-After says so, if that is within a minute. An attempt beyond its
 * time is the end of it: a model that is too slow once mostly is too slow again.
 */
import {extractReasoningMiddleware, generateText, wrapLanguageModel, type FinishReason, type LanguageModelMiddleware} from 'ai';
import {boundedFetch} from '../bounded-fetch.ts';
import {LanguageError} from '../errors.ts';
import type {LanguageModelChoice} from './model-choice.ts';
import {troubleOf} from './model-errors.ts';
import type {Prompt} from './prompt.ts';

const retries = 2;

/** Many times what the prompt asks for: an end for a model that finds none, and room for one that thinks before it answers. */
const maxOutputTokens = 4096;

/** Why an answer that came is not the translation: no text may pass for one that is half of it, or a refusal in words. */
const unusable: Partial<Record<FinishReason, string>> = {
	'content-filter': 'refused to translate. Give another context, or set LLM_MODEL to another model.',
	length: `was cut off after ${maxOutputTokens} tokens. Set LLM_MODEL to a model that answers without long reasoning.`,
};

/**
 * @returns the answer's text, trimmed, never empty
 * @throws {LanguageError} when there is none, with the way out; the key is in no message.
 * @throws the signal's reason when it aborts first.
 */
export const askModel = async (choice: LanguageModelChoice, {instructions, prompt}: Prompt, signal: AbortSignal): Promise<string> => {
	signal.throwIfAborted();
	const {finishReason, text} = await generateText({
		model: wrapLanguageModel({
			model: await connect(choice),
			middleware: [quietly, withoutThoughts],
		}),
		instructions,
		prompt,
		temperature: 0,
		maxOutputTokens,
		maxRetries: retries,
		abortSignal: signal,
	}).catch((error: unknown) => {
		signal.throwIfAborted();
		throw troubleOf(error, choice);
	});

	const fault = unusable[finishReason] ?? (text.trim() === '' ? 'answered with an empty text. Try again, or set LLM_MODEL to another model.' : null);
	if (fault !== null) {
		throw new LanguageError(`The language model ${choice.model} ${fault}`);
	}

	return text.trim();
};

/** Many times what {@link maxOutputTokens} take in JSON, a model's thoughts included. */
const maxAnswerBytes = 8 * 1024 * 1024;

/** Everything is given, so that the packages look for nothing in the environment. */
const connect = async ({wire, baseUrl, model, apiKey, timeoutSeconds}: LanguageModelChoice) => {
	// The package's own timeout covers all attempts and the waits between them; this one covers one.
	const bounds = {maxBytes: maxAnswerBytes, timeoutMs: timeoutSeconds * 1000, setting: 'LLM_BASE_URL'};
	const boundedly: typeof fetch = async (input, init) => boundedFetch(input, init, bounds);
	if (wire === 'anthropic') {
		const {createAnthropic} = await import('@ai-sdk/anthropic');
		return createAnthropic({baseURL: baseUrl, apiKey: apiKey!, fetch: boundedly})(model);
	}

	const {createOpenAICompatible} = await import('@ai-sdk/openai-compatible');
	return createOpenAICompatible({name: 'language-model', baseURL: baseUrl, fetch: boundedly, ...(apiKey !== null && {apiKey})})(model);
};

/** Drops the package's warnings (say, that a model takes no temperature), which it would print; its own switch is a global. */
const quietly: LanguageModelMiddleware = {
	specificationVersion: 'v4',
	wrapGenerate: async ({doGenerate}) => ({...await doGenerate(), warnings: []}),
};

/** Some servers leave a model's thoughts in its text, between tags. */
const withoutThoughts = extractReasoningMiddleware({tagName: 'think'});
