/** The files that a history may be in: those that are named, and those in the folders that are named. */
import {createReadStream, existsSync, readdirSync, realpathSync, statSync, type Stats} from 'node:fs';
import path from 'node:path';
import {buffer} from 'node:stream/consumers';
import {valueOfJson} from '../../platform/describe-faults.ts';
import {ConfigurationError, reasonOf} from '../../platform/errors.ts';
import {utf16DecoderOf} from '../transfer/text-encoding.ts';
import {fieldsOf, type Fields, type PastFile} from './past-text.ts';

/** How much of a file is read to know its format: the first lines, of which one may hold a long text that somebody pasted. */
const headBytes = 2 ** 20;

/** Where programs are, and no talk. */
const passedOver = new Set(['node_modules', '__pycache__']);

/** A folder of memories: `system` with Markdown in it, under git. */
const isMemory = (folder: string): boolean => existsSync(path.join(folder, '.git')) && existsSync(path.join(folder, 'system'))
	&& readdirSync(path.join(folder, 'system')).some(name => name.endsWith('.md'));

/**
 * Walks paths in the order of their names, and follows symbolic links; each file and folder comes once. Hidden ones within a
 * folder, and links that lead nowhere, are passed over.
 *
 * @throws {ConfigurationError} for a path that is not there, or cannot be read
 */
export async function * findFiles(paths: readonly string[]): AsyncGenerator<PastFile> {
	const seen = new Set<string>();
	for (const given of paths) {
		try {
			yield * walk(path.resolve(given), statSync(given), seen);
		} catch (error) {
			throw error instanceof ConfigurationError
				? error
				: new ConfigurationError(`${given} cannot be read: ${reasonOf(error)}`, {cause: error});
		}
	}
}

/** @param seen Real paths of what has come: a link may lead to a folder that it is in. */
async function * walk(place: string, found: Stats, seen: Set<string>): AsyncGenerator<PastFile> {
	const real = realpathSync(place);
	if (seen.has(real) || !(found.isFile() || found.isDirectory())) {
		return;
	}

	seen.add(real);
	if (found.isFile() || isMemory(place)) {
		yield await toPastFile(place, found.isDirectory());
		return;
	}

	for (const name of readdirSync(place).filter(one => !one.startsWith('.') && !passedOver.has(one)).toSorted()) {
		const inside = path.join(place, name);
		if (existsSync(inside)) {
			yield * walk(inside, statSync(inside), seen);
		}
	}
}

const toPastFile = async (place: string, isFolder: boolean): Promise<PastFile> => {
	const head = isFolder ? '' : await readHead(place);
	return {path: place, name: path.basename(place), head, values: valuesOf(head), isFolder};
};

const readHead = async (file: string): Promise<string> => {
	const head = await buffer(createReadStream(file, {end: headBytes - 1}));
	return utf16DecoderOf(head)?.(head) ?? new TextDecoder().decode(head);
};

const maxValues = 20;

/** The first lines that are objects in JSON. */
const valuesOf = (head: string): Fields[] => head.split('\n', 2 * maxValues).flatMap(line => {
	const value = /^\s*\{.*\}\s*$/.test(line) ? valueOfJson(line) : undefined;
	return value === undefined ? [] : [fieldsOf(value)];
}).slice(0, maxValues);
