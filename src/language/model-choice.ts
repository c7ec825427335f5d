/** Which language model the settings name, if any: Anthropic's, or one on any server that speaks OpenAI's chat completions. */
import {ConfigurationError} from '../errors.ts';
import {isHeaderSafe, plainUrl} from '../server-access.ts';

/** Which language model, of whom. */
export type LanguageModelOptions = {
	/** ANTHROPIC_API_KEY: the model is Anthropic's. */
	anthropicApiKey?: string | undefined;
	/** LLM_BASE_URL: the address before `/chat/completions`, or for Anthropic before `/messages`; mostly ends in /v1. */
	baseUrl?: string | undefined;
	/** LLM_MODEL; for Anthropic the default is `claude-sonnet-4-6`. */
	model?: string | undefined;
	/** LLM_API_KEY: sent to an OpenAI-compatible server, where it wants one. */
	apiKey?: string | undefined;
	/** Seconds that one attempt may take, above 0. */
	timeoutSeconds: number;
};

export type LanguageModelChoice = {
	wire: 'anthropic' | 'openai';
	/** Without a slash at the end. */
	baseUrl: string;
	model: string;
	apiKey: string | null;
	timeoutSeconds: number;
};

/** The newest of Anthropic's that takes a temperature: later ones refuse it, and so do not read a state the same way twice. */
export const defaultAnthropicModel = 'claude-sonnet-4-6';

const anthropicBaseUrl = 'https://api.anthropic.com/v1';

/**
 * An empty setting is none.
 *
 * @returns null when no language model is configured
 * @throws {ConfigurationError} when the settings name half of one, or two.
 */
export const chooseLanguageModel = ({anthropicApiKey, baseUrl, model, apiKey, timeoutSeconds}: LanguageModelOptions): LanguageModelChoice | null => {
	if (anthropicApiKey) {
		if (apiKey) {
			throw new ConfigurationError('ANTHROPIC_API_KEY and LLM_API_KEY name two language models. Unset ANTHROPIC_API_KEY to use the server at LLM_BASE_URL, or LLM_API_KEY to use Anthropic.');
		}

		return {
			wire: 'anthropic',
			baseUrl: checkedUrl(baseUrl || anthropicBaseUrl),
			model: model || defaultAnthropicModel,
			apiKey: checkedKey('ANTHROPIC_API_KEY', anthropicApiKey),
			timeoutSeconds,
		};
	}

	if (baseUrl) {
		if (!model) {
			throw new ConfigurationError('LLM_BASE_URL is set without LLM_MODEL. Set LLM_MODEL to a model that the server offers.');
		}

		return {wire: 'openai', baseUrl: checkedUrl(baseUrl), model, apiKey: apiKey ? checkedKey('LLM_API_KEY', apiKey) : null, timeoutSeconds};
	}

	if (model || apiKey) {
		throw new ConfigurationError(`${model ? 'LLM_MODEL' : 'LLM_API_KEY'} is set, but no server for it. Set LLM_BASE_URL to an OpenAI-compatible server, or ANTHROPIC_API_KEY.`);
	}

	return null;
};

const checkedUrl = (baseUrl: string): string => {
	const url = plainUrl(baseUrl);
	if (url === null) {
		throw new ConfigurationError('LLM_BASE_URL must be a plain http or https address such as http://localhost:11434/v1; a key belongs in LLM_API_KEY.');
	}

	return url;
};

const checkedKey = (setting: string, key: string): string => {
	if (!isHeaderSafe(key)) {
		throw new ConfigurationError(`${setting} has a space, a line break or another character that no key has. Copy the key again.`);
	}

	return key;
};
