/** Finds files that may contain a history: the given ones, and those in the given folders. */
import {createReadStream, existsSync, readdirSync, realpathSync, statSync, type Stats} from 'node:fs';
import path from 'node:path';
import {buffer} from 'node:stream/consumers';
import {valueOfJson} from '../../platform/describe-faults.ts';
import {ConfigurationError, reasonOf} from '../../platform/errors.ts';
import {utf16DecoderOf} from '../transfer/entry-reader.ts';
import {fieldsOf, type Fields, type PastFile} from './past-text.ts';

/** How much of a file is read to detect its format: the first lines, one of which may be a pasted text or image. */
const headBytes = 2 ** 23;

/**
 * Folders of programs, which contain no conversations. Claude Code keeps what its tools printed in `tool-results`: a log or a table
 * among them would be taken for the words of people.
 */
const passedOver = new Set(['node_modules', '__pycache__', 'subagents', 'tool-results']);

/** Whether it is a folder of memories: under git, with Markdown files in `system`. */
const isMemory = (folder: string): boolean => existsSync(path.join(folder, '.git')) && existsSync(path.join(folder, 'system'))
	&& readdirSync(path.join(folder, 'system')).some(name => name.endsWith('.md'));

/**
 * Walks paths in order of name, and follows symbolic links; visits each file and folder once. Hidden entries of a folder and
 * broken links are skipped.
 *
 * @throws {ConfigurationError} for a path that does not exist, cannot be read, or is a pipe or device
 */
export async function * findFiles(paths: readonly string[]): AsyncGenerator<PastFile> {
	const seen = new Set<string>();
	for (const given of paths) {
		try {
			const found = statSync(given);
			if (!found.isFile() && !found.isDirectory()) {
				throw new ConfigurationError(`${given} is neither a file nor a folder. Write what it gives to a file, and name that.`);
			}

			yield * walk(path.resolve(given), found, seen);
		} catch (error) {
			throw error instanceof ConfigurationError
				? error
				: new ConfigurationError(`${given} cannot be read: ${reasonOf(error)}`, {cause: error});
		}
	}
}

/** @param seen Real paths that were visited: a link may lead to a folder that contains it. */
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

/** The first lines that are JSON objects. */
const valuesOf = (head: string): Fields[] => head.split('\n', 2 * maxValues).flatMap(line => {
	const value = /^\s*\{.*\}\s*$/.test(line) ? valueOfJson(line) : undefined;
	return value === undefined ? [] : [fieldsOf(value)];
}).slice(0, maxValues);
