/** The interface in workerd, the runtime of Cloudflare's workers, with its compatibility flag for Node's modules. */
import {execFile, spawn} from 'node:child_process';
import {once} from 'node:events';
import {glob, mkdir, mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {createInterface} from 'node:readline';
import type {Readable} from 'node:stream';
import {promisify} from 'node:util';
import test from 'ava';
import {build} from 'esbuild';
import {isBuilt, root, wayOut} from '../helpers/embedding-examples.ts';

/** The binary is in a package of its own, so no script needs to run. */
const install = async (): Promise<string> => {
	const folder = path.join(root, 'node_modules/.cache/processual-state/workerd');
	await mkdir(folder, {recursive: true});
	await writeFile(path.join(folder, 'package.json'), JSON.stringify({private: true, dependencies: {workerd: '1.20261117.1'}}));
	await promisify(execFile)('npm', ['install', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'], {cwd: folder});
	for await (const file of glob('node_modules/@cloudflare/workerd-*/bin/workerd', {cwd: folder})) {
		return path.join(folder, file);
	}

	throw new Error('npm has no workerd for this machine.');
};

const configuration = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
	services = [(name = "main", worker = .main)],
	sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
const main :Workerd.Worker = (
	modules = [(name = "worker.js", esModule = embed "worker.js")],
	compatibilityDate = "2026-07-01",
	compatibilityFlags = ["nodejs_compat"],
	durableObjectNamespaces = [(className = "Keeper", uniqueKey = "keeper")],
	durableObjectStorage = (inMemory = void),
	bindings = [(name = "KEEPER", durableObjectNamespace = "Keeper")],
);
`;

/** As Wrangler bundles: with a page's files of ours, and Node's modules left to the runtime. */
const bundle = async (outfile: string): Promise<void> => {
	await build({
		absWorkingDir: root,
		entryPoints: ['test/runtimes/in-a-worker.ts'],
		outfile,
		bundle: true,
		format: 'esm',
		platform: 'browser',
		conditions: ['workerd', 'worker', 'browser'],
		external: ['node:*'],
		banner: {js: 'import {createRequire as requireOf} from \'node:module\'; const require = requireOf(\'/\');'},
		plugins: [{
			name: 'node',
			setup({onResolve}) {
				onResolve({filter: /^(?:assert|async_hooks|buffer|cluster|crypto|events|fs|http|net|os|path|perf_hooks|process|querystring|stream|string_decoder|tty|url|util|v8|worker_threads|zlib)$/}, ({path: name}) => ({path: `node:${name}`, external: true}));
			},
		}],
		tsconfigRaw: {},
	});
};

let url: string;
let end = async (): Promise<void> => {};

test.before('a worker runs', async t => {
	t.true(await isBuilt(), wayOut);
	const binary = await install();
	const folder = await mkdtemp(path.join(tmpdir(), 'processual-worker-'));
	await bundle(path.join(folder, 'worker.js'));
	await writeFile(path.join(folder, 'worker.capnp'), configuration);
	const running = spawn(binary, ['serve', '--control-fd=3', 'worker.capnp'], {cwd: folder, stdio: ['ignore', 'ignore', 'inherit', 'pipe']});
	end = async () => {
		running.kill();
		await once(running, 'exit');
		await rm(folder, {recursive: true, force: true});
	};

	const [line] = await once(createInterface({input: running.stdio[3] as Readable}), 'line') as [string];
	url = `http://127.0.0.1:${(JSON.parse(line) as {port: number}).port}/identity`;
});

test.after.always(async () => {
	await end();
});

const ask = async (place: string, body?: string) => {
	const response = await fetch(`${url}${place}`, body === undefined ? {} : {method: 'POST', body, headers: {'content-type': 'application/json'}});
	const text = await response.text();
	return {status: response.status, text, type: response.headers.get('content-type')};
};

const text = JSON.stringify({content: 'The sea is quiet today.'});

test.serial('every endpoint answers in JSON', async t => {
	for (const place of ['/livez', '/readyz', '/health', '/state', '/vigilance', '/metrics', '/daemon/status', '/openapi.json']) {
		const {status, type} = await ask(place);
		t.is(status, 200, place);
		t.is(type, 'application/json; charset=utf-8', place);
	}

	t.is((await ask('/nowhere')).status, 404);
});

test.serial('a text moves the state', async t => {
	const {status, text: answer} = await ask('/cycle', text);
	t.is(status, 200, answer);
	t.is((JSON.parse(answer) as {state_id: number}).state_id, 1);
	t.is((JSON.parse((await ask('/health')).text) as {state_id: number}).state_id, 1);
});

test.serial('a wrong body is answered with its errors', async t => {
	t.regex((await ask('/cycle', '{"content": ')).text, /json_invalid/);
	const {status, text: answer} = await ask('/cycle', '{"content": " "}');
	t.is(status, 422);
	t.regex(answer, /string_too_short/);
});

test.serial('events are streamed as they happen', async t => {
	const response = await fetch(`${url}/events?types=cycle.done`);
	const decoded = response.body!.pipeThrough(new TextDecoderStream());
	let seen = '';
	for await (const part of decoded) {
		if (seen === '') {
			t.is((await ask('/cycle', text)).status, 200);
		}

		seen += part;
		if (seen.includes('event: cycle.done')) {
			break;
		}
	}

	t.regex(seen, /^retry: 2000\n\n/);
});

test.serial('pages, whose files a bundle does not hold, say so', async t => {
	const {status, text: answer} = await ask('/inspector');
	t.is(status, 503);
	t.regex(answer, /files of this page are not here/);
});
