/**
 * Where files of the package are that no bundle carries: threads, weights, data and pages. For a
 * program that is bundled they are in the package that is installed beside the bundle.
 */
import {existsSync} from 'node:fs';
import {createRequire} from 'node:module';
import {extname} from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';
import {ConfigurationError} from './errors.ts';

/** The address of this program's file. As CommonJS a bundle has another name for it, and in a worker of workerd it has none. */
const here: string = import.meta.url ?? (typeof __filename === 'string' ? pathToFileURL(__filename).href : 'file:///');

/** Whether this module is a separate file. Some bundlers keep the address that it had when they ran. */
const isInPackage = (): boolean => /\/(?:dist|src)\/platform\/package-file\.[jt]s$/.test(here) && existsSync(fileURLToPath(here));

/** The address of this module in the package that is installed. In a bundle without one it is where one would be. */
const findThisModule = (): string => {
	if (isInPackage()) {
		return here;
	}

	// A bundle of webpack keeps the address that this module had where it was made; the program's own file is where it runs.
	for (const from of [() => here, () => process.argv[1]!]) {
		try {
			return new URL('dist/platform/package-file.js', pathToFileURL(createRequire(from()).resolve('processual-state/package.json'))).href;
		} catch {
			// There is no package above it.
		}
	}

	return new URL('node_modules/processual-state/dist/platform/package-file.js', here).href;
};

/** The address of a file or folder by its path in the package, whether it is there or not. */
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

/** The address of a file by its path in the package. @throws {ConfigurationError} in a bundle without the package beside it */
export const packageFile = (path: string): URL => requireFile(locatePackageFile(path));

/** The address of a module that runs in a thread, by its path in the source without its ending. @throws what {@link packageFile} throws */
export const threadModule = (path: string): URL => {
	const module = findThisModule();
	return requireFile(new URL(`../${path}${extname(module)}`, module));
};
