/** The plugins: each compiles against the types of its host, and sends a conversation to a service. */
import {execFile, spawn} from 'node:child_process';
import {once} from 'node:events';
import {cp, mkdir, readFile, rm, symlink, writeFile} from 'node:fs/promises';
import {createRequire} from 'node:module';
import path from 'node:path';
import {text} from 'node:stream/consumers';
import {pathToFileURL} from 'node:url';
import {promisify} from 'node:util';
import type {ExecutionContext} from 'ava';
import test from 'ava';
import type {LocalIdentity} from '../../src/identity/identity.ts';
import {listenWith} from '../../src/agents/listen-with.ts';
import {startIdentity} from '../actors/fixtures.ts';
import {isBuilt, root, notBuilt} from '../helpers/built-package.ts';
import {patientEnvironment} from '../helpers/patient-listener.ts';
import {isNetworked, networked} from '../helpers/registry.ts';
import {serve} from '../http/service.ts';
import {createSqliteJournal} from '../../src/journal/sqlite/sqlite-journal.ts';
import {directions} from '../inspector-page/service.ts';
import {temporaryFolder} from '../journal/records.ts';
import {installBeside} from '../runtimes/install.ts';

const execute = promisify(execFile);

/** Only the types and the plugin entry of these are unpacked: with their dependencies they take a gigabyte. */
const unpacked = {
	'openclaw@2026.9.6': ['package/dist/*.d.ts', 'package/dist/*.mjs', 'package/dist/plugin-sdk/plugin-entry.*'],
	'n8n-workflow@2.41.0': ['package/dist/*'],
};

let folder: string;

const unpack = async (name: string, patterns: readonly string[]): Promise<void> => {
	const to = path.join(folder, 'node_modules', name.split('@')[0]!);
	await rm(to, {recursive: true, force: true});
	await mkdir(to, {recursive: true});
	const {stdout} = await execute('npm', ['pack', name, '--silent', '--pack-destination', to], {cwd: folder});
	const tarball = path.join(to, stdout.trim().split('\n').at(-1)!);
	await execute('tar', ['-xzf', tarball, '-C', to, '--strip-components=1', '--wildcards', 'package/package.json', ...patterns]);
	await rm(tarball);
};

test.before('the hosts are installed beside the plugins', async t => {
	t.timeout(600_000);
	if (isNetworked) {
		t.true(await isBuilt(), notBuilt);
		folder = await installBeside('agent-hosts', {
			'@langchain/core': '1.4.0', '@langchain/langgraph': '1.7.3', '@anthropic-ai/claude-agent-sdk': '0.3.332', 'zod': '4',
		});
		await Promise.all(Object.entries(unpacked).map(async ([name, patterns]) => unpack(name, patterns)));
		await rm(path.join(folder, 'node_modules/processual-state'), {force: true});
		await symlink(root, path.join(folder, 'node_modules/processual-state'));
		await cp(path.join(root, 'plugins'), path.join(folder, 'plugins'), {recursive: true});
	}
});

networked('each plugin compiles against the published types of its host', async t => {
	await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify({
		compilerOptions: {
			strict: true, checkJs: true, noEmit: true, skipLibCheck: true,
			module: 'nodenext', target: 'es2024', lib: ['es2024', 'dom', 'dom.iterable'],
			types: ['node'], typeRoots: [path.join(root, 'node_modules/@types')],
		},
		include: ['plugins/**/*.js', 'plugins/**/*.cjs'],
	}));
	const tsc = path.join(root, 'node_modules/.bin/tsc');
	const {stdout} = await execute(tsc, ['-p', folder]).catch((error: {stdout: string}) => error);
	t.is(stdout, '');
	const file = path.join(folder, 'plugins/openclaw/index.js');
	const wrong = (await readFile(file, 'utf8')).replace('{appendSystemContext}', '{appendSystem: 1}');
	await writeFile(file, wrong);
	const {stdout: found} = await execute(tsc, ['-p', folder]).catch((error: {stdout: string}) => error);
	await cp(path.join(root, 'plugins/openclaw/index.js'), file);
	t.regex(found, /appendSystem/, 'a field that the host does not know is found');
});

