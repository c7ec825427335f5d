/** The documents say what is there: what they and comments cite exists, and the specification names every endpoint and field. */
import {readdir, readFile} from 'node:fs/promises';
import {existsSync} from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import test from 'ava';
import type {TSchema} from '../src/platform/typebox.ts';
import {routesFor} from '../src/http/routes.ts';
import {eventTypes} from '../src/wire/event-types.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = async (file: string): Promise<string> => readFile(path.join(root, file), 'utf8');

/**
 * A document or folder by its path from the root, as comments and prose give it. Strings of code begin with a
 * quote, and URLs with a slash.
 */
const named = /(?<=[\s`(])((?:docs\/[\w./-]*\w|(?:\w[\w.-]*\/)+[\w-]+\.md))(?:#([\w-]+))?/g;

/** A file or folder of the source, as guides give it. */
const inSource = /`((?:assembly|benchmarks|data|docs|examples|inspector|scripts|src|test)\/[\w./-]*)`/g;

/** A link of Markdown, relative to its file. */
const link = /\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]+))?\)/g;

/** As GitHub names the headings of a document. */
const anchorsOf = (markdown: string): Set<string> => new Set(
	Array.from(markdown.replaceAll(/^```.*?^```/gms, '').matchAll(/^#{1,6} (.+)$/gm), ([, heading]) =>
		heading!.toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(' ', '-')),
);

type Citation = {target: string; anchor: string | undefined};

/** What a file cites, by paths from the root. */
const citationsIn = (file: string, text: string): Citation[] => {
	const isMarkdown = file.endsWith('.md');
	const prose = isMarkdown ? text.replaceAll(link, '') : text;
	const links = isMarkdown ? text.matchAll(link) : [];
	return [
		...Array.from(prose.matchAll(named), ([, target, anchor]) => ({target: target!, anchor})),
		...Array.from(isMarkdown ? text.matchAll(inSource) : [], ([, target]) => ({target: target!, anchor: undefined})),
		...Array.from(
			links,
			([, target, anchor]) => ({target: target === '' ? file : path.posix.join(path.posix.dirname(file), target!), anchor}),
		),
	];
};

const isThere = async ({target, anchor}: Citation): Promise<boolean> =>
	existsSync(path.join(root, target)) && (anchor === undefined || anchorsOf(await read(target)).has(anchor));

/** What is cited and is not there. */
const brokenIn = async (file: string, text: string): Promise<string[]> => {
	const broken: string[] = [];
	for (const citation of citationsIn(file, text)) {
		if (!await isThere(citation)) {
			broken.push(citation.target + (citation.anchor === undefined ? '' : `#${citation.anchor}`));
		}
	}

	return broken;
};

const folders = ['assembly', 'benchmarks', 'docs/spec', 'examples', 'inspector', 'scripts', 'src', 'test'];
const documents = [
	'README.md',
	'SECURITY.md',
	'CONTRIBUTING.md',
	...(await readdir(path.join(root, 'docs'))).filter(name => name.endsWith('.md')).map(name => `docs/${name}`),
];

const filesIn = async (folder: string): Promise<string[]> => {
	const entries = await readdir(path.join(root, folder), {recursive: true});
	return entries.map(entry => path.posix.join(folder, entry.replaceAll(path.sep, '/')))
		.filter(file => /\.(?:c|js|md|py|ts)$/.test(file) && !/node_modules|vendor/.test(file));
};

const files = [...documents, ...(await Promise.all(folders.map(filesIn))).flat()];

const specification = (await Promise.all(['interface', 'behaviour', 'instruments'].map(async name => read(`docs/spec/${name}.md`)))).join(
	'',
);

test('what comments and documents cite is there, down to the heading', async t => {
	const broken: string[] = [];
	let cited = 0;
	for (const file of files) {
		const text = await read(file);
		cited += citationsIn(file, text).length;
		broken.push(...(await brokenIn(file, text)).map(citation => `${file}: ${citation}`));
	}

	t.deepEqual(broken, []);
	t.true(cited > 40, `${cited} citations`);
});

test('what is cited and is not there is found', async t => {
	const see = (cited: string): string => `/** See \`${cited}\`. */`;
	t.deepEqual(await brokenIn('src/platform/a.ts', see('docs/spec/numerics.md#fixation')), []);
	t.deepEqual(await brokenIn('src/platform/a.ts', see('docs/spec/poetics.md')), ['docs/spec/poetics.md']);
	t.deepEqual(await brokenIn('src/platform/a.ts', see('docs/spec/numerics.md#rhyme')), ['docs/spec/numerics.md#rhyme']);
	t.deepEqual(await brokenIn('src/platform/a.ts', see('spec/numerics.md')), ['spec/numerics.md']);
	t.deepEqual(await brokenIn('docs/a.md', '`src/index.ts`, `src/platform/poetics.ts`'), ['src/platform/poetics.ts']);
	t.deepEqual(await brokenIn('docs/spec/a.md', '[there](numerics.md#fixation), [not](numerics.md#rhyme), [nor](../poetics.md)'), [
		'docs/spec/numerics.md#rhyme', 'docs/poetics.md',
	]);
});

/** The fields of an object, or of each of several. */
const fieldsOf = (schema: TSchema | undefined): string[] => {
	const {properties = {}, anyOf = []} = (schema ?? {}) as {properties?: object; anyOf?: TSchema[]};
	return [...Object.keys(properties), ...anyOf.flatMap(fieldsOf)];
};

test('the specification names every endpoint, and each field of its requests and answers', t => {
	for (const {method, path: endpoint, body, responses} of routesFor({isInspected: true})) {
		t.regex(specification, new RegExp(String.raw`(?:^### |\`)${method} ${endpoint.replaceAll('.', String.raw`\.`)}\b`, 'm'));
		// The fields of the OpenAPI document are OpenAPI's.
		for (const field of endpoint === '/openapi.json' ? [] : [...fieldsOf(body), ...fieldsOf(responses[200])]) {
			t.true(specification.includes(`\`${field}\``), `${method} ${endpoint}: ${field}`);
		}
	}
});

test('the specification names every type of event', t => {
	for (const type of eventTypes) {
		t.true(specification.includes(`\`${type}\``), type);
	}
});
