/** The requests of a store on Weaviate, and what it makes of the answers. */
import ava from 'ava';
import {ConfigurationError, StoreError} from '../../../src/platform/errors.ts';
import {openWeaviate} from '../../../src/sources/store/weaviate/store.ts';
import {answerEndlessly, closedAddress, unreached} from '../../embedding/server.ts';
import {takeTimeouts} from '../../helpers/take-timeouts.ts';
import {conform, stateOf, thoughtOf, type Holdings} from './conformance.ts';
import {weaviate, type ServerOptions} from './weaviate-server.ts';
import {openAt, openOn, raw, readings, some, type Answer} from './read-weaviate.ts';

/** Serial: hundreds of servers at once starve each other. */
const test = ava.serial;

const suites: Record<string, ServerOptions> = {
	'weaviate by REST': {},
	'weaviate by REST with named vectors': {names: ['default', 'other']},
	'weaviate by GraphQL': {rest: false},
	'weaviate by GraphQL with a named vector': {rest: false, names: ['default']},
	'weaviate by GraphQL with several named vectors': {rest: false, names: ['default', 'other']},
};

for (const [name, options] of Object.entries(suites)) {
	conform(test, name, async (t, holdings) => (await openOn(t, weaviate(holdings, options))).store);
}

test('the latest state is requested by REST, as one object with its vector', async t => {
	const {store, asked} = await openOn(t, weaviate(some));
	await store.latestState();
	t.deepEqual(asked.map(({path}) => path), ['GET /v1/objects']);
	t.deepEqual(Object.fromEntries(asked[0]!.query), {
		class: 'StateVector',
		sort: 'state_id',
		order: 'desc',
		limit: '1',
		offset: '0',
		include: 'vector',
	});
});

test('many thoughts are requested in pages', async t => {
	const {store, asked} = await openOn(t, weaviate({thoughts: Array.from({length: 230}, (_, i) => thoughtOf(`${i}`, Float32Array.of(i)))}));
	await store.thoughts(220);
	t.deepEqual(asked.map(({query}) => [query.get('offset'), query.get('limit')]), [['0', '100'], ['100', '100'], ['200', '20']]);
});

test('GraphQL is not used for what REST serves', async t => {
	const {store, asked} = await openOn(t, weaviate(some));
	await Promise.all([store.latestState(), store.thoughts(500), store.directions()]);
	t.deepEqual([...new Set(asked.map(({path}) => path))], ['GET /v1/objects']);
});

test('a second GraphQL query, for named vectors, is sent only if objects have no vector', async t => {
	const questions = async (holdings: Holdings, options: ServerOptions) => {
		const {store, asked} = await openOn(t, weaviate(holdings, options));
		await store.nearestThoughts(Float32Array.of(1, 0), {limit: 5});
		return asked.length;
	};

	t.is(await questions(some, {}), 1);
	t.is(await questions({}, {}), 1);
	t.is(await questions(some, {names: ['default']}), 2);
});

for (const status of [404, 405, 501]) {
	test(`GraphQL is used if REST answers ${status}`, async t => {
		const graphQl = weaviate(some, {rest: false});
		const {store} = await openOn(
			t,
			(request, response) => request.method === 'GET' ? response.writeHead(status).end() : graphQl(request, response),
		);
		t.deepEqual(await store.latestState(), stateOf(3));
	});
}

test('an address may have a path and a trailing slash', async t => {
	const {asked, url} = await openOn(t, weaviate(some));
	await t.throwsAsync(openAt(t, `${url}/behind/a/proxy/`).latestState());
	t.is(asked[0]!.path, 'GET /behind/a/proxy/v1/objects');
});

