/**
 * One request to a language model, through the AI SDK.
 *
 * Transient failures (429, 5xx, a failed or cut connection) are retried up to twice, after 2 s and
 * 4 s, or after the server's Retry-After if that is within a minute. A timeout is not retried: a
 * model that is too slow once is mostly too slow again.
 */
import type {FinishReason, LanguageModelMiddleware} from 'ai';
import {boundedFetch} from '../platform/bounded-fetch.ts';
import {LanguageError} from '../platform/errors.ts';
import {loadSdk} from './load-sdk.ts';
import type {LanguageModelChoice} from './model-choice.ts';
import {toLanguageError} from './model-errors.ts';
import type {Prompt} from './prompt.ts';
import {nameOf} from '../platform/option-names.ts';

const maxRetries = 2;

/** Many times the length that the prompt asks for: it ends an endless answer, and leaves room for reasoning. */
const maxOutputTokens = 4096;

/** Why a finished answer is no translation: a refusal, or a part of a text. */
const describeUnusable = (reason: FinishReason): string | undefined => ({
	'content-filter': `refused to translate. Give another context, or set ${nameOf('translator.model')} to another model.`,
	length: `was cut off after ${maxOutputTokens} tokens. Set ${nameOf('translator.model')} to a model that answers without long reasoning.`,
} as Partial<Record<FinishReason, string>>)[reason];

/**
 * Sends a prompt to the model.
 *
 * @returns the answer's text, trimmed, never empty
 * @throws {LanguageError} when there is none; the message says what to do, and never shows the key.
 * @throws the signal's reason when it aborts first.
 */
export const askModel = async (choice: LanguageModelChoice, {instructions, prompt}: Prompt, signal: AbortSignal): Promise<string> => {
	signal.throwIfAborted();
	const {sdk, model} = await connect(choice);
	const {finishReason, text} = await sdk.generateText({
		model: sdk.wrapLanguageModel({
			model,
			// Some servers leave a model's reasoning in the text, between tags.
			middleware: [dropWarnings, sdk.extractReasoningMiddleware({tagName: 'think'})],
		}),
		instructions,
		prompt,
		temperature: 0,
		maxOutputTokens,
		maxRetries,
		abortSignal: signal,
	}).catch((error: unknown) => {
		signal.throwIfAborted();
		throw toLanguageError(error, choice, sdk);
	});

	const problem = describeUnusable(finishReason)
		?? (text.trim() === '' ? `answered with an empty text. Try again, or set ${nameOf('translator.model')} to another model.` : null);
	if (problem !== null) {
		throw new LanguageError(`The language model ${choice.model} ${problem}`);
	}

	return text.trim();
};

/** Many times the size of {@link maxOutputTokens} in JSON, with reasoning. */
const maxAnswerBytes = 8 * 1024 * 1024;

/** Sets every option, so that the packages read nothing from the environment. */
const connect = async ({wire, baseUrl, model, apiKey, timeoutSeconds}: LanguageModelChoice) => {
	// The package's timeout covers all attempts and their waits; this one covers one attempt.
	const bounds = {maxBytes: maxAnswerBytes, timeoutMs: timeoutSeconds * 1000, option: nameOf('translator.baseUrl')};
	const fetchWithBounds: typeof fetch = async (input, init) => boundedFetch(input, init, bounds);
	if (wire === 'anthropic') {
		const {sdk, provider} = await loadSdk(wire);
		return {sdk, model: provider.createAnthropic({baseURL: baseUrl, apiKey: apiKey!, fetch: fetchWithBounds})(model)};
	}

	const {sdk, provider} = await loadSdk(wire);
	return {
		sdk,
		model: provider.createOpenAICompatible({
			name: 'language-model', baseURL: baseUrl, fetch: fetchWithBounds,
			...(apiKey !== null && {apiKey}),
		})(model),
	};
};

/** Drops the package's warnings (a model ignores the temperature, for example), which it would print; its switch is global. */
const dropWarnings: LanguageModelMiddleware = {
	specificationVersion: 'v4',
	wrapGenerate: async ({doGenerate}) => ({...await doGenerate(), warnings: []}),
};
