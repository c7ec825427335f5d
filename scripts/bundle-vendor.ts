/**
 * Puts into `vendor/` what we use of libraries whose packages are much larger than that, so that an
 * application does not install them. A file of `scripts/vendor` says what we use of a library; it
 * becomes one module, imported by its name after a `#`. Pages get some files as their packages
 * have them. The licences of everything that is inside come along.
 *
 * It saves time too: Node takes 0.2 s to load TypeBox's 683 files, and a fifth of that for the bundle.
 */
import {copyFile, mkdir, readdir, readFile, rm, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {gzipSync} from 'node:zlib';
import {build, type Plugin} from 'esbuild';
import {writeLicences} from './licences.ts';

const entries = 'scripts/vendor';

/** Compressed; of 1.9 MB, a quarter stays. */
const large = ['swagger-ui-dist/swagger-ui-bundle.js', 'swagger-ui-dist/swagger-ui.css'];

/** What pages load, as its package has it. */
const files = [
	'swagger-ui-dist/favicon-32x32.png',
	'swagger-ui-dist/swagger-ui-bundle.js.LICENSE.txt',
	'uplot/dist/uPlot.min.css',
];

/** Modules of CommonJS ask for Node's with `require`, which a module has to make. In a worker a module has no address, and any will do. */
const makeRequire = 'import {createRequire} from \'node:module\';\nconst require = createRequire(import.meta.url ?? \'file:///\');\n';

/** The SDK of MCP brings Ajv (0.15 MB) to check what a person answers to a form. We ask for none. */
const withoutAjv: Plugin = {
	name: 'without-ajv',
	setup({onLoad}) {
		onLoad({filter: /\/validation\/ajv-provider\.js$/}, () => ({contents: 'export class AjvJsonSchemaValidator {}'}));
	},
};

/** What prom-client brings along for a cluster, a push gateway and exemplars: we have none, and it takes a tenth of a start. */
const withoutCluster: Plugin = {
	name: 'without-cluster',
	setup({onResolve, onLoad}) {
		onResolve({filter: /^(?:@opentelemetry\/api|\.\/lib\/cluster|\.\/lib\/pushgateway)$/}, ({path: name, importer}) =>
			importer.includes('/prom-client/') ? {path: name, namespace: 'left-out'} : undefined);
		onLoad({filter: /^/, namespace: 'left-out'}, () => ({contents: ''}));
	},
};

/** The limiter in memory, without those over 14 databases, which would take ten times the room and the time to load. */
const withoutDatabases: Plugin = {
	name: 'without-databases',
	setup({onLoad}) {
		onLoad({filter: /\/rate-limiter-flexible\/index\.js$/}, ({path: file}) => ({
			contents: ['RateLimiterMemory', 'RateLimiterRes'].map(name => `exports.${name} = require('./lib/${name}');`).join('\n'),
			resolveDir: path.dirname(file),
		}));
	},
};

/** Writes one module, and its types, which stay the library's own. @returns the files in it. */
const bundle = async (file: string): Promise<string[]> => {
	const {metafile: {inputs}, outputFiles: [output]} = await build({
		entryPoints: [path.join(entries, file)],
		bundle: true,
		platform: 'node',
		mainFields: ['module', 'main'],
		format: 'esm',
		target: 'es2024',
		minify: true,
		// Errors and log lines show names of classes.
		keepNames: true,
		legalComments: 'none',
		plugins: [withoutAjv, withoutCluster, withoutDatabases],
		metafile: true,
		write: false,
	});
	const code = output!.text;
	const name = path.basename(file, '.ts');
	await writeFile(`vendor/${name}.js`, `${code.includes('Dynamic require of') ? makeRequire : ''}${code}`);
	await copyFile(path.join(entries, file), `vendor/${name}.d.ts`);
	return Object.keys(inputs);
};

await rm('vendor', {recursive: true, force: true});
await mkdir('vendor');
const inputs = (await Promise.all((await readdir(entries)).map(bundle))).flat();
for (const file of files) {
	await copyFile(`node_modules/${file}`, `vendor/${path.basename(file)}`);
	inputs.push(`node_modules/${file}`);
}

for (const file of large) {
	await writeFile(`vendor/${path.basename(file)}.gz`, gzipSync(await readFile(`node_modules/${file}`), {level: 9}));
	inputs.push(`node_modules/${file}`);
}

await writeLicences('vendor/LICENSES.txt', inputs);