/** Serves an identity with a journal. */
const serveJournaled = async (t: ExecutionContext): Promise<{url: string; identity: LocalIdentity}> => {
	const {identity} = await startIdentity({journal: createSqliteJournal({folder: await temporaryFolder(t)}), directions});
	return {...await serve(t, identity), identity};
};

const load = async <Module>(name: string): Promise<Module> =>
	await import(pathToFileURL(path.join(folder, 'plugins', name)).href) as Module;

/** The source and the text of each cycle. */
const heardBy = async (identity: LocalIdentity): Promise<unknown[]> => {
	const {points} = await identity.history();
	return points.slice(1).map(({source, content}) => [source, content]);
};

const talk = [['Ben', 'How was your morning?'], ['self', 'Quiet, by the sea.']];

/** Runs the hook of Claude Code as it does, and gives what it reads. */
const runHook = async (t: ExecutionContext, environment: object, event: object | string, args: string[] = []): Promise<object> => {
	const hook = spawn(process.execPath, [...args, path.join(folder, 'plugins/claude-code/hook.js')], {
		env: {...patientEnvironment, ...environment}, stdio: ['pipe', 'pipe', 'inherit'],
	});
	hook.stdin.end(typeof event === 'string' ? event : JSON.stringify({session_id: 'session-1', transcript_path: '', cwd: '/', ...event}));
	const [printed, [code]] = await Promise.all([text(hook.stdout), once(hook, 'close')]);
	t.is(code, 0, 'Claude Code reads the output of a hook that succeeds');
	return JSON.parse(printed) as object;
};

const submitted = (prompt: string, source?: string) => ({hook_event_name: 'UserPromptSubmit', prompt, source});

networked('Claude Code: the hook sends a prompt with its source, and the answer as the agent’s own', async t => {
	const {url, identity} = await serveJournaled(t);
	const run = async (event: object) =>
		runHook(t, {PROCESSUAL_URL: url, PROCESSUAL_TOKEN: '', IDENTITY: '', SOURCE: 'Ben'}, event);
	t.deepEqual(await run(submitted('How was your morning?', 'user')), {}, 'nothing stands out');
	await run({hook_event_name: 'Stop', stop_hook_active: false, last_assistant_message: 'Quiet, by the sea.'});
	t.deepEqual(await heardBy(identity), talk);
	await run(submitted('Check the mail.', 'schedule_wakeup'));
	t.deepEqual((await heardBy(identity)).at(-1), ['schedule_wakeup', 'Check the mail.']);
	await run(submitted('And your evening?', 'sdk'));
	t.deepEqual((await heardBy(identity)).at(-1), ['Ben', 'And your evening?'], '`claude -p` is a person’s');
});

networked('Claude Code: the hook hears no report of a background task as the person', async t => {
	const {url, identity} = await serveJournaled(t);
	const notice = '<task-notification>\n<task-id>a39</task-id>\n<result>The subagent saw the sea.</result>\n</task-notification>';
	await runHook(t, {PROCESSUAL_URL: url, SOURCE: 'Ben'}, submitted(notice));
	t.deepEqual(await heardBy(identity), []);
});

for (const [name, environment, event] of [
	['an invalid address', {PROCESSUAL_URL: 'localhost:8100'}, '{}'],
	['an event that is not JSON', {}, '{nope'],
	['an unreachable service', {PROCESSUAL_URL: 'http://127.0.0.1:9'}, submitted('Sea')],
] as const) {
	networked(`Claude Code: its user is shown one sentence for ${name}`, async t => {
		const {systemMessage, ...rest} = await runHook(t, environment, event) as {systemMessage: string};
		t.regex(systemMessage, /^The identity was left out of a conversation: .+$/);
		t.deepEqual(rest, {});
	});
}

