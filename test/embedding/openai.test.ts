import diagnostics from 'node:diagnostics_channel';
import type {IncomingHttpHeaders, IncomingMessage, ServerResponse} from 'node:http';
import {json as bodyOf} from 'node:stream/consumers';
import test, {type ExecutionContext} from 'ava';
import {loadEncoder, type EmbeddingOptions} from '../../src/embedding/load-encoder.ts';
import {EmbeddingError, ModelLoadError} from '../../src/platform/errors.ts';
import {takeTimeouts} from '../helpers/take-timeouts.ts';
import {conform, same} from './conformance.ts';
import {runAlone} from './run-alone.ts';
import {answerEndlessly, closedAddress, serve, startServer, unreached} from './server.ts';
import {pattern} from '../helpers/pattern.ts';

type Question = {model: string; input: string; encoding_format: string};

type Answer = (question: Question, response: ServerResponse) => void;

/** A made-up embedding, which depends only on the text. */
const vectorOf = (input: string, width = 256): number[] => {
	let seed = 7;
	for (const letter of input) {
		seed = (seed * 31 + letter.codePointAt(0)!) % 1_000_003;
	}

	return Array.from({length: width}, (_, i) => Math.sin(seed + i * i));
};

const reply = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void => {
	response.writeHead(status, {'content-type': 'application/json', ...headers}).end(JSON.stringify(body));
};

const vector: Answer = ({input}, response) => {
	reply(response, 200, {object: 'list', data: [{object: 'embedding', index: 0, embedding: vectorOf(input)}]});
};

const refusal = (status: number, message: string, headers?: Record<string, string>): Answer => (_, response) => {
	reply(response, status, {error: {message, type: 'some_error'}}, headers);
};

const raw = (body: string): Answer => (_, response) => {
	response.writeHead(200).end(body);
};

/** Loads from a server that answers the probe with a vector, then gives these answers in order and repeats the last. */
const loadFrom = async (t: ExecutionContext, answers: Answer[], options: EmbeddingOptions = {}) => {
	const asked: Array<{question: Question; headers: IncomingHttpHeaders; url: string}> = [];
	let given = -1;
	const url = await serve(t, async (request: IncomingMessage, response) => {
		// A connection that is reused under load may have just been closed, which would take one of the attempts.
		response.shouldKeepAlive = false;
		const question = await bodyOf(request) as Question;
		asked.push({question, headers: request.headers, url: request.url!});
		(given < 0 ? vector : answers[Math.min(given, answers.length - 1)]!)(question, response);
		given++;
	});
	const encoder = await loadEncoder({model: 'openai:some-model', baseUrl: `${url}/v1`, timeoutSeconds: 600, ...options});
	t.teardown(async () => encoder.dispose());
	asked.length = 0;
	return {encoder, asked};
};

/** Accepts up to 2,000 characters and refuses longer texts, as most servers do. */
const brief: Answer = (question, response) => {
	(question.input.length > 2000 ? refusal(413, 'input too long') : vector)(question, response);
};

let briefServer: Awaited<ReturnType<typeof startServer>>;
test.serial.before(async () => {
	briefServer = await startServer(async (request, response) => {
		brief(await bodyOf(request) as Question, response);
	});
});
conform(test, 'openai', async () => loadEncoder({model: 'openai:some-model', baseUrl: `${briefServer.url}/v1`, timeoutSeconds: 600}));
test.after.always(async () => briefServer.close());

test('the model, the text and the key are sent as OpenAI defines it', async t => {
	const {encoder, asked} = await loadFrom(t, [vector], {apiKey: 'secret', prefix: 'query: '});
	await encoder.embed('a thought');
	t.is(asked[0]!.url, '/v1/embeddings');
	t.is(asked[0]!.headers.authorization, 'Bearer secret');
	t.deepEqual(asked[0]!.question, {model: 'some-model', input: 'query: a thought', encoding_format: 'float'});
});

test('without a key no authorization header is sent', async t => {
	const {encoder, asked} = await loadFrom(t, [vector]);
	await encoder.embed('a thought');
	t.is(asked[0]!.headers.authorization, undefined);
});

