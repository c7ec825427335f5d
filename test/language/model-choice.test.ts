import test from 'ava';
import {ConfigurationError} from '../../src/platform/errors.ts';
import {chooseLanguageModel, defaultAnthropicModel, type LanguageModelOptions} from '../../src/language/model-choice.ts';
import {openLanguageModel} from '../../src/language/model-translator.ts';

type Settings = Omit<LanguageModelOptions, 'timeoutSeconds'>;

const choose = (settings: Settings) => chooseLanguageModel({...settings, timeoutSeconds: 60});

test('without settings there is no language model', t => {
	t.is(choose({}), null);
	t.is(choose({anthropicApiKey: '', baseUrl: '', model: '', apiKey: ''}), null);
	t.is(openLanguageModel({timeoutSeconds: 60}), null);
});

test('a key of Anthropic is enough', t => {
	t.deepEqual(choose({anthropicApiKey: 'key'}), {
		wire: 'anthropic', baseUrl: 'https://api.anthropic.com/v1', model: defaultAnthropicModel, apiKey: 'key', timeoutSeconds: 60,
	});
});

test('the model and the address of Anthropic can be changed', t => {
	t.like(choose({anthropicApiKey: 'key', model: 'claude-haiku-4-5', baseUrl: 'https://proxy.example/v1/'}), {
		wire: 'anthropic', baseUrl: 'https://proxy.example/v1', model: 'claude-haiku-4-5',
	});
});

test('an address and a model select an OpenAI-compatible server, with or without a key', t => {
	const server = {baseUrl: 'http://localhost:11434/v1/', model: 'some-model'};
	t.deepEqual(
		choose(server),
		{wire: 'openai', baseUrl: 'http://localhost:11434/v1', model: 'some-model', apiKey: null, timeoutSeconds: 60},
	);
	t.is(choose({...server, apiKey: 'key'})!.apiKey, 'key');
});

test('a translator names its model and address', t => {
	t.is(openLanguageModel({anthropicApiKey: 'key', timeoutSeconds: 60})!.place, `${defaultAnthropicModel} at https://api.anthropic.com/v1`);
});

const refuses = (title: string, settings: Settings, message: RegExp) => {
	test(title, t => {
		const error = t.throws(() => choose(settings), {instanceOf: ConfigurationError, message});
		t.notRegex(error.message, /secret/);
	});
};

refuses(
	'keys for two models are refused',
	{anthropicApiKey: 'secret', apiKey: 'secret'},
	/translator.anthropicApiKey and translator.apiKey name two language models\. Unset/,
);
refuses('a server without a model is refused', {baseUrl: 'http://localhost/v1'}, /Set translator.model/);
refuses(
	'a model without a server is refused',
	{model: 'some-model'},
	/translator.model is set, but no server .* Set translator.baseUrl/,
);
refuses('a key without a server is refused', {apiKey: 'secret'}, /translator.apiKey is set, but no server .* Set translator.baseUrl/);
refuses(
	'an invalid address is refused',
	{baseUrl: 'localhost:11434', model: 'some-model'},
	/translator.baseUrl must be a plain http or https address/,
);
refuses(
	'an address with a password is refused',
	{baseUrl: 'https://me:secret@llm.example/v1', model: 'some-model'},
	/a key belongs in translator.apiKey/,
);
refuses(
	'an address with a query is refused',
	{baseUrl: 'https://llm.example/v1?key=secret', model: 'some-model'},
	/a key belongs in translator.apiKey/,
);
refuses(
	'a key with a line break is refused and not shown',
	{anthropicApiKey: 'secret\nsecond line'},
	/translator.anthropicApiKey has a space, a line break/,
);
refuses(
	'a key with non-ASCII characters is refused and not shown',
	{baseUrl: 'http://localhost/v1', model: 'some-model', apiKey: 'secret…'},
	/translator.apiKey has .* Copy the key again/,
);
