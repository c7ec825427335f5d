/**
 * Converts errors of a language model into messages that say what to do. The thrown error is not
 * kept as the cause: it holds the prompt and the server's message, and a server may quote a key
 * that it refuses.
 */
import type * as Sdk from 'ai';
import {isTimeout, RefusedResponseError} from '../platform/bounded-fetch.ts';
import {LanguageError, reasonOf} from '../platform/errors.ts';
import type {LanguageModelChoice} from './model-choice.ts';
import {nameOf} from '../platform/option-names.ts';

/** The most characters of a server's message. */
const maxMessageLength = 200;

export const toLanguageError = (
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
	return new LanguageError(explain(error, choice) + attempts, {retryable: error.isRetryable});
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

/** The error's message, short and without the key. */
const messageOf = (error: unknown, {apiKey}: LanguageModelChoice): string => {
	const words = reasonOf(error);
	return (apiKey === null ? words : words.replaceAll(apiKey, '…'))
		.replaceAll(/\s+/g, ' ')
		.trim()
		.slice(0, maxMessageLength)
		.replace(/\.$/, '');
};
