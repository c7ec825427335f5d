/**
 * What goes wrong with a language model, in words that say what to do. The thrown error is not kept
 * as the cause: it holds the server's words and the prompt, and servers quote a key, whole or in
 * part, when they refuse it.
 */
import {APICallError, RetryError} from 'ai';
import {isTimeout, RefusedResponseError} from '../bounded-fetch.ts';
import {LanguageError, reasonOf} from '../errors.ts';
import type {LanguageModelChoice} from './model-choice.ts';

/** How much of a server's words is told. */
const longest = 200;

export const troubleOf = (thrown: unknown, choice: LanguageModelChoice): LanguageError => {
	const error = RetryError.isInstance(thrown) ? thrown.lastError : thrown;
	if (error instanceof RefusedResponseError) {
		return new LanguageError(error.message);
	}

	if (isTimeout(error)) {
		return new LanguageError(`${choice.baseUrl} did not answer within ${choice.timeoutSeconds} s. Raise LLM_TIMEOUT_SECONDS, or set LLM_MODEL to a faster model.`, {retryable: true});
	}

	if (!APICallError.isInstance(error)) {
		return new LanguageError(`The language model ${choice.model} gave no usable answer: ${wordsOf(error, choice)}.`);
	}

	const attempts = RetryError.isInstance(thrown) ? ` (${thrown.errors.length} attempts)` : '';
	return new LanguageError(explain(error, choice) + attempts, {retryable: error.isRetryable});
};

const explain = (error: APICallError, choice: LanguageModelChoice): string => {
	const {statusCode: status, url, isRetryable} = error;
	const key = choice.wire === 'anthropic' ? 'ANTHROPIC_API_KEY' : 'LLM_API_KEY';
	if (status === undefined) {
		return `${url} cannot be reached: ${wordsOf(error, choice)}. Start the server, or correct LLM_BASE_URL.`;
	}

	if (status === 401 || status === 403) {
		return `${url} refuses ${choice.apiKey === null ? 'a request without a key' : 'the key'} (${status}). Set ${key} to one that it knows.`;
	}

	if (status < 400) {
		return isRetryable
			? `${url} broke the connection in the middle of its answer. Try again.`
			: `${url} answered with something that is no answer of ${choice.wire === 'anthropic' ? 'Anthropic\'s messages' : 'OpenAI\'s chat completions'}. Check LLM_BASE_URL.`;
	}

	const advice = {
		404: `Check that it serves “${choice.model}” (LLM_MODEL) and that LLM_BASE_URL ends as the server wants, mostly in /v1.`,
		429: 'Try again later.',
	}[status] ?? (status >= 500 ? 'Try again later, or look at the server\'s log.' : 'Correct LLM_MODEL, or the context.');
	const words = wordsOf(error, choice);
	return `${url} answered ${status}${words && `: ${words}`}. ${advice}`;
};

/** The error's own words, short and without the key. */
const wordsOf = (error: unknown, {apiKey}: LanguageModelChoice): string => {
	const words = reasonOf(error);
	return (apiKey === null ? words : words.replaceAll(apiKey, '…')).replaceAll(/\s+/g, ' ').trim().slice(0, longest).replace(/\.$/, '');
};