test('the passport of a served model has its name and width, and “served” as its format', async t => {
	const {encoder} = await loadFrom(t, [vector]);
	t.deepEqual(encoder.passport, {model: 'openai:some-model', width: 256, pooling: 'none', prefix: '', dtype: 'served'});
});

test('the server\'s vector is normalised and lifted', async t => {
	const embedded = await (await loadFrom(t, [vector])).encoder.embed('a thought');
	const expected = vectorOf('a thought');
	const norm = Math.hypot(...expected);
	t.true(embedded.subarray(0, 256).every((value, i) => Math.abs(value - expected[i]! / norm) < 1e-7));
	t.true(embedded.subarray(256).every(value => value === 0));
});

const triesAgain = (title: string, passing: Answer) => {
	test(`a request is retried after ${title}`, async t => {
		const {encoder, asked} = await loadFrom(t, [passing, vector]);
		t.is((await encoder.embed('a thought')).length, 1024);
		t.is(asked.length, 2);
	});
};

triesAgain('429', refusal(429, 'slow down', {'retry-after': '0'}));
triesAgain('503', refusal(503, 'loading', {'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT'}));
triesAgain('500 without Retry-After', refusal(500, 'oops'));
triesAgain('a cut connection', (_, response) => {
	response.destroy();
});
triesAgain('a connection cut in the middle of an answer', (_, response) => {
	response.writeHead(200, {'content-length': '1000'}).write('{"data": [', () => response.destroy());
});

const gives = (
	title: string,
	answer: Answer,
	message: RegExp,
	{retryable, times, ...options}: EmbeddingOptions & {retryable: boolean; times: number},
) => {
	test(title, async t => {
		const {encoder, asked} = await loadFrom(t, [answer], options);
		const error = await t.throwsAsync(encoder.embed('a thought'), {instanceOf: EmbeddingError, message});
		t.is(error.retryable, retryable);
		t.is(asked.length, times);
	});
};

gives('a request fails after four attempts if the server keeps failing', refusal(500, 'out of memory', {'retry-after': '0'}),
	/answered 500: out of memory/, {retryable: true, times: 4});

gives('a request fails at once if the server asks to wait longer than the timeout', refusal(
	429,
	'come back tomorrow',
	{'retry-after': '86400'},
),
	/answered 429: come back tomorrow/, {retryable: true, times: 1});

gives('a refused request is not retried', refusal(404, 'model not found'),
	/answered 404: model not found\. Check that it serves “some-model” and that encoder.baseUrl has the path .* \/v1/, {
		retryable: false,
		times: 1,
	});

gives('the error for a refused key does not show it, even if the server does', refusal(401, 'Incorrect API key provided: sec***'),
	/^(?!.*sec).*refuses the key \(401\)\. Set encoder.apiKey/, {retryable: false, times: 1, apiKey: 'secret'});

gives('a key that a server quotes in another message is removed', refusal(400, 'strange header Bearer secret'),
	/strange header Bearer …/, {retryable: false, times: 1, apiKey: 'secret'});

gives('the error for a missing key says so', refusal(401, 'who are you'),
	/refuses a request without a key \(401\)/, {retryable: false, times: 1});

/** The timeout expires once the server has the request. */
const timesOut = (title: string, answer: Answer) => {
	test.serial(title, async t => {
		const timeouts = takeTimeouts(t);
		const {encoder, asked} = await loadFrom(t, [(question, response) => {
			answer(question, response);
			timeouts.at(-1)!.expire();
		}], {timeoutSeconds: 2});
		const error = await t.throwsAsync(encoder.embed('a thought'), {
			instanceOf: EmbeddingError,
			message: /did not answer within 2 s \(encoder.timeoutSeconds\)/,
		});
		t.true(error.retryable);
		t.is(asked.length, 1);
		t.is(timeouts.at(-1)!.ms, 2000);
	});
};

timesOut('a request to a server that hangs times out', () => undefined);
timesOut('an answer that hangs in the middle times out, too', (_, response) => response.writeHead(200).write('{"data"'));

