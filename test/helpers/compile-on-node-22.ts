/**
 * Loaded before each test on Node 22, which does not have `using` yet, and strips types again in
 * each process and each thread: compiles each module of TypeScript once, and keeps what came out.
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

	// Loaded here: most processes and threads find all that they need.
	const {transformSync} = require('esbuild') as typeof Esbuild;
	const {code} = transformSync(source, {loader: 'ts', target: 'node22', sourcefile: url, sourcemap: 'inline', sourcesContent: false});
	mkdirSync(cache, {recursive: true});
	// Renamed into place, because others compile at the same time.
	const begun = new URL(`${compiled.href}.${randomUUID()}`);
	writeFileSync(begun, code);
	renameSync(begun, compiled);
	return code;
};

registerHooks({
	load: (url, context, nextLoad) => url.startsWith(root.href) && url.endsWith('.ts') && !url.includes('/node_modules/')
		? {format: 'module', source: compile(url), shortCircuit: true}
		: nextLoad(url, context),
});