networked('Claude Code: for a wrong token, the hook names PROCESSUAL_TOKEN', async t => {
	const {identity} = await startIdentity();
	const {url} = await serve(t, identity, {token: 'a-long-secret'});
	t.deepEqual(await runHook(t, {PROCESSUAL_URL: url, PROCESSUAL_TOKEN: 'a-wrong-secret'}, submitted('Sea')), {
		systemMessage: 'The identity was left out of a conversation: The service requires a token: set PROCESSUAL_TOKEN.',
	});
});

networked('Claude Code: the hook hears a user without a name, as in a container', async t => {
	const {url, identity} = await serveJournaled(t);
	const nameless = 'import os from "node:os"; import {syncBuiltinESMExports} from "node:module";'
		+ 'os.userInfo = () => { throw new Error("ENOENT"); }; syncBuiltinESMExports();';
	const args = ['--import', `data:text/javascript,${nameless}`];
	await runHook(t, {PROCESSUAL_URL: url, SOURCE: ''}, submitted('How was your morning?'), args);
	t.deepEqual(await heardBy(identity), [['user', 'How was your morning?']]);
});

networked('OpenClaw: the hooks send a received message and the answer of the run', async t => {
	const {url, identity} = await serveJournaled(t);
	type Entry = {id: string; register: (api: object) => void};
	const {default: entry} = await load<{default: Entry}>('openclaw/index.js');
	const hooks = new Map<string, (event: object, context: object) => Promise<unknown>>();
	const on = (name: string, hook: (event: object, context: object) => Promise<unknown>) => hooks.set(name, hook);
	entry.register({pluginConfig: {baseUrl: url, identity: '', token: ''}, on});
	t.deepEqual([...hooks.keys()], ['message_received', 'before_prompt_build', 'agent_end']);
	const context = {channelId: 'discord', sessionKey: 'agent:main:discord:1', sessionId: 's'};
	await hooks.get('message_received')!({from: 'discord:7', senderId: 'Ben', content: 'How was your morning?'}, context);
	t.is(await hooks.get('before_prompt_build')!({prompt: '', messages: []}, context), undefined, 'nothing stands out');
	await hooks.get('agent_end')!({success: true, messages: [
		{role: 'assistant', content: [{type: 'text', text: 'What was said before.'}]},
		{role: 'user', content: 'How was your morning?'},
		{role: 'assistant', content: [{type: 'toolCall', name: 'weather'}]},
		{role: 'toolResult', content: [{type: 'text', text: '12 °C'}]},
		{role: 'assistant', content: [{type: 'text', text: 'Quiet, by the sea.'}]},
	]}, context);
	t.deepEqual(await heardBy(identity), talk);
});

networked('LangChain and LangGraph: a callback and graph nodes send both sides of a conversation', async t => {
	const {url, identity} = await serveJournaled(t);
	const program = path.join(folder, 'graph.js');
	await writeFile(program, `
		import {FakeListChatModel} from '@langchain/core/utils/testing';
		import {HumanMessage} from '@langchain/core/messages';
		import {END, MessagesAnnotation, START, StateGraph} from '@langchain/langgraph';
		import {connectIdentity} from 'processual-state/client';
		import {listenWith} from 'processual-state/tools';
		import {IdentityCallback, identityNodes} from './plugins/langchain/index.js';

		const listener = listenWith(connectIdentity({baseUrl: '${url}'}));
		const model = new FakeListChatModel({responses: ['Quiet, by the sea.']});
		const {hear, speak, instruct} = identityNodes(listener);
		const graph = new StateGraph(MessagesAnnotation)
			.addNode('hear', hear)
			.addNode('model', async ({messages}) => ({messages: [await model.invoke(await instruct(messages))]}))
			.addNode('speak', speak)
			.addEdge(START, 'hear').addEdge('hear', 'model').addEdge('model', 'speak').addEdge('speak', END)
			.compile();
		await graph.invoke({messages: [new HumanMessage('How was your morning?')]}, {configurable: {thread_id: 7, source: 'Ben'}});
		const callback = new IdentityCallback(listener, {source: 'Ben', conversation: 'Tuesday'});
		await model.invoke([new HumanMessage('How was your morning?')], {callbacks: [callback]});
	`);
	await execute(process.execPath, [program], {env: patientEnvironment});
	t.deepEqual(await heardBy(identity), [...talk, ...talk]);
	const {sources} = await identity.sources();
	t.like(sources.find(({source}) => source === 'Ben'), {texts: 2, conversations: 2});
});