gives('an answer that never ends fails at the largest size of an embedding of its width', (_, response) => answerEndlessly(
	response,
	200,
	'{"data": [{"embedding": [',
),
	/answered with more than 81920 bytes.*Check encoder.baseUrl/, {retryable: false, times: 1});

gives('an endless refusal is reported by its status', (_, response) => answerEndlessly(response, 404, '{"error": {"message": "'),
	/answered 404\. Check that it serves/, {retryable: false, times: 1});

for (const status of [301, 302, 303, 307, 308]) {
	test(`a redirect (${status}) is not followed, and its error shows the host only`, async t => {
		const other = await unreached(t);
		const {encoder, asked} = await loadFrom(
			t,
			[(_, response) => reply(response, status, {}, {location: `${other}/v1/embeddings?key=secret`})],
			{apiKey: 'secret'},
		);
		const error = await t.throwsAsync(encoder.embed('a thought'), {
			instanceOf: EmbeddingError,
			message: /^(?!.*secret).*Set encoder.baseUrl to the final address/,
		});
		t.true(error.message.includes(`answered with a redirect (${status}) to ${other}. `));
		t.false(error.retryable);
		t.is(asked.length, 1);
	});
}

test('loading fails if the first answer never ends', async t => {
	const url = await serve(t, (_, response) => answerEndlessly(response, 200, '{"data": [{"embedding": ['));
	await t.throwsAsync(loadEncoder({model: 'openai:endless', baseUrl: url, timeoutSeconds: 600}), {
		instanceOf: ModelLoadError,
		message: /answered with more than 8388608 bytes/,
	});
});

const unusable = (what: string, body: string, message: RegExp) => {
	gives(`${what} is refused as an embedding`, raw(body), message, {retryable: false, times: 1});
};

unusable('malformed JSON', '<html>', /not JSON/);
unusable('another object', '{"embeddings": [[1, 2]]}', /without a vector/);
unusable('an empty list', '{"data": []}', /without a vector/);
unusable('an empty vector', '{"data": [{"embedding": []}]}', /without a vector/);
unusable('a vector in base64', '{"data": [{"embedding": "AACAPw=="}]}', /without a vector/);
unusable('a vector with null', '{"data": [{"embedding": [1, null]}]}', /without a vector/);
unusable('a vector with NaN', '{"data": [{"embedding": [1, NaN]}]}', /not JSON/);
unusable('a vector with an infinite number', '{"data": [{"embedding": [1, 1e999]}]}', /without a vector/);
unusable('a vector of zeros', JSON.stringify({data: [{embedding: vectorOf('').fill(0)}]}), /zero vector/);
unusable('a vector of another width', JSON.stringify({data: [{embedding: vectorOf('', 384)}]}), /384 floats .* 256 at the start/);

test('a text that is too long for the server is halved until it fits', async t => {
	const {encoder, asked} = await loadFrom(t, [brief]);
	const text = 'x'.repeat(5000);
	const embedded = await encoder.embed(text);
	t.deepEqual(asked.map(({question}) => question.input.length), [5000, 2500, 1250]);
	t.true(same(embedded, await encoder.embed(text.slice(0, 1250))));
});

test('the report has the server\'s number of tokens, and the truncation by the encoder', async t => {
	const {encoder} = await loadFrom(t, [(question, response) => {
		if (question.input.length > 2000) {
			refusal(413, 'input too long')(question, response);
			return;
		}

		reply(response, 200, {
			data: [{embedding: vectorOf(question.input)}],
			...(question.input.startsWith('x') && {usage: {prompt_tokens: question.input.length, total_tokens: 0}}),
		});
	}]);
	const reportOf = async (text: string) => (await encoder.embedWithReport!(text)).report;
	t.deepEqual(await reportOf('xxx'), {tokens: 3});
	t.deepEqual(await reportOf('x'.repeat(3000)), {tokens: 1500, isTruncated: true});
	t.deepEqual(await reportOf('a thought'), {});
});

