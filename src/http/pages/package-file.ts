/** Files of the package for its pages. A program that is bundled into one file, as for a worker, has none of them. */
import {readdirSync} from 'node:fs';
import {readFile} from 'node:fs/promises';
import {UnavailableError} from '../../errors.ts';

const urlOf = (path: string): URL => new URL(`../../../${path}`, import.meta.url);

/** @throws {UnavailableError} when the file is not there */
export const readPackageFile = async (path: string): Promise<Buffer> => {
	try {
		return await readFile(urlOf(path));
	} catch (error) {
		throw new UnavailableError('The files of this page are not here, as in a bundled program: keep the package beside the bundle, or leave the page out.', {cause: error, retryable: false});
	}
};

/** The names of the files in a folder and below it, with slashes; none where the package has no files. */
export const listPackageFiles = (folder: string): string[] => {
	try {
		return readdirSync(urlOf(folder), {recursive: true, encoding: 'utf8'}).map(name => name.replaceAll('\\', '/'));
	} catch {
		return [];
	}
};
