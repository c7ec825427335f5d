/** `processual mcp` and `processual tools`, as a client starts them. */
import {execFile} from 'node:child_process';
import {once} from 'node:events';
import {mkdtemp, writeFile} from 'node:fs/promises';
import {createServer, type AddressInfo} from 'node:net';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {promisify} from 'node:util';
import {Client} from '@modelcontextprotocol/sdk/client/index.js';
import {StdioClientTransport} from '@modelcontextprotocol/sdk/client/stdio.js';
import test, {type ExecutionContext} from 'ava';
import {toolDefinitions, toolFormats} from '../../src/agents/tools/tool-definitions.ts';
import {startIdentity} from '../actors/fixtures.ts';
import {childEnvironment} from '../helpers/child-environment.ts';
import {cli} from '../helpers/cli.ts';
import {serve} from '../http/service.ts';

const execute = promisify(execFile);
const makeFolder = async (): Promise<string> => mkdtemp(path.join(tmpdir(), 'mcp-'));

type Started = {client: Client; errors: () => string; close: () => Promise<void>};

/** Starts the command as a desktop client does. */
const start = async (t: ExecutionContext, folder: string, environment: Record<string, string> = {}): Promise<Started> => {
	const transport = new StdioClientTransport({
		command: process.execPath,
		args: [cli, 'mcp', ...('PROCESSUAL_URL' in environment ? [] : ['--data-dir', folder])],
		env: {...childEnvironment, ...environment} as Record<string, string>,
		cwd: folder,
		stderr: 'pipe',
	});
	let errors = '';
	transport.stderr!.on('data', (text: Buffer) => {
		errors += String(text);
	});
	const client = new Client({name: 'test', version: '1'});
	// Any other output would be a protocol error.
	Object.assign(client, {
		onerror(error: Error) {
			t.fail(String(error));
		},
	});
	await client.connect(transport);
	t.teardown(() => client.close());
	return {client, errors: () => errors, close: () => client.close()};
};

type Called = {isError?: boolean; content: Array<{text: string}>; structuredContent?: Record<string, unknown>};

const call = async ({client}: Started, name: string, input: Record<string, unknown> = {}): Promise<Called> =>
	await client.callTool({name, arguments: input}) as Called;

const say = async (started: Started, text: string): Promise<Called> => call(started, 'say', {text, source: 'Ben'});

test('without a running service, mcp opens the identity of its settings, locks it and keeps it', async t => {
	const folder = await makeFolder();
	const first = await start(t, folder);
	t.like((await say(first, 'The sea is quiet.')).structuredContent!, {state_id: 1});
	t.regex(first.errors(), /new journal/);

	const second = execute(process.execPath, [cli, 'mcp', '--data-dir', folder], {env: childEnvironment});
	const {code, stdout, stderr} = await t.throwsAsync<Error & {code: number; stdout: string; stderr: string}>(second);
	t.is(code, 1);
	t.is(stdout, '');
	t.regex(stderr, /is in use by another process.*run processual serve, and set PROCESSUAL_URL to its address/);

	await first.close();
	const again = await start(t, folder);
	t.like((await say(again, 'It is still.')).structuredContent!, {state_id: 2});
	const {parts} = (await call(again, 'why')).structuredContent as {parts: Array<{key: string; texts: number}>};
	t.like(parts.find(({key}) => key === 'Ben')!, {texts: 2});
});

test('the error for an unusable journal that no process uses does not suggest to share it', async t => {
	const folder = await makeFolder();
	await writeFile(path.join(folder, 'journal'), '');
	const failed = execute(process.execPath, [cli, 'mcp', '--data-dir', folder], {env: childEnvironment});
	const {stderr} = await t.throwsAsync<Error & {stderr: string}>(failed);
	t.regex(stderr, /a file of that name is in the way\..* Nothing that was acknowledged is lost\.\n$/);
});

test('calls during the start are answered once it has finished', async t => {
	const started = await start(t, await makeFolder());
	const [who, {contents: [state]}] = await Promise.all([
		call(started, 'who_am_i'),
		started.client.readResource({uri: 'processual://state'}),
	]);
	t.like(who.structuredContent!, {state_id: 0, begun_at_random: true, stands_out: [], summary: 'Nothing in this state stands out.'});
	t.like(JSON.parse((state as {text: string}).text), {state_id: 0});
});

test('calls before the end of the input are answered', async t => {
	const folder = await makeFolder();
	const child = execute(process.execPath, [cli, 'mcp', '--data-dir', folder], {env: childEnvironment});
	child.child.stdin!.end([
		{
			jsonrpc: '2.0',
			id: 1,
			method: 'initialize',
			params: {protocolVersion: '2025-06-18', capabilities: {}, clientInfo: {name: 'test', version: '1'}},
		},
		{jsonrpc: '2.0', method: 'notifications/initialized'},
		{jsonrpc: '2.0', id: 2, method: 'tools/call', params: {name: 'say', arguments: {text: 'The sea is quiet.', source: 'Ben'}}},
	].map(message => `${JSON.stringify(message)}\n`).join(''));
	const {stdout} = await child;
	const answers = stdout.trimEnd().split('\n').map(line => JSON.parse(line) as {id: number; result: {structuredContent?: object}});
	t.deepEqual(answers.map(({id}) => id), [1, 2]);
	t.like(answers[1]!.result.structuredContent!, {state_id: 1});
});

test('with PROCESSUAL_URL, mcp uses that service, with PROCESSUAL_TOKEN', async t => {
	const {identity} = await startIdentity();
	t.teardown(() => identity.dispose());
	const {url} = await serve(t, identity, {token: 'a-long-secret-token'});
	const folder = await makeFolder();
	const right = await start(t, folder, {PROCESSUAL_URL: url, PROCESSUAL_TOKEN: 'a-long-secret-token'});
	t.like((await say(right, 'The sea is quiet.')).structuredContent!, {state_id: 1});
	t.is(identity.state().stateId, 1);
	const wrong = await start(t, folder, {PROCESSUAL_URL: url});
	t.like(await say(wrong, 'The sea is quiet.'), {
		isError: true,
		content: [{text: `The service at ${url} requires a token: set PROCESSUAL_TOKEN.`}],
	});
	t.is(identity.state().stateId, 1);
});

test('a call to a service that cannot be reached is an error', async t => {
	const gone = createServer().listen(0, '127.0.0.1');
	await once(gone, 'listening');
	const {port} = gone.address() as AddressInfo;
	gone.close();
	const started = await start(t, await makeFolder(), {PROCESSUAL_URL: `http://127.0.0.1:${port}`});
	const {isError, content} = await say(started, 'The sea is quiet.');
	t.true(isError);
	t.regex(content[0]!.text, /^http:\/\/127\.0\.0\.1:\d+ cannot be reached.* Start it with processual serve, or correct the address\.$/);
});

test('tools prints the definitions in every format, and refuses unknown formats', async t => {
	for (const format of toolFormats) {
		const {stdout} = await execute(process.execPath, [cli, 'tools', '--format', format], {env: childEnvironment});
		t.deepEqual(JSON.parse(stdout), toolDefinitions(format));
	}

	t.like(await t.throwsAsync(execute(process.execPath, [cli, 'tools', '--format', 'gemini'], {env: childEnvironment})), {
		code: 1,
		stderr: 'The formats of tools are anthropic, openai, openai-chat, not “gemini”.\n',
	});
});
