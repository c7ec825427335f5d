/**
 * `GET /docs`: the OpenAPI document as a page, with Swagger UI. The page loads everything from this service, so it needs no
 * internet. URLs are relative, so it works under a path prefix.
 */
import {pageAt, readPackageFile, serveFiles, type ServedFile} from './serve-files.ts';

export const docs = pageAt(
	'/docs', 'This document as a page', 'A page that shows this document and tries out its requests. It loads nothing from elsewhere.',
);

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

/** Without `validatorUrl: null`, Swagger UI sends the document's address to a validator on the internet. */
const initializer = `SwaggerUIBundle({
	url: 'openapi.json',
	dom_id: '#page',
	deepLinking: true,
	showExtensions: true,
	validatorUrl: null,
});
document.documentElement.classList.toggle('dark-mode', matchMedia('(prefers-color-scheme: dark)').matches);
`;

const fromVendor = (name: string) => (): Promise<Buffer> => readPackageFile(`vendor/${name}`);

/** Decompresses with a web stream, which every runtime has. */
const decompressed = (name: string) => async (): Promise<Buffer> => {
	const bytes = new Uint8Array(await fromVendor(name)());
	return Buffer.from(await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer());
};

const files = new Map<string, ServedFile>([
	['/docs', {type: 'text/html; charset=utf-8', read: async () => Buffer.from(page)}],
	['/docs/initializer.js', {type: 'text/javascript; charset=utf-8', read: async () => Buffer.from(initializer)}],
	['/docs/swagger-ui-bundle.js', {type: 'text/javascript; charset=utf-8', read: decompressed('swagger-ui-bundle.js.gz')}],
	['/docs/swagger-ui.css', {type: 'text/css; charset=utf-8', read: decompressed('swagger-ui.css.gz')}],
	['/docs/favicon-32x32.png', {type: 'image/png', read: fromVendor('favicon-32x32.png')}],
]);

export const docsPaths: readonly string[] = [...files.keys()];

export const serveDocs = () => serveFiles(files);
