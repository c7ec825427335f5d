/**
 * `GET /inspector`: a page that shows who the identity is, how it came here and what would change it, and its machines,
 * live.
 *
 * Its sources lie in the folder `inspector`; the build makes of them the files in `vendor`. The page's policy lets it
 * load from this service only. The files are public and need no token; the page asks for one where the service does.
 */
import type {Middleware} from 'koa';
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

/** Where the package has what the page loads: one file of each kind. */
const sources: Record<string, string> = {
	'main.js': 'vendor/inspector.js',
	'main.css': 'vendor/inspector.css',
	'layouts.json': 'vendor/layouts.json',
};

/**
 * The page with its icon, which would be one more request.
 *
 * @param isHost Whether the page asks for other identities.
 */
const readPage = async (isHost: boolean): Promise<Buffer> => {
	const [page, icon] = await Promise.all(['inspector/index.html', 'inspector/icon.svg'].map(readPackageFile));
	const link = `<link rel="icon" type="image/svg+xml" href="data:image/svg+xml;base64,${icon!.toString('base64')}">`;
	return Buffer.from(page!.toString().replace('</head>', `${link}\n</head>`).replace('<html', isHost ? '<html data-host' : '<html'));
};

const toJson = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

const files = (describeMachines: () => unknown[], isHost: boolean): Map<string, ServedFile> => {
	const readers: Record<string, () => Promise<Buffer>> = {
		'index.html': async () => readPage(isHost),
		'words.json': async () => toJson(readGlossary((await readPackageFile('docs/words.md')).toString())),
		'machines.json': async () => toJson(describeMachines()),
		...Object.fromEntries(Object.entries(sources).map(([name, source]) => [name, async () => readPackageFile(source)])),
	};
	return new Map(Object.entries(readers).map(([name, read]) =>
		[name === 'index.html' ? '/inspector' : `/inspector/${name}`, {type: typeOf(name), read}]));
};

export const inspectorPaths = (): string[] => ['/inspector/', ...files(() => [], false).keys()];

/**
 * Serves the page and its files.
 *
 * @param describeMachines Gives the definitions of the machines that the page draws, as JSON.
 * @param isHost Whether the service has many identities, of which the page shows one.
 */
export const serveInspector = (describeMachines: () => unknown[], isHost = false): Middleware => {
	const serve = serveFiles(files(describeMachines, isHost));
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

const row = /^\| \*\*(?<word>[^*]+)\*\*[^|]* \| (?<meaning>.+) \|$/gm;

/** References at the end of a meaning: they lead to other documents. */
const references = / \((?:\[[^\]]*\]\([^)]*\)(?:, )?)+\)/g;

const toPlainText = (markdown: string): string =>
	markdown.replaceAll(references, '').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/[`*]/g, '');

const readGlossary = (markdown: string): Record<string, string> =>
	Object.fromEntries([...markdown.matchAll(row)].map(({groups}) => [groups!['word'], toPlainText(groups!['meaning']!)]));
