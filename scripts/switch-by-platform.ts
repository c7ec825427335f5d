/**
 * Lets pages and workers replace the built modules that cannot run there. `imports` in package.json
 * names each of these with its replacement, and the imports of it in `dist` become imports of that
 * name. The sources import the modules directly, since they run without a build.
 */
import {glob, readFile, writeFile} from 'node:fs/promises';
import path from 'node:path';

const {imports} = JSON.parse(await readFile('package.json', 'utf8')) as {imports: Record<string, {default: string}>};

/** The name of each replaceable module of `dist`. */
const names = new Map(Object.entries(imports)
	.filter(([, {default: target}]) => target.startsWith('./dist/'))
	.map(([name, {default: target}]) => [path.normalize(target), name]));

const unused = new Set(names.values());
for await (const file of glob('dist/**/*.js')) {
	const code = await readFile(file, 'utf8');
	const switched = code.replaceAll(/(?<=from |import\()'(\.[^']+)'/g, (specifier, target: string) => {
		const name = names.get(path.join(path.dirname(file), target));
		unused.delete(name ?? '');
		return name === undefined ? specifier : `'${name}'`;
	});
	if (switched !== code) {
		await writeFile(file, switched);
	}
}

if (unused.size > 0) {
	throw new Error(`No module of dist imports ${[...unused].join(', ')}. Correct imports in package.json.`);
}
