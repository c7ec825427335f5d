/** The Model Context Protocol, tested with the SDK's client: over HTTP, and over two streams. */
import {PassThrough} from 'node:stream';
import {Client} from '@modelcontextprotocol/sdk/client/index.js';
import {StreamableHTTPClientTransport} from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {ReadBuffer, serializeMessage} from '@modelcontextprotocol/sdk/shared/stdio.js';
import type {Transport} from '@modelcontextprotocol/sdk/shared/transport.js';
import {ResultSchema} from '@modelcontextprotocol/sdk/types.js';
import test, {type ExecutionContext} from 'ava';
import {connectIdentity} from '../../../src/client/index.ts';
import {createHttp} from '../../../src/http/create-http.ts';
import type {HttpOptions} from '../../../src/http/http-options.ts';
import type {Identity, LocalIdentity} from '../../../src/identity/identity.ts';
import {serveStdio} from '../../../src/agents/mcp/transports.ts';
import {tools} from '../../../src/agents/tools/tools.ts';
import {FakeJournal} from '../../actors/fake-journal.ts';
import {settle, startIdentity, vectorOf} from '../../actors/fixtures.ts';
import {fakeIdentity} from '../../http/fake-identity.ts';
import {serve} from '../../http/service.ts';

const directions = async () =>
	[{category: 'affective', name: 'calm', polePositive: 'calm', poleNegative: 'agitated', vector: vectorOf('calm')}];

const makeIdentity = async (t: ExecutionContext): Promise<LocalIdentity> => {
	const {identity} = await startIdentity({directions, journal: new FakeJournal()});
	t.teardown(() => identity.dispose());
	return identity;
};

/** The client's side of two streams. */
const toTransport = (input: PassThrough, output: PassThrough): Transport => {
	const buffer = new ReadBuffer();
	const transport: Transport = {
		async start() {
			output.on('data', chunk => {
				buffer.append(chunk);
				for (let message = buffer.readMessage(); message; message = buffer.readMessage()) {
					transport.onmessage?.(message);
				}
			});
		},
		async send(message) {
			input.write(serializeMessage(message));
		},
		async close() {
			input.end();
			transport.onclose?.();
		},
	};
	return transport;
};

const connect = async (t: ExecutionContext, transport: Transport): Promise<Client> => {
	const client = new Client({name: 'test', version: '1'});
	await client.connect(transport);
	t.teardown(() => client.close());
	return client;
};

const overHttp = async (t: ExecutionContext, identity: Identity, options: HttpOptions = {}): Promise<Client> => {
	const {url} = await serve(t, identity, options);
	return connect(t, new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
		requestInit: {headers: {connection: 'close', ...(options.token !== undefined && {authorization: `Bearer ${options.token}`})}},
	}) as Transport);
};

const overStreams = async (t: ExecutionContext, identity: Identity): Promise<Client> => {
	const [input, output] = [new PassThrough(), new PassThrough()];
	const server = await serveStdio(identity, {input, output, warn: warning => {
		t.fail(warning);
	}});
	t.teardown(async () => server.gone);
	return connect(t, toTransport(input, output));
};

/** Like `processual mcp` with PROCESSUAL_URL. */
const throughService = async (t: ExecutionContext, identity: Identity): Promise<Client> => {
	const {url} = await serve(t, identity);
	const far = connectIdentity({baseUrl: url});
	t.teardown(() => far.dispose());
	return overStreams(t, far);
};