test('a key is sent if there is one, and no header otherwise', async t => {
	const locked = await openOn(t, weaviate(some, {key: 'secret'}), {apiKey: 'secret'});
	t.deepEqual(await locked.store.latestState(), stateOf(3));
	t.is((await locked.store.nearestThoughts(Float32Array.of(1, 0), {limit: 1})).length, 1);
	for (const apiKey of [undefined, '']) {
		const open = await openOn(t, weaviate(some), {apiKey});
		t.deepEqual(await open.store.latestState(), stateOf(3));
		t.false('authorization' in open.asked[0]!.headers);
	}
});

test('a time with another offset, or none, is converted to UTC', async t => {
	const readTimestamp = async (timestamp: string) => {
		const {store} = await openOn(t, weaviate({states: [{...stateOf(1), timestamp}]}));
		return (await store.latestState())!.timestamp;
	};

	t.is(await readTimestamp('2026-03-01T10:00:00Z'), '2026-03-01T10:00:00.000Z');
	t.is(await readTimestamp('2026-03-01T10:00:00.25+02:00'), '2026-03-01T08:00:00.250Z');
	t.is(await readTimestamp('2026-03-01T10:00:00.123456'), '2026-03-01T10:00:00.123Z');
	await t.throwsAsync(readTimestamp('yesterday'), {instanceOf: StoreError, message: /timestamp “yesterday”.*Correct it there/});
});

test('a direction without a category has the category “unknown”', async t => {
	const {store} = await openOn(t, (_, response) => response.end(JSON.stringify({objects: [{properties: {name: 'joy'}, vector: [1]}]})));
	t.deepEqual(
		await store.directions(),
		[{category: 'unknown', name: 'joy', polePositive: '', poleNegative: '', model: null, vector: Float32Array.of(1)}],
	);
});

const json = (status: number, body: unknown): Answer => response => {
	response.writeHead(status, {'content-type': 'application/json'}).end(JSON.stringify(body));
};

/** `expires`: whether the timeout expires once the server has the request. */
type Expected = {message: RegExp; retryable: boolean; apiKey?: string; expires?: boolean};

/** Tests that each read fails on these answers, by REST and, if that is not served, by GraphQL. */
const fails = (title: string, answers: {rest?: Answer; graphQl?: Answer}, {message, retryable, expires = false, ...options}: Expected) => {
	for (const [by, answer] of Object.entries(answers)) {
		for (const [what, read] of Object.entries(readings)) {
			if (by === 'rest' && what === 'nearest') {
				continue;
			}

			test(`${title} fails the read of ${what} by ${by}`, async t => {
				const timeouts = expires ? takeTimeouts(t) : [];
				const {store, url} = await openOn(t, (request, response) => {
					if (request.method === 'GET' && by === 'graphQl') {
						raw(404, '')(response);
					} else {
						answer(response);
						timeouts.at(-1)?.expire();
					}
				}, options);
				const error = await t.throwsAsync(read(store), {instanceOf: StoreError, message});
				t.true(error.message.startsWith(`${url}/v1/${by === 'rest' ? 'objects?class=' : 'graphql'}`));
				t.is(error.retryable, retryable);
			});
		}
	}
};

const everywhere = (answer: Answer) => ({rest: answer, graphQl: answer});

fails('an unknown class or field, which GraphQL answers with 200 and errors,', {
	graphQl: json(200, {
		data: null,
		errors: [{locations: [], message: 'Cannot query field "StateVector" on type "GetObjectsObj".', path: null}],
	}),
}, {
	message: new RegExp([
		'answered 200: Cannot query field "StateVector".*Check that store.url .* class ',
		'(StateVector has state_id, timestamp|Thought has thought_type, content|',
		'ProjectionDirection has category, name, pole_positive, pole_negative)\\.$',
	].join('')),
	retryable: false,
});

fails('errors beside some data', {
	graphQl: json(200, {data: {Get: {StateVector: [], Thought: [], ProjectionDirection: []}}, errors: [{message: 'shard is gone'}]}),
}, {message: /answered 200: shard is gone\./, retryable: false});

