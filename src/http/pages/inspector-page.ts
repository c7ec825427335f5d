/**
 * `GET /inspector`: a page that shows who the identity is, how it came here and what would change it, and its machines,
 * live; and the page of the fleet.
 *
 * Its sources lie in the folder `inspector`; the build makes of them the files in `vendor`. The page's policy lets it
 * load from this service only. The files are public and need no token; the page asks for one where the service does.
 */
import type {Middleware} from 'koa';
import {currentLanguage, translated} from '../../platform/phrase.ts';
import {pageAt, readPackageFile, serveFiles, type ServedFile} from './serve-files.ts';

export const inspector = pageAt(
	'/inspector', 'The identity as a page',
	'A page that shows who the identity is, how it came here, what would change it, and its machines, live. It loads nothing from elsewhere.',
);

const types: Record<string, string> = {
	html: 'text/html; charset=utf-8',
	css: 'text/css; charset=utf-8',
	js: 'text/javascript; charset=utf-8',
	json: 'application/json; charset=utf-8',
};

const typeOf = (name: string): string => types[name.split('.').at(-1)!]!;

/** Where the package has what the pages load: one file of each kind, and the fleet's script. */
const sources: Record<string, string> = {
	'main.js': 'vendor/inspector.js',
	'main.css': 'vendor/inspector.css',
	'fleet.js': 'vendor/fleet.js',
	'layouts.json': 'vendor/layouts.json',
};

/** What a page shows of a service: whether it has many identities, and a fleet of them. */
type Shown = {isHost?: boolean; hasFleet?: boolean};

/** Where the package has a page: the build translates it. */
const pageFile = (name: string): string =>
	currentLanguage() === 'en' ? `inspector/${name}.html` : `vendor/${name}.${currentLanguage()}.html`;

/** A page with its icon, which would be one more request. */
const readPage = async (name: string, {isHost = false, hasFleet = false}: Shown): Promise<Buffer> => {
	const [page, icon] = await Promise.all([pageFile(name), 'inspector/icon.svg'].map(readPackageFile));
	const link = `<link rel="icon" type="image/svg+xml" href="data:image/svg+xml;base64,${icon!.toString('base64')}">`;
	const marks = `${isHost ? ' data-host' : ''}${hasFleet ? ' data-fleet' : ''}`;
	return Buffer.from(page!.toString().replace('</head>', `${link}\n</head>`).replace('<html', `<html${marks}`));
};

const translateAll = (texts: Record<string, string>): Record<string, string> =>
	Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, translated(text)]));

const toJson = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

const files = (describeMachines: () => unknown[], shown: Shown): Map<string, ServedFile> => {
	const readers: Record<string, () => Promise<Buffer>> = {
		'index.html': async () => readPage('index', shown),
		'words.json': async () => toJson(translateAll(readGlossary((await readPackageFile('docs/words.md')).toString()))),
		'machines.json': async () => toJson(describeMachines()),
		...Object.fromEntries(Object.entries(sources).map(([name, source]) => [name, async () => readPackageFile(source)])),
	};
	return new Map(Object.entries(readers).map(([name, read]) =>
		[name === 'index.html' ? '/inspector' : `/inspector/${name}`, {type: typeOf(name), read}]));
};

export const inspectorPaths = (): string[] => ['/inspector/', ...files(() => [], {}).keys()];

/**
 * Serves the page and its files.
 *
 * @param describeMachines Gives the definitions of the machines that the page draws, as JSON.
 */
export const serveInspector = (describeMachines: () => unknown[], shown: Shown = {}): Middleware => {
	const serve = serveFiles(files(describeMachines, shown));
	return async (ctx, next) => {
		if (ctx.path === '/inspector/') {
			// The page's relative addresses are relative to the path without the slash.
			ctx.status = 302;
			ctx.set('Location', '../inspector');
			ctx.body = '';
		} else {
			await serve(ctx, next);
		}
	};
};

/** Serves the page of the fleet to browsers, at the address of what it asks for. It needs no token, as the other files do. */
export const serveFleetPage = (path: string): Middleware => {
	const serve = serveFiles(new Map([[path, {type: types['html']!, read: async () => readPage('fleet', {isHost: true})}]]));
	return async (ctx, next) => {
		if (ctx.path !== path || ctx.method !== 'GET') {
			await next();
			return;
		}

		ctx.vary('Accept');
		await (ctx.accepts('json', 'html') === 'html' ? serve(ctx, next) : next());
	};
};

const row = /^\| \*\*(?<word>[^*]+)\*\*[^|]* \| (?<meaning>.+) \|$/gm;

/** References at the end of a meaning: they lead to other documents. */
const references = / \((?:\[[^\]]*\]\([^)]*\)(?:, )?)+\)/g;

const toPlainText = (markdown: string): string =>
	markdown.replaceAll(references, '').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/[`*]/g, '');

/** The words of `docs/words.md`, each with its meaning as plain text. */
export const readGlossary = (markdown: string): Record<string, string> =>
	Object.fromEntries([...markdown.matchAll(row)].map(({groups}) => [groups!['word'], toPlainText(groups!['meaning']!)]));