for (const [way, open] of Object.entries({overHttp, overStreams, throughService})) {
	test(`${way}: the server states its name, instructions and capabilities`, async t => {
		const client = await open(t, fakeIdentity());
		t.like(client.getServerVersion(), {name: 'processual-state'});
		t.deepEqual(Object.keys(client.getServerCapabilities()!).toSorted(), ['prompts', 'resources', 'tools']);
		t.regex(client.getInstructions()!, /who_am_i/);
		const listed = await client.listTools();
		t.deepEqual(listed.tools.map(({name}) => name), ['say', 'who_am_i', 'what_would_change', 'why', 'drift', 'history']);
		t.deepEqual(listed.tools.filter(({annotations}) => !annotations!.readOnlyHint).map(({name}) => name), ['say']);
		t.true(listed.tools.every(({annotations}) => annotations!.destructiveHint === false && annotations!.openWorldHint === false));
		t.deepEqual(
			listed.tools.map(({inputSchema}) => Object.keys(inputSchema.properties!)),
			tools.map(({input}) => Object.keys(input.properties)),
		);
	});

	test(`${way}: the tools answer with text and structured content, which the client validates`, async t => {
		const client = await open(t, await makeIdentity(t));
		// With the list, the client validates every answer.
		await client.listTools();
		for (const [name, input] of [
			['say', {text: 'The sea is quiet.', source: 'Ben'}],
			['who_am_i', {}],
			['what_would_change', {text: 'The sea is loud.'}],
			['why', {by: 'text'}],
			['drift', {}],
			['history', {points: 2, direction: 'affective.calm'}],
		] as const) {
			const {
				structuredContent,
				content,
				isError,
			} = await client.callTool({name, arguments: input}) as {structuredContent: object; content: Array<{text: string}>; isError?: boolean};
			t.falsy(isError, name);
			t.deepEqual(JSON.parse(content[0]!.text), structuredContent);
			t.true(content[0]!.text.length < 10_000, name);
		}
	});

	test(`${way}: invalid input is a tool error that names the field`, async t => {
		const client = await open(t, fakeIdentity());
		t.like(await client.callTool({name: 'say', arguments: {text: 'The sea.'}}), {
			isError: true,
			content: [{type: 'text', text: 'source is missing. The fields of say are text, source, conversation.'}],
		});
	});

	test(`${way}: invalid parameters are a protocol error that says what is wrong`, async t => {
		const client = await open(t, fakeIdentity());
		const refused = async (method: string, params: Record<string, unknown>, said: string) =>
			t.throwsAsync(client.request({method, params}, ResultSchema), {message: `MCP error -32602: ${said}`}, JSON.stringify(params));
		await refused('tools/call', {}, 'The parameters of tools/call are wrong: name is missing.');
		await refused(
			'tools/call',
			{name: 'say', arguments: 'The sea.'},
			'The parameters of tools/call are wrong: arguments must be an object, not "The sea.".',
		);
		await refused(
			'tools/call',
			{name: 'forget', arguments: {}},
			'There is no tool forget. The tools are say, who_am_i, what_would_change, why, drift, history.',
		);
		await refused('resources/read', {uri: 7}, 'The parameters of resources/read are wrong: uri must be a text, not 7.');
		await refused(
			'prompts/get',
			{name: 'live_with_identity', arguments: {name: 7}},
			'The parameters of prompts/get are wrong: arguments.name must be a text, not 7.',
		);
	});

	test(`${way}: profile and state are the only resources`, async t => {
		const client = await open(t, await makeIdentity(t));
		const {resources} = await client.listResources();
		t.deepEqual(resources.map(({uri}) => uri), ['processual://profile', 'processual://state']);
		const [profile, state] = await Promise.all(resources.map(async ({uri}) => {
			const {contents: [content]} = await client.readResource({uri});
			return JSON.parse((content as {text: string}).text) as Record<string, unknown>;
		}));
		t.like(profile!, {state_id: 0, lens: 'own', begun_at_random: false});
		t.like((profile!['directions'] as object[])[0]!, {key: 'affective.calm', stands_out: false});
		t.like(state!, {state_id: 0, mode: 'idle', last_trigger: null, vigilance: {level: 'ok'}});
		t.deepEqual((await client.listResourceTemplates()).resourceTemplates, []);
		await t.throwsAsync(
			client.readResource({uri: 'file:///etc/passwd'}),
			{message: /^MCP error -32602: There is no resource file:\/\/\/etc\/passwd/},
		);
	});

	test(`${way}: a prompt contains its arguments, and is refused without them`, async t => {
		const client = await open(t, fakeIdentity());
		t.deepEqual((await client.listPrompts()).prompts.map(({name}) => name), ['live_with_identity', 'check_drift']);
		const {messages: [message]} = await client.getPrompt({name: 'live_with_identity', arguments: {name: 'Ben'}});
		t.regex((message!.content as {text: string}).text, /the source “Ben”/);
		await t.throwsAsync(
			client.getPrompt({name: 'live_with_identity', arguments: {}}),
			{message: /^MCP error -32602: The prompt live_with_identity needs the argument name/},
		);
		await t.throwsAsync(client.getPrompt({name: 'sing'}), {message: /There is no prompt sing/});
	});

	test(`${way}: a defect is a protocol error without paths`, async t => {
		const client = await open(t, fakeIdentity({scaledProfile() {
			throw new TypeError('no file /home/ada/secret.json');
		}}));
		const error = await t.throwsAsync(client.callTool({name: 'who_am_i', arguments: {}}));
		t.notRegex(error.message, /secret/);
	});
}