fails('a server without a schema', everywhere(json(422, {
	error: [{message: 'no graphql provider present, this is most likely because no schema is present'}],
})),
	{
		message: /answered 422: no graphql provider present.*Check that store.url is the address of a Weaviate server, and that its class/,
		retryable: false,
	});

fails('a refusal without a message', everywhere(raw(400, '<html>')), {message: /answered 400\. Check that/, retryable: false});
fails('a failing server', everywhere(json(500, {error: [{message: 'out of memory'}, {message: 'twice'}]})), {
	message: /answered 500: out of memory; twice\. Try again/,
	retryable: true,
});
fails('a busy server', everywhere(json(429, {message: 'slow down'})), {message: /answered 429: slow down\. Try again/, retryable: true});
fails('a server without GraphQL', {graphQl: raw(404, '')}, {message: /graphql answered 404\. Check that store.url/, retryable: false});
fails('a missing key', everywhere(json(401, {code: 401, message: 'anonymous access not enabled'})), {
	message: /needs a key \(401\)\. Set store.apiKey/,
	retryable: false,
});
fails('a refused key', everywhere(json(401, {code: 401, message: 'invalid api key: secret'})), {
	message: /^(?!.*secret).*rejects the key \(401\)\. Set store.apiKey to a valid key, or unset it/,
	retryable: false,
	apiKey: 'secret',
});
fails('a refusal that quotes the key', everywhere(json(422, {error: [{message: `${'x'.repeat(295)} secret`}]})), {
	message: /^(?!.*secr).*answered 422: x+ …/,
	retryable: false,
	apiKey: 'secret',
});
fails('an answer cut off in the middle', everywhere(raw(200, '{"objects": [{"properties": {"state_id"')), {
	message: /answered 200: something that is not JSON\./,
	retryable: false,
});
fails('an HTML page of another server', everywhere(raw(200, '<html>Welcome</html>')), {
	message: /answered 200: something that is not JSON\. Check that store.url/,
	retryable: false,
});
fails('JSON of another shape', everywhere(json(200, {things: []})), {
	message: /answered 200: something that is not a list of \w+ objects\./,
	retryable: false,
});
fails('a cut connection', everywhere(response => response.destroy()), {
	message: /cannot be reached \(\w+\)\. Start the server, or correct store.url/,
	retryable: true,
});
fails('a connection cut in the middle of an answer', everywhere(response => {
	response.writeHead(200, {'content-length': '1000'}).write('{"objects": [', () => response.destroy());
}), {message: /cannot be reached \(\w+\)/, retryable: true});
fails('a server that hangs', {rest: () => undefined}, {message: /did not answer within 3600 s/, retryable: true, expires: true});
fails('an answer that hangs in the middle', everywhere(response => response.writeHead(200).write('{"objects"')), {
	message: /did not answer within 3600 s/,
	retryable: true,
	expires: true,
});

fails('an answer that never ends', everywhere(response => answerEndlessly(response, 200, '{"objects": [')), {
	message: /answered with more than 16384000 bytes.*Check store.url/,
	retryable: false,
});
fails('a refusal that never ends', everywhere(response => answerEndlessly(response, 422, '{"error": [')), {
	message: /answered 422\. Check that store.url/,
	retryable: false,
});

for (const status of [301, 302, 303, 307, 308]) {
	for (const [what, read] of Object.entries(readings)) {
		test(`a redirect (${status}) of the read of ${what} is not followed, and its error shows the host only`, async t => {
			const other = await unreached(t);
			const {
				store,
				asked,
			} = await openOn(t, (_, response) => response.writeHead(status, {location: `${other}/v1?key=secret`}).end(), {apiKey: 'secret'});
			const error = await t.throwsAsync(
				read(store), {instanceOf: StoreError, message: /^(?!.*secret).*Set store.url to the final address/},
			);
			t.true(error.message.includes(`answered with a redirect (${status}) to ${other}. `));
			t.is(asked.length, 1);
		});
	}
}

