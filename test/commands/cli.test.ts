/** The command as a person uses it: a separate process, its output and its exit code. */
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdtemp, readdir, rm} from 'node:fs/promises';
import {createServer, type AddressInfo} from 'node:net';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import ava from 'ava';
import {readSettings} from '../../src/commands/read-settings.ts';
import {createLogger} from '../../src/commands/logging.ts';
import {serve} from '../../src/commands/serve.ts';
import {childEnvironment} from '../helpers/child-environment.ts';
import {cli} from '../helpers/cli.ts';
import {findFreePort} from '../helpers/find-free-port.ts';
import {run, runWithDefaults} from './run-command.ts';
import {serve as answerAll} from '../embedding/server.ts';
import {pattern} from '../helpers/pattern.ts';

const sample = (name: string): string => fileURLToPath(new URL(`../../examples/person/${name}`, import.meta.url));

/** One after another: each starts processes, and all at once would starve the machine. */
const test = ava.serial;

test('serve starts without settings, logs each step with its duration at debug level, answers, and stops cleanly on Ctrl-C', async t => {
	const {child, ended, lines, ready} = await runWithDefaults(t, ['serve', '--port', '0', '--log-level', 'debug']);
	const {port} = await ready();
	const steps = lines().filter(({milliseconds, step}) => step !== undefined && milliseconds !== undefined);
	t.deepEqual(steps.map(({step}) => step), [
		'model', 'journal', 'initialState', 'reference', 'vigilance', 'metrics', 'authority', 'translator', 'directions',
		'themes', 'calibration', 'genesis',
	]);
	t.true(steps.every(({milliseconds}) => milliseconds! >= 0));
	t.true(lines().some(({level, msg}) => level === 40 && msg.startsWith('No starting state was found')), 'a random identity is a warning');

	const health = await (await fetch(`http://127.0.0.1:${port}/health`)).json() as object;
	t.like(health, {status: 'ok', version: '0.7.0', state_id: 0, embedding_model: 'bundled:universal-sentence-encoder-lite-q8'});
	const profile = await (await fetch(`http://127.0.0.1:${port}/profile`)).json() as object;
	t.like(profile, {directions_count: 105, reference_similarity: 1});

	child.kill('SIGINT');
	const {code} = await ended;
	t.is(code, 0);
	t.is(lines().at(-1)!.msg, 'stopped');
});

test('a start logs in one line who can reach the service, and its CORS headers agree', async t => {
	const token = 'a-secret-of-the-operator';
	const cases = [
		[{}, /, open to every network of this machine \(HOST\), to pages of every origin \(ALLOWED_ORIGINS\), without a token/, 'true'],
		[
			{HOST: '127.0.0.1', AUTH_TOKEN: token},
			/, open to this machine only \(HOST\), to pages of every origin .*, with the token only/,
			null,
		],
		[
			{HOST: '127.0.0.1', AUTH_TOKEN: token, ALLOWED_ORIGINS: 'https://page.example'},
			/, open to .*, to pages of https:\/\/page\.example \(ALLOWED_ORIGINS\), with the token/,
			'true',
		],
	] as const;
	for (const [environment, line, credentials] of cases) {
		const {child, ended, lines, ready} = await run(t, ['serve', '--port', '0'], environment);
		const {port} = await ready();
		t.deepEqual(lines().filter(({msg}) => msg.includes('open to')).map(({msg}) => line.test(msg)), [true]);
		t.false(JSON.stringify(lines()).includes(token));
		const {headers} = await fetch(`http://127.0.0.1:${port}/livez`, {headers: {origin: 'https://page.example'}});
		t.is(headers.get('access-control-allow-origin'), 'https://page.example');
		t.is(headers.get('access-control-allow-credentials'), credentials);
		child.kill('SIGINT');
		await ended;
	}
});

test('a request in progress at SIGTERM is still answered', async t => {
	const {child, ended, ready} = await run(t, ['serve', '--port', '0']);
	const {port} = await ready();
	const answer = fetch(`http://127.0.0.1:${port}/cycle`, {
		method: 'POST',
		headers: {'content-type': 'application/json'},
		body: JSON.stringify({content: 'A long thought, over and over. '.repeat(60)}),
	});
	// The request is accepted once the daemon has its trigger.
	for (;;) {
		const {last_trigger: last} = await (await fetch(`http://127.0.0.1:${port}/daemon/status`)).json() as {last_trigger: object | null};
		if (last) {
			break;
		}
	}

	child.kill('SIGTERM');
	t.is((await answer).status, 200);
	t.is((await ended).code, 0);
});