test('over HTTP it requires the token', async t => {
	const {url} = await serve(t, fakeIdentity(), {token: 'a-long-secret-token'});
	await t.throwsAsync(
		connect(t, new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {requestInit: {headers: {connection: 'close'}}}) as Transport),
		{code: 401},
	);
	t.like((await (await overHttp(t, fakeIdentity(), {token: 'a-long-secret-token'})).listTools()).tools[0]!, {name: 'say'});
});

const message = (method: string, params: object = {}) => ({jsonrpc: '2.0', id: 1, method, params});
const accept = {accept: 'application/json, text/event-stream', 'content-type': 'application/json'};

test('over HTTP it refuses foreign origins, batches, large messages and other methods', async t => {
	const {ask} = await serve(t, fakeIdentity(), {cors: false, maxBodyBytes: 1000});
	t.is((await ask('POST', '/mcp', message('tools/list'), accept)).status, 200);
	t.is((await ask('POST', '/mcp', message('tools/list'), {...accept, origin: 'https://elsewhere.example'})).status, 403);
	t.like(await ask('POST', '/mcp', [message('tools/list')], accept), {
		status: 400,
		body: {detail: 'Send one message in a request, not a batch.'},
	});
	t.is(
		(await ask('POST', '/mcp', message('tools/call', {name: 'say', arguments: {text: 'x'.repeat(1000), source: 'Ben'}}), accept)).status,
		413,
	);
	t.is((await ask('POST', '/mcp', '{', accept)).status, 422);
	t.is((await ask('POST', '/mcp', {hello: 1}, accept)).status, 400);
	t.is((await ask('POST', '/mcp', message('tools/list'), {'content-type': 'application/json'})).status, 406);
	t.is((await ask('GET', '/mcp')).status, 405);
	t.like(await ask('POST', '/mcp', {jsonrpc: '2.0', method: 'notifications/initialized'}, accept), {status: 202, text: ''});
});

test('even with every origin allowed, MCP answers only pages of listed origins and of its own address', async t => {
	const anyone = await serve(t, fakeIdentity(), {cors: '*'});
	const statusOf = async ({ask}: typeof anyone, origin: string, path = '/mcp') =>
		(await ask('POST', path, message('tools/list'), {...accept, origin})).status;
	t.is(await statusOf(anyone, 'https://elsewhere.example'), 403);
	t.is(await statusOf(anyone, 'null'), 403, 'a sandboxed page');
	t.is(await statusOf(anyone, new URL(anyone.url).origin), 200);
	t.is((await anyone.ask('POST', '/mcp', message('tools/list'), accept)).status, 200, 'no origin');
	t.is(
		(await anyone.ask('POST', '/mcp', message('tools/list'), {
			...accept, origin: 'http://rebound.example', host: 'rebound.example',
		})).status,
		403,
		'a host name by DNS rebinding',
	);
	t.is(
		(await anyone.ask('POST', '/daemon/start', undefined, {origin: 'https://elsewhere.example'})).status,
		200,
		'the other endpoints stay open',
	);

	const listing = await serve(t, fakeIdentity(), {cors: ['https://app.example']});
	t.is(await statusOf(listing, 'https://app.example'), 200);
	t.is(await statusOf(listing, 'https://elsewhere.example'), 403);
});

