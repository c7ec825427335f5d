/**
 * Loaded before each test on Node 22, which strips types but does not have `using` yet: compiles the
 * tests that declare something with it, and Node itself all other modules.
 */
import {readFileSync} from 'node:fs';
import {registerHooks} from 'node:module';
import {transformSync} from 'esbuild';

const folder = new URL('../', import.meta.url).href;
const declaration = /^\s*(?:await )?using \w+ = /m;

registerHooks({
	load(url, context, nextLoad) {
		const source = url.startsWith(folder) ? readFileSync(new URL(url), 'utf8') : '';
		return declaration.test(source)
			? {format: 'module', source: transformSync(source, {loader: 'ts', target: 'node22', sourcefile: url, sourcemap: 'inline'}).code, shortCircuit: true}
			: nextLoad(url, context);
	},
});