test('the loop is off after a start, unless RESUME_DAEMON is set', async t => {
	for (const [environment, running] of [[{}, false], [{RESUME_DAEMON: 'true'}, true]] as const) {
		const {child, ended, ready} = await run(t, ['serve', '--port', '0'], environment);
		const {port} = await ready();
		const status = await (await fetch(`http://127.0.0.1:${port}/daemon/status`)).json() as object;
		t.like(status, {daemon_running: running, mode: running ? 'autonomous' : 'idle'});
		child.kill('SIGINT');
		await ended;
	}
});

test('after kill -9 the service resumes at the last acknowledged cycle', async t => {
	const folder = await mkdtemp(path.join(tmpdir(), 'processual-data-'));
	const first = await run(t, ['serve', '--port', '0', '--data-dir', folder]);
	const {port} = await first.ready();
	await fetch(`http://127.0.0.1:${port}/cycle`, {
		method: 'POST',
		headers: {'content-type': 'application/json'},
		body: '{"content": "Remember me."}',
	});
	const before = await (await fetch(`http://127.0.0.1:${port}/state`)).json();
	first.child.kill('SIGKILL');
	await first.ended;

	const second = await run(t, ['serve', '--port', '0', '--data-dir', folder]);
	const {port: again} = await second.ready();
	t.deepEqual(await (await fetch(`http://127.0.0.1:${again}/state`)).json(), before);
	second.child.kill('SIGINT');
	await second.ended;
});

const refuses = ava.macro({
	async exec(t, given: string[], environment: Record<string, string>, message: RegExp) {
		const {ended} = await run(t, given, environment);
		const {code, errors} = await ended;
		t.is(code, 1);
		t.regex(errors, message);
		t.notRegex(errors, /\n\s+at /, 'a message, no stack');
	},
	title: title => title ?? '',
});

test(
	'the error for an unknown option suggests the nearest one',
	refuses,
	['serve', '--prot', '1'],
	{},
	/unknown option '--prot'[^]*Did you mean --port/,
);
test('the error for an unknown command suggests the nearest one', refuses, ['serv'], {}, /unknown command 'serv'[^]*Did you mean serve/);
test('an invalid option value is refused with its setting', refuses, ['serve', '--port', 'x'], {}, /PORT must be a whole number/);
test(
	'an error in the arguments of a command refers to its help',
	refuses,
	['dry-run', 'Hello.', '--metadata', '{a'],
	{},
	/Give an object in JSON, such as [^]*\(try processual dry-run --help\)/,
);
test('an error of the file system is printed as a sentence, without a stack trace', async t => {
	const {code, errors} = await (await run(t, ['token', 'ada', '--rights', 'read', '--tokens-file', 'nowhere/tokens'])).ended;
	t.is(code, 1);
	t.regex(errors, /^The operating system refused: ENOENT: no such file.*, open 'nowhere\/tokens'\. Check that the path is right.*\n$/);
});

for (const words of [['fleet'], ['backup', 'copy.sqlite']]) {
	test(`${words[0]} names the address of a service that it cannot reach`, async t => {
		const url = `http://127.0.0.1:${await findFreePort()}`;
		const {code, errors} = await (await run(t, [...words, '--processual-url', url])).ended;
		t.is(code, 1);
		t.regex(errors, new RegExp(`^${url} cannot be reached: .*ECONNREFUSED[^]*\\.\n$`));
	});
}

test('a service that gives no backup says why', async t => {
	const answers = [[401, {detail: 'No.'}], [500, {detail: 'Configure the first model again.', code: 'configuration'}]] as const;
	for (const [status, body] of answers) {
		const url = await answerAll(t, (_request, response) => response.writeHead(status).end(JSON.stringify(body)));
		const {code, errors} = await (await run(t, ['backup', 'copy.sqlite', '--processual-url', url])).ended;
		t.deepEqual([code, errors], [
			1, status === 401 ? `The service at ${url} requires a token: set PROCESSUAL_TOKEN.\n` : `${body.detail}\n`,
		]);
	}
});

