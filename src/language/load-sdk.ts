/**
 * Loads the AI SDK with the provider of one wire format: optional packages, which an application installs when it
 * configures a language model.
 */
import {LanguageError, reasonOf} from '../platform/errors.ts';
import type {LanguageModelChoice} from './model-choice.ts';
import {nameOf} from '../platform/option-names.ts';

/** The major versions that `peerDependencies` names. */
const toInstall = {anthropic: 'ai@7 @ai-sdk/anthropic@4', openai: 'ai@7 @ai-sdk/openai-compatible@3'};

type Providers = {anthropic: typeof import('@ai-sdk/anthropic'); openai: typeof import('@ai-sdk/openai-compatible')};

/**
 * The SDK and the provider's module.
 *
 * @throws {LanguageError} saying what to install.
 */
export const loadSdk = async <Wire extends LanguageModelChoice['wire']>(wire: Wire) => {
	try {
		// Awaited here, one by one: so a bundler leaves a package that is not installed to the run time.
		const sdk = await import('ai');
		const provider = wire === 'anthropic' ? await import('@ai-sdk/anthropic') : await import('@ai-sdk/openai-compatible');
		return {sdk, provider: provider as Providers[Wire]};
	} catch (error) {
		const isMissing = (error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND';
		throw new LanguageError(`The client of language models ${isMissing ? 'is not installed' : `does not run here (${reasonOf(error)})`}. `
			+ `Run npm i ${toInstall[wire]}, or set ${nameOf('translator: templateTranslator')}.`, {cause: error});
	}
};
