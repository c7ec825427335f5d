/**
 * Writes `dist` from what `tsc` compiled into its cache. There it compiles only what changed, in a
 * tenth of the time; it leaves the output of removed sources there, which does not come along.
 */
import {existsSync} from 'node:fs';
import {cp, rm} from 'node:fs/promises';
import path from 'node:path';

const cache = 'node_modules/.cache/processual-state/dist';

/** Whether a source of this output exists; folders do where their sources do. */
const hasSource = (output: string): boolean => {
	const source = path.join('src', path.relative(cache, output));
	return existsSync(source) || existsSync(source.replace(/(?:\.d\.ts|\.js)$/, '.ts'));
};

await rm('dist', {recursive: true, force: true});
await cp(cache, 'dist', {recursive: true, filter: hasSource});
