/**
 * Loaded before each test file, and in each thread that one starts: halves the processor time for
 * loading modules, which adds up over hundreds of files and threads.
 *
 * - A relative import is resolved from its specifier. Node asks the file system, at each import of each thread.
 * - Types of all files are stripped once, and the results are cached. The stripper alone takes a tenth of a second to load.
 * - TypeBox is loaded from the one file that the build makes of it and that users run. Its package has 700 modules.
 */
import {createHash, randomUUID} from 'node:crypto';
import {existsSync, globSync, mkdirSync, readFileSync, renameSync, writeFileSync} from 'node:fs';
import * as module from 'node:module';

const root = new URL('../../', import.meta.url);
const stripped = new URL('node_modules/.cache/processual-state/stripped/', root);
const folders = '{benchmarks,inspector,scripts,src,test}';

const typebox = new URL('dist/platform/typebox.js', root);
/** Only our module: other packages import a TypeBox that has more in it. */
const importsTypebox = existsSync(typebox) ? new URL('src/platform/typebox.ts', root).href : null;

/** Before Node 24 `compile-on-node-22.ts` reads them. */
const isCompiled = Number.parseInt(process.versions.node, 10) < 24;

const isOurs = (url: string): boolean => url.startsWith(root.href) && !url.includes('/node_modules/');

const placeOf = (source: string): URL =>
	new URL(`${createHash('sha256').update(process.version).update(source).digest('hex')}.js`, stripped);

/** Strips the types of all files that are not cached: a process that misses one misses others. */
const stripAll = (): void => {
	mkdirSync(stripped, {recursive: true});
	for (const file of globSync(`${folders}/**/*.ts`, {cwd: root})) {
		const source = readFileSync(new URL(file, root), 'utf8');
		const place = placeOf(source);
		if (!existsSync(place)) {
			// Renamed into place, because others strip at the same time.
			const partial = new URL(`${place.href}.${randomUUID()}`);
			writeFileSync(partial, module.stripTypeScriptTypes(source));
			renameSync(partial, place);
		}
	}
};

const read = (url: string): string => {
	const source = readFileSync(new URL(url), 'utf8');
	const place = placeOf(source);
	if (!existsSync(place)) {
		stripAll();
	}

	// A file outside these folders is stripped each time.
	return existsSync(place) ? readFileSync(place, 'utf8') : module.stripTypeScriptTypes(source);
};

module.registerHooks({
	resolve(specifier, context, next) {
		const {parentURL} = context;
		if (parentURL === importsTypebox && specifier.startsWith('typebox')) {
			return {url: typebox.href, shortCircuit: true};
		}

		return specifier.startsWith('.') && specifier.endsWith('.ts') && parentURL !== undefined && isOurs(parentURL)
			? {url: new URL(specifier, parentURL).href, format: 'module', shortCircuit: true}
			: next(specifier, context);
	},
	load: (url, context, next) => !isCompiled && url.endsWith('.ts') && isOurs(url)
		? {format: 'module', source: read(url), shortCircuit: true}
		: next(url, context),
});
