/** Programs that bundle the installed package for Node with esbuild, as cloud functions are deployed. */
import {execFile} from 'node:child_process';
import {copyFile, cp, mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {promisify} from 'node:util';
import type {ExecutionContext} from 'ava';
import {build, type BuildOptions} from 'esbuild';
import {root} from '../helpers/built-package.ts';
import {childEnvironment} from '../helpers/child-environment.ts';
import {networked} from '../helpers/registry.ts';
import {installPackage, userFolder} from './installed.ts';
import {pattern} from '../helpers/pattern.ts';

type Format = 'cjs' | 'esm';

const formats: readonly Format[] = ['esm', 'cjs'];

/** The options of docs/library.md for imports that need Koa or a JSON parser. */
const documented = (format: Format): BuildOptions => ({
	// Names in the bundle must not collide with those of the banner; the guide does not minify either.
	minify: false,
	mainFields: ['module', 'main'],
	banner: format === 'esm'
		? {js: 'import {createRequire as requireFrom} from \'node:module\'; const require = requireFrom(import.meta.url);'}
		: {},
});

/** Bundles the program in a folder where the package is installed. @returns the bundle's file */
const bundle = async (t: ExecutionContext, program: string, format: Format, options: BuildOptions = {}): Promise<string> => {
	const folder = await userFolder(t);
	const outfile = path.join(folder, format === 'esm' ? 'main.mjs' : 'main.cjs');
	const {warnings} = await build({
		stdin: {contents: program, resolveDir: folder},
		outfile,
		bundle: true,
		minify: true,
		platform: 'node',
		format,
		...options,
	});
	t.deepEqual(warnings, []);
	return outfile;
};

/** What the bundle prints, as JSON. */
const run = async (file: string): Promise<unknown> =>
	JSON.parse((await promisify(execFile)(process.execPath, [file], {cwd: path.dirname(file), env: childEnvironment})).stdout);

/** Copies the bundle to a folder where nothing is installed, or only this package. */
const deploy = async (file: string, {withPackage = false} = {}): Promise<string> => {
	const folder = await mkdtemp(path.join(tmpdir(), 'deployed-'));
	if (withPackage) {
		await cp(
			path.join(await installPackage(), 'node_modules/processual-state'),
			path.join(folder, 'node_modules/processual-state'),
			{recursive: true},
		);
	}

	const deployed = path.join(folder, path.basename(file));
	await copyFile(file, deployed);
	return deployed;
};

const wholeIdentity = `
	import {openIdentity} from 'processual-state';
	import {createSqliteJournal} from 'processual-state/journal';
	import {openLanguageModel, templateTranslator} from 'processual-state/language';
	(async () => {
		const ada = await openIdentity({journal: createSqliteJournal({folder: 'identity'}), translator: templateTranslator});
		const {stateId} = await ada.cycle('The sea is quiet today.');
		const {points} = await ada.history();
		const {directionsCount} = ada.profile();
		const {text} = await ada.translate();
		const missing = await openLanguageModel({anthropicApiKey: 'key', timeoutSeconds: 1}).translate(
			{profile: ada.profile(), context: null}, new AbortController().signal,
		).catch(error => error.name + ': ' + error.message);
		await ada.dispose();
		console.log(JSON.stringify({stateId, points: points.length, directionsCount, text: typeof text, missing}));
	})();
`;

for (const format of formats) {
	/** Each makes a bundle where it runs. */
	const ways = {
		'the folder of the package beside the bundle': async (t: ExecutionContext) => deploy(
			await bundle(t, wholeIdentity, format),
			{withPackage: true},
		),
		'the package left out of the bundle': async (t: ExecutionContext) => bundle(t, wholeIdentity, format, {external: ['processual-state']}),
	};
	for (const [way, make] of Object.entries(ways)) {
		networked(`${format}: with ${way}, an identity runs a cycle and answers questions`, async t => {
			const printed = await run(await make(t)) as {missing: string};
			t.like(printed, {stateId: 1, points: 2, directionsCount: 105, text: 'string'});
			t.regex(printed.missing, /^LanguageError: The client of language models is not installed\. Run npm i ai@7/);
		});
	}

	networked(`${format}: a bundle alone names the missing file, the cause and the remedy, and its errors are not retryable`, async t => {
		const file = await deploy(await bundle(t, `
			import {openIdentity} from 'processual-state';
			import {loadEncoder} from 'processual-state/embedding';
			import {createSqliteJournal, openJournals} from 'processual-state/journal';
			import {builtInCatalogue, loadCatalogue, loadThemes} from 'processual-state/sources';
			const encoder = {passport: {model: 'constant'}, embed: async () => new Float32Array(1024).fill(1 / 32)};
			const themes = {rumination: ['Who am I?'], corpus: ['The sea.']};
			const asked = [
				async () => loadEncoder(),
				async () => openIdentity({themes}),
				async () => openIdentity({encoder, themes, journal: createSqliteJournal({folder: 'identity'})}),
				async () => openJournals({folder: 'identities'}),
				async () => loadThemes(),
				async () => loadCatalogue(builtInCatalogue),
			];
			Promise.all(asked.map(ask => ask().then(() => null, ({name, message, retryable}) => ({name, message, retryable})))).then(all => {
				console.log(JSON.stringify(all));
			});
		`, format, documented(format)));
		const printed = await run(file) as Array<{name: string; message: string; retryable: boolean}>;
		t.is(printed.length, 6);
		for (const {message, retryable} of printed) {
			t.regex(
				message,
				pattern(
					/program is a bundle.*processual-state\/(?:weights|dist|data)\/.* is missing\. Deploy node_modules\/processual-state /,
					/.*--external:processual-state/,
				),
			);
			t.false(retryable, message);
		}
	});

	networked(`${format}: every import bundles as the guide says, and the pages are served`, async t => {
		const {exports} = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as {exports: Record<string, unknown>};
		const names = Object.keys(exports).filter(name => !/\.(?:json|wasm)$/.test(name))
			.map(name => path.posix.join('processual-state', name));
		const printed = await run(await bundle(t, `
			${names.map((name, index) => `import * as all${index} from '${name}';`).join('\n')}
			import {openIdentity} from 'processual-state';
			import {createHttp} from 'processual-state/http';
			const all = [${names.map((_, index) => `all${index}`).join()}];
			const encoder = {passport: {model: 'constant'}, embed: async () => new Float32Array(1024).fill(1 / 32)};
			(async () => {
				const ada = await openIdentity({encoder});
				const http = createHttp(ada, {inspector: true});
				const statuses = {};
				for (const place of ['/health', '/openapi.json', '/metrics', '/docs/swagger-ui.css', '/inspector', '/inspector/main.js']) {
					statuses[place] = (await http.fetch(new Request('http://127.0.0.1' + place))).status;
				}
				http.close();
				await ada.dispose();
				console.log(JSON.stringify({empty: all.filter(each => Object.keys(each).length === 0).length, statuses}));
			})();
		`, format, documented(format))) as {empty: number; statuses: Record<string, number>};
		t.is(printed.empty, 0);
		t.deepEqual(Object.entries(printed.statuses).filter(([, status]) => status !== 200), []);
	});
}

networked('in a minified bundle, every error has the name of its class', async t => {
	const printed = await run(await bundle(t, `
		import * as errors from './node_modules/processual-state/dist/platform/errors.js';
		import {ClientError} from 'processual-state/client';
		const classes = Object.entries({...errors, ClientError}).filter(([name]) => /^[A-Z].*Error$/.test(name));
		console.log(JSON.stringify(classes.map(([name, Class]) => [name, new Class('', {detail: ''}).name])));
	`, 'esm')) as Array<[string, string]>;
	t.true(printed.length > 15);
	t.deepEqual(printed.filter(([name, own]) => own !== name), []);
});

networked('if a build that follows imports left the weights out, the error names them and the remedy', async t => {
	const folder = await mkdtemp(path.join(tmpdir(), 'traced-'));
	t.teardown(async () => rm(folder, {recursive: true}));
	await cp(path.join(await installPackage(), 'node_modules'), path.join(folder, 'node_modules'), {recursive: true});
	await rm(path.join(folder, 'node_modules/processual-state/weights'), {recursive: true});
	const file = path.join(folder, 'main.mjs');
	await writeFile(file, `
		import {loadEncoder} from 'processual-state/embedding';
		await loadEncoder().catch(({message, retryable}) => console.log(JSON.stringify({message, retryable})));
	`);
	const {message, retryable} = await run(file) as {message: string; retryable: boolean};
	t.regex(message, /weights\/use-lite-q8\.bin, cannot be read .*deploy all of its files: a build that follows imports.*standalone output/);
	t.false(retryable);
});

networked('a bundle with the paths of its build machine, as webpack makes it, finds the package beside the program', async t => {
	const file = await deploy(await bundle(t, `
		import {loadEncoder} from 'processual-state/embedding';
		loadEncoder().then(async encoder => {
			console.log(JSON.stringify((await encoder.embed('The sea is quiet.')).length));
			await encoder.dispose();
		});
	`, 'esm', {define: {'import.meta.url': '"file:///gone/processual-state/dist/platform/package-file.js"'}}), {withPackage: true});
	t.is(await run(file), 1024);
});
