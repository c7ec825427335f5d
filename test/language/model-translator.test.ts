import test, {type ExecutionContext} from 'ava';
import {LanguageError} from '../../src/platform/errors.ts';
import {defaultAnthropicModel, type LanguageModelOptions} from '../../src/language/model-choice.ts';
import {openLanguageModel} from '../../src/language/model-translator.ts';
import {answerEndlessly, closedAddress, unreached} from '../embedding/server.ts';
import {takeTimeouts} from '../helpers/take-timeouts.ts';
import {
	cuts, cutsInTheMiddle, fails, hangs, hangsInTheMiddle, says, sends, startModelServer, type Answer, type Wire,
} from './model-server.ts';
import {calmProfile} from './profiles.ts';

const wires: Wire[] = ['anthropic', 'openai'];

const key = 'sk-a-secret-key';

const signal = new AbortController().signal;

const optionsOf = (wire: Wire, baseUrl: string): LanguageModelOptions => ({
	baseUrl,
	timeoutSeconds: 30,
	...(wire === 'anthropic' ? {anthropicApiKey: key} : {apiKey: key, model: 'some-model'}),
});

/** A translator whose server gives these answers in turn. */
const openOn = async (t: ExecutionContext, wire: Wire, answers: [Answer, ...Answer[]], options: Partial<LanguageModelOptions> = {}) => {
	const {url, asked, close} = await startModelServer(...answers);
	t.teardown(close);
	return {url, asked, translator: openLanguageModel({...optionsOf(wire, url), ...options})!};
};

const request = {profile: calmProfile, context: 'Bonsoir, comment vas-tu ?'};

const onBoth = (title: string, run: (t: ExecutionContext, wire: Wire) => Promise<void>) => {
	for (const wire of wires) {
		test(`${wire}: ${title}`, async t => run(t, wire));
	}
};

const fast = {'retry-after-ms': '1'};

onBoth('the model\'s text is the translation', async (t, wire) => {
	const {translator} = await openOn(t, wire, [says(' Je suis calme.\n')]);
	t.deepEqual(await translator.translate(request, signal), {text: 'Je suis calme.', reasoningDetected: false});
});

onBoth('a text with reasoning is reported as such', async (t, wire) => {
	const {translator} = await openOn(t, wire, [says('My calm is high; therefore I am calm.')]);
	t.true((await translator.translate(request, signal)).reasoningDetected);
});

onBoth('a request has temperature 0, no streaming, the projections and the context', async (t, wire) => {
	const {translator, asked} = await openOn(t, wire, [says('Je suis calme.')]);
	await translator.translate(request, signal);
	t.is(asked.length, 1);
	const [{body, instructions, prompt, wire: spoken}] = asked as [typeof asked[0]];
	t.is(spoken, wire);
	t.is(body.temperature, 0);
	t.falsy(body.stream);
	t.is(body.model, wire === 'anthropic' ? defaultAnthropicModel : 'some-model');
	t.regex(instructions, /Do not reason/);
	t.regex(prompt, /strongly "calm" rather than "agitated"/);
	t.regex(prompt, /comment vas-tu/);
});

onBoth('the key is in the header that the wire requires', async (t, wire) => {
	const {translator, asked} = await openOn(t, wire, [says('Je suis calme.')]);
	await translator.translate(request, signal);
	const {headers} = asked[0]!;
	t.is(wire === 'anthropic' ? headers['x-api-key'] : headers.authorization, wire === 'anthropic' ? key : `Bearer ${key}`);
});

test('openai: a request has no key if none is set', async t => {
	const {translator, asked} = await openOn(t, 'openai', [says('I am calm.')], {apiKey: undefined});
	await translator.translate(request, signal);
	t.is(asked[0]!.headers.authorization, undefined);
});

test('openai: thoughts between tags are left out of the translation', async t => {
	const {translator} = await openOn(t, 'openai', [says('<think>Therefore calm.</think>\n\nI am calm.')]);
	t.deepEqual(await translator.translate(request, signal), {text: 'I am calm.', reasoningDetected: false});
});

test('openai: every thought is left out, and an unclosed tag stays', async t => {
	const {translator} = await openOn(t, 'openai', [says('I am<think>a</think><think>b<think></think>calm.<think>c')]);
	t.is((await translator.translate(request, signal)).text, 'I am\ncalm.<think>c');
});

test('openai: an answer of unclosed tags is searched once', async t => {
	const tags = '<think>'.repeat(140_000);
	const {translator} = await openOn(t, 'openai', [says(tags)]);
	// A search from each tag to the end would take minutes, and AVA would time out.
	t.true((await translator.translate(request, signal)).text === tags);
});