networked('LangChain: text beside thinking and of an aborted stream is sent, not structured output; instructions are joined', async t => {
	const program = path.join(folder, 'words.js');
	await writeFile(program, `
		import {AIMessage, HumanMessage, SystemMessage} from '@langchain/core/messages';
		import {FakeChatModel, FakeListChatModel} from '@langchain/core/utils/testing';
		import {IdentityCallback, identityNodes} from './plugins/langchain/index.js';

		const heard = [];
		const keep = async said => {
			heard.push(said);
		};
		const listener = {describe: async () => 'You lean to the sea.', hear: keep, speak: keep};
		// As @langchain/anthropic returns an answer of several parts.
		class Thinking extends FakeChatModel {
			async _generate() {
				const content = [{type: 'thinking', thinking: 'Which sea?'}, {type: 'text', text: 'Quiet, by the sea.'}];
				return {generations: [{text: '', message: new AIMessage({content})}]};
			}
		}
		const callbacks = [new IdentityCallback(listener)];
		await new Thinking({}).invoke('How was your morning?', {callbacks});
		// What \`withStructuredOutput\` passes.
		const asked = {callbacks, ls_structured_output_format: {kwargs: {method: 'json_schema'}, schema: {}}};
		await new FakeListChatModel({responses: ['{"mood": "calm"}']}).invoke('What is your mood?', asked);
		// What an agent with \`responseFormat\` passes.
		const wanted = {callbacks, response_format: {type: 'json_schema', json_schema: {}}};
		await new FakeListChatModel({responses: ['{"mood": "calm"}']}).invoke('And your mood now?', wanted);
		const stop = new AbortController();
		const model = new FakeListChatModel({responses: ['Quiet'], sleep: 1});
		const stream = await model.stream('And your evening?', {callbacks, signal: stop.signal});
		await stream.next();
		// Each model and agent reports an abort with another error.
		stop.abort(new Error('Ben pressed stop.'));
		await stream.next().catch(() => {});
		const messages = await identityNodes(listener).instruct([new SystemMessage('Be kind.'), new HumanMessage('Hello')]);
		// The aborted model ends after its reader.
		process.once('exit', () => console.log(JSON.stringify({heard, messages: messages.map(({text}) => text)})));
	`);
	const {stdout} = await execute(process.execPath, [program], {env: patientEnvironment});
	const {heard, messages} = JSON.parse(stdout) as {heard: string[]; messages: string[]};
	const [stopped] = heard.splice(7, 1);
	t.deepEqual(heard, [
		'How was your morning?', 'Quiet, by the sea.', 'What is your mood?', '', 'And your mood now?', '', 'And your evening?',
	]);
	t.regex(stopped!, /^Q/);
	t.deepEqual(messages, ['Be kind.\n\nYou lean to the sea.', 'Hello']);
});

type Fields = Record<string, unknown>;
type Item = {json: object; binary?: object; pairedItem?: object};

/**
 * Runs the node as n8n does.
 *
 * @param given The fields of each item, as their expressions say. An error is that of an expression.
 * @returns the items of the output, the lines of the log, and the hints that the editor shows
 */
