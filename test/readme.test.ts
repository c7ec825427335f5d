/** What README and guides derive from the source, and their code. */
import {execFile} from 'node:child_process';
import {mkdir, mkdtemp, readFile, rm, symlink, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {promisify} from 'node:util';
import test from 'ava';
import {settingsTable} from '../scripts/settings-table.ts';
import {builtInCatalogue, readCatalogue} from '../src/sources/directions/catalogue.ts';
import {routesFor} from '../src/http/routes.ts';
import {childEnvironment} from './helpers/child-environment.ts';
import {isBuilt, root, wayOut} from './helpers/built-package.ts';

const read = async (file: string): Promise<string> => readFile(path.join(root, file), 'utf8');

const readme = await read('README.md');

test('the table of settings is the schema\'s', async t => {
	t.true((await read('docs/configuration.md')).includes(settingsTable()), 'run npm run settings');
});

test('the README names every endpoint', t => {
	for (const {method, path: endpoint} of routesFor({isInspected: true})) {
		t.true(readme.includes(`\`${method} ${endpoint}\``), `${method} ${endpoint}`);
	}
});

test('the README counts the directions of the catalogue', async t => {
	const entries = await readCatalogue(builtInCatalogue);
	t.true(readme.includes(`${entries.length} named directions in ${new Set(entries.map(({category}) => category)).size} categories`));
});

test('each dependency has its reason', async t => {
	const reasons = await read('docs/dependencies.md');
	const {dependencies, devDependencies, optionalDependencies} = JSON.parse(await read('package.json')) as Record<string, Record<string, string>>;
	for (const [name, version] of Object.entries({...dependencies, ...devDependencies, ...optionalDependencies})) {
		t.true(name.startsWith('@types/') || version.startsWith('file:') || reasons.includes(`\`${name}\``), name);
	}
});

test('the README is short', t => {
	t.true(readme.split('\n').length <= 250);
});

test('the code of the guide to the library runs, and prints what it says', async t => {
	t.true(await isBuilt(), wayOut);
	const folder = await mkdtemp(path.join(tmpdir(), 'guide-'));
	t.teardown(async () => rm(folder, {recursive: true, force: true}));
	await mkdir(path.join(folder, 'node_modules'));
	await symlink(root, path.join(folder, 'node_modules/processual-state'));
	const examples = Array.from((await read('docs/library.md')).matchAll(/^```ts\n((?:(?!```).*\n)*)```\n\n```console\n((?:(?!```).*\n)*)```/gm));
	t.true(examples.length > 0);
	for (const [, code, prints] of examples) {
		await writeFile(path.join(folder, 'example.ts'), code!);
		const {stdout} = await promisify(execFile)(process.execPath, ['example.ts'], {cwd: folder, env: childEnvironment});
		t.is(stdout.replaceAll(/\d{2,}/g, '…'), prints!.replace(/^\$ .*\n/, '').replaceAll(/\d{2,}/g, '…'));
	}
});
