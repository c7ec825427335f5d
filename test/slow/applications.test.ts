/**
 * The applications of `examples/embedding`, with the package as users have it: packed, installed in an
 * empty project, type-checked, and run.
 */
import {execFile} from 'node:child_process';
import {cp, mkdir, mkdtemp, readdir, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {promisify} from 'node:util';
import test from 'ava';
import {build} from 'esbuild';
import {pack} from '../field/installed.ts';
import {root} from '../helpers/built-package.ts';
import {childEnvironment} from '../helpers/child-environment.ts';
import {isNetworked, networked} from '../helpers/registry.ts';
import {inBrowser, useBrowser} from '../inspector-page/browser.ts';
import {installRuntimes, workerdVersions} from '../runtimes/install.ts';
import {serveInWorkerd} from '../runtimes/workerd.ts';
import {pattern} from '../helpers/pattern.ts';

/** What applications install beside the package, `ai` and Koa's types among them. */
const others = ['ai', 'express', 'fastify', 'hono', '@types/deno', '@types/express', '@types/koa', '@types/node'];

const mounted = /^\/ → My own application\.\n\/identity\/cycle → state 1\n$/;

/** What each application for Node prints. */
const prints: Record<string, RegExp> = {
	'ai-sdk-agent.ts': pattern(
		/^> The sea is quiet today\.\nI was told: You say of yourself: This identity began at random; .*\n> Fire! Run!\n/,
		/I was told: .*\nstate 4 by mock-provider:pairs\n$/,
	),
	'before-and-after.ts': pattern(
		/^Before, the model is given: nothing\.\n> Shall we move to the sea\?\nWhy not\?\n\n/,
		/After 1200 texts of Viktor, the model is given: Your present leanings, .+:\n(?:- \w+ towards “.+” rather than “.+”\n){1,3}/,
		/> Shall we move to the sea\?\nAs one who leans to “.+”, I think first\.\n\n$/,
	),
	'chat-loop.ts': pattern(
		/^> The sea is quiet today\.\nThis identity began at random; .*\(State 1: a little more “.+”\.\)\n/,
		/(?:> .*\n.*\(State [35]: .*\)\n){2}$/,
	),
	'custom-encoder.ts': /^pairs-of-letters: state 1, dissonance \d\.\d\d\n$/,
	'express.ts': mounted,
	'fastify.ts': mounted,
	'hono.ts': mounted,
	'koa-mount.ts': mounted,
	'next-route.ts': /^\/identity\/cycle → state 1\n$/,
	'notice-drift.ts': new RegExp([
		'^State \\d+ is validated\\.\n(?:',
		'\nMy recent conversations have changed\\. Since .+',
		'\nMost of the alarm is by \\w+: .+',
		'\n(?:What I heard leans to “.+” by more than chance does\\.\n)*',
		'Is this who I should be\\? (?:no\nI no longer listen to Viktor|yes\nState \\d+ is validated)\\.\n){2}$',
	].join('')),
	'own-machine.ts': /\bpass 1\n/,
	'tenant-server.ts': /^(?:bakery: state [12], harbour: state 0\nstranger: ConfigurationError\n){2}$/,
	'tenants.ts': /^100 tenants; each takes \d+\.\d ms to start and \d+ KiB of memory\.\ntenant-1 continues at state 1\.\n$/,
	// Three calls, each with a text of both sides.
	'with-identity.ts': pattern(
		/^I know nothing of myself\.\nYour present leanings, .+:\n/,
		/(?:- \w+ towards “.+” rather than “.+”\n){1,3}The figures agree\.\nstate 1206\n$/,
	),
	// Twice the weight moves it about twice as far.
	'weigh-sources.ts': pattern(
		/^owner: (?:9[5-9]|100) of 100 texts moved it; without them it would be [6-9]\d mrad from here\.\n/,
		/guest: (?:4[7-9]|5[0-3]) of 300 texts moved it; without them it would be [34]\d mrad from here\.\n$/,
	),
};

/** Files that other tests below run; the last two are imported by applications. */
const elsewhere = ['deno.ts', 'own-root.ts', 'page.ts', 'worker.ts', 'harbour-talk.ts', 'pairs-of-letters.ts'];

const before = isNetworked ? test.before : test.before.skip;
const serial = isNetworked ? test.serial : test.serial.skip;
const execute = promisify(execFile);
const newPage = useBrowser();
let folder: string;

const fileOf = (name: string): string => path.join(folder, name);

/** Runs a program to its end, without a terminal. @returns what it printed. @throws when it fails */
const run = async (program: string, ...words: string[]): Promise<string> => {
	const running = execute(program, words, {
		cwd: folder,
		timeout: 600_000,
		env: {...childEnvironment, HOME: folder, DENO_NO_UPDATE_CHECK: '1'},
	});
	running.child.stdin!.end();
	return (await running).stdout;
};

const runInNode = async (...words: string[]): Promise<string> => run(process.execPath, ...words);

before('the package is packed and installed', async t => {
	t.timeout(900_000);
	folder = await mkdtemp(path.join(tmpdir(), 'processual-applications-'));
	const {filename} = await pack(folder);
	await cp(path.join(root, 'examples/embedding'), folder, {recursive: true});
	await writeFile(fileOf('package.json'), JSON.stringify({private: true, type: 'module'}));
	await execute('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts', filename, ...others], {cwd: folder});
});

