/** Files of the package for its pages. A worker has none of them, nor a bundle without the package beside it. */
import {readFile} from 'node:fs/promises';
import {UnavailableError} from '../../platform/errors.ts';
import {locatePackageFile} from '../../platform/package-file.ts';

/** @throws {UnavailableError} when the file is not there */
export const readPackageFile = async (path: string): Promise<Buffer> => {
	try {
		return await readFile(locatePackageFile(path));
	} catch (error) {
		throw new UnavailableError('The files of this page are missing, as in a bundled program: deploy node_modules/processual-state with the bundle, or leave the page out.', {cause: error, retryable: false});
	}
};

let version: string | undefined;

/** The version of the package; that it is unknown is the answer of a bundle, which has no files. */
export const packageVersion = async (): Promise<string> => {
	version ??= await readPackageFile('package.json').then(bytes => (JSON.parse(bytes.toString()) as {version: string}).version, () => 'bundled');
	return version;
};
