import {existsSync} from 'node:fs';
import {glob, readFile} from 'node:fs/promises';
import {fileURLToPath} from 'node:url';
import test from 'ava';
import {packageFile, threadModule} from '../../src/platform/package-file.ts';

const source = fileURLToPath(new URL('../../src/', import.meta.url));

test('every file that the source names exists, and every thread is in the running build', async t => {
	const kinds = {threads: 0, files: 0};
	for await (const name of glob('**/*.ts', {cwd: source})) {
		for (const [, kind, path] of (await readFile(source + name, 'utf8')).matchAll(
			/(threadModule|packageFile|CalledThread)(?:<[^(]*>)?\('([^']+)'[,)]/g,
		)) {
			const file = fileURLToPath((kind === 'packageFile' ? packageFile : threadModule)(path!));
			t.true(existsSync(file) && (kind === 'packageFile' || file.startsWith(source)), `${name}: ${file}`);
			kinds[kind === 'packageFile' ? 'files' : 'threads']++;
		}
	}

	t.true(kinds.threads > 2 && kinds.files > 2);
});
