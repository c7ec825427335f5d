/** A language model is configured, but its client is not installed. */
import test from 'ava';
import {LanguageError} from '../../src/platform/errors.ts';
import type {LanguageModelOptions} from '../../src/language/model-choice.ts';
import {openLanguageModel} from '../../src/language/model-translator.ts';
import {replacePackages} from '../helpers/missing-packages.ts';
import {calmProfile} from './profiles.ts';

replacePackages({ai: null});

const configurations: Record<string, [LanguageModelOptions, RegExp]> = {
	'a model of Anthropic': [{anthropicApiKey: 'secret', timeoutSeconds: 10}, /not installed\. Run npm i ai@7 @ai-sdk\/anthropic@4, or/],
	'an OpenAI-compatible server': [
		{baseUrl: 'http://127.0.0.1:9/v1', model: 'some', timeoutSeconds: 10},
		/not installed\. Run npm i ai@7 @ai-sdk\/openai-compatible@3, or/,
	],
};

for (const [name, [options, message]] of Object.entries(configurations)) {
	test(`${name}: the error says what to install`, async t => {
		const error = await t.throwsAsync(
			openLanguageModel(options)!.translate({profile: calmProfile, context: null}, new AbortController().signal),
			{instanceOf: LanguageError, message},
		);
		t.false(error.retryable);
	});
}
