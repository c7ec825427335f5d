/** Every section of `npm run bench` runs to its end. The measurements of so short a run mean nothing. */
import {execFile} from 'node:child_process';
import {mkdtemp, readFile, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {promisify} from 'node:util';
import test from 'ava';
import {root} from '../helpers/built-package.ts';

test('each section of the benchmarks runs to its end, and has a table in the results', async t => {
	t.timeout(1_200_000);
	const folder = await mkdtemp(path.join(tmpdir(), 'benchmarks-'));
	t.teardown(async () => rm(folder, {recursive: true, force: true}));
	const given = ['benchmarks/all.ts', '--short', '--folder', folder];
	const {stdout} = await promisify(execFile)(process.execPath, given, {cwd: root, maxBuffer: 2 ** 24});
	t.notRegex(stdout, /\*\*It failed/);
	const results = await readFile(path.join(folder, 'results.md'), 'utf8');
	for (const title of ['Kernels', 'Accuracy', 'Pipeline', 'Service', 'Embedding', 'Journal', 'Growth', 'Inspection']) {
		t.regex(results, new RegExp(`^## ${title}\\n\\n[^]*?^\\|`, 'm'), `${title} has a table`);
	}
});
