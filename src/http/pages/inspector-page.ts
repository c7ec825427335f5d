/**
 * `GET /inspector`: a page that shows who the identity is, how it came here and what would change it, and its machines,
 * live.
 *
 * Its sources lie in the folder `inspector`; the build makes of them the files in `vendor`. The page's policy lets it
 * load from this service only. The files are public and need no token; the page asks for one where the service does.
 */
import type {Middleware} from 'koa';
import type {Operation} from '../routes/route.ts';
import {text} from '../../wire/builders.ts';
import {readPackageFile, serveFiles, type ServedFile} from './serve-files.ts';

export const inspector: Operation = {
	method: 'GET',
	path: '/inspector',
	summary: 'The identity as a page',
	description: 'A page that shows who the identity is, how it came here, what would change it, and its machines, live. It loads '
		+ 'nothing from elsewhere.',
	responses: {},
	texts: {'text/html': text('The page.', '<!doctype html>')},
};

const types: Record<string, string> = {
	html: 'text/html; charset=utf-8',
	css: 'text/css; charset=utf-8',
	js: 'text/javascript; charset=utf-8',
	svg: 'image/svg+xml',
	json: 'application/json; charset=utf-8',
};

const typeOf = (name: string): string => types[name.split('.').at(-1)!]!;

/** Where the package has what the page loads: one file of each kind. */
const sources: Record<string, string> = {
	'main.js': 'vendor/inspector.js',
	'main.css': 'vendor/inspector.css',
	'layouts.json': 'vendor/layouts.json',
	'icon.svg': 'inspector/icon.svg',
};

/** @param isHost Whether the page asks for other identities. */
const readPage = async (isHost: boolean): Promise<Buffer> => {
	const page = await readPackageFile('inspector/index.html');
	return isHost ? Buffer.from(page.toString().replace('<html', '<html data-host')) : page;
};

const files = (describeMachines: () => unknown[], isHost: boolean): Map<string, ServedFile> => new Map([
	['/inspector', {type: types['html']!, read: async () => readPage(isHost)}],
	[
		'/inspector/words.json',
		{
			type: types['json']!,
			read: async () => Buffer.from(JSON.stringify(readGlossary((await readPackageFile('docs/words.md')).toString()))),
		},
	],
	['/inspector/machines.json', {type: types['json']!, read: async () => Buffer.from(JSON.stringify(describeMachines()))}],
	...Object.entries(sources).map(([name, source]): [string, ServedFile] => [
		`/inspector/${name}`, {type: typeOf(name), read: async () => readPackageFile(source)},
	]),
]);

/** The paths of the page and its files. */
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

/** Reads the tables of a glossary in Markdown. */
const readGlossary = (markdown: string): Record<string, string> =>
	Object.fromEntries([...markdown.matchAll(row)].map(({groups}) => [groups!['word'], toPlainText(groups!['meaning']!)]));