const runN8nNode = async (
	given: Fields[], access: {baseUrl: string; token?: string}, {input, stop}: {input?: Item[]; stop?: AbortSignal} = {},
) => {
	const {ProcessualState} = createRequire(path.join(folder, 'plugins/n8n/'))('./ProcessualState.node.cjs') as {
		ProcessualState: new () => {execute: (this: object) => Promise<Item[][]>};
	};
	const [logged, hints]: [string[], string[]] = [[], []];
	const [items] = await new ProcessualState().execute.call({
		getInputData: () => input ?? given.map(() => ({json: {}})),
		getCredentials: async () => ({token: '', ...access}),
		getNodeParameter(name: string, index: number, standard: unknown) {
			const value = name in given[index]! ? given[index]![name] : standard;
			if (value instanceof Error) {
				throw value;
			}

			return value;
		},
		getExecutionCancelSignal: () => stop,
		addExecutionHints: (hint: {message: string}) => hints.push(hint.message),
		logger: {warn: (line: string) => logged.push(line)},
	});
	return {items, logged, hints};
};

networked('n8n: each item is sent as its parameters say, and output with a field identity', async t => {
	const {url, identity} = await serveJournaled(t);
	const given = talk.map(([source, said]) => ({text: said, source, isOwn: source === 'self', conversation: 'Monday'}));
	const {items} = await runN8nNode(given, {baseUrl: url}, {input: given.map((_, n) => ({json: {n}}))});
	t.deepEqual(items!.map(({json}) => json), [{n: 0, identity: null}, {n: 1, identity: null}] as never);
	t.deepEqual(await heardBy(identity), talk);
});

networked('n8n: a field that is missing is neither heard nor taken for a name', async t => {
	const {url, identity} = await serveJournaled(t);
	await runN8nNode([{text: null}, {text: undefined}, {text: 'The sea.', source: null}], {baseUrl: url});
	t.deepEqual(await heardBy(identity), [['user', 'The sea.']]);
});

networked('n8n: the files of an item pass through', async t => {
	const {url} = await serveJournaled(t);
	const binary = {photo: {data: 'aGVsbG8=', mimeType: 'image/png'}};
	const {items} = await runN8nNode([{text: 'The sea.'}], {baseUrl: url}, {input: [{json: {n: 0}, binary}]});
	t.deepEqual(items, [{json: {n: 0, identity: null}, binary, pairedItem: {item: 0}}]);
});

networked('n8n: only the token of the credential is sent', async t => {
	const {identity} = await startIdentity({directions});
	const {url} = await serve(t, identity, {token: 'a-long-secret'});
	const run = async (environment: object, token: string): Promise<unknown> => JSON.parse((await execute(process.execPath, ['--eval', `
		const {ProcessualState} = require('./ProcessualState.node.cjs');
		const hints = [];
		new ProcessualState().execute.call({
			getInputData: () => [{json: {}}],
			getCredentials: async () => ({baseUrl: '${url}', token: '${token}'}),
			getNodeParameter: (name, index, standard) => name === 'text' ? 'The sea.' : standard,
			getExecutionCancelSignal: () => undefined,
			addExecutionHints: hint => hints.push(hint.message),
			logger: {warn: () => {}},
		}).then(() => console.log(JSON.stringify(hints)));
	`], {cwd: path.join(folder, 'plugins/n8n'), env: {...patientEnvironment, ...environment}})).stdout);
	const hint = 'The service requires its token: set it in the credential.';
	t.deepEqual(await run({PROCESSUAL_TOKEN: 'a-long-secret'}, ''), [`The identity was left out of 1 of 1 texts: ${hint}`]);
	t.deepEqual(await run({}, 'a-long-secret'), []);
	t.is(identity.state().stateId, 1);
});

