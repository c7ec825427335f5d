/** Copies into `vendor/` the files of libraries that our pages load, with their licences. The packages have ten times as much. */
import {copyFile, mkdir, readFile, rm, writeFile} from 'node:fs/promises';
import {gzipSync} from 'node:zlib';
import {writeLicences} from './licences.ts';

/** By the names that the pages use. */
const assets = {
	'favicon-32x32.png': 'swagger-ui-dist/favicon-32x32.png',
	'swagger-ui-bundle.js.LICENSE.txt': 'swagger-ui-dist/swagger-ui-bundle.js.LICENSE.txt',
};

/** Compressed; of 1.9 MB, a quarter stays. */
const largeAssets = ['swagger-ui-dist/swagger-ui-bundle.js', 'swagger-ui-dist/swagger-ui.css'];

/** What the build makes a part of the inspector's files. */
const bundledAssets = ['uplot/dist/uPlot.esm.js', 'uplot/dist/uPlot.min.css'];

await rm('vendor', {recursive: true, force: true});
await mkdir('vendor');
for (const [name, file] of Object.entries(assets)) {
	await copyFile(`node_modules/${file}`, `vendor/${name}`);
}

for (const file of largeAssets) {
	await writeFile(`vendor/${file.split('/').at(-1)}.gz`, gzipSync(await readFile(`node_modules/${file}`), {level: 9}));
}

await writeLicences('vendor/LICENSES.txt', [...Object.values(assets), ...largeAssets, ...bundledAssets].map(file => `node_modules/${file}`));
