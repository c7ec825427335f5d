/** Makes one script and one style sheet of the inspector's page, and a script of the fleet's: a browser would ask for 40 files otherwise;
 * and the pages in French, with what their scripts say. */
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
