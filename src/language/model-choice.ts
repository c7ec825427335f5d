/** Chooses the language model that the settings name: Anthropic's, or one on a server with OpenAI's chat completions. */
import {ConfigurationError} from '../errors.ts';
import {isHeaderSafe, plainUrl} from '../server-access.ts';

/** The settings of a language model; without any, there is none. */
export type LanguageModelOptions = {
	/** ANTHROPIC_API_KEY; selects a model of Anthropic. */
	anthropicApiKey?: string | undefined;
	/** LLM_BASE_URL: the address before `/chat/completions`, or for Anthropic before `/messages`; mostly ends in /v1. */
	baseUrl?: string | undefined;
	/** LLM_MODEL; for Anthropic the default is `claude-sonnet-4-6`. */
	model?: string | undefined;
	/** LLM_API_KEY; for an OpenAI-compatible server that needs one. */
	apiKey?: string | undefined;
	/** The timeout of one attempt, above 0. */
	timeoutSeconds: number;
};

export type LanguageModelChoice = {
	wire: 'anthropic' | 'openai';
	/** Has no slash at the end. */
	baseUrl: string;
	model: string;
	apiKey: string | null;
	timeoutSeconds: number;
};

/** The newest model of Anthropic that accepts a temperature. Without temperature 0, one state gets different texts. */
export const defaultAnthropicModel = 'claude-sonnet-4-6';

const anthropicBaseUrl = 'https://api.anthropic.com/v1';

/**
 * An empty setting counts as unset.
 *
 * @returns null when no language model is configured
 * @throws {ConfigurationError} when the settings are incomplete, or name two models.
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
