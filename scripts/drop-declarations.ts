/**
 * Deletes the declarations in `dist` that no entry of the package refers to, directly or indirectly.
 * An application cannot import those modules, and they take up a tenth of `dist`.
 */
import {glob, readFile, rm} from 'node:fs/promises';
import path from 'node:path';

const {exports} = JSON.parse(await readFile('package.json', 'utf8')) as {exports: Record<string, unknown>};

/** The declaration files of an export, at any depth of its conditions. */
const declarationsOf = (target: unknown): string[] =>
	typeof target === 'string' ? [target].filter(file => file.endsWith('.d.ts')) : Object.values(target ?? {}).flatMap(declarationsOf);

const needed = new Set(declarationsOf(exports).map(path.normalize));
for (const file of needed) {
	const text = (await readFile(file, 'utf8')).replaceAll(/\/\*.*?\*\//gs, '');
	for (const [specifier] of text.matchAll(/(?<=(?:from |import |import\()['"])\.[^'"]+/g)) {
		// Declarations import each other by the names of their sources.
		needed.add(path.join(path.dirname(file), specifier.replace(/\.[jt]s$/, '.d.ts')));
	}
}

for await (const file of glob('dist/**/*.d.ts')) {
	if (!needed.has(path.normalize(file))) {
		await rm(file);
	}
}