networked('n8n: the editor and the log say why an identity was left out', async t => {
	const {url, identity} = await serveJournaled(t);
	const given = [{text: 'The sea.'}, {text: {said: 'The sea.'}}, {text: 'The sea.', source: 'n'.repeat(201)}];
	const {items, logged, hints} = await runN8nNode(given, {baseUrl: url});
	t.is(items!.length, 3, 'all items pass through');
	const reasons = [
		'Text is an object, not a text: check its expression.', 'The source of a cycle must be a text of at most 200 characters.',
	];
	t.deepEqual(logged, reasons.map(reason => `The identity was left out of a conversation: ${reason}`));
	t.deepEqual(hints, [`The identity was left out of 2 of 3 texts: ${reasons[0]}`]);
	t.deepEqual(await heardBy(identity), [['user', 'The sea.']]);
	const {hints: [ofAddress]} = await runN8nNode([{text: 'The sea.'}], {baseUrl: 'localhost:8100'});
	t.regex(ofAddress!, /^The identity was left out of 1 of 1 texts: baseUrl must be/);
});

networked('n8n: a wrong expression fails before a text is heard, so that a retry hears none twice', async t => {
	const {url, identity} = await serveJournaled(t);
	const wrong = new Error('Referenced node doesn’t exist');
	await t.throwsAsync(runN8nNode([{text: 'The sea.'}, {text: wrong}], {baseUrl: url}), {is: wrong});
	t.deepEqual(await heardBy(identity), []);
});

networked('n8n: a stopped execution hears nothing more', async t => {
	const {url, identity} = await serveJournaled(t);
	await runN8nNode([{text: 'The sea.'}], {baseUrl: url}, {stop: AbortSignal.abort()});
	t.deepEqual(await heardBy(identity), []);
});

networked('n8n: the address is beside the token, and no node with another address takes it', t => {
	const loadPart = createRequire(path.join(folder, 'plugins/n8n/'));
	const {ProcessualStateApi} = loadPart('./ProcessualStateApi.credentials.cjs') as {ProcessualStateApi: new () => {
		name: string; properties: Array<{name: string}>; restrictToSupportedNodes: boolean;
	}};
	const {ProcessualState} = loadPart('./ProcessualState.node.cjs') as {ProcessualState: new () => {
		description: {credentials: Array<{name: string}>; properties: Array<{name: string}>};
	}};
	const {name, properties, restrictToSupportedNodes} = new ProcessualStateApi();
	t.deepEqual(properties.map(property => property.name), ['baseUrl', 'token']);
	t.true(restrictToSupportedNodes);
	const {description} = new ProcessualState();
	t.like(description.credentials, [{name}]);
	t.deepEqual(description.properties.map(property => property.name), ['text', 'isOwn', 'source', 'conversation', 'identity']);
});

networked('n8n: the package has the files that it names, and the icon is in a folder, without which n8n serves none', async t => {
	const at = path.join(folder, 'plugins/n8n');
	const {n8n} = JSON.parse(await readFile(path.join(at, 'package.json'), 'utf8')) as {n8n: Record<'nodes' | 'credentials', string[]>};
	for (const file of [...n8n.nodes, ...n8n.credentials]) {
		const [name] = file.split('.');
		const parts = createRequire(`${at}/`)(`./${file}`) as Record<string, new () => {icon?: string; description?: {icon: string}}>;
		const {icon, description} = new parts[name!]!();
		const [, ofIcon] = /^file:(\w+\/\w+\.svg)$/.exec(icon ?? description!.icon) ?? [];
		t.regex(await readFile(path.join(at, ofIcon!), 'utf8'), /^<svg/);
	}
});

test('a listener ignores blank text, and reports errors of the identity instead of throwing', async t => {
	const {identity} = await startIdentity();
	const errors: unknown[] = [];
	const listener = listenWith(identity, {onError: error => errors.push(error)});
	await listener.hear('  ');
	t.deepEqual(errors, []);
	await listener.hear(undefined as never);
	t.is(identity.state().stateId, 0);
	await identity.dispose();
	await listener.hear('The sea.');
	t.is(await listener.describe(), null);
	t.is(errors.length, 3);
});
