/**
 * Loaded before each test on Node 22, which strips types but does not know `using` yet: a module
 * that declares something so is brought to what it knows. All others are left to Node itself,
 * and so are all of `src`.
 */
import {readFileSync} from 'node:fs';
import {registerHooks} from 'node:module';
import {transformSync} from 'esbuild';

const here = new URL('../', import.meta.url).href;
const declaration = /^\s*(?:await )?using \w+ = /m;

registerHooks({
	load(url, context, nextLoad) {
		const source = url.startsWith(here) ? readFileSync(new URL(url), 'utf8') : '';
		return declaration.test(source)
			? {format: 'module', source: transformSync(source, {loader: 'ts', target: 'node22', sourcefile: url, sourcemap: 'inline'}).code, shortCircuit: true}
			: nextLoad(url, context);
	},
});