const onLinux = process.platform === 'linux' ? test : test.skip;
onLinux('output to a full disk is an error with a plain message', async t => {
	const folder = await mkdtemp(path.join(tmpdir(), 'full-output-'));
	t.teardown(async () => rm(folder, {recursive: true}));
	// doctor prints line by line.
	const child = spawn('sh', ['-c', '"$0" "$1" doctor > /dev/full', process.execPath, cli], {
		cwd: folder, stdio: ['ignore', 'ignore', 'pipe'], env: childEnvironment,
	});
	let errors = '';
	child.stderr.setEncoding('utf8').on('data', (text: string) => {
		errors += text;
	});
	t.deepEqual(await once(child, 'close'), [1, null]);
	t.regex(errors, /^The output could not be written: ENOSPC.*\. It is incomplete\.\n$/);
});

onLinux('a service whose log cannot be written still serves and stops', async t => {
	const port = await findFreePort();
	const folder = await mkdtemp(path.join(tmpdir(), 'full-log-'));
	t.teardown(async () => rm(folder, {recursive: true}));
	const words = [process.execPath, cli, 'serve', '--port', `${port}`, '--data-dir', folder];
	const child = spawn('sh', ['-c', 'exec "$0" "$@" > /dev/full', ...words], {stdio: 'ignore', env: childEnvironment});
	t.teardown(() => child.kill('SIGKILL'));
	const ended = once(child, 'close');
	const isReady = async () => fetch(`http://127.0.0.1:${port}/health`).then(({ok}) => ok, () => false);
	while (child.exitCode === null && !await isReady()) {
		await new Promise(setImmediate);
	}

	child.kill('SIGTERM');
	t.deepEqual(await ended, [0, null]);
});

test('an invalid choice is refused with the allowed ones', refuses, ['serve', '--kernel', 'gpu'], {}, /Allowed choices are auto, wasm, js/);
test(
	'an invalid value in the environment is refused with its setting',
	refuses,
	['serve'],
	{CYCLE_INTERVAL_SECONDS: 'soon'},
	/CYCLE_INTERVAL_SECONDS must be a number/,
);
test('probabilities that do not sum to 1 are refused', refuses, ['serve'], {PROB_CORPUS: '0.9'}, /must sum to 1, not to 1\.6/);
test(
	'a model that cannot be loaded stops the start',
	refuses,
	['serve', '--port', '0'],
	{EMBEDDING_MODEL: './no-such-model'},
	/“\.\/no-such-model” could not be loaded/,
);
test(
	'an unknown model name stops the start, and the error says what to set',
	refuses,
	['serve', '--port', '0'],
	{EMBEDDING_MODEL: 'nonsense'},
	/names no embedding model\. Set EMBEDDING_MODEL to bundled:/,
);
test(
	'an invalid address of the inspector stops the start',
	refuses,
	['serve', '--port', '0'],
	{INSPECTOR_URL: 'foo'},
	/INSPECTOR_URL needs the address of a WebSocket/,
);
for (const name of ['serve', 'reembed']) {
	test(
		`an invalid address of the store ends ${name}, even while the model loads`,
		refuses,
		[name, '--port', '0'],
		{WEAVIATE_URL: 'notaurl'},
		/WEAVIATE_URL must be/,
	);
}

const underProc = process.platform === 'linux' ? test : test.skip;
underProc(
	'a folder that cannot be created stops the start',
	refuses,
	['serve', '--port', '0'],
	{DATA_DIR: '/proc/nothing/of/ours'},
	/The journal \/proc\/nothing.*cannot be opened for writing\..*\(DATA_DIR\)/,
);
underProc('the log about a folder that cannot be created has no stack trace', async t => {
	const {output} = await (await run(t, ['serve', '--port', '0'], {DATA_DIR: '/proc/nothing/of/ours'})).ended;
	t.regex(output, /cannot find this service.*ENOENT/);
	t.notRegex(output, /stack/);
});
underProc(
	'a folder that cannot be created ends an import',
	refuses,
	['import', 'messages', sample('messages.csv')],
	{DATA_DIR: '/proc/nothing/of/ours'},
	/The messages in \/proc\/nothing.*cannot be used: ENOENT/,
);
test(
	'serve ends with a single message if a file that a setting names does not exist',
	refuses,
	['serve', '--port', '0'],
	{MESSAGES_FILE: 'typo.json'},
	/^MESSAGES_FILE is the file .*typo\.json, which does not exist\. Correct MESSAGES_FILE, or unset it\.\n$/,
);
for (const name of ['MESSAGES_FILE', 'PROFILE_FILE', 'DIRECTIONS_FILE', 'AUTHORITY_FILE']) {
	test(`serve does not start if ${name} does not exist or is a folder`, async t => {
		const logger = createLogger('silent', false);
		const startWith = async (value: string) => serve(readSettings({HOST: '127.0.0.1', PORT: '0', [name]: value}, {}, false), logger, false);
		await t.throwsAsync(
			startWith('typo.json'),
			{message: new RegExp(`^${name} is the file .*typo\\.json, which does not exist\\. Correct ${name}, or unset it\\.$`)},
		);
		await t.throwsAsync(startWith('.'), {message: new RegExp(`^${name} is the file .*, which is a folder\\.`)});
	});
}

