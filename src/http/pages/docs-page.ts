/**
 * `GET /docs`: the OpenAPI document as a page, from the package swagger-ui-dist. Everything
 * comes from this service: the page works without a network, and its policy lets it reach
 * nothing else. Addresses are relative, so that it works under a prefix too.
 */
import {readFile} from 'node:fs/promises';
import type {Middleware} from 'koa';
import {serveFiles, type ServedFile} from './serve-files.ts';

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Processual State Service: interface</title>
<link rel="icon" type="image/png" href="docs/favicon-32x32.png">
<link rel="stylesheet" href="docs/swagger-ui.css">
</head>
<body>
<div id="page"></div>
<noscript>This page needs scripts; <a href="openapi.json">the document itself</a> does not.</noscript>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/initializer.js"></script>
</body>
</html>
`;

/** Without a word about a validator, Swagger UI would have one on the internet look at the document. */
const initializer = `SwaggerUIBundle({
	url: 'openapi.json',
	dom_id: '#page',
	deepLinking: true,
	showExtensions: true,
	validatorUrl: null,
});
document.documentElement.classList.toggle('dark-mode', matchMedia('(prefers-color-scheme: dark)').matches);
`;

const fromPackage = (name: string) => async (): Promise<Buffer> => readFile(new URL(import.meta.resolve(`swagger-ui-dist/${name}`)));

/** What is served, and nothing else. */
const files = new Map<string, ServedFile>([
	['/docs', {type: 'text/html; charset=utf-8', read: async () => Buffer.from(page)}],
	['/docs/initializer.js', {type: 'text/javascript; charset=utf-8', read: async () => Buffer.from(initializer)}],
	['/docs/swagger-ui-bundle.js', {type: 'text/javascript; charset=utf-8', read: fromPackage('swagger-ui-bundle.js')}],
	['/docs/swagger-ui.css', {type: 'text/css; charset=utf-8', read: fromPackage('swagger-ui.css')}],
	['/docs/favicon-32x32.png', {type: 'image/png', read: fromPackage('favicon-32x32.png')}],
]);

/** The paths that the page's middleware answers to GET. */
export const docsPaths: readonly string[] = [...files.keys()];

/** The page and its files. */
export const docsPage = (): Middleware => serveFiles(files);
