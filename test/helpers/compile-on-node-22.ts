/**
 * Loaded before each test on Node 22, which does not have `using` yet, and strips types again in
 * each process and each thread: compiles each TypeScript module once, and caches the result.
 */
import {createHash, randomUUID} from 'node:crypto';
import {existsSync, mkdirSync, readFileSync, renameSync, writeFileSync} from 'node:fs';
import {createRequire, registerHooks} from 'node:module';
import type * as Esbuild from 'esbuild';

const root = new URL('../../', import.meta.url);
const cache = new URL('node_modules/.cache/processual-state/node-22/', root);
const require = createRequire(import.meta.url);

const compile = (url: string): string => {
	const source = readFileSync(new URL(url), 'utf8');
	const compiled = new URL(`${createHash('sha256').update(url).update(source).digest('hex')}.js`, cache);
	if (existsSync(compiled)) {
		return readFileSync(compiled, 'utf8');
	}

	// Loaded only here: most processes and threads find all modules in the cache.
	const {transformSync} = require('esbuild') as typeof Esbuild;
	const {code} = transformSync(source, {loader: 'ts', target: 'node22', sourcefile: url, sourcemap: 'inline', sourcesContent: false});
	mkdirSync(cache, {recursive: true});
	// Renamed into place, because others compile at the same time.
	const partial = new URL(`${compiled.href}.${randomUUID()}`);
	writeFileSync(partial, code);
	renameSync(partial, compiled);
	return code;
};

registerHooks({
	load: (url, context, nextLoad) => url.startsWith(root.href) && url.endsWith('.ts') && !url.includes('/node_modules/')
		? {format: 'module', source: compile(url), shortCircuit: true}
		: nextLoad(url, context),
});
