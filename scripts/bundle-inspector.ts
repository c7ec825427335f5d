/** Bundles the inspector's page into one script and one style sheet, and the fleet's page into a script, so that a browser does not
 * request 40 files. Also writes the French pages, with the phrases of their scripts. */
import {writeFile} from 'node:fs/promises';
import {build} from 'esbuild';
import {makeFrenchPage, pages} from './french/program.ts';

await build({
	entryPoints: [{in: 'inspector/main.js', out: 'inspector'}, {in: 'inspector/main.css', out: 'inspector'}, {in: 'inspector/fleet.js', out: 'fleet'}],
	outdir: 'vendor',
	bundle: true,
	format: 'esm',
	target: 'es2024',
	minify: true,
	legalComments: 'none',
});

for (const page of pages) {
	await writeFile(`vendor/${page}.fr.html`, await makeFrenchPage(page));
}
