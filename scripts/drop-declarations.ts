/**
 * Deletes the declarations in `dist` that no entry of the package refers to, in any number of
 * steps: an application cannot import those modules, and they are a tenth of what `dist` takes on a disk.
 */
import {glob, readFile, rm} from 'node:fs/promises';
import path from 'node:path';

const {exports} = JSON.parse(await readFile('package.json', 'utf8')) as {exports: Record<string, unknown>};

/** The files that a condition names, of any depth. */
const declarationsOf = (target: unknown): string[] =>
	typeof target === 'string' ? [target].filter(file => file.endsWith('.d.ts')) : Object.values(target ?? {}).flatMap(declarationsOf);

const needed = new Set(declarationsOf(exports).map(path.normalize));
for (const file of needed) {
	const text = (await readFile(file, 'utf8')).replaceAll(/\/\*.*?\*\//gs, '');
	for (const [specifier] of text.matchAll(/(?<=(?:from |import |import\()['"])\.[^'"]+/g)) {
		// Sources, as those that declarations were made of name each other.
		needed.add(path.join(path.dirname(file), specifier.replace(/\.[jt]s$/, '.d.ts')));
	}
}

for await (const file of glob('dist/**/*.d.ts')) {
	if (!needed.has(path.normalize(file))) {
		await rm(file);
	}
}
