/** Chooses the language model that the options name: Anthropic's, or one on a server with OpenAI's chat completions. */
import {ConfigurationError} from '../platform/errors.ts';
import {ranges, requireOptions, within, type Checks} from '../platform/ranges.ts';
import {requireHeaderSafe, requirePlainUrl} from '../platform/server-access.ts';
import {nameOf} from '../platform/option-names.ts';

/** Options of a language model; without any, none is used. */
export type LanguageModelOptions = {
	/** The key of Anthropic's API; selects one of Anthropic's models. @default undefined */
	anthropicApiKey?: string | undefined;
	/**
	 * The address before `/chat/completions`, or for Anthropic before `/messages`. It usually ends in /v1.
	 * @default Anthropic's own, with its key
	 */
	baseUrl?: string | undefined;
	/** The name of the model. @default 'claude-sonnet-4-6' for Anthropic; otherwise required */
	model?: string | undefined;
	/** The key for an OpenAI-compatible server, if it needs one. @default undefined */
	apiKey?: string | undefined;
	/** The timeout of one attempt in seconds, above 0. */
	timeoutSeconds: number;
};

const checks: Checks<LanguageModelOptions> =
	{anthropicApiKey: true, baseUrl: true, model: true, apiKey: true, timeoutSeconds: within(ranges.seconds)};

export type LanguageModelChoice = {
	wire: 'anthropic' | 'openai';
	/** Without a trailing slash. */
	baseUrl: string;
	model: string;
	apiKey: string | null;
	timeoutSeconds: number;
};

/** Anthropic's newest model that accepts a temperature. Without temperature 0, the same state would get different texts. */
export const defaultAnthropicModel = 'claude-sonnet-4-6';

const checkedUrl = (baseUrl: string): string =>
	requirePlainUrl(baseUrl, nameOf('translator.baseUrl'), nameOf('translator.apiKey'), 'http://localhost:11434/v1', ConfigurationError);

const anthropicBaseUrl = 'https://api.anthropic.com/v1';

/**
 * Chooses a model. An empty option counts as unset.
 *
 * @returns null if no language model is configured
 * @throws {ConfigurationError} if the options are incomplete, or name two models.
 */
export const chooseLanguageModel = (given: LanguageModelOptions): LanguageModelChoice | null => {
	requireOptions('The language model', given, checks);
	const {anthropicApiKey, baseUrl, model, apiKey, timeoutSeconds} = given;
	if (anthropicApiKey) {
		if (apiKey) {
			throw new ConfigurationError(`${nameOf('translator.anthropicApiKey')} and ${nameOf('translator.apiKey')} name two language models. `
				+ `Unset ${nameOf('translator.anthropicApiKey')} to use the server at ${nameOf('translator.baseUrl')}, or `
				+ `${nameOf('translator.apiKey')} to use Anthropic.`);
		}

		return {
			wire: 'anthropic',
			baseUrl: checkedUrl(baseUrl || anthropicBaseUrl),
			model: model || defaultAnthropicModel,
			apiKey: requireHeaderSafe(anthropicApiKey, nameOf('translator.anthropicApiKey'), ConfigurationError),
			timeoutSeconds,
		};
	}

	if (baseUrl) {
		if (!model) {
			throw new ConfigurationError(`${nameOf('translator.baseUrl')} is set without ${nameOf('translator.model')}. `
				+ `Set ${nameOf('translator.model')} to a model that the server offers.`);
		}

		return {
			wire: 'openai',
			baseUrl: checkedUrl(baseUrl),
			model,
			apiKey: apiKey ? requireHeaderSafe(apiKey, nameOf('translator.apiKey'), ConfigurationError) : null,
			timeoutSeconds,
		};
	}

	if (model || apiKey) {
		throw new ConfigurationError(`${nameOf(model ? 'translator.model' : 'translator.apiKey')} is set, but no server for it. `
			+ `Set ${nameOf('translator.baseUrl')} to an OpenAI-compatible server, or ${nameOf('translator.anthropicApiKey')}.`);
	}

	return null;
};
