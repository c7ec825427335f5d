/** Bundles the built `platform/typebox.js` and its imports into one file, and writes their licences. */
import {build} from 'esbuild';
import {writeLicences} from './licences.ts';

const file = 'dist/platform/typebox.js';

const {metafile: {inputs}} = await build({entryPoints: [file], outfile: file, allowOverwrite: true, bundle: true, format: 'esm', target: 'es2024', minify: true, legalComments: 'none', metafile: true});
await writeLicences('dist/LICENSES.txt', Object.keys(inputs));
