/**
 * Copies the output of `tsc` from its cache to `dist`. With the cache `tsc` compiles only what changed,
 * in a tenth of the time, but keeps the output of removed sources, which is not copied.
 */
import {existsSync} from 'node:fs';
import {cp, rm} from 'node:fs/promises';
import path from 'node:path';

const cache = 'node_modules/.cache/processual-state/dist';

/** Whether the source of an output file or folder exists. */
const hasSource = (output: string): boolean => {
	const source = path.join('src', path.relative(cache, output));
	return existsSync(source) || existsSync(source.replace(/(?:\.d\.ts|\.js)$/, '.ts'));
};

await rm('dist', {recursive: true, force: true});
await cp(cache, 'dist', {recursive: true, filter: hasSource});
