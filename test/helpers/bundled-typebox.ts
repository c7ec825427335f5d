/**
 * Loaded before each test file: TypeBox is the one file that the build makes of it and that users run. From its package it
 * has 700 modules, which cost each of hundreds of processes a quarter of a second.
 */
import {existsSync} from 'node:fs';
import {registerHooks} from 'node:module';

const bundled = new URL('../../dist/platform/typebox.js', import.meta.url);

if (existsSync(bundled)) {
	registerHooks({
		resolve: (specifier, context, next) => /^typebox(?:\/|$)/.test(specifier)
			? {url: bundled.href, shortCircuit: true}
			: next(specifier, context),
	});
}
