/**
 * `GET /`: links to the other pages, as JSON, or as a page for browsers. It reveals nothing about the identity.
 *
 * URLs are relative, so they work behind a proxy that changes the path. If the interface is mounted at a path without a
 * trailing slash, they begin with its last segment.
 */
import {createHash} from 'node:crypto';
import type {Context, Middleware} from 'koa';
import {interfaceVersion} from '../schemas/service.ts';
import type {Operation} from '../routes/route.ts';
import {currentLanguage, phrase} from '../../platform/phrase.ts';
import {map, shape, text} from '../../wire/builders.ts';
import {pageHeaders, pagePolicy, readPackageFile, serveFiles} from './serve-files.ts';

const service = 'Processual State Service';

/** The links, each with a description. */
const meanings = () => ({
	inspector: phrase`who the identity is, how far it drifted, and what would change it`,
	docs: phrase`every endpoint, to read and try`,
	openapi: phrase`the same as a document for programs`,
	health: phrase`whether it runs, and what it runs on`,
});

type Link = keyof ReturnType<typeof meanings>;

const Entry = shape('Entry', 'Where to go from here.', {
	service: text('The name of the service.', service),
	version: text('Version of the interface.', interfaceVersion),
	links: map(
		'Name → address, relative to this one.', text('An address.', './docs'),
		{inspector: './inspector', docs: './docs', openapi: './openapi.json', health: './health'},
	),
});

export const entry: Operation = {
	method: 'GET',
	path: '/',
	summary: 'Where to go',
	description: 'The addresses of the inspector, the documentation and the interface. A client that prefers text/html gets them as a page.',
	responses: {200: Entry},
	texts: {'text/html': text('The page.', '<!doctype html>')},
};

/** The style if no inspector is served, which has the style sheet. */
const plainStyle = 'body{font:1rem/1.5 system-ui,sans-serif;max-width:40rem;margin:4rem auto;padding:0 1rem}';

const plainPolicy = pagePolicy(`'sha256-${createHash('sha256').update(plainStyle).digest('base64')}'`);

const summary = () => phrase`One slowly changing state of an agent, which every text moves a little: which way it leans, how far it
	drifted, and whose texts account for it.`;

const toItem = ([name, address]: [string, string]): string =>
	`<li class="card"><a href="${address}">${name}</a>${phrase`: ${meanings()[name as Link]}`}</li>`;

const toPage = (links: Partial<Record<Link, string>>, base: string): string => `<!doctype html>
<html lang="${currentLanguage()}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${service}</title>
<link rel="icon" type="image/svg+xml" href="${base}favicon.ico">
${links.inspector === undefined ? `<style>${plainStyle}</style>` : `<link rel="stylesheet" href="${base}inspector/main.css">`}
</head>
<body class="entry">
<main>
<h1>Processual State</h1>
<p class="summary">${summary()}</p>
<ul>
${Object.entries(links).map(toItem).join('\n')}
</ul>
<p>${phrase`Say something: POST ${`<code>{"content": "${phrase`The sea is quiet today.`}"}</code>`} to ${`<code>${base}cycle</code>`}.`}</p>
</main>
</body>
</html>
`;

/** Escapes an address, which comes from the request and may contain markup. */
const escape = (address: string): string => address.replaceAll(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`);

/** The base of relative URLs. Express and Connect remove the mount path from the URL, and keep the whole in `originalUrl`. */
const baseOf = ({originalUrl, req}: Context): string => {
	const [path = ''] = ((req as {originalUrl?: string}).originalUrl ?? originalUrl).split('?');
	return path.endsWith('/') ? './' : `./${path.split('/').at(-1)}/`;
};

export const serveEntry = ({inspector, docs}: {inspector: boolean; docs: boolean}): Middleware => {
	const served = Object.entries({
		...inspector && {inspector: 'inspector'}, ...docs && {docs: 'docs'}, openapi: 'openapi.json', health: 'health',
	});
	const linksFrom = (base: string): Record<string, string> => Object.fromEntries(served.map(([name, address]) => [name, base + address]));

	return ctx => {
		const base = baseOf(ctx);
		ctx.vary('Accept');
		// JSON is the default, even for clients that accept neither.
		if (ctx.accepts('json', 'html') === 'html') {
			ctx.set(pageHeaders('text/html; charset=utf-8', inspector ? pagePolicy() : plainPolicy));
			ctx.body = toPage(linksFrom(escape(base)), escape(base));
		} else {
			ctx.set('Content-Type', 'application/json; charset=utf-8');
			ctx.body = JSON.stringify({service, version: interfaceVersion, links: linksFrom(base)});
		}
	};
};

/** Browsers request this with every page, even with a JSON response. */
export const faviconPath = '/favicon.ico';

export const serveFavicon = (): Middleware =>
	serveFiles(new Map([[faviconPath, {type: 'image/svg+xml', read: async () => readPackageFile('inspector/icon.svg')}]]));