const unusable = (what: string, properties: unknown, vector: unknown) => {
	test(`a state with ${what} is refused`, async t => {
		const byRest = await openOn(t, (_, response) => json(200, {objects: [{properties, vector}]})(response));
		await t.throwsAsync(byRest.store.latestState(), {instanceOf: StoreError, message: /not a list of StateVector objects/});
		const byGraphQl = await openOn(t, ({method}, response) => method === 'GET'
			? raw(404, '')(response)
			: json(200, {data: {Get: {StateVector: [{...properties as object, _additional: {vector}}]}}})(response));
		await t.throwsAsync(byGraphQl.store.latestState(), {instanceOf: StoreError, message: /not a list of StateVector objects/});
	});
};

unusable('a string as its id', {state_id: '3', timestamp: '2026-03-01T10:00:00Z'}, [1]);
unusable('a fractional id', {state_id: 3.5, timestamp: '2026-03-01T10:00:00Z'}, [1]);
unusable('an id with too few ids after it', {state_id: 2 ** 52 + 1, timestamp: '2026-03-01T10:00:00Z'}, [1]);
unusable('an id beyond the safe integers', {state_id: 2 ** 60, timestamp: '2026-03-01T10:00:00Z'}, [1]);
unusable('no timestamp', {state_id: 3}, [1]);
unusable('null in its vector', {state_id: 3, timestamp: '2026-03-01T10:00:00Z'}, [1, null]);
unusable('a vector of vectors', {state_id: 3, timestamp: '2026-03-01T10:00:00Z'}, [[1, 2]]);
unusable('a vector in base64', {state_id: 3, timestamp: '2026-03-01T10:00:00Z'}, 'AACAPw==');

test('objects beyond the requested number are ignored', async t => {
	const object = {properties: {state_id: 3, timestamp: '2026-03-01T10:00:00Z'}, vector: [1]};
	const {store, asked} = await openOn(t, (_, response) => json(200, {objects: Array.from({length: 150}, () => object)})(response));
	t.is((await store.thoughts(120)).length, 120);
	t.is(asked.length, 2);
});

test('the error for an unreachable address names the address', async t => {
	const url = closedAddress();
	const error = await t.throwsAsync(openAt(t, url).latestState(), {
		instanceOf: StoreError,
		message: /cannot be reached \(ECONNREFUSED\)\. Start the server, or correct store.url/,
	});
	t.true(error.message.startsWith(url));
});

for (const [what, read] of Object.entries(readings)) {
	test(`the signal aborts a pending read of ${what}, and so does closing`, async t => {
		const reason = new Error('no longer wanted');
		const abort = new AbortController();
		const waiting = Promise.withResolvers<void>();
		const aborted = await openOn(t, () => waiting.resolve());
		const call = t.throwsAsync(read(aborted.store, abort.signal));
		await waiting.promise;
		abort.abort(reason);
		t.is(await call, reason);

		const waitingAgain = Promise.withResolvers<void>();
		const closed = await openOn(t, () => waitingAgain.resolve());
		const failed = t.throwsAsync(read(closed.store), {instanceOf: StoreError, message: /closed/});
		await waitingAgain.promise;
		await closed.store.close();
		await failed;
	});
}

for (const url of ['localhost:8080', 'ftp://localhost', 'http://me:secret@localhost:8080', 'http://localhost:8080?key=secret']) {
	test(`the address ${url} is refused, and the error shows no secret`, t => {
		t.throws(() => openWeaviate({url}), {
			instanceOf: ConfigurationError,
			message: /^store.url must be a plain http or https address(?!.*secret)/,
		});
	});
}

test('a key that is invalid in a header is refused, and the error does not show it', t => {
	t.throws(() => openWeaviate({url: 'http://localhost:8080', apiKey: 'secret\n'}), {
		instanceOf: ConfigurationError,
		message: /^store.apiKey has(?!.*secret)/,
	});
});
