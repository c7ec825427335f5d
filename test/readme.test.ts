/** What README and guides derive from the source, and their code. */
import {execFile} from 'node:child_process';
import {mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {promisify} from 'node:util';
import test, {type ExecutionContext} from 'ava';
import {settingsTable} from '../scripts/settings-table.ts';
import {builtInCatalogue, loadCatalogue} from '../src/sources/directions/catalogue.ts';
import {routesFor} from '../src/http/routes.ts';
import {sourceOf} from '../src/instruments/source-of.ts';
import {JournalReader} from '../src/journal/sqlite/journal-reader.ts';
import {childEnvironment} from './helpers/child-environment.ts';
import {isBuilt, root, notBuilt} from './helpers/built-package.ts';
import {says, startModelServer} from './language/model-server.ts';

const read = async (file: string): Promise<string> => readFile(path.join(root, file), 'utf8');

const readme = await read('README.md');

/** A project in which the built package is installed, and packages that the clone has. */
const projectFolder = async (t: ExecutionContext, ...packages: readonly string[]): Promise<string> => {
	t.true(await isBuilt(), notBuilt);
	const folder = await mkdtemp(path.join(tmpdir(), 'project-'));
	t.teardown(async () => rm(folder, {recursive: true, force: true}));
	await mkdir(path.join(folder, 'node_modules'));
	await symlink(root, path.join(folder, 'node_modules/processual-state'));
	for (const name of packages) {
		await symlink(path.join(root, 'node_modules', name), path.join(folder, 'node_modules', name));
	}

	return folder;
};

test('the table of settings is the schema\'s', async t => {
	t.true((await read('docs/configuration.md')).includes(settingsTable()), 'run npm run settings');
});

test('the list of endpoints names each', async t => {
	const list = await read('docs/endpoints.md');
	for (const {method, path: endpoint} of routesFor({isInspected: true})) {
		t.true(list.includes(`\`${method} ${endpoint}\``), `${method} ${endpoint}`);
	}
});

test('the README counts the directions of the catalogue', async t => {
	const entries = await loadCatalogue(builtInCatalogue);
	t.true(readme.includes(`${entries.length} named directions in ${new Set(entries.map(({category}) => category)).size} categories`));
});

test('each dependency has its reason', async t => {
	const reasons = await read('docs/dependencies.md');
	const {
		dependencies,
		devDependencies,
		optionalDependencies,
	} = JSON.parse(await read('package.json')) as Record<string, Record<string, string>>;
	for (const [name, version] of Object.entries({...dependencies, ...devDependencies, ...optionalDependencies})) {
		t.true(name.startsWith('@types/') || version.startsWith('file:') || reasons.includes(`\`${name}\``), name);
	}
});

test('the README is short, and its first screen says what it is for and shows it', t => {
	const lines = readme.split('\n');
	t.true(lines.length <= 150);
	t.regex(lines.slice(0, 10).join('\n'), /operator.*!\[/s);
});

test('what is said to who installed the package needs no clone, and names the folder of the data', async t => {
	t.notRegex(readme.replace(/^## Install\n.*?^## /ms, '## '), /npm start/);
	t.regex(await read('SKILL.md'), /npx processual.*--data-dir FOLDER`, too/s);
});

test('no document sends its reader to an address that is a placeholder, or shows more digits than say something', async t => {
	const documents = (await readdir(path.join(root, 'docs'))).filter(name => name.endsWith('.md')).map(name => `docs/${name}`);
	for (const file of ['README.md', ...documents]) {
		t.notRegex(await read(file), /example\.invalid|\d\.\d{9}/, file);
	}
});

test('the README\'s agent talks, and its identity hears both sides', async t => {
	const folder = await projectFolder(t, 'ai', '@ai-sdk');
	const server = await startModelServer(says('I walked along the shore.'));
	t.teardown(server.close);
	const [, code] = /^```ts\n(.*?)^```/ms.exec(readme)!;
	t.true(code!.trim().split('\n').length <= 10 + 1, 'ten lines, and the empty one behind the imports');
	await writeFile(path.join(folder, 'agent.ts'), code!);
	const model = {ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'the key of a test'};
	const {stdout} = await promisify(execFile)(process.execPath, ['agent.ts'], {cwd: folder, env: {...childEnvironment, ...model}});
	t.is(stdout, 'I walked along the shore.\n');
	t.like(server.asked, [{prompt: 'How was your morning?'}]);

	const heard: Array<[source: string, content: string | null]> = [];
	const reader = new JournalReader(path.join(folder, 'ada', 'journal'));
	for await (const {record} of reader.replay()) {
		if (record.kind === 'cycle') {
			heard.push([sourceOf(record), record.content]);
		}
	}

	reader.close();
	t.deepEqual(heard, [['Ben', 'How was your morning?'], ['self', 'I walked along the shore.']]);
});

test('the code of the guide to the library runs, and prints what it says', async t => {
	const folder = await projectFolder(t);
	const examples = Array.from(
		(await read('docs/library.md')).matchAll(/^```ts\n((?:(?!```).*\n)*)```\n\n```console\n((?:(?!```).*\n)*)```/gm),
	);
	t.true(examples.length > 0);
	for (const [, code, prints] of examples) {
		await writeFile(path.join(folder, 'example.ts'), code!);
		const {stdout} = await promisify(execFile)(process.execPath, ['example.ts'], {cwd: folder, env: childEnvironment});
		t.is(stdout.replaceAll(/\d{2,}/g, '…'), prints!.replace(/^\$ .*\n/, '').replaceAll(/\d{2,}/g, '…'));
	}
});

test('the functions of a recipe work in the program that imports them', async t => {
	const folder = await projectFolder(t);
	const codes = Array.from((await read('docs/recipes.md')).matchAll(/^```ts\n(.*?)^```/gms), ([, code]) => code!);
	const callers = {
		instructionsFor: 'await instructionsFor(\'The sea is quiet.\', {source: \'Ada\', conversation: \'Monday\'})',
		mayMove: 'await mayMove(\'owner\')',
		watchDrift: 'typeof watchDrift(async () => true)',
	};
	for (const [name, call] of Object.entries(callers)) {
		await writeFile(path.join(folder, `${name}.ts`), codes.find(code => code.includes(`export const ${name} `))!);
		await writeFile(path.join(folder, 'program.ts'), `import {${name}} from './${name}.ts';\nconsole.log(${call});\nprocess.exit();\n`);
		const {stdout} = await promisify(execFile)(process.execPath, ['program.ts'], {cwd: folder, env: childEnvironment});
		t.regex(stdout, /^(?:You say of yourself: .+|true|function)\n$/, name);
	}
});
