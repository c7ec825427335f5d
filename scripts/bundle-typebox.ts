/** Makes one file of the built `platform/typebox.js`, with what it imports. Its licence comes along. */
import {build} from 'esbuild';
import {writeLicences} from './licences.ts';

const file = 'dist/platform/typebox.js';

const {metafile: {inputs}} = await build({entryPoints: [file], outfile: file, allowOverwrite: true, bundle: true, format: 'esm', target: 'es2024', minify: true, legalComments: 'none', metafile: true});
await writeLicences('dist/LICENSES.txt', Object.keys(inputs));
