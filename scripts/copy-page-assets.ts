/** Copies the library files that our pages load into `vendor/`, with their licences. The packages are ten times as large. */
import {copyFile, mkdir, readFile, rm, writeFile} from 'node:fs/promises';
import {gzipSync} from 'node:zlib';
import {writeLicences} from './licences.ts';

/** By the names under which the pages load them. */
const assets = {
	'favicon-32x32.png': 'swagger-ui-dist/favicon-32x32.png',
	'swagger-ui-bundle.js.LICENSE.txt': 'swagger-ui-dist/swagger-ui-bundle.js.LICENSE.txt',
};

/** Stored compressed, which reduces 1.9 MB to a quarter. */
const largeAssets = ['swagger-ui-dist/swagger-ui-bundle.js', 'swagger-ui-dist/swagger-ui.css'];

/** The build bundles these into the inspector's files, so only their licences are needed here. */
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
