/** Makes one script and one style sheet of the inspector's page, and a script of the fleet's: a browser would ask for 40 files otherwise. */
import {build} from 'esbuild';

await build({
	entryPoints: [{in: 'inspector/main.js', out: 'inspector'}, {in: 'inspector/main.css', out: 'inspector'}, {in: 'inspector/fleet.js', out: 'fleet'}],
	outdir: 'vendor',
	bundle: true,
	format: 'esm',
	target: 'es2024',
	minify: true,
	legalComments: 'none',
});
