/** Bundles of the package: they contain only what is used, and load nothing heavy before it is needed. */
import {execFile} from 'node:child_process';
import {readFile} from 'node:fs/promises';
import path from 'node:path';
import {promisify} from 'node:util';
import test from 'ava';
import {build, type Platform} from 'esbuild';
import {isBuilt, root, notBuilt} from '../helpers/built-package.ts';

type Manifest = Record<'dependencies' | 'peerDependencies' | 'exports', Record<string, unknown>>;

const {dependencies, peerDependencies, exports} = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as Manifest;
const others = Object.keys({...dependencies, ...peerDependencies});

test.before('the package is built', async t => {
	t.true(await isBuilt(), notBuilt);
});

/** Bundles a program that imports the package by its name, as it is built; other packages stay outside. */
const bundle = async (program: string, platform: Platform = 'node', conditions: string[] = []) => {
	const {metafile: {outputs}} = await build({
		absWorkingDir: root,
		stdin: {contents: program, resolveDir: root},
		bundle: true,
		splitting: true,
		minify: true,
		format: 'esm',
		target: 'es2024',
		platform,
		conditions,
		external: others,
		outdir: 'out',
		write: false,
		metafile: true,
		tsconfigRaw: {},
		logLevel: 'silent',
	});
	/** The chunks that are loaded before the program's first line runs. */
	const eager = new Set<string>();
	const load = (chunk: string): void => {
		eager.add(chunk);
		for (const {path: imported, kind, external} of outputs[chunk]!.imports) {
			if (!external && kind === 'import-statement' && !eager.has(imported)) {
				load(imported);
			}
		}
	};

	load('out/stdin.js');
	const packages = [...eager].flatMap(chunk => outputs[chunk]!.imports
		.filter(({kind, external}) => external && kind === 'import-statement')
		.map(each => each.path));
	return {
		/** Packages that are loaded with the program, modules of Node aside. */
		packages: [...new Set(packages.filter(name => !name.startsWith('node:')))].toSorted(),
		nodeModules: [...new Set(packages.filter(name => name.startsWith('node:')))].toSorted(),
		/** The size of these chunks together. */
		bytes: [...eager].reduce((sum, chunk) => sum + outputs[chunk]!.bytes, 0),
	};
};

const customEncoder = `
	import {createIdentity} from 'processual-state';
	const vector = new Float32Array(1024).fill(1 / 32);
	const identity = createIdentity({encoder: async () => ({
		passport: {model: 'constant', width: 1024, pooling: 'none', prefix: '', dtype: 'fp32'},
		embed: async () => vector,
		async dispose() {},
	})});
	console.log(await identity.ready());
`;

test('an identity with a custom encoder loads only XState', async t => {
	const {packages} = await bundle(customEncoder);
	t.deepEqual(packages, ['xstate']);
});

test('the kernel is under 25 kB, and loads no module of Node and no other package', async t => {
	const {
		packages,
		nodeModules,
		bytes,
	} = await bundle('import {selectKernel} from \'processual-state/kernel\'; console.log(selectKernel().name);');
	t.deepEqual([packages, nodeModules], [[], []]);
	t.log(`${bytes} bytes`);
	t.true(bytes < 25_000, `${bytes} bytes`);
});

test('the client is under 6 kB, and loads no module of Node and no other package', async t => {
	const {
		packages,
		nodeModules,
		bytes,
	} = await bundle('import {createClient} from \'processual-state/client\'; console.log(createClient({baseUrl: \'/\'}));', 'browser');
	t.deepEqual([packages, nodeModules], [[], []]);
	t.log(`${bytes} bytes`);
	t.true(bytes < 6000, `${bytes} bytes`);
});

test('the machines load only XState', async t => {
	const {packages} = await bundle('import {createDaemonMachine} from \'processual-state/actors\'; console.log(createDaemonMachine);');
	t.deepEqual(packages, ['xstate']);
});

test('importing the functions that load models loads no model', async t => {
	const {packages} = await bundle(`
		import {loadEncoder} from 'processual-state/embedding';
		import {openLanguageModel, templateTranslator} from 'processual-state/language';
		console.log(loadEncoder, openLanguageModel, templateTranslator);
	`);
	// The cache in front of an encoder.
	t.deepEqual(packages, ['lru-cache']);
});

for (const condition of ['browser', 'workerd']) {
	test(`with the condition ${condition}, a bundle loads no module of Node`, async t => {
		const {nodeModules} = await bundle(
			`import {createSqliteJournal} from 'processual-state/journal'; console.log(createSqliteJournal); ${customEncoder}`,
			'neutral',
			[condition],
		);
		t.deepEqual(nodeModules, []);
	});
}

test('imports that are not used are not in the bundle', async t => {
	const {
		packages,
		bytes,
	} = await bundle(
		'import {ClientError} from \'processual-state/client\'; import {ProcessualError, createIdentity} from '
			+ '\'processual-state\'; import \'processual-state/http\'; console.log(ClientError, ProcessualError);',
	);
	t.deepEqual(packages, []);
	t.log(`${bytes} bytes`);
	t.true(bytes < 3000, `${bytes} bytes`);
});

test('importing everything has no visible side effect', async t => {
	const names = Object.keys(exports).filter(name => !/\.(?:json|wasm)$/.test(name)).map(name => path.posix.join('processual-state', name));
	const {stdout} = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', `
		const visible = () => [...Object.getOwnPropertyNames(globalThis), ...process.eventNames(), ...process.getActiveResourcesInfo()];
		// Node opens its streams at their first use, and packages that colour their output use them.
		console.error(process.stdin.isTTY, process.stdout.isTTY);
		const before = visible();
		for (const name of ${JSON.stringify(names)}) {
			await import(name);
		}
		console.log(JSON.stringify(visible().filter(each => !before.includes(each))));
	`], {cwd: root});
	t.deepEqual(JSON.parse(stdout), []);
});
