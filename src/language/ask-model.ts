/**
 * One request to a language model, through the AI SDK.
 *
 * Transient failures (429, 5xx, a failed or cut connection) are retried up to twice, after 2 s and
 * 4 s, or after the server's Retry-After if that is within a minute. A timeout is not retried: a
 * model that is too slow once is usually too slow again.
 */
import type * as Sdk from 'ai';
import {boundedFetch, isTimeout, RefusedResponseError, waitOf} from '../platform/bounded-fetch.ts';
import {LanguageError, reasonOf} from '../platform/errors.ts';
import {removeElements} from '../platform/remove-elements.ts';
import type {LanguageModelChoice} from './model-choice.ts';
import type {Prompt} from './prompt.ts';
import {nameOf} from '../platform/option-names.ts';

const maxRetries = 2;

/** Many times the length that the prompt asks for. It stops an endless answer, but leaves room for reasoning. */
const maxOutputTokens = 4096;

/** Why a finished answer is not a translation: it is a refusal, or incomplete. */
const describeUnusable = (reason: Sdk.FinishReason): string | undefined => ({
	'content-filter': `refused to translate. Give another context, or set ${nameOf('translator.model')} to another model.`,
	length: `was cut off after ${maxOutputTokens} tokens. Set ${nameOf('translator.model')} to a model that answers without long reasoning.`,
} as Partial<Record<Sdk.FinishReason, string>>)[reason];

/**
 * Sends a prompt to the model.
 *
 * @returns the answer's text, trimmed, never empty
 * @throws {LanguageError} if there is none; the message says what to do, and never shows the key.
 * @throws the signal's reason if it aborts first.
 */
