/** The documentation of the API: complete, without a broken link, and with examples that compile. */
import {execFile} from 'node:child_process';
import {mkdtemp, mkdir, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {promisify} from 'node:util';
import test from 'ava';
import {isBuilt, root, notBuilt} from '../helpers/built-package.ts';

type Text = Array<{kind: string; text: string}>;
/** A part of TypeDoc's JSON. */
type Reflection = {
	name: string;
	variant: string;
	kind: number;
	flags: {isInherited?: boolean; isOptional?: boolean};
	comment?: {summary: Text; blockTags?: Array<{tag: string; content: Text}>};
	children?: Reflection[];
	signatures?: Reflection[];
	getSignature?: Reflection;
	type?: {declaration?: Reflection};
};

const execute = promisify(execFile);
let folder: string;
let modules: Reflection[];

test.before('the documentation is written, without a warning', async t => {
	folder = await mkdtemp(path.join(tmpdir(), 'processual-api-'));
	const docs = path.join(root, 'docs/api');
	const json = path.join(folder, 'api.json');
	const result = await execute(
		process.execPath,
		[path.join(docs, 'node_modules/typedoc/bin/typedoc'), '--out', path.join(folder, 'pages'), '--json', json],
		{cwd: docs},
	).catch((error: {stdout: string; stderr: string}) => error);
	t.false(result instanceof Error, `${result.stdout}${result.stderr}`);
	modules = (JSON.parse(await readFile(json, 'utf8')) as Reflection).children!;
});

test.after.always('the folder is removed', async () => {
	if (folder) {
		await rm(folder, {recursive: true, force: true});
	}
});

/** The call signatures of a function, an accessor or a type. */
const signaturesOf = ({signatures, getSignature, type}: Reflection): Reflection[] =>
	[...signatures ?? [], ...getSignature ? [getSignature] : [], ...type?.declaration?.signatures ?? []];

const isDocumented = (reflection: Reflection): boolean =>
	[reflection, ...signaturesOf(reflection)].some(({comment}) => comment && (comment.summary.length > 0 || comment.blockTags?.length));

const methodsOf = ({children, type}: Reflection): Reflection[] => (children ?? type?.declaration?.children ?? [])
	.filter(member => signaturesOf(member).length > 0 && member.name !== 'constructor' && !member.flags.isInherited);

test('its modules are the entries that an application imports', async t => {
	const {exports} = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as {exports: Record<string, unknown>};
	const entries = Object.keys(exports).filter(name => !/\.(?:json|wasm)$/.test(name))
		.map(name => path.posix.join('processual-state', name));
	t.deepEqual(modules.map(({name}) => name).toSorted(), entries.toSorted());
});

test('every module, export and method is documented', t => {
	const undocumented = modules.flatMap(module => [
		module,
		...module.children!.flatMap(exported => exported.variant === 'reference' ? [] : [exported, ...methodsOf(exported)]),
	]
		.filter(each => !isDocumented(each))
		.map(({name}) => `${module.name}: ${name}`));
	t.deepEqual(undocumented, []);
});

const hasTag = ({comment}: Reflection, tag: string): boolean => comment?.blockTags?.some(block => block.tag === tag) ?? false;

/** What a module itself exports, without re-exports. */
const exportsOf = ({children}: Reflection): Reflection[] => children!.filter(({variant}) => variant !== 'reference');

/** TypeDoc's number for a function. */
const functionKind = 64;

test('every function has an example', t => {
	const without = modules.flatMap(module => exportsOf(module)
		.filter(exported => exported.kind === functionKind && ![exported, ...signaturesOf(exported)].some(each => hasTag(each, '@example')))
		.map(({name}) => `${module.name}: ${name}`));
	t.deepEqual(without, []);
});

test('every optional option documents its default', t => {
	const options = modules.flatMap(module => exportsOf(module)
		.filter(({name}) => /(?:Options|Hooks)$/.test(name))
		.flatMap(({name, children, type}) => (children ?? type?.declaration?.children ?? []).map(option => ({
			name: `${module.name}: ${name}.${option.name}`,
			option,
		}))))
		.filter(({option}) => option.flags.isOptional);
	t.true(options.length > 60);
	t.deepEqual(options.filter(({option}) => !hasTag(option, '@default')).map(({name}) => name), []);
});

/** The code of each `@example`, with the name of the documented item. */
const examplesOf = (reflection: Reflection): Array<[string, string]> => [
	...[reflection, ...signaturesOf(reflection)].flatMap(({name, comment}) => (comment?.blockTags ?? [])
		.filter(({tag}) => tag === '@example')
		.map(({content}): [string, string] => [name, content.map(({text}) => text).join('')])),
	...(reflection.children ?? []).flatMap(examplesOf),
];

/** The programs of the recipes, which are the first page. */
const recipes = async (): Promise<Array<[string, string]>> => Array.from(
	(await readFile(path.join(root, 'docs/recipes.md'), 'utf8')).matchAll(/^## ([^\n]+)\n(?:(?!^## ).)*?(^```ts\n.*?^```$)/gms),
	([, name, code]) => [name!.replaceAll(/\W/g, '-'), code!],
);

test('every module and every recipe has an example, and each compiles', async t => {
	// Inside the package, so that its dependencies are found.
	const place = path.join(root, 'build/api-examples');
	await rm(place, {recursive: true, force: true});
	await mkdir(place, {recursive: true});
	const pages = [
		{name: 'recipes', examples: await recipes()},
		...modules.map(module => ({name: module.name, examples: examplesOf(module)})),
	];
	t.is(pages[0]!.examples.length, 9);
	for (const module of pages) {
		const {examples} = module;
		t.true(examples.length > 0, module.name);
		for (const [i, [name, text]] of examples.entries()) {
			const code = /^```ts\n(?<code>.*)\n```$/s.exec(text.trim())?.groups?.['code'];
			t.truthy(code, `${module.name}: the example of ${name} is a block of ts`);
			await writeFile(path.join(place, `${module.name.replace('/', '-')}-${name}-${i}.ts`), `${code}\nexport {};\n`);
		}
	}

	// The declarations that applications have: reading the sources instead takes ten times as long.
	t.true(await isBuilt(), notBuilt);
	const entry = (file: string): string[] => [path.join(root, 'dist', file)];
	await writeFile(path.join(place, 'tsconfig.json'), JSON.stringify({
		extends: path.join(root, 'tsconfig.json'),
		compilerOptions: {paths: {
			'processual-state': entry('index.d.ts'),
			'processual-state/*': entry('*/index.d.ts'),
		}},
		include: ['*.ts'],
		exclude: [],
	}));
	const checked = await execute(path.join(root, 'node_modules/.bin/tsc'), {cwd: place}).catch((error: {stdout: string}) => error);
	t.is(checked.stdout, '');
	await rm(place, {recursive: true});
});