const initialization = {protocolVersion: '2025-06-18', capabilities: {}, clientInfo: {name: 'a client', version: '1'}};

for (const [params, fault] of [
	[undefined, 'The parameters of initialize are wrong: protocolVersion is missing; capabilities is missing; clientInfo is missing.'],
	[{...initialization, protocolVersion: 5}, 'The parameters of initialize are wrong: protocolVersion must be a text, not 5.'],
	[{...initialization, capabilities: {roots: 5}}, 'The capabilities or the clientInfo of initialize are not those of the protocol.'],
] as const) {
	test(`initialize is refused with “${fault}”`, async t => {
		const {ask} = await serve(t, fakeIdentity());
		const {body} = await ask('POST', '/mcp', {jsonrpc: '2.0', id: 1, method: 'initialize', ...(params && {params})}, accept);
		t.deepEqual(body, {jsonrpc: '2.0', id: 1, error: {code: -32_602, message: fault}});
	});
}

test('long unknown names are truncated in errors', async t => {
	const {ask} = await serve(t, fakeIdentity());
	const long = 'x'.repeat(100_000);
	for (const [method, params] of [
		[long, {}], ['tools/call', {name: long}], ['resources/read', {uri: long}], ['prompts/get', {name: long}],
		['tools/call', {name: 'say', arguments: {text: 'a', source: 'Ben', [long]: 1}}],
	] as const) {
		const {text} = await ask('POST', '/mcp', message(method, params), accept);
		t.regex(text, /x{100,200}…/);
		t.true(text.length < 1000, `${text.length}`);
	}
});

test('over HTTP, a text may be as long as the tool accepts', async t => {
	const client = await overHttp(t, await makeIdentity(t));
	t.falsy((await client.callTool({name: 'say', arguments: {text: 'sea '.repeat(25_000), source: 'Ben'}})).isError);
});

test('a client that disconnects cancels its call', async t => {
	const asked = Promise.withResolvers<AbortSignal>();
	const identity = fakeIdentity({drift: async (_request: never, {signal}: {signal: AbortSignal}) => {
		asked.resolve(signal);
		return new Promise(() => {});
	}});
	const http = createHttp(identity);
	const leave = new AbortController();
	const response = http.fetch(new Request('http://localhost/mcp', {
		method: 'POST',
		headers: accept,
		body: JSON.stringify(message('tools/call', {name: 'drift', arguments: {}})),
		signal: leave.signal,
	}));
	const signal = await asked.promise;
	t.false(signal.aborted);
	leave.abort();
	await t.throwsAsync(response);
	await settle();
	t.true(signal.aborted);
});

test('over two streams, an invalid line is skipped, and the end of the input ends the server', async t => {
	const [input, output] = [new PassThrough(), new PassThrough()];
	const warnings: string[] = [];
	const {gone} = await serveStdio(fakeIdentity(), {input, output, warn: warning => {
		warnings.push(warning);
	}});
	input.write('{"hello": "there"}\n');
	input.end(`${JSON.stringify(message('ping'))}\n`);
	await gone;
	await settle();
	t.regex(warnings.join('\n'), /A message of the client could not be read/);
	t.deepEqual(JSON.parse(String(output.read())), {jsonrpc: '2.0', id: 1, result: {}});
});
