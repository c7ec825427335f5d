/**
 * `GET /inspector`: a page that shows the machines of the process and what moves in them, live.
 *
 * Its own files lie in the folder `inspector` of this package and are served as they are; two
 * libraries come from their packages. Everything is asked from this service and nothing else:
 * the policy of the page sees to it. The files hold nothing secret, so a browser may have them
 * without a token; the page itself asks for one where the service does.
 */
import {readFile} from 'node:fs/promises';
import type {Middleware} from 'koa';
import {serveFiles, type ServedFile} from './serve-files.ts';

const folder = new URL('../../../inspector/', import.meta.url);

const types: Record<string, string> = {
	html: 'text/html; charset=utf-8',
	css: 'text/css; charset=utf-8',
	js: 'text/javascript; charset=utf-8',
	svg: 'image/svg+xml',
};

const typeOf = (name: string): string => types[name.split('.').at(-1)!]!;

const own = [
	'icon.svg',
	'theme.css', 'page.css', 'statechart.css', 'sequence.css', 'identity.css',
	'main.js', 'api.js', 'stream.js', 'event-messages.js', 'dom.js', 'format.js',
	'machine.js', 'layout.js', 'edges.js', 'statechart.js', 'highlight.js', 'charts.js',
	'history.js', 'sequence.js', 'lifelines.js',
	'status-bar.js', 'distances.js', 'cycles-chart.js', 'profile.js', 'controls.js',
];

const fromPackages: Record<string, string> = {
	'elk-api.js': 'elkjs/lib/elk-api.js',
	'elk-worker.js': 'elkjs/lib/elk-worker.min.js',
	'uplot.js': 'uplot/dist/uPlot.esm.js',
	'uplot.css': 'uplot/dist/uPlot.min.css',
};

const files = (machines: unknown): Map<string, ServedFile> => new Map([
	['/inspector', {type: types['html']!, read: () => readFile(new URL('index.html', folder))}],
	['/inspector/machines.json', {type: 'application/json; charset=utf-8', read: async () => Buffer.from(JSON.stringify(machines))}],
	...own.map((name): [string, ServedFile] => [`/inspector/${name}`, {type: typeOf(name), read: () => readFile(new URL(name, folder))}]),
	...Object.entries(fromPackages).map(([name, source]): [string, ServedFile] => [
		`/inspector/vendor/${name}`,
		{type: typeOf(name), read: () => readFile(new URL(import.meta.resolve(source)))},
	]),
]);

/** The paths that the page's middleware answers to GET. */
export const inspectorPaths: readonly string[] = ['/inspector/', ...files([]).keys()];

/**
 * The page and its files.
 *
 * @param machines The definitions of the machines that are drawn, as JSON.
 */
export const inspectorPage = (machines: readonly unknown[]): Middleware => {
	const serve = serveFiles(files(machines));
	return async (ctx, next) => {
		if (ctx.path === '/inspector/') {
			// Seen from here, the page's relative addresses would lead astray.
			ctx.status = 302;
			ctx.set('Location', '../inspector');
			ctx.body = '';
		} else {
			await serve(ctx, next);
		}
	};
};