test.after.always('the folder is removed', async () => {
	if (folder) {
		await rm(folder, {recursive: true, force: true});
	}
});

networked('every application has a test here', async t => {
	const files = (await readdir(path.join(root, 'examples/embedding'))).filter(name => name.endsWith('.ts'));
	t.deepEqual(files.toSorted(), [...Object.keys(prints), ...elsewhere].toSorted());
});

/** @returns the compiler's errors in these files and in this package, without those in other packages */
const compile = async (name: string, include: readonly string[], options: object): Promise<string[]> => {
	const configuration = fileOf(`tsconfig.${name}.json`);
	const compilerOptions = {target: 'es2024', strict: true, noEmit: true, skipLibCheck: false, ...options};
	await writeFile(configuration, JSON.stringify({compilerOptions, include}));
	const {stdout} = await execute(path.join(root, 'node_modules/.bin/tsc'), ['-p', configuration], {cwd: folder})
		.catch((error: {stdout: string}) => error);
	return stdout.split('\n').filter(line => line !== '' && !/^(?:\s|node_modules\/(?!processual-state\/))/.test(line));
};

for (const [name, options] of Object.entries({
	'as Node resolves modules': {module: 'nodenext'},
	'as bundlers resolve modules': {module: 'esnext', moduleResolution: 'bundler'},
})) {
	networked(`the applications and the package’s types compile ${name}`, async t => {
		t.deepEqual(await compile(options.module, ['*.ts'], {
			...options,
			lib: ['es2024', 'esnext.disposable', 'dom', 'dom.iterable'],
			types: ['node', 'deno'],
			allowImportingTsExtensions: true,
			erasableSyntaxOnly: true,
		}), []);
	});
}

const forPages = ['', '/actors', '/ai-sdk', '/client', '/embedding', '/inspection', '/kernel', '/language', '/sources', '/store', '/tools'];
const forNode = [...forPages, '/host', '/http', '/journal', '/kernel.wasm'];

for (const [name, {entries, ...options}] of Object.entries({
	'only those of Node': {entries: forNode, module: 'nodenext', lib: ['es2024'], types: ['node']},
	'only those of a page': {entries: forPages, module: 'esnext', moduleResolution: 'bundler', lib: ['es2022', 'dom'], types: []},
})) {
	networked(`the types of each entry need ${name}`, async t => {
		const place = `entries-${options.module}`;
		await mkdir(fileOf(place));
		const lines = entries.map((entry, n) => `export * as entry${n} from 'processual-state${entry}';\n`);
		await writeFile(fileOf(`${place}/entries.ts`), lines.join(''));
		t.deepEqual(await compile(place, [`${place}/*.ts`], options), []);
	});
}

