/** What is published: the right files, few bytes, and a package that an empty project can use. */
import {execFile} from 'node:child_process';
import {copyFile, mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {existsSync} from 'node:fs';
import {promisify} from 'node:util';
import {checkPackage, createPackageFromTarballData} from '@arethetypeswrong/core';
import {filterProblems} from '@arethetypeswrong/core/problems';
import test from 'ava';
import {publint} from 'publint';
import {formatMessage} from 'publint/utils';
import {examples, examplesFolder, isBuilt, root, run, wayOut} from '../helpers/embedding-examples.ts';

type Packed = {filename: string; size: number; unpackedSize: number; files: Array<{path: string; size: number}>};
type Conditions = {types: string; default: string};
type Manifest = {exports: Record<string, string | Conditions>; bin: Record<string, string>; main: string; types: string; publishConfig: object};

const execute = promisify(execFile);
const npm = async (folder: string, ...words: string[]): Promise<string> => (await execute('npm', words, {cwd: folder, timeout: 600_000, maxBuffer: 2 ** 24})).stdout;

/** Where there is no network this cannot be known; a build server has one. */
const hasRegistry = async (): Promise<boolean> => {
	try {
		await execute('npm', ['ping', '--fetch-retries=0', '--fetch-timeout=5000']);
		return true;
	} catch {
		return false;
	}
};

const networked = process.env['CI'] || await hasRegistry() ? test : test.skip;

const manifest = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as Manifest;
let folder: string;
let packed: Packed;

test.before('the package is packed', async t => {
	t.true(await isBuilt(), wayOut);
	folder = await mkdtemp(path.join(tmpdir(), 'processual-package-'));
	const [described] = JSON.parse(await npm(root, 'pack', '--json', '--ignore-scripts', '--pack-destination', folder)) as [Packed];
	packed = described;
});

test.after.always('nothing is left behind', async () => {
	if (folder) {
		await rm(folder, {recursive: true, force: true});
	}
});

/** What may be in it, and nothing else. */
const wanted = [
	/^dist\/.*\.(?:js|d\.ts|js\.map)$/,
	/^data\//,
	/^inspector\/[\w-]+\.(?:js|css|svg|html)$/,
	/^assembly\/[\w-]+\.ts$/,
	/^docs\/(?:spec\/)?[\w-]+\.md$/,
	/^(?:package\.json|README\.md|LICENSE|CHANGELOG\.md)$/,
];

test('it holds the library, its data and its page, and nothing else', t => {
	const paths = packed.files.map(file => file.path);
	t.deepEqual(paths.filter(each => !wanted.some(pattern => pattern.test(each))), []);
	for (const needed of ['README.md', 'LICENSE', 'CHANGELOG.md', 'data/directions.json', 'data/themes.json', 'data/reasoning-markers.json', 'inspector/index.html', 'inspector/main.js']) {
		t.true(paths.includes(needed), needed);
	}
});

test('every file that it promises is in it', t => {
	const paths = new Set(packed.files.map(file => `./${file.path}`));
	const promised = [
		...Object.values(manifest.exports).flatMap(target => typeof target === 'string' ? [target] : Object.values(target)),
		...Object.values(manifest.bin).map(target => `./${target}`),
		`./${manifest.main}`,
		`./${manifest.types}`,
	];
	t.deepEqual(promised.filter(target => !paths.has(target)), []);
});

test('types come first of what each entry exports', t => {
	const conditional = Object.values(manifest.exports).filter(target => typeof target === 'object');
	t.true(conditional.length > 1);
	for (const target of conditional) {
		t.deepEqual(Object.keys(target), ['types', 'default']);
	}
});

test('every module in it has a source, so nothing is left of an older build', t => {
	const modules = packed.files.map(file => file.path).filter(each => /^dist\/.*\.js$/.test(each));
	t.true(modules.length > 50);
	t.deepEqual(modules.filter(each => !existsSync(path.join(root, each.replace(/^dist/, 'src').replace(/\.js$/, '.ts')))), []);
});

test('source maps hold their sources, which are not in it', async t => {
	for (const {path: name} of packed.files.filter(file => file.path.endsWith('.map'))) {
		const {sourcesContent} = JSON.parse(await readFile(path.join(root, name), 'utf8')) as {sourcesContent?: string[]};
		t.truthy(sourcesContent, name);
	}
});

test('it is under 1.5 MB, and under 4 MB on the disk', t => {
	t.log(`${(packed.size / 1e6).toFixed(2)} MB, ${(packed.unpackedSize / 1e6).toFixed(2)} MB on the disk`);
	t.true(packed.size < 1_500_000, `${packed.size} bytes`);
	t.true(packed.unpackedSize < 4_000_000, `${packed.unpackedSize} bytes`);
});

const tarball = async (): Promise<Uint8Array> => readFile(path.join(folder, packed.filename));

/**
 * What stands for a module of ours in a page is said by the field `browser`. publint would rather have a condition
 * of `imports`, whose targets lie in dist; but the service runs from src too.
 */
const accepted = 'USE_EXPORTS_OR_IMPORTS_BROWSER';

test('publint finds nothing, and nothing else to suggest', async t => {
	const {messages, pkg} = await publint({level: 'suggestion', strict: true, pack: {tarball: new Uint8Array(await tarball()).buffer}});
	t.is(pkg['name'], 'processual-state');
	t.deepEqual(messages.filter(({code}) => code !== accepted).map(message => formatMessage(message, pkg, {color: false})), []);
});

test('every entry has the right types wherever ES modules are imported', async t => {
	const analysis = await checkPackage(createPackageFromTarballData(await tarball()));
	if (analysis.types === false) {
		t.fail('it has no types');
		return;
	}

	t.deepEqual(Object.keys(analysis.entrypoints).toSorted(), Object.keys(manifest.exports).toSorted());
	// It is a package of ES modules alone: what cannot read `exports` is not asked, and `require` gets the modules themselves.
	const problems = (['node16-esm', 'bundler'] as const).flatMap(resolutionKind => filterProblems(analysis, {resolutionKind}));
	t.deepEqual(problems, []);
	t.deepEqual([...new Set(filterProblems(analysis, {resolutionKind: 'node16-cjs'}).map(({kind}) => kind))], ['CJSResolvesToESM']);
});

test('it can be required, too', async t => {
	const {stdout} = await execute(process.execPath, ['--input-type=commonjs', '-e', 'console.log(typeof require("processual-state").createIdentity)'], {cwd: root});
	t.is(stdout, 'function\n');
});

test('to publish it signs where it comes from', t => {
	t.deepEqual(manifest.publishConfig, {access: 'public', provenance: true});
});

networked('installed in an empty project, its types hold and every example runs', async t => {
	const file = (name: string): string => path.join(folder, name);
	const typesOf = ['@types/express', '@types/koa', '@types/node'];
	await writeFile(file('package.json'), JSON.stringify({private: true, type: 'module'}));
	await npm(folder, 'install', '--no-audit', '--no-fund', '--omit=optional', '--ignore-scripts', packed.filename, ...examples.flatMap(({needs}) => needs ?? []), ...typesOf);
	await Promise.all(examples.map(async example => copyFile(path.join(examplesFolder, example.file), file(example.file))));

	await writeFile(file('tsconfig.json'), JSON.stringify({
		compilerOptions: {module: 'nodenext', target: 'es2024', lib: ['es2024', 'esnext.disposable', 'dom'], types: ['node'], strict: true, noEmit: true, erasableSyntaxOnly: true, skipLibCheck: false},
		include: ['*.ts'],
	}));
	const checked = await execute(path.join(root, 'node_modules/.bin/tsc'), {cwd: folder}).catch((error: {stdout: string}) => error);
	// What packages of others say wrongly of themselves is theirs.
	t.deepEqual(checked.stdout.split('\n').filter(line => line !== '' && !/^(?:\s|node_modules\/(?!processual-state\/))/.test(line)), []);

	for (const example of examples) {
		t.regex(await run(file(example.file)), example.says, example.file);
	}
});
