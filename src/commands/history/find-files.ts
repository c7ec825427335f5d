/** The files that a history may be in: those that are named, and those in the folders that are named. */
import {createReadStream, existsSync, readdirSync, statSync} from 'node:fs';
import path from 'node:path';
import {ConfigurationError, reasonOf} from '../../platform/errors.ts';
import {fieldsOf, type Fields, type PastFile} from './past-text.ts';

/** How much of a file is read to know its format. */
const headBytes = 65_536;

/** Where programs are, and no talk. */
const passedOver = new Set(['node_modules', '__pycache__']);

/** A folder of memories: `system` with Markdown in it, under git. */
const isMemory = (folder: string): boolean => existsSync(path.join(folder, '.git')) && existsSync(path.join(folder, 'system'))
	&& readdirSync(path.join(folder, 'system')).some(name => name.endsWith('.md'));

/**
 * Walks paths in the order of their names. Symbolic links within a folder are not followed, hidden folders not entered.
 *
 * @throws {ConfigurationError} for a path that is not there, or cannot be read
 */
export async function * findFiles(paths: readonly string[]): AsyncGenerator<PastFile> {
	for (const given of paths) {
		try {
			yield * await walk(path.resolve(given), statSync(given).isDirectory());
		} catch (error) {
			throw error instanceof ConfigurationError
				? error
				: new ConfigurationError(`${given} cannot be read: ${reasonOf(error)}`, {cause: error});
		}
	}
}

const walk = async (place: string, isFolder: boolean): Promise<AsyncIterable<PastFile>> => (async function * () {
	if (!isFolder || isMemory(place)) {
		yield await toPastFile(place, isFolder);
		return;
	}

	for (const entry of readdirSync(place, {withFileTypes: true}).toSorted((a, b) => a.name < b.name ? -1 : 1)) {
		const isEntered = entry.isDirectory() && !entry.name.startsWith('.') && !passedOver.has(entry.name);
		if (isEntered || (entry.isFile() && !entry.name.startsWith('.'))) {
			yield * await walk(path.join(place, entry.name), isEntered);
		}
	}
})();

const toPastFile = async (place: string, isFolder: boolean): Promise<PastFile> => {
	const head = isFolder ? '' : await readHead(place);
	return {path: place, name: path.basename(place), head, values: valuesOf(head), isFolder};
};

const readHead = async (file: string): Promise<string> => {
	let head = '';
	for await (const chunk of createReadStream(file, {encoding: 'utf8', end: headBytes - 1}) as AsyncIterable<string>) {
		head += chunk;
	}

	return head.replace(/^\uFEFF/, '');
};

const maxValues = 20;

/** The first lines that are objects in JSON. */
const valuesOf = (head: string): Fields[] => head.split('\n', 2 * maxValues).flatMap(line => {
	try {
		const value = /^\s*\{.*\}\s*$/.test(line) ? JSON.parse(line) as unknown : null;
		return value === null ? [] : [fieldsOf(value)];
	} catch {
		return [];
	}
}).slice(0, maxValues);