for (const [file, expected] of Object.entries(prints)) {
	serial(`${file} prints what it should, and exits by itself`, async t => {
		const printed = await runInNode(file);
		t.regex(printed, expected);
		if (file === 'tenants.ts') {
			t.log(printed.trim());
		}
	});
}

serial('tenants.ts warns once that its identities begin at random', async t => {
	const {stderr} = await execute(process.execPath, ['tenants.ts', '3'], {cwd: folder, env: childEnvironment});
	t.is(stderr.match(/began with a random state/g)?.length, 1);
});

serial('own-root.ts persists its machine, and continues where it was after a restart', async t => {
	t.is(await runInNode('own-root.ts', 'agent'), 'heard 0, state 0\nheard 1, state 1\n');
	t.is(await runInNode('own-root.ts', 'agent'), 'heard 1, state 1\nheard 2, state 2\n');
});

serial('deno.ts serves in Deno, and keeps its state over a restart', async t => {
	const deno = (await installRuntimes()).Deno;
	t.is(await run(...deno, 'deno.ts', 'identity'), '/cycle → state 1\n');
	t.is(await run(...deno, 'deno.ts', 'identity'), '/cycle → state 2\n');
});

(isNetworked ? inBrowser : test.skip)('page.ts runs in a page, from a bundle with default settings', async t => {
	const {outputFiles: [script]} = await build({
		entryPoints: [fileOf('page.ts')],
		absWorkingDir: folder,
		bundle: true,
		format: 'esm',
		write: false,
		tsconfigRaw: {},
	});
	const page = await newPage(t);
	await page.route('https://page.test/**', async route => {
		await route.fulfill(route.request().url().endsWith('.js')
			? {contentType: 'text/javascript', body: script!.text}
			: {contentType: 'text/html', body: '<!doctype html><body><script type="module" src="/page.js"></script>'});
	});
	await page.goto('https://page.test/');
	await page.fill('input', 'The sea is quiet today.');
	await page.click('button');
	t.regex(await page.textContent('output:not(:empty)') ?? '', /^state 1, dissonance \d\.\d\d$/);
});

for (const version of workerdVersions) {
	serial(`worker.ts serves in workerd ${version}: JSON endpoints, errors and the event stream, but no pages`, async t => {
		const {url, end} = await serveInWorkerd(fileOf('worker.ts'), version);
		t.teardown(end);
		const ask = async (place: string, body?: string) => {
			const response = await fetch(`${url}/identity${place}`, body === undefined
				? {}
				: {method: 'POST', body, headers: {'content-type': 'application/json'}});
			return {status: response.status, type: response.headers.get('content-type'), text: await response.text()};
		};

		for (const place of ['/livez', '/readyz', '/health', '/state', '/vigilance', '/metrics', '/daemon/status', '/openapi.json']) {
			const {status, type} = await ask(place);
			t.deepEqual({status, type}, {status: 200, type: 'application/json; charset=utf-8'}, place);
		}

		const {body} = await fetch(`${url}/identity/events?types=cycle.done`);
		const events = body!.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]();
		t.regex((await events.next()).value!, /^retry: 2000\nid: \S+\n\n/);
		const cycle = await ask('/cycle', JSON.stringify({content: 'The sea is quiet today.'}));
		t.is((JSON.parse(cycle.text) as {state_id: number}).state_id, 1, cycle.text);
		for (let seen = ''; !seen.includes('event: cycle.done');) {
			seen += (await events.next()).value!;
		}

		await events.return!();
		t.is((await ask('/nowhere')).status, 404);
		t.regex((await ask('/cycle', '{"content": ')).text, /json_invalid/);
		t.regex((await ask('/cycle', '{"content": " "}')).text, /string_too_short/);
		const inspector = await ask('/inspector');
		t.is(inspector.status, 503);
		t.regex(inspector.text, /files of this page are missing/);
	});
}
