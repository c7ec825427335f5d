/** What is published: the right files, few bytes, and a package that an empty project can use. */
import {execFile, spawn} from 'node:child_process';
import {once} from 'node:events';
import {lstat, mkdir, mkdtemp, readdir, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {existsSync} from 'node:fs';
import {promisify} from 'node:util';
import {checkPackage, createPackageFromTarballData} from '@arethetypeswrong/core';
import {filterProblems} from '@arethetypeswrong/core/problems';
import {Client} from '@modelcontextprotocol/sdk/client/index.js';
import {StdioClientTransport} from '@modelcontextprotocol/sdk/client/stdio.js';
import {StreamableHTTPClientTransport} from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type {Transport} from '@modelcontextprotocol/sdk/shared/transport.js';
import test from 'ava';
import {publint} from 'publint';
import {formatMessage} from 'publint/utils';
import {pack, type Packed} from '../field/installed.ts';
import {root} from '../helpers/built-package.ts';
import {networked} from '../helpers/registry.ts';

type Conditions = {types: string; default: string};
type Manifest = {
	version: string;
	exports: Record<string, string | Conditions>;
	imports: Record<string, Record<string, string>>;
	bin: Record<string, string>;
	main: string;
	types: string;
	publishConfig: object;
};

const execute = promisify(execFile);
const runNpm = async (folder: string, ...words: string[]) => execute('npm', words, {cwd: folder, timeout: 600_000, maxBuffer: 2 ** 24});
const npm = async (folder: string, ...words: string[]): Promise<string> => (await runNpm(folder, ...words)).stdout;

/** A Node on the path that is older than the package needs, or null. */
const findOldNode = async (): Promise<string | null> => {
	for (const place of new Set((process.env['PATH'] ?? '').split(path.delimiter))) {
		const candidate = path.join(place, 'node');
		const {stdout} = await execute(candidate, ['--version']).catch(() => ({stdout: ''}));
		if (/^v(?:1\d|20|21|22\.(?:1?\d))\./.test(stdout)) {
			return candidate;
		}
	}

	return null;
};

const oldNode = await findOldNode();
const onOldNode = oldNode === null ? test.skip : test;

const manifest = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as Manifest;
let folder: string;
let packed: Packed;

test.before('the package is packed', async () => {
	folder = await mkdtemp(path.join(tmpdir(), 'processual-package-'));
	packed = await pack(folder);
});

test.after.always('the folder is removed', async () => {
	if (folder) {
		await rm(folder, {recursive: true, force: true});
	}
});

/** All files that may be in it. */
const wanted = [
	/^dist\/(?:.*\.(?:js|d\.ts|js\.map)|LICENSES\.txt)$/,
	/^data\//,
	/^inspector\/(?:icon\.svg|(?:fleet|index)\.html)$/,
	/^assembly\/(?:encoder\/)?[\w-]+\.ts$/,
	/^docs\/(?:spec\/)?[\w-]+\.md$/,
	/^weights\/(?:use-lite-q8\.(?:bin|LICENSE|NOTICE)|french\.(?:br|LICENSE|NOTICE))$/,
	/^plugins\//,
	/^wasm\/kernel\.wasm(?:\.d\.ts)?$/,
	/^examples\//,
	/^vendor\/(?:[\w-]+\.(?:js|json|png)|(?:index|fleet)\.fr\.html|inspector\.css|LICENSES\.txt)$/,
	/^vendor\/(?:swagger-ui\.css\.gz|swagger-ui-bundle\.js\.(?:gz|LICENSE\.txt))$/,
	/^(?:package\.json|README\.md|LICENSE|CHANGELOG\.md|SECURITY\.md|SKILL\.md|llms(?:-full)?\.txt)$/,
];

test('it has the library, its data and its pages, and nothing else', t => {
	const paths = packed.files.map(file => file.path);
	t.deepEqual(paths.filter(each => !wanted.some(pattern => pattern.test(each))), []);
	for (const needed of [
		'README.md', 'LICENSE', 'CHANGELOG.md', 'SECURITY.md', 'examples/embedding/koa-mount.ts', 'vendor/LICENSES.txt',
		'dist/LICENSES.txt', 'vendor/layouts.json', 'data/directions.json', 'data/themes.json',
		'data/reasoning-markers.json', 'data/french/program.json', 'inspector/index.html', 'vendor/inspector.js', 'vendor/index.fr.html',
	]) {
		t.true(paths.includes(needed), needed);
	}
});

test('every file that package.json names is in it', t => {
	const paths = new Set(packed.files.map(file => `./${file.path}`));
	const promised = [
		...Object.values(manifest.exports).flatMap(target => typeof target === 'string' ? [target] : Object.values(target)),
		...Object.values(manifest.imports).flatMap(targets => Object.values(targets)).filter(target => !target.includes('*')),
		...Object.values(manifest.bin).map(target => `./${target}`),
		`./${manifest.main}`,
		`./${manifest.types}`,
	];
	t.deepEqual(promised.filter(target => !paths.has(target)), []);
});

test('each entry exports its types first', t => {
	const conditional = Object.values(manifest.exports).filter(target => typeof target === 'object');
	t.true(conditional.length > 1);
	for (const target of conditional) {
		t.deepEqual(Object.keys(target), ['types', 'default']);
	}
});

test('links of its documents stay inside it, except those to images, measurements and files of the repository', async t => {
	const paths = packed.files.map(file => file.path);
	const outside: string[] = [];
	for (const file of paths.filter(each => /(?:\.md|^llms.*\.txt)$/.test(each))) {
		for (const [, target] of (await readFile(path.join(root, file), 'utf8')).matchAll(/\]\((?!\w+:|#)([^)#\s]+)/g)) {
			const place = path.posix.join(path.posix.dirname(file), target!);
			if (!paths.some(each => each === place || each.startsWith(`${place}/`))) {
				outside.push(`${file}: ${place}`);
			}
		}
	}

	const known = /^(?:docs\/[\w-]+|README)\.md: (?:docs\/[\w-]+\.png|benchmarks\/results\/.*\.md|CONTRIBUTING\.md|compose\.yaml)$/;
	t.deepEqual(outside.filter(each => !known.test(each)), []);
});

test('llms.txt describes each document in a sentence', async t => {
	const items = (await readFile(path.join(root, 'llms.txt'), 'utf8')).split('\n').filter(line => line.startsWith('- ['));
	t.true(items.length > 20);
	t.deepEqual(items.filter(item => !item.endsWith('.') || /\): sh /.test(item)), []);
});

test('every module in it has a source, so no module of an older build is left', t => {
	const modules = packed.files.map(file => file.path).filter(each => /^dist\/.*\.js$/.test(each));
	t.true(modules.length > 50);
	t.deepEqual(modules.filter(each => !existsSync(path.join(root, each.replace(/^dist/, 'src').replace(/\.js$/, '.ts')))), []);
});

test('it has no source maps: the modules are the sources without their types', t => {
	t.deepEqual(packed.files.filter(file => file.path.endsWith('.map')), []);
});

test('it is under 9.5 MB, and under 14 MB unpacked', t => {
	t.log(`${(packed.size / 1e6).toFixed(2)} MB, ${(packed.unpackedSize / 1e6).toFixed(2)} MB unpacked`);
	t.true(packed.size < 9_500_000, `${packed.size} bytes`);
	t.true(packed.unpackedSize < 14_000_000, `${packed.unpackedSize} bytes`);
});

const tarball = async (): Promise<Uint8Array> => readFile(path.join(folder, packed.filename));

test('publint finds no problem and suggests nothing', async t => {
	const {messages, pkg} = await publint({level: 'suggestion', strict: true, pack: {tarball: new Uint8Array(await tarball()).buffer}});
	t.is(pkg['name'], 'processual-state');
	t.deepEqual(messages.map(message => formatMessage(message, pkg, {color: false})), []);
});

test('every entry has the right types wherever ES modules are imported', async t => {
	const analysis = await checkPackage(createPackageFromTarballData(await tarball()));
	if (analysis.types === false) {
		t.fail('it has no types');
		return;
	}

	t.deepEqual(Object.keys(analysis.entrypoints).toSorted(), Object.keys(manifest.exports).toSorted());
	// It has only ES modules: resolvers that cannot read `exports` are not checked, and `require` gets the modules themselves.
	const problems = (['node16-esm', 'bundler'] as const).flatMap(resolutionKind => filterProblems(analysis, {resolutionKind}));
	t.deepEqual(problems, []);
	t.deepEqual([...new Set(filterProblems(analysis, {resolutionKind: 'node16-cjs'}).map(({kind}) => kind))], ['CJSResolvesToESM']);
});

test('it can be required', async t => {
	const {stdout} = await execute(
		process.execPath,
		['--input-type=commonjs', '-e', 'console.log(typeof require("processual-state").createIdentity)'],
		{cwd: root},
	);
	t.is(stdout, 'function\n');
});

/** The packages that the declarations of all entries import, directly or through each other. */
const typesNeeded = async (): Promise<string[]> => {
	const seen = new Set<string>();
	const needed = new Set<string>();
	const follow = async (file: string): Promise<void> => {
		if (seen.has(file)) {
			return;
		}

		seen.add(file);
		const code = (await readFile(path.join(root, file), 'utf8')).replaceAll(/\/\*.*?\*\//gs, '');
		for (const [, specifier] of code.matchAll(/(?:\bfrom |\bimport[ (])['"]([^'"]+)['"]/g)) {
			if (specifier!.startsWith('.')) {
				await follow(path.join(path.dirname(file), specifier!.replace(/\.[jt]s$/, '.d.ts')));
			} else {
				needed.add(specifier!);
			}
		}
	};

	for (const target of Object.values(manifest.exports)) {
		if (typeof target === 'object') {
			await follow(target.types);
		}
	}

	return [...needed].toSorted();
};

test('its types depend only on those of Node and XState', async t => {
	t.deepEqual((await typesNeeded()).filter(name => !name.startsWith('node:')), ['xstate']);
});

test('it is published with provenance', t => {
	t.deepEqual(manifest.publishConfig, {access: 'public', provenance: true});
});

/** The bytes of a tree on the disk, as `du` counts them. */
const weigh = async (tree: string): Promise<number> => {
	const entries = await readdir(tree, {recursive: true});
	const sizes = await Promise.all(entries.map(async entry => (await lstat(path.join(tree, entry))).blocks * 512));
	return sizes.reduce((sum, size) => sum + size, 0);
};

networked('an empty project that installs it gets at most 70 MB in 90 packages, and none has an install script', async t => {
	const project = path.join(folder, 'light');
	await mkdir(project);
	await writeFile(path.join(project, 'package.json'), '{"private": true}');
	await npm(project, 'install', '--no-audit', '--no-fund', '--ignore-scripts', path.join(folder, packed.filename));
	const {packages} = JSON.parse(
		await readFile(path.join(project, 'node_modules/.package-lock.json'), 'utf8'),
	) as {packages: Record<string, {hasInstallScript?: boolean}>};
	const weight = await weigh(path.join(project, 'node_modules')) / 2 ** 20;
	t.log(`${weight.toFixed(1)} MB, ${Object.keys(packages).length} packages`);
	t.true(weight <= 70, `${weight} MB`);
	t.true(Object.keys(packages).length <= 90, `${Object.keys(packages).length} packages`);
	t.deepEqual(Object.keys(packages).filter(name => packages[name]!.hasInstallScript), []);

	// npm also asks to approve a script that it would never run, such as `prepare`.
	const {stderr} = await runNpm(project, 'install', '--no-audit', '--no-fund', '--loglevel=warn', path.join(folder, packed.filename));
	t.notRegex(stderr, /script/i);
});

networked('npx starts the service in an empty folder, and clients of the Model Context Protocol can call its tools', async t => {
	const empty = await mkdtemp(path.join(tmpdir(), 'processual-empty-'));
	t.teardown(async () => rm(empty, {recursive: true, force: true}));
	const child = spawn('npx', [
		'--yes',
		`--package=${path.join(folder, packed.filename)}`,
		'--',
		'processual-state',
		'serve',
		'--port',
		'0',
		'--host',
		'127.0.0.1',
	], {
		cwd: empty,
		// The environment has the registry settings of npm.
		env: {...process.env, npm_config_cache: path.join(folder, 'cache')},
		stdio: ['ignore', 'pipe', 'pipe'],
		detached: true,
	});
	let errors = '';
	child.stderr.setEncoding('utf8').on('data', (text: string) => {
		errors += text;
	});
	const ended = once(child, 'close');
	let output = '';
	let url: string | undefined;
	for await (const text of child.stdout.setEncoding('utf8') as AsyncIterable<string>) {
		output += text;
		const found = /ready at (http:\/\/127\.0\.0\.1:\d+)/.exec(output)?.[1];
		if (found !== undefined && url === undefined) {
			url = found;
			t.like(await (await fetch(`${url}/health`, {headers: {connection: 'close'}})).json(), {status: 'ok'});
			const client = new Client({name: 'test', version: '1'});
			await client.connect(
				new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {requestInit: {headers: {connection: 'close'}}}) as Transport,
				{timeout: 600_000},
			);
			t.like(
				await client.callTool({name: 'say', arguments: {text: 'The sea is quiet today.', source: 'Ben'}}, undefined, {timeout: 600_000}),
				{structuredContent: {state_id: 1}},
			);
			await client.close();
			// The group: npx starts the service through a shell.
			process.kill(-child.pid!, 'SIGTERM');
		}
	}

	await ended;
	t.regex(output, /ready at/, errors);
});

networked('npx starts an identity for a client of the Model Context Protocol on standard input, in an empty folder', async t => {
	const empty = await mkdtemp(path.join(tmpdir(), 'processual-mcp-'));
	t.teardown(async () => rm(empty, {recursive: true, force: true}));
	const client = new Client({name: 'test', version: '1'});
	t.teardown(async () => client.close());
	await client.connect(new StdioClientTransport({
		command: 'npx',
		args: [
			'--yes',
			`--package=${path.join(folder, packed.filename)}`,
			'--',
			'processual-state',
			'mcp',
			'--data-dir',
			path.join(empty, 'ada'),
		],
		// The environment has the registry settings of npm.
		env: {...process.env, npm_config_cache: path.join(folder, 'cache')} as Record<string, string>,
		cwd: empty,
		stderr: 'ignore',
	}), {timeout: 600_000});
	t.like(client.getServerVersion(), {name: 'processual-state', version: manifest.version});
	t.deepEqual((await client.listTools()).tools.map(({name}) => name), ['say', 'who_am_i', 'what_would_change', 'why', 'drift', 'history']);
	t.like(
		await client.callTool({name: 'say', arguments: {text: 'The sea is quiet today.', source: 'Ben'}}, undefined, {timeout: 600_000}),
		{structuredContent: {state_id: 1}},
	);
});

onOldNode('on an older Node the command names the required version in one line, and fails', async t => {
	const {code, stdout, stderr} = await execute(oldNode!, [
		path.join(root, manifest.bin['processual']!),
		'serve',
	]).catch((error: {code: number; stdout: string; stderr: string}) => error) as {code: number; stdout: string; stderr: string};
	t.is(code, 1);
	t.is(stdout, '');
	t.regex(stderr, /^processual-state needs Node 22\.20 or newer, and this is Node \d+\.\d+\.\d+\. Install .*\n$/);
});

onOldNode('on an older Node every import names the required version, except the client, which only needs fetch', async t => {
	const names = Object.keys(manifest.exports)
		.filter(name => !/\.(?:json|wasm)$/.test(name))
		.map(name => path.posix.join('processual-state', name));
	const {stdout} = await execute(oldNode!, ['--input-type=module', '-e', `
		for (const name of ${JSON.stringify(names)}) {
			console.log(await import(name).then(() => name, error => error.message));
		}
	`], {cwd: root});
	for (const [index, line] of stdout.trimEnd().split('\n').entries()) {
		t.regex(
			line,
			names[index] === 'processual-state/client' ? /^processual-state\/client$/ : /^processual-state needs Node 22\.20 or newer/,
			names[index]!,
		);
	}
});