test(
	'import refuses a file of another kind, and names the kind that it looks like',
	refuses,
	['import', 'thoughts', sample('messages.csv')],
	{},
	pattern(
		/messages\.csv does not look like thoughts: line 2 has conversation, title, deleted, role, created, like a message\. Import /,
		/it as messages; or, if it holds thoughts, give each entry “kind”: “thought”\. Nothing is imported\.\n$/,
	),
);
test(
	'an export is refused if there is nothing to export',
	refuses,
	['export', 'typo.jsonl', '--data-dir', 'nothere'],
	{},
	pattern(
		/^There is nothing to export: the store in nothere\/store\.sqlite and nothere\/messages\.sqlite are empty, and /,
		/nothere\/journal has no journal\. Set DATA_DIR/,
	),
);

test('a start that fails after opening its port closes it', async t => {
	const port = await findFreePort();
	const folder = await mkdtemp(path.join(tmpdir(), 'processual-failing-'));
	t.teardown(async () => rm(folder, {recursive: true}));
	// Settings check this address: adding it afterwards lets the start fail late.
	const settings = {...readSettings({HOST: '127.0.0.1', PORT: String(port), DATA_DIR: folder}, {}, false), INSPECTOR_URL: 'foo'};
	await t.throwsAsync(serve(settings, createLogger('silent', false), false), {message: /is not a WebSocket URL/});
	await t.throwsAsync(fetch(`http://127.0.0.1:${port}/livez`), {message: 'fetch failed'});
});

test('a port in use stops the start, and the error says what to do', async t => {
	const other = createServer().listen(0, '127.0.0.1');
	await once(other, 'listening');
	t.teardown(() => other.close());
	const {port} = other.address() as AddressInfo;
	const folder = await mkdtemp(path.join(tmpdir(), 'processual-refused-'));
	t.teardown(async () => rm(folder, {recursive: true}));
	const {ended} = await run(t, ['serve', '--host', '127.0.0.1', '--port', String(port), '--data-dir', folder]);
	const {code, errors} = await ended;
	t.is(code, 1);
	t.regex(errors, new RegExp(`Port ${port} on 127\\.0\\.0\\.1 is in use: .*set PORT to another`));
	t.deepEqual(await readdir(folder), [], 'no identity was created');
});

test('a request during the start is answered once the service is ready', async t => {
	const port = await findFreePort();
	const {ready} = await run(t, ['serve', '--host', '127.0.0.1', '--port', String(port)]);
	for (;;) {
		try {
			const health = await (await fetch(`http://127.0.0.1:${port}/health`)).json() as object;
			t.like(health, {status: 'ok', state_id: 0});
			break;
		} catch (error) {
			// Not bound yet.
			t.is((error as {cause?: {code?: string}}).cause?.code, 'ECONNREFUSED');
		}
	}

	await ready();
});

test('with REQUIRE_STORE, serve does not start if the store has no state', async t => {
	const {code, errors} = await (await run(t, ['serve', '--port', '0'], {REQUIRE_STORE: 'true'})).ended;
	t.is(code, 1);
	t.regex(errors, /REQUIRE_STORE.*has no state\..*processual import state/);
});

test('a node that other machines can reach needs ADVERTISED_URL', async t => {
	const {ended} = await run(t, ['serve', '--host', '0.0.0.0', '--port', '0'], {
		DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none', PEER_TOKEN: 'the-token-of-all-nodes', AUTH_TOKEN: 'the-token-of-all-clients',
	});
	const {code, errors} = await ended;
	t.is(code, 1);
	t.regex(errors, /set ADVERTISED_URL, for example http:/);
});