for (const usage of [null, 'many', {}, {prompt_tokens: 0}, {prompt_tokens: -1}, {prompt_tokens: '7'}]) {
	test(`a usage of ${JSON.stringify(usage)} is ignored`, async t => {
		const {encoder} = await loadFrom(t, [({input}, response) => reply(response, 200, {data: [{embedding: vectorOf(input)}], usage})]);
		t.deepEqual((await encoder.embedWithReport!('a thought')).report, {});
	});
}

test('the signal aborts a pending request', async t => {
	const reason = new Error('no longer wanted');
	const abort = new AbortController();
	const {encoder} = await loadFrom(t, [() => {
		abort.abort(reason);
	}]);
	t.is(await t.throwsAsync(encoder.embed('a thought', abort.signal)), reason);
});

test('the signal aborts a wait between attempts', async t => {
	const reason = new Error('no longer wanted');
	const abort = new AbortController();
	const {encoder, asked} = await loadFrom(t, [refusal(503, 'wait', {'retry-after': '3600'})], {timeoutSeconds: 7200});
	// Node reports when the whole answer has arrived; two turns of the event loop later the encoder waits.
	diagnostics.subscribe('undici:request:trailers', message => {
		if ((message as {request: {origin: string}}).request.origin === `http://${asked[0]?.headers.host}`) {
			setImmediate(() => setImmediate(() => abort.abort(reason)));
		}
	});
	t.is(await t.throwsAsync(encoder.embed('a thought', abort.signal)), reason);
	t.is(asked.length, 1);
});

test('dispose fails a pending request', async t => {
	const hanging = Promise.withResolvers<void>();
	const {encoder} = await loadFrom(t, [() => {
		hanging.resolve();
	}]);
	const call = encoder.embed('a thought');
	const failed = t.throwsAsync(call, {instanceOf: EmbeddingError, message: /disposed/});
	await hanging.promise;
	await encoder.dispose();
	await failed;
});

test('the process ends after dispose, even with a keep-alive connection', async t => {
	const {outcome} = await runAlone({model: 'openai:some-model', baseUrl: `${briefServer.url}/v1`});
	t.is(outcome.passport?.width, 256);
});

test('loading fails if no server answers, and the error says what to do', async t => {
	await t.throwsAsync(loadEncoder({model: 'openai:some-model', baseUrl: `${closedAddress()}/v1`}), {
		instanceOf: ModelLoadError,
		message: pattern(
			/“openai:some-model” could not be loaded\. http.*\/v1\/embeddings cannot be reached \(ECONNREFUSED\)\. Start the server, /,
			/or correct encoder.baseUrl/,
		),
	});
});

test('loading fails for a model wider than the state, unless it may be truncated', async t => {
	const url = await serve(t, (_, response) => reply(response, 200, {data: [{embedding: vectorOf('', 3072)}]}));
	await t.throwsAsync(loadEncoder({model: 'openai:big', baseUrl: url}), {
		instanceOf: ModelLoadError,
		message: /3072 floats.*encoder.truncate/,
	});

	const encoder = await loadEncoder({model: 'openai:big', baseUrl: url, truncate: true});
	t.teardown(async () => encoder.dispose());
	t.is(encoder.passport.width, 3072);
	t.is((await encoder.embed('a thought')).length, 1024);
});

for (const baseUrl of ['localhost:11434', 'ftp://localhost/v1', 'http://me:secret@localhost/v1', 'http://localhost/v1?key=secret']) {
	test(`the base URL ${baseUrl} is refused, and the error shows no secret`, async t => {
		for (const model of ['openai:some-model', 'owner/name']) {
			await t.throwsAsync(loadEncoder({model, baseUrl}), {
				instanceOf: ModelLoadError,
				message: /^encoder.baseUrl must be a plain http or https address(?!.*secret)/,
			}, model);
		}
	});
}

for (const apiKey of ['secret\nsecret', 'secret secret', 'secrét']) {
	test(`a key that is invalid in a header is refused, and not shown: ${JSON.stringify(apiKey)}`, async t => {
		await t.throwsAsync(loadEncoder({model: 'openai:some-model', baseUrl: closedAddress(), apiKey}), {
			instanceOf: ModelLoadError,
			message: /could not be loaded\. encoder.apiKey has (?!.*secr)/,
		});
	});
}