test('anthropic: a request to a model without temperature has none, and no warning is printed', async t => {
	const warned: Error[] = [];
	const listen = (warning: Error) => warned.push(warning);
	process.on('warning', listen);
	t.teardown(() => process.off('warning', listen));
	const {translator, asked} = await openOn(t, 'anthropic', [says('I am calm.')], {model: 'claude-opus-4-8'});
	await translator.translate(request, signal);
	await new Promise(setImmediate);
	t.false('temperature' in asked[0]!.body);
	t.deepEqual(warned.filter(({message}) => message.includes('AI SDK')), []);
});

const passes = (title: string, ...failures: [Answer, ...Answer[]]) => {
	onBoth(`a request is retried after ${title}`, async (t, wire) => {
		const {translator, asked} = await openOn(t, wire, [...failures, says('I am calm.')]);
		t.is((await translator.translate(request, signal)).text, 'I am calm.');
		t.is(asked.length, failures.length + 1);
	});
};

passes('429 with Retry-After', fails(429, 'slow down', {'retry-after': '0'}));
passes('429, then 500', fails(429, 'slow down', fast), fails(500, 'oops', fast));
passes('529', fails(529, 'overloaded', fast));
passes('a connection cut before the answer', cuts);
passes('a connection cut in the middle of the answer', cutsInTheMiddle);

const gives = (
	title: string,
	answer: Answer,
	message: RegExp,
	{retryable = false, times = 1, ...options}: Partial<LanguageModelOptions> & {retryable?: boolean; times?: number} = {},
) => {
	onBoth(title, async (t, wire) => {
		const {translator, asked} = await openOn(t, wire, [answer], options);
		const error = await t.throwsAsync(translator.translate(request, signal), {instanceOf: LanguageError, code: 'language', message});
		t.is(error.retryable, retryable);
		t.is(asked.length, times);
		t.false(JSON.stringify([error.message, error.stack, error.cause]).includes(key));
	});
};

gives('a server that keeps failing is given up after three attempts', fails(500, 'out of memory', fast),
	/answered 500: out of memory\. Try again later, .* \(3 attempts\)$/, {retryable: true, times: 3});
gives('a server that stays busy is given up after three attempts', fails(429, 'quota used up', fast),
	/answered 429: quota used up\. Try again later/, {retryable: true, times: 3});
onBoth('the Retry-After of a busy server is passed on', async (t, wire) => {
	// retry-after-ms has precedence for retries, so that they follow in a millisecond.
	const {translator} = await openOn(t, wire, [fails(429, 'quota used up', {...fast, 'retry-after': '120'})]);
	const error = await t.throwsAsync(translator.translate(request, signal), {instanceOf: LanguageError});
	t.is(error.retryAfter, 120);
});

gives('the error for a refused key does not quote the server, which may show the key', fails(
	401,
	`Incorrect API key provided: ${key.slice(0, 6)}***`,
),
	/^(?!.*sk-a).* refuses the key \(401\)\. Set translator\.(anthropicA|a)piKey to a key that it accepts/);
gives('a key that a server quotes in another error is removed', fails(400, `strange header ${key}`),
	/answered 400: strange header …\. Correct translator.model, or the context/);
gives('the error for a missing model names it', fails(404, 'model not found'),
	/answered 404: model not found\. Check that it serves “.+” \(translator.model\)/);
gives('malformed JSON is an error', sends('{"id": "msg'),
	/did not answer in the format of (Anthropic's messages|OpenAI's chat completions)\. Check translator.baseUrl/);
gives('an HTML page is an error', sends('<html>Welcome</html>'), /did not answer in the format of/);
gives('JSON in another format is an error', sends('{"hello": "world"}'), /did not answer in the format of/);
gives('an empty text is an error', says(''), /answered with an empty text\. Try again, or set translator.model/);
gives('a blank text is an error', says(' \n\t'), /answered with an empty text/);
gives(
	'a refusal is an error, whatever its text',
	says('I would rather not.', 'refused'),
	/refused to translate\. Give another context/,
);
gives('a translation that is cut off is an error', says('I am calm, and', 'cutShort'), /was cut off after 4096 tokens/);
/** The timeout expires once the server has the request. */
const timesOut = (title: string, answer: Answer) => {
	for (const wire of wires) {
		test.serial(`${wire}: ${title}`, async t => {
			const timeouts = takeTimeouts(t);
			const {translator, asked} = await openOn(t, wire, [(question, response) => {
				answer(question, response);
				timeouts.at(-1)!.expire();
			}], {timeoutSeconds: 1.5});
			const error = await t.throwsAsync(translator.translate(request, signal), {
				instanceOf: LanguageError,
				code: 'language',
				message: /did not answer within 1\.5 s\. Raise translator.timeoutSeconds/,
			});
			t.true(error.retryable);
			t.is(asked.length, 1);
			t.is(timeouts.at(-1)!.ms, 1500);
		});
	}
};

