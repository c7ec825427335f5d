/**
 * The phrases of the program, from its sources, its pages and the glossary, and the pages in French.
 * `data/french/program.json` has the translations.
 */
import {readdir, readFile} from 'node:fs/promises';
import {parseSync, Visitor} from 'oxc-parser';
import {begunAtRandom, waysToBegin} from '../../src/actors/boot-steps.ts';
import {readGlossary} from '../../src/http/pages/inspector-page.ts';
import {messages} from '../../src/http/schemas/daemon.ts';
import {phraseKey, type Phrases} from '../../src/platform/phrase.ts';

const root = new URL('../../', import.meta.url);

const read = async (path: string): Promise<string> => readFile(new URL(path, root), 'utf8');

export const readFrench = async (): Promise<Phrases> => JSON.parse(await read('data/french/program.json')) as Phrases;

/** English texts of the interface that the page shows: values of fields, and warnings of the boot. */
const readInterfaceWords = async (): Promise<string[]> => [
	begunAtRandom, ...Object.values(waysToBegin), ...Object.values(messages),
	'idle', 'conversation', 'autonomous', 'ok', 'warning', 'critical', 'leaning', 'strong', 'none', 'tenacity', 'authority', 'a_priori', 'science',
	...(JSON.parse(await read('data/directions.json')) as {directions: Array<{category: string}>}).directions.map(({category}) => category),
];

/** The phrases in a source: templates of `phrase` and `phraseParts`, and things that are counted. */
export const phrasesIn = (name: string, code: string): string[] => {
	const found: string[] = [];
	new Visitor({
		TaggedTemplateExpression(template) {
			if (template.tag.type === 'Identifier' && ['phrase', 'phraseParts'].includes(template.tag.name)) {
				found.push(phraseKey(template.quasi.quasis.map(({value: {cooked}}) => cooked!)));
			}
		},
		CallExpression({callee, arguments: [, noun]}) {
			if (callee.type === 'Identifier' && callee.name === 'formatCount' && noun?.type === 'Literal') {
				found.push(`{0} ${String(noun.value)}s`);
			}
		},
	}).visit(parseSync(name, code).program);
	return found;
};

/** Sources by their names. */
const readAll = async (folder: string, ending: string): Promise<Map<string, string>> => {
	const names = (await readdir(new URL(folder, root), {recursive: true})).filter(name => name.endsWith(ending));
	return new Map(await Promise.all(names.map(async (name): Promise<[string, string]> => [name, await read(`${folder}/${name}`)])));
};

const phrasesOf = (sources: ReadonlyMap<string, string>): string[] => [...sources].flatMap(([name, code]) => phrasesIn(name, code));

type Part = string | {readonly name: string; readonly open: string; readonly parts: Part[]; close: string};

/** Elements without an end tag, and those whose text is not a phrase. */
const [empty, verbatim] = [new Set(['!doctype', 'input', 'link', 'meta']), new Set(['code', 'kbd', 'pre', 'script', 'style'])];

const parsePage = (page: string): Part[] => {
	const top: Part[] = [];
	const opened: Array<Exclude<Part, string>> = [];
	for (const token of page.split(/(<[^>]+>)/)) {
		const [, slash, name] = /^<(\/?)([!\w]+)/.exec(token) ?? [];
		const parts = opened.at(-1)?.parts ?? top;
		if (name === undefined) {
			parts.push(token);
		} else if (slash) {
			opened.pop()!.close = token;
		} else {
			const element = {name, open: token, parts: [], close: ''};
			parts.push(element);
			if (!empty.has(name)) {
				opened.push(element);
			}
		}
	}

	return top;
};

type Translate = (phrase: string) => string;

const hasLetters = (text: string): boolean => /\p{L}{2}/u.test(text);

const translateTag = (tag: string, text: string, translate: Translate): string => {
	const names = tag.startsWith('<meta name="description"') ? 'content' : 'aria-label|label|placeholder|title';
	const translated = tag.replaceAll(new RegExp(`(?<= (?:${names})=")[^"]+`, 'g'), translate);
	// The script looks up the meaning by the English word.
	return tag.includes('class="word"') && !tag.includes('data-word') ? translated.replace('>', ` data-word="${text.toLowerCase()}">`) : translated;
};

const translatePart = (part: Part, translate: Translate): string => {
	if (typeof part === 'string') {
		return part;
	}

	const {name, open, parts, close} = part;
	const texts = parts.filter(inner => typeof inner === 'string');
	const inner = parts.map(each => translatePart(each, translate));
	const isPhrase = hasLetters(texts.join('')) && !verbatim.has(name);
	const [, before = '', after = ''] = /^(\s*)[^]*?(\s*)$/.exec(inner.join('')) ?? [];
	const values = parts.flatMap((each, i) => typeof each === 'string' ? [] : [inner[i]!]);
	let count = 0;
	const key = parts.map(each => typeof each === 'string' ? each : `{${count++}}`).join('').replaceAll(/\s+/g, ' ').trim();
	const content = isPhrase
		? before + translate(key).replaceAll(/\{(\d+)\}/g, (_, place: string) => values[Number(place)]!) + after
		: inner.join('');
	return translateTag(open, texts.join(''), translate) + content + close;
};

/** A page with each of its phrases translated: the text of an element, with `{0}` … for the elements in it, and attributes. */
export const translatePage = (page: string, translate: Translate): string =>
	parsePage(page).map(part => translatePart(part, translate)).join('');

export const pages = ['index', 'fleet'] as const;

const readPage = async (page: typeof pages[number]): Promise<string> => read(`inspector/${page}.html`);

/** The phrases that the scripts of the pages need. */
const readScriptPhrases = async (): Promise<string[]> =>
	[...await readInterfaceWords(), ...phrasesOf(await readAll('inspector', '.js'))];

/** The meanings of the glossary's words that the pages explain. */
const readMeanings = async (shown: string): Promise<string[]> => {
	const glossary = readGlossary(await read('docs/words.md'));
	const words = Array.from(shown.matchAll(/data-word="([^"]+)"|\bword\('([^']+)'/g), ([, inPage, inScript]) => inPage ?? inScript!);
	return words.flatMap(word => glossary[word] ?? []);
};

/** All phrases of the program. */
export const readPhrases = async (): Promise<Set<string>> => {
	const inPages: string[] = [];
	const shown = (await Promise.all(pages.map(readPage))).map(page => translatePage(page, key => {
		inPages.push(key);
		return key;
	}));
	const scripts = await readAll('inspector', '.js');
	return new Set([
		...await readScriptPhrases(), ...inPages, ...phrasesOf(await readAll('src', '.ts')),
		...await readMeanings([...shown, ...scripts.values()].join('')),
	]);
};

/** A page in French, with the phrases of its script: a data block, which a content security policy allows. */
export const makeFrenchPage = async (page: typeof pages[number]): Promise<string> => {
	const french = await readFrench();
	const needed = Object.fromEntries((await readScriptPhrases()).flatMap(key => Object.hasOwn(french, key) ? [[key, french[key]]] : []));
	return translatePage(await readPage(page), key => {
		const found = french[key] ?? key;
		return typeof found === 'string' ? found : found.other;
	})
		.replace('<html lang="en"', '<html lang="fr"')
		.replace('</head>', `<script id="phrases" type="application/json">${JSON.stringify(needed).replaceAll('<', '\\u003c')}</script>\n</head>`);
};
