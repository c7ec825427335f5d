/** The package in this checkout: where it is, and whether it is built. */
import {existsSync} from 'node:fs';
import {readdir, stat} from 'node:fs/promises';
import path from 'node:path';
import {fileURLToPath} from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));

/** Whether `dist` is at least as new as all sources. */
export const isBuilt = async (): Promise<boolean> => {
	const built = path.join(root, 'dist/index.js');
	if (!existsSync(built)) {
		return false;
	}

	const sources = await readdir(path.join(root, 'src'), {recursive: true});
	const times = await Promise.all(
		sources.filter(name => name.endsWith('.ts')).map(async name => (await stat(path.join(root, 'src', name))).mtimeMs),
	);
	return (await stat(built)).mtimeMs >= Math.max(...times);
};

export const notBuilt = 'dist is missing or older than src: run “npm run build” first';