timesOut('a server that hangs times out, and the request is not retried', hangs);
timesOut('an answer that hangs in the middle times out, and the request is not retried', hangsInTheMiddle);

gives('an endless answer is cut off', (_, response) => answerEndlessly(response, 200, '{"choices": ['),
	/answered with more than 1048576 bytes.*Check translator.baseUrl/);
gives('an endless error response is reported by its status', (_, response) => answerEndlessly(response, 404, '{"error": ['),
	/answered 404: .*Check that it serves/);

for (const status of [301, 302, 303, 307, 308]) {
	onBoth(`a redirect (${status}) is not followed, and is reported with its origin only`, async (t, wire) => {
		const other = await unreached(t);
		const {translator, asked} = await openOn(t, wire, [fails(status, 'moved', {location: `${other}/v1/messages?key=${key}`})]);
		const error = await t.throwsAsync(translator.translate(request, signal), {
			instanceOf: LanguageError,
			message: /Set translator.baseUrl to the final address/,
		});
		t.true(error.message.includes(`answered with a redirect (${status}) to ${other}. `));
		t.false(error.message.includes(key));
		t.is(asked.length, 1);
	});
}

test('openai: an answer without choices is an error', async t => {
	const {translator} = await openOn(t, 'openai', [sends('{"choices": []}')]);
	await t.throwsAsync(translator.translate(request, signal), {instanceOf: LanguageError, message: /gave no usable answer: .*choices/});
});

test('openai: a refusal in a separate field is an error', async t => {
	const {translator} = await openOn(t, 'openai', [sends(JSON.stringify({
		choices: [{index: 0, message: {role: 'assistant', content: null, refusal: 'I cannot.'}, finish_reason: 'stop'}],
	}))]);
	await t.throwsAsync(translator.translate(request, signal), {instanceOf: LanguageError, message: /refused to translate/});
});

test('the error for a server that cannot be reached names its address', async t => {
	const url = `${closedAddress()}/v1`;
	const error = await t.throwsAsync(openLanguageModel(optionsOf('openai', url))!.translate(request, signal), {instanceOf: LanguageError});
	t.true(error.message.startsWith(`${url}/chat/completions cannot be reached`), error.message);
	t.regex(error.message, /ECONNREFUSED.*Start the server, or correct translator.baseUrl/);
	t.true(error.retryable);
});

onBoth('an abort by the caller closes the connection', async (t, wire) => {
	const caller = new AbortController();
	const gone = new Error('the caller has gone');
	// So long that the caller's signal closes the connection, not the timeout.
	const {translator, asked} = await openOn(t, wire, [() => caller.abort(gone)], {timeoutSeconds: 3600});
	await t.throwsAsync(translator.translate(request, caller.signal), {is: gone});
	await asked[0]!.closed;
	t.is(asked.length, 1);
});

onBoth('an abort by the caller ends the wait for the next attempt', async (t, wire) => {
	const caller = new AbortController();
	const gone = new Error('the caller has gone');
	const {translator, asked} = await openOn(t, wire, [(question, response) => {
		response.once('finish', () => caller.abort(gone));
		fails(429, 'come back in a minute', {'retry-after': '59'})(question, response);
	}]);
	await t.throwsAsync(translator.translate(request, caller.signal), {is: gone});
	t.is(asked.length, 1);
});

test('an aborted caller sends no request', async t => {
	const {translator, asked} = await openOn(t, 'openai', [says('I am calm.')]);
	await t.throwsAsync(translator.translate(request, AbortSignal.abort(new Error('gone'))), {message: 'gone'});
	t.is(asked.length, 0);
});

test('a profile without projections is not sent: the model would make something up', async t => {
	const {translator, asked} = await openOn(t, 'openai', [says('I am calm.')]);
	await t.throwsAsync(translator.translate({profile: {}, context: null}, signal), {
		instanceOf: LanguageError,
		message: /nothing to translate.*Load directions/,
	});
	t.is(asked.length, 0);
});