export const askModel = async (choice: LanguageModelChoice, {instructions, prompt}: Prompt, signal: AbortSignal): Promise<string> => {
	signal.throwIfAborted();
	const {sdk, model} = await connect(choice);
	const {finishReason, text: given} = await sdk.generateText({
		model: sdk.wrapLanguageModel({model, middleware: dropWarnings}),
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

	// Some servers leave the reasoning in the text.
	const text = removeElements(given, /<(think)>/g, '\n').trim();
	const problem = describeUnusable(finishReason)
		?? (text === '' ? `answered with an empty text. Try again, or set ${nameOf('translator.model')} to another model.` : null);
	if (problem !== null) {
		throw new LanguageError(`The language model ${choice.model} ${problem}`);
	}

	return text;
};

/**
 * Many times the size of {@link maxOutputTokens} in JSON, with reasoning. The package reads, checks and quotes an answer in one turn
 * of the event loop, which would take seconds for 8 MiB of short values.
 */
const maxAnswerBytes = 2 ** 20;

/** Drops warnings that the package would print, such as that a model ignores the temperature. Its switch for them is global. */
const dropWarnings: Sdk.LanguageModelMiddleware = {
	specificationVersion: 'v4',
	wrapGenerate: async ({doGenerate}) => ({...await doGenerate(), warnings: []}),
};

/** The packages are optional: an application that uses a language model installs them, in the major versions of `peerDependencies`. */
const toInstall = {anthropic: 'ai@7 @ai-sdk/anthropic@4', openai: 'ai@7 @ai-sdk/openai-compatible@3'};

/**
 * The SDK and the model. Every option is set, so that the packages read nothing from the environment.
 *
 * @throws {LanguageError} saying what to install.
 */
const connect = async ({wire, baseUrl, model, apiKey, timeoutSeconds}: LanguageModelChoice) => {
	// The package's timeout covers all attempts and their waits; this one covers one attempt.
	const bounds = {maxBytes: maxAnswerBytes, timeoutMs: timeoutSeconds * 1000, option: nameOf('translator.baseUrl')};
	const fetchWithBounds: typeof fetch = async (input, init) => boundedFetch(input, init, bounds);
	const options = {baseURL: baseUrl, fetch: fetchWithBounds};
	try {
		// Awaited here, one by one, so that a bundler leaves a package that is not installed for run time.
		const sdk = await import('ai');
		return {
			sdk,
			model: wire === 'anthropic'
				? (await import('@ai-sdk/anthropic')).createAnthropic({...options, apiKey: apiKey!})(model)
				: (await import('@ai-sdk/openai-compatible'))
					.createOpenAICompatible({...options, name: 'language-model', ...(apiKey !== null && {apiKey})})(model),
		};
	} catch (error) {
		const isMissing = (error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND';
		throw new LanguageError(`The client of language models ${isMissing ? 'is not installed' : `does not run here (${reasonOf(error)})`}. `
			+ `Run npm i ${toInstall[wire]}, or set ${nameOf('translator: templateTranslator')}.`, {cause: error});
	}
};

// The thrown error is not kept as the cause: it contains the prompt and the server's message, which may quote a refused key.

/** The maximum Retry-After that is passed on: a day. */
const maxWaitMs = 86_400_000;

/** Maximum characters of a server's message. */
const maxMessageLength = 200;

const toLanguageError = (
	thrown: unknown, choice: LanguageModelChoice, {APICallError, RetryError}: Pick<typeof Sdk, 'APICallError' | 'RetryError'>,
): LanguageError => {
	const error = RetryError.isInstance(thrown) ? thrown.lastError : thrown;
	if (error instanceof RefusedResponseError) {
		return new LanguageError(error.message);
	}

	if (isTimeout(error)) {
		return new LanguageError(`${choice.baseUrl} did not answer within ${choice.timeoutSeconds} s. `
			+ `Raise ${nameOf('translator.timeoutSeconds')}, or set ${nameOf('translator.model')} to a faster model.`, {retryable: true});
	}

	if (!APICallError.isInstance(error)) {
		return new LanguageError(`The language model ${choice.model} gave no usable answer: ${messageOf(error, choice)}.`);
	}

	const attempts = RetryError.isInstance(thrown) ? ` (${thrown.errors.length} attempts)` : '';
	const wait = error.isRetryable ? waitOf(error.responseHeaders?.['retry-after']) : null;
	return new LanguageError(explain(error, choice) + attempts, {
		retryable: error.isRetryable, retryAfter: wait === null ? null : Math.ceil(Math.min(wait, maxWaitMs) / 1000),
	});
};

const explain = (error: Sdk.APICallError, choice: LanguageModelChoice): string => {
	const {statusCode: status, url, isRetryable} = error;
	const key = nameOf(choice.wire === 'anthropic' ? 'translator.anthropicApiKey' : 'translator.apiKey');
	if (status === undefined) {
		return `${url} cannot be reached: ${messageOf(error, choice)}. Start the server, or correct ${nameOf('translator.baseUrl')}.`;
	}

	if (status === 401 || status === 403) {
		return `${url} refuses ${choice.apiKey === null ? 'a request without a key' : 'the key'} (${status}). `
			+ `Set ${key} to a key that it accepts.`;
	}

	if (status < 400) {
		return isRetryable
			? `${url} broke the connection in the middle of its answer. Try again.`
			: `${url} did not answer in the format of ${choice.wire === 'anthropic' ? 'Anthropic\'s messages' : 'OpenAI\'s chat completions'}. `
				+ `Check ${nameOf('translator.baseUrl')}.`;
	}

	const advice = {
		404: `Check that it serves “${choice.model}” (${nameOf('translator.model')}) and that ${nameOf('translator.baseUrl')} has the path `
			+ 'that the server expects, mostly /v1.',
		429: 'Try again later.',
	}[status] ?? (status >= 500 ? 'Try again later, or look at its log.' : `Correct ${nameOf('translator.model')}, or the context.`);
	const words = messageOf(error, choice);
	return `${url} answered ${status}${words && `: ${words}`}. ${advice}`;
};

/** The error's message, shortened and without the key. */
const messageOf = (error: unknown, {apiKey}: LanguageModelChoice): string => {
	const words = reasonOf(error);
	return (apiKey === null ? words : words.replaceAll(apiKey, '…'))
		.replaceAll(/\s+/g, ' ')
		.trim()
		.slice(0, maxMessageLength)
		.replace(/\.$/, '');
};
