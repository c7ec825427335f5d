/**
 * Bundles the built command and the worker threads, each in its place, since a start of the service
 * loads some 300 modules otherwise. The modules of the library stay as they are.
 *
 * The command takes Node's own modules by `process.getBuiltinModule`. To import `node:http` as an ES
 * module reads all its exports, and one of them loads the whole of `fetch`, HTTP/2 and TLS: 60 ms and
 * 12 MB. Workers import them, since they run on other runtimes too. `vendor`, and packages that users
 * install beside ours for a model, stay outside.
 */
import {existsSync} from 'node:fs';
import {readdir, readFile, rm} from 'node:fs/promises';
import {builtinModules, createRequire} from 'node:module';
import path from 'node:path';
import {build, type Plugin} from 'esbuild';
import {writeLicences} from './licences.ts';

const {peerDependenciesMeta} = JSON.parse(await readFile('package.json', 'utf8')) as {peerDependenciesMeta: Record<string, unknown>};

const builtins: Plugin = {
	name: 'builtins',
	setup({onResolve, onLoad}) {
		onResolve({filter: new RegExp(`^(?:node:.*|${builtinModules.join('|')})$`)}, ({path: name}) =>
			({path: name.replace(/^(?:node:)?/, 'node:'), namespace: 'builtin'}));
		onLoad({filter: /^/, namespace: 'builtin'}, ({path: name}) =>
			({contents: `module.exports = process.getBuiltinModule('${name}');`}));
	},
};

/** Loads a module of `vendor` where it first runs, as it is one file already: an import would load it at every start. */
const vendored: Plugin = {
	name: 'vendored',
	setup({onResolve, onLoad}) {
		onResolve({filter: /^#/}, ({path: name}) => {
			const file = path.resolve('vendor', `${name.slice(1)}.js`);
			return existsSync(file) ? {path: file, namespace: 'vendored'} : undefined;
		});
		onLoad({filter: /^/, namespace: 'vendored'}, ({path: file}) =>
			({contents: `module.exports = requireVendored('../../vendor/${path.basename(file)}');`}));
	},
};

const requireVendored = 'const requireVendored = process.getBuiltinModule(\'node:module\').createRequire(import.meta.url);';

/** One copy of the media types: three packages bring one each. */
const requireOfKoa = createRequire(createRequire(import.meta.url).resolve('koa'));
const alias = {'mime-types': requireOfKoa.resolve('mime-types')};

/** The media types that the service names: of all 2,500, the names take a sixth of the bundle and 20 ms of each start. */
const fewMediaTypes: Plugin = {
	name: 'few-media-types',
	setup({onLoad}) {
		const known = new Set(['bin', 'css', 'html', 'js', 'json', 'png', 'svg', 'txt']);
		onLoad({filter: /\/mime-db\/db\.json$/}, async ({path: file}) => {
			const all = Object.entries(JSON.parse(await readFile(file, 'utf8')) as Record<string, {charset?: string; extensions?: string[]}>);
			const few = all.filter(([, {charset, extensions = []}]) => charset !== undefined || extensions.some(name => known.has(name)));
			return {contents: JSON.stringify(Object.fromEntries(few)), loader: 'json'};
		});
	},
};

/** Lets a module of ours find its files from where it was, though its code is in `folder` now. */
const addresses = (folder: string): Plugin => ({
	name: 'addresses',
	setup({onLoad}) {
		onLoad({filter: /\/dist\/.*\.js$/}, async ({path: file}) => ({
			contents: (await readFile(file, 'utf8'))
				.replaceAll('import.meta.url', `new URL('${path.relative(path.resolve(folder), file)}', import.meta.url).href`),
		}));
	},
});

/** Replaces a module by itself with all that it imports; what it imports on demand still runs on demand. @returns the files in it. */
const bundle = async (entry: string, {plugins = [], head = ''}: {plugins?: readonly Plugin[]; head?: string} = {}): Promise<string[]> => {
	const folder = path.dirname(entry);
	const {metafile: {inputs}} = await build({
		entryPoints: [entry],
		outfile: entry,
		allowOverwrite: true,
		bundle: true,
		platform: 'node',
		mainFields: ['module', 'main'],
		format: 'esm',
		target: 'es2024',
		minifySyntax: true,
		minifyWhitespace: true,
		// Names stay. Shorter ones cost a call and 256 bytes for each function that is made while the
		// service runs, to keep the names of classes in errors (`keepNames`).
		legalComments: 'none',
		external: Object.keys(peerDependenciesMeta),
		alias,
		banner: {js: head},
		plugins: [...plugins, addresses(folder)],
		metafile: true,
	});
	return Object.keys(inputs);
};

const inputs = await bundle('dist/commands/program.js', {plugins: [builtins, vendored, fewMediaTypes], head: requireVendored});
for (const name of await readdir('dist/commands')) {
	if (name !== 'program.js') {
		await rm(path.join('dist/commands', name), {recursive: true});
	}
}

await writeLicences('dist/commands/LICENSES.txt', inputs);
await bundle('dist/embedding/worker.js');
await bundle('dist/past/worker.js');
await bundle('dist/journal/sqlite/worker.js');
