/**
 * Locates the files of the package that no bundle carries: threads, weights, data and pages. A
 * bundled program finds them in the package that is installed beside the bundle.
 */
import {existsSync} from 'node:fs';
import {createRequire} from 'node:module';
import {extname} from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';
import {ConfigurationError} from './errors.ts';

/** The URL of this file. A CommonJS bundle has another name for it, and a worker of workerd has none. */
const here: string = import.meta.url ?? (typeof __filename === 'string' ? pathToFileURL(__filename).href : 'file:///');

/** Whether this module is a separate file. Some bundlers keep the URL that it had when they ran. */
const isInPackage = (): boolean => /\/(?:dist|src)\/platform\/package-file\.[jt]s$/.test(here) && existsSync(fileURLToPath(here));

/** The URL of this module in the installed package; where it would be, for a bundle without the package. */
const findThisModule = (): string => {
	if (isInPackage()) {
		return here;
	}

	// A bundle of webpack keeps the URL that this module had at the build; the program's file is where it runs.
	for (const from of [() => here, () => process.argv[1]!]) {
		try {
			return new URL('dist/platform/package-file.js', pathToFileURL(createRequire(from()).resolve('processual-state/package.json'))).href;
		} catch {
			// There is no package above it.
		}
	}

	return new URL('node_modules/processual-state/dist/platform/package-file.js', here).href;
};

/** The URL of a file or folder by its path in the package, whether it exists or not. */
export const locatePackageFile = (path: string): URL => new URL(`../../${path}`, findThisModule());

const requireFile = (url: URL): URL => {
	if (!isInPackage() && !existsSync(url)) {
		throw new ConfigurationError('This program is a bundle, which cannot carry all files of processual-state, '
			+ `and ${fileURLToPath(url)} is missing. Deploy node_modules/processual-state with the bundle, `
			+ 'or leave the package out of it (esbuild: --external:processual-state). '
			+ 'Its docs/library.md says how, under “In a bundle for Node”.');
	}

	return url;
};

/** The URL of a file by its path in the package. @throws {ConfigurationError} in a bundle without the package beside it */
export const packageFile = (path: string): URL => requireFile(locatePackageFile(path));

/** The URL of a module that runs in a thread, by its path in the source without extension. @throws the errors of {@link packageFile} */
export const threadModule = (path: string): URL => {
	const module = findThisModule();
	return requireFile(new URL(`../${path}${extname(module)}`, module));
};
