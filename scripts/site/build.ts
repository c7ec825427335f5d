/**
 * Builds the static site in `build/site`, offline: the documents with a search, and a playground that runs the
 * library and the bundled encoder in the page. Any static server serves it, below any path.
 */
import {copyFile, mkdir, rm, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {build} from 'esbuild';
import {loadBuiltInDirections} from '../../src/actors/packaged.ts';
import {loadEncoder} from '../../src/embedding/load-encoder.ts';
import type {Direction} from '../../src/semiosis/profile.ts';
import {inPackage, readDocuments} from '../documents.ts';
import {renderPages} from './pages.ts';

const target = process.argv[2] ?? inPackage('build/site');

const write = async (name: string, content: string): Promise<void> => {
	await mkdir(path.dirname(path.join(target, name)), {recursive: true});
	await writeFile(path.join(target, name), content);
};

/** The model's vectors are half as wide as the state; the other half is zero. */
const toBase64 = (vector: Float32Array): string => Buffer.from(vector.slice(0, 512).buffer).toString('base64');

const pack = ({vector, reading, ...direction}: Direction): unknown => ({
	...direction,
	vector: vector && toBase64(vector),
	reading: reading && {...reading, vector: toBase64(reading.vector), tone: reading.tone !== null},
});

const packDirections = async (): Promise<string> => {
	const encoder = await loadEncoder();
	try {
		const directions = await loadBuiltInDirections({encoder, signal: AbortSignal.timeout(600_000), warn: console.warn});
		// All directions share one axis (docs/spec/instruments.md).
		const tone = directions.find(({reading}) => reading?.tone)?.reading?.tone;
		return JSON.stringify({tone: tone && pack(tone), directions: directions.map(pack)});
	} finally {
		await encoder.dispose();
	}
};

await rm(target, {recursive: true, force: true});
const {pages, sections, files} = await renderPages(await readDocuments());
for (const {name, content} of pages) {
	await write(name, content);
}

await write('sections.json', JSON.stringify(sections));
await write('directions.json', await packDirections());
for (const file of [...files, 'inspector/icon.svg', 'weights/use-lite-q8.bin']) {
	await mkdir(path.dirname(path.join(target, file)), {recursive: true});
	await copyFile(inPackage(file), path.join(target, file));
}

await build({
	absWorkingDir: inPackage('.'),
	entryPoints: ['search', 'playground', 'site'].map(name => ({in: `scripts/site/${name}.${name === 'site' ? 'css' : 'js'}`, out: name})),
	outdir: target,
	bundle: true,
	format: 'esm',
	platform: 'browser',
	target: 'es2024',
	minify: true,
	legalComments: 'none',
	tsconfigRaw: {},
	plugins: [{
		name: 'without Node',
		// The encoder's modules can also read weights from a file, which a page never does.
		setup(bundler) {
			bundler.onResolve({filter: /^node:/}, ({path: name}) => ({path: name, namespace: 'node'}));
			bundler.onLoad({filter: /.*/, namespace: 'node'}, () => ({contents: 'module.exports = {}', loader: 'js'}));
		},
	}],
});
console.log(`${pages.length} pages in ${target}`);
