/**
 * Loaded before each test file: TypeBox is the one file that the build makes of it and that users run. From its package it
 * has 700 modules, which cost each of hundreds of processes a quarter of a second.
 */
import {existsSync} from 'node:fs';
import {registerHooks} from 'node:module';

const bundled = new URL('../../dist/platform/typebox.js', import.meta.url);
/** Other packages have a TypeBox of their own, with more in it. */
const ours = new URL('../../src/platform/typebox.ts', import.meta.url).href;

if (existsSync(bundled)) {
	registerHooks({
		resolve: (specifier, context, next) => context.parentURL === ours && specifier.startsWith('typebox')
			? {url: bundled.href, shortCircuit: true}
			: next(specifier, context),
	});
}
